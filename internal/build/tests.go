package build

import (
	"context"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/build/testmain"
)

// buildTests has vet read the tests while it builds them, as "go test" does.
func (j *job) buildTests(ctx context.Context, tmp, to string) error {
	together, ctx := errgroup.WithContext(ctx)
	together.Go(func() error { return j.vet(ctx, tmp) })
	together.Go(func() error {
		if err := j.compileTests(ctx, tmp); err != nil {
			return err
		}
		return j.link(ctx, tmp, to, j.withTests(tmp))
	})
	return together.Wait()
}

// compileTests compiles the package with the tests, and the program that runs them.
func (j *job) compileTests(ctx context.Context, tmp string) error {
	if err := os.WriteFile(filepath.Join(tmp, testmain.Name), []byte(j.testmain), 0o600); err != nil {
		return err
	}
	if err := j.compilePackage(ctx, tmp, j.place.program, j.Tested, j.command.Dir, j.Archives, testFile); err != nil {
		return err
	}
	return j.compilePackage(ctx, tmp, "main", j.Compiler, "", j.withTests(tmp), testmain.Name)
}

// withTests are the archives with that of the tests.
func (j *job) withTests(tmp string) string {
	return "packagefile " + j.place.program + "=" + archive(tmp, j.place.program) + "\n" + j.Archives
}
