// Package built exports and compiles notebooks into the user's cache, and takes
// them from there as long as nothing they depend on has changed.
//
//	b, err := built.Notebook(ctx, "01-perceptron.ipynb", root)
//	…
//	defer b.Close()
//	result := b.Run(ctx, "novikoff-bound")
package built

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"marginalia/internal/base/lockfile"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/gotest/layout"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/workspace"
)

// A Build is a notebook whose packages have been exported and compiled, ready
// to run. Close ends the use of the binaries, which may be removed then.
type Build struct {
	*celltest.Suite
	Notebook *nbformat.Notebook
	Packages []layout.Package
	Around   string // a sum of what the binaries are built from, except the notebook's cells
	lock     *os.File
	file     string
}

// Close ends the use of the binaries and what cells have left running, and removes what they have
// left in their temporary folder.
func (b *Build) Close() error { return errors.Join(b.Suite.Close(), b.lock.Close()) }

// Same reports whether Around is still the sum of what it is of.
func (b *Build) Same(ctx context.Context, root string) bool {
	t := &target{file: b.file}
	place(ctx, []*target{t}, root)
	return t.err == nil && t.around == b.Around
}

// Notebook exports and compiles the notebook in file against the repository at
// root, or finds that this has been done for the same code of the notebook and
// the repository. What it waits for when another process is at the same notebook,
// it says on standard error.
func Notebook(ctx context.Context, file, root string) (*Build, error) {
	return notebook(ctx, file, root, says)
}

// Notebooks does the same for several, and asks the go command once for all what
// they depend on. Of each file it returns a build or an error.
func Notebooks(ctx context.Context, files []string, root string) ([]*Build, []error) {
	return notebooks(ctx, files, root, says)
}

func says(file, holder string) {
	fmt.Fprintf(os.Stderr, "waiting for %s, which builds %s\n", holder, file)
}

func notebook(ctx context.Context, file, root string, waiting func(file, holder string)) (*Build, error) {
	builds, errs := notebooks(ctx, []string{file}, root, waiting)
	return builds[0], errs[0]
}

// A target is a notebook and the folder of its build.
type target struct {
	file string // as it was named
	abs  string
	nb   *nbformat.Notebook
	dir  string

	around string // see Build
	b      *Build
	err    error
}

// In the cache a notebook has a folder, and each state of its code and of the
// repository's a folder in that, which never changes once it is complete. Who
// uses it has its lock shared, so that any number of processes run the same
// build, or different ones; exclusive has it only who makes or removes it.
func notebooks(ctx context.Context, files []string, root string, waiting func(file, holder string)) ([]*Build, []error) {
	targets := make([]*target, len(files))
	for i, file := range files {
		targets[i] = &target{file: file}
	}
	place(ctx, targets, root)
	for {
		var missing []*target
		for _, t := range targets {
			if t.b == nil && t.err == nil {
				t.use(ctx, waiting)
			}
			if t.b == nil && t.err == nil {
				missing = append(missing, t)
			}
		}
		if missing == nil {
			break
		}
		build(ctx, missing, root, waiting)
		// Another process may have removed one before it is ours to use: look again.
	}
	builds, errs := make([]*Build, len(files)), make([]error, len(files))
	for i, t := range targets {
		builds[i], errs[i] = t.b, t.err
	}
	return builds, errs
}

// place reads the notebooks and finds the folders of their builds.
func place(ctx context.Context, targets []*target, root string) {
	var read []*target
	var nbs []*nbformat.Notebook
	var modules []*workspace.Modules
	for _, t := range targets {
		var m *workspace.Modules
		if t.nb, t.err = nbformat.Read(t.file); t.err == nil {
			t.abs, t.err = filepath.Abs(t.file)
		}
		if t.err == nil {
			m, t.err = workspace.Find(filepath.Dir(t.abs), root)
		}
		if t.err == nil {
			read, nbs, modules = append(read, t), append(nbs, t.nb), append(modules, m)
		}
	}
	if read == nil {
		return
	}
	cache, err := os.UserCacheDir()
	var keys []key
	if err == nil {
		keys, err = buildKeys(ctx, nbs, modules, root)
	}
	for i, t := range read {
		if t.err = err; err != nil {
			continue
		}
		name := sha256.Sum256([]byte(root + "\x00" + t.abs))
		base := strings.TrimSuffix(filepath.Base(t.file), ".ipynb")
		t.dir = filepath.Join(cache, "marginalia", "export", base+"-"+hex.EncodeToString(name[:6]), keys[i].all[:16])
		t.around = keys[i].around
	}
}

// use opens the build, if it is complete.
func (t *target) use(ctx context.Context, waiting func(file, holder string)) {
	held, err := t.lock(ctx, lockfile.Shared, waiting)
	if err != nil {
		t.err = err
		return
	}
	if complete(t.dir) {
		if t.b, t.err = open(t.file, t.nb, t.dir); t.err == nil {
			t.b.lock, t.b.Around, t.b.file = held, t.around, t.file
			return
		}
		t.b = nil
	}
	held.Close()
}

func (t *target) lock(ctx context.Context, kind lockfile.Kind, waiting func(file, holder string)) (*os.File, error) {
	return lockfile.Take(ctx, t.dir+".lock", kind, func(holder string) { waiting(t.file, holder) })
}

// build makes the builds, except those that another process has made meanwhile,
// and removes what no notebook and nobody uses any more.
func build(ctx context.Context, targets []*target, root string, waiting func(file, holder string)) {
	// All take their locks in one order, so that no two processes wait for each other.
	slices.SortFunc(targets, func(a, b *target) int { return strings.Compare(a.dir, b.dir) })
	// A notebook that is named twice is there when it is looked for again.
	targets = slices.CompactFunc(targets, func(a, b *target) bool { return a.dir == b.dir })
	var ours []*target
	for _, t := range targets {
		held, err := t.lock(ctx, lockfile.Exclusive, waiting)
		if err != nil {
			t.err = err
			continue
		}
		defer held.Close()
		if complete(t.dir) {
			continue
		}
		if t.err = os.RemoveAll(t.dir); t.err == nil {
			t.err = os.WriteFile(filepath.Join(filepath.Dir(t.dir), notebookName), []byte(t.abs), 0o644)
		}
		if t.err == nil {
			ours = append(ours, t)
		}
	}
	if ours == nil {
		return
	}
	compile(ctx, ours, root)
	again := make([]*target, len(ours))
	for i, t := range ours {
		again[i] = &target{file: t.file}
	}
	place(ctx, again, root)
	for i, t := range ours {
		if t.err == nil && again[i].dir != t.dir { // it may be of either state
			t.err = cmp.Or(again[i].err, errors.New("built: the notebook, or what it uses, was edited while it was built: run it again"))
		}
		if t.err == nil {
			t.err = os.WriteFile(filepath.Join(t.dir, completeName), nil, 0o644)
		}
		if t.err == nil {
			prune(t.dir)
		}
	}
}

const (
	notebookName = "notebook" // in a notebook's folder: the path of its file
	completeName = "complete" // in a build's folder, written last
)

func complete(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, completeName))
	return err == nil
}

// open reads what cells the packages of a build have.
func open(file string, nb *nbformat.Notebook, dir string) (*Build, error) {
	packages, err := layout.All(filepath.Join(dir, "package"), func(at string) string { return filepath.Join(at, layout.ProgramFile) })
	if err == nil && packages == nil {
		err = fmt.Errorf("built: %s has no programs", dir)
	}
	if err != nil {
		os.Remove(filepath.Join(dir, completeName)) // whatever is wrong, make it anew next time
		return nil, err
	}
	b := &Build{Notebook: nb, Packages: packages}
	b.Suite, err = celltest.NewSuite(file, nb, b.Packages)
	return b, err
}

// compile runs the exporter, which says of each notebook what was wrong. It is a
// program of its own: see there.
func compile(ctx context.Context, targets []*target, root string) {
	args := []string{"run", "marginalia/internal/gotest/export/compile", root}
	for _, t := range targets {
		args = append(args, t.abs, filepath.Join(t.dir, "package"))
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	cmd.Env = append([]string{"GOGC=400"}, workspace.Environ(root)...) // it collects less garbage: see kernel/gocommand
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	words := make([]string, len(targets))
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	} else if _, failed := errors.AsType[*exec.ExitError](err); failed {
		err = errors.New(strings.TrimSpace(stderr.String()))
	} else if err == nil {
		err = json.Unmarshal(out, &words)
	}
	for i, t := range targets {
		if t.err = err; err == nil && words[i] != "" {
			t.err = errors.New(words[i])
		}
	}
}

// prune removes the other builds of the notebook whose build is in dir, unless a
// process uses them, and all builds of notebooks that are no longer there.
func prune(dir string) {
	own := filepath.Dir(dir)
	entries, _ := os.ReadDir(own)
	for _, e := range entries {
		other := filepath.Join(own, strings.TrimSuffix(e.Name(), ".lock"))
		if other == dir || e.Name() == notebookName {
			continue
		}
		held, err := lockfile.Try(other+".lock", lockfile.Exclusive)
		if err != nil {
			continue
		}
		os.RemoveAll(other)
		os.Remove(other + ".lock")
		held.Close()
	}
	notebooks, _ := os.ReadDir(filepath.Dir(own))
	for _, e := range notebooks {
		gone := filepath.Join(filepath.Dir(own), e.Name())
		file, err := os.ReadFile(filepath.Join(gone, notebookName))
		if err != nil {
			continue
		}
		// go test notes what os.Stat looks at: a lecture's result would rest on all other notebooks.
		if err := syscall.Stat(string(file), new(syscall.Stat_t)); errors.Is(err, fs.ErrNotExist) {
			os.RemoveAll(gone)
		}
	}
}
