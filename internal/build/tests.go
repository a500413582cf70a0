package build

import (
	"context"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/build/testmain"
)

// compileTests has vet read the tests while it builds them, as "go test" does.
func (j *job) compileTests(ctx context.Context, tmp, to string) error {
	if err := os.WriteFile(filepath.Join(tmp, testmain.Name), []byte(j.testmain), 0o600); err != nil {
		return err
	}
	together, ctx := errgroup.WithContext(ctx)
	together.Go(func() error { return j.vet(ctx, tmp) })
	together.Go(func() error {
		if err := j.compileTested(ctx, tmp); err != nil {
			return err
		}
		archives := "packagefile " + j.place.program + "=" + archive(tmp, j.place.program) + "\n" + j.Archives
		if err := j.compilePackage(ctx, tmp, "main", j.Compiler, "", archives, testmain.Name); err != nil {
			return err
		}
		return j.link(ctx, tmp, to, archives)
	})
	return together.Wait()
}

// compileTested compiles the package with the tests.
func (j *job) compileTested(ctx context.Context, tmp string) error {
	return j.compilePackage(ctx, tmp, j.place.program, j.Tested, j.command.Dir, j.Archives, testFile)
}
