package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marginalia/internal/processes"
)

// cellPackages is what cells import beside the packages of the repository.
var cellPackages = []string{
	"bufio", "bytes", "cmp", "context", "encoding/csv", "encoding/gob", "encoding/json", "errors", "flag", "fmt",
	"image", "image/color", "image/png", "io", "maps", "math", "math/cmplx", "math/rand", "math/rand/v2", "os", "reflect",
	"runtime", "slices", "sort", "strconv", "strings", "sync", "testing", "text/tabwriter", "time",
	"github.com/janpfeifer/gonb/cache", "github.com/janpfeifer/gonb/gonbui",
	"gonum.org/v1/gonum/floats", "gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/stat", "gonum.org/v1/gonum/stat/distuv",
	"gonum.org/v1/plot", "gonum.org/v1/plot/plotter", "gonum.org/v1/plot/vg",
}

// warmFor is how long a warm build cache is taken to stay so: go removes what
// has not been used for five days.
const warmFor = 48 * time.Hour

// warm compiles what cells link, as the kernel does it, and links it once:
// otherwise the first cell of a fresh computer takes twenty seconds. The file
// stamp remembers it. A package of the repository that does not compile is
// told, and is no error: who edits it wants JupyterLab all the same.
func warm(ctx context.Context, root, toolsKey string, g goEnv, stamp string, p Progress) (warning string, err error) {
	key := toolsKey + "\n" + g.GOCACHE + "\n"
	if old, err := os.ReadFile(stamp); err == nil && string(old) == key {
		if info, err := os.Stat(stamp); err == nil && time.Since(info.ModTime()) < warmFor {
			return "", nil
		}
	}
	if err := checkSpace(g.GOCACHE, spaceWarm); err != nil {
		return "", err
	}
	end := p.begin("compiling what cells import, so that the first cell is quick")
	out, err := warmBuild(ctx, root, g)
	end(err)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil && (unreachable.MatchString(out) || noSpace.MatchString(out)):
		return "", faultf("fetching what cells import: %s", goCause(out, err))
	case err != nil:
		return "a package of this repository does not compile, and cells that import it will fail: " + lastLines(out, err, "go:"), nil
	}
	if err := os.MkdirAll(filepath.Dir(stamp), 0o755); err != nil {
		return "", faultf("%w", fileCause(err))
	}
	return "", writeFile(stamp, []byte(key))
}

// warmBuild builds, in a folder like the kernel's, a program that imports
// everything, and returns the output of go.
func warmBuild(ctx context.Context, root string, g goEnv) (string, error) {
	packages, out, err := repositoryPackages(ctx, root, g)
	if err != nil {
		return out, err
	}
	dir, err := os.MkdirTemp("", "marginalia-warm-")
	if err != nil {
		return "", fileCause(err)
	}
	defer os.RemoveAll(dir)
	version := strings.TrimPrefix(strings.Fields(g.GOVERSION)[0], "go")
	var main strings.Builder
	main.WriteString("package main\n\nimport (\n")
	for _, path := range slices.Concat(cellPackages, packages) {
		fmt.Fprintf(&main, "\t_ %q\n", path)
	}
	main.WriteString(")\n\nfunc main() {}\n")
	for name, text := range map[string]string{
		"go.mod":  "module gonb_warm\n\ngo " + version + "\n",
		"go.work": fmt.Sprintf("go %s\n\nuse (\n\t.\n\t%q\n)\n", version, root),
		"main.go": main.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return "", fileCause(err)
		}
	}
	cmd := processes.Command(ctx, g.binary(), "build", "-o", filepath.Join(dir, "cell"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=", "GOFLAGS="+g.cellFlags())
	b, err := cmd.CombinedOutput()
	return string(b), err
}

// repositoryPackages lists the packages of the repository that a cell can import.
func repositoryPackages(ctx context.Context, root string, g goEnv) (packages []string, out string, err error) {
	args := []string{"list", "-e", "-f", "{{if and .GoFiles (ne .Name \"main\")}}{{.ImportPath}}{{end}}"}
	for _, dir := range []string{"mlkit", "plotting", "datasets"} {
		if _, err := os.Stat(filepath.Join(root, dir)); err == nil {
			args = append(args, "./"+dir+"/...")
		}
	}
	cmd := processes.Command(ctx, g.binary(), args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+g.cellFlags())
	var stderr strings.Builder
	cmd.Stderr = &stderr
	b, err := cmd.Output()
	if err != nil {
		return nil, stderr.String(), errors.New("go list: " + lastLines(stderr.String(), err, "go:"))
	}
	for _, path := range strings.Fields(string(b)) {
		if !slices.Contains(strings.Split(path, "/"), "internal") && !strings.HasSuffix(path, "test") {
			packages = append(packages, path)
		}
	}
	return packages, "", nil
}
