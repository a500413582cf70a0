package build_test

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"marginalia/internal/build"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// A workshop is a tree of files with a program, which a Builder and the go command build. Without
// build IDs, which say how a program was built, both have to make the same bytes.
type workshop struct {
	testing.TB
	root string // of the tree
	dir  string // of the program, prog
	env  []string
	// target is where the Builder puts the program.
	target  string
	verb    []string // build, or test -c
	flags   []string
	builder *build.Builder
}

// files are texts by their paths below the root.
type files map[string]string

// noBuildID links without a build ID: the linker's, since the compiler's does not get into the program.
const noBuildID = "-ldflags=-buildid="

// goTool is the go command, by its path: the Builder looks whether it changes.
var goTool = sync.OnceValues(func() (string, error) { return exec.LookPath("go") })

func newWorkshop(t testing.TB, tree files) *workshop {
	t.Helper()
	root := must.Get(filepath.EvalSymlinks(t.TempDir())).Or(t)
	w := &workshop{TB: t, root: root, dir: filepath.Join(root, "prog"), target: filepath.Join(root, "prog", "program"),
		verb: []string{"build"}, flags: []string{noBuildID}, builder: new(build.Builder)}
	// The user's settings must decide nothing. GOENV is a file in the tree, which tests write.
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !slices.Contains([]string{"GOFLAGS", "GOWORK", "GOENV", "GOPROXY", "GO111MODULE", "GOTOOLCHAIN", "PWD"}, name) {
			w.env = append(w.env, v)
		}
	}
	w.env = append(w.env, "GOENV="+filepath.Join(root, "goenv"), "GOPROXY=off", "GOTOOLCHAIN=local")
	w.writeAll(tree)
	return w
}

// module is the go.mod of the program, with further lines.
func module(more string) string { return "module example.org/prog\n\ngo 1.26.0\n" + more }

// goMod is that of a module without requirements.
func goMod(path string) string { return "module " + path + "\n\ngo 1.26.0\n" }

func (w *workshop) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

func (w *workshop) write(name, text string) { w.Helper(); testfile.Write(w, w.path(name), text) }

func (w *workshop) writeAll(tree files) {
	w.Helper()
	for name, text := range tree {
		w.write(name, text)
	}
}

func (w *workshop) remove(name string) { w.Helper(); must.Do(w, os.RemoveAll(w.path(name))) }

func (w *workshop) rename(from, to string) {
	w.Helper()
	must.Do(w, os.Rename(w.path(from), w.path(to)))
}

// edit replaces a part of a file.
func (w *workshop) edit(name, old, new string) {
	w.Helper()
	text := testfile.Read(w, w.path(name))
	if !strings.Contains(text, old) {
		w.Fatalf("%s has no %q", name, old)
	}
	w.write(name, strings.ReplaceAll(text, old, new))
}

// editUnseen replaces a part of a file by one that is as long, and sets the time of the file back.
func (w *workshop) editUnseen(name, old, new string) {
	w.Helper()
	before := must.Get(os.Stat(w.path(name))).Or(w)
	w.edit(name, old, new)
	must.Do(w, os.Chtimes(w.path(name), time.Time{}, before.ModTime()))
	if now := must.Get(os.Stat(w.path(name))).Or(w); now.Size() != before.Size() || !now.ModTime().Equal(before.ModTime()) {
		w.Fatalf("the edit of %s can be seen: %d bytes of %v, before %d of %v", name, now.Size(), now.ModTime(), before.Size(), before.ModTime())
	}
}

func (w *workshop) command() build.Command {
	return build.Command{Go: must.Get(goTool()).Or(w), Args: slices.Concat(w.verb, []string{"-o", w.target}, w.flags), Dir: w.dir, Env: w.env}
}

// run runs the go command.
func (w *workshop) run(args ...string) (string, error) {
	cmd := exec.CommandContext(w.Context(), must.Get(goTool()).Or(w), args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// goBuilds has the go command build the program, to a file outside the tree. err has its words.
func (w *workshop) goBuilds() (file string, err error) {
	file = filepath.Join(w.TempDir(), "program")
	out, err := w.run(slices.Concat(w.verb, []string{"-o", file}, w.flags)...)
	if err != nil {
		return "", errors.New(out)
	}
	return file, nil
}

// learn has the go command build the program, which it returns, and then the Builder learn.
func (w *workshop) learn(more ...string) (program string) {
	w.Helper()
	program, err := w.goBuilds()
	if err != nil {
		w.Fatalf("go build: %v", err)
	}
	if len(more) > 0 { // what the build cache has not got stays unknown
		if out, err := w.run(slices.Concat([]string{"build"}, w.flags, more)...); err != nil {
			w.Fatalf("go build: %s", out)
		}
	}
	if err := w.builder.Learn(w.Context(), w.command(), more...); err != nil {
		w.Fatalf("Learn: %v", err)
	}
	return program
}

// tree returns the files of the tree. A link is where it leads to.
func (w *workshop) tree() files {
	w.Helper()
	all := files{}
	must.Do(w, filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(w.root, path)
		switch {
		case err != nil:
			return err
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			all[name] = "→" + to
			return err
		case d.IsDir():
			all[name] = "/"
			return nil
		}
		text, err := os.ReadFile(path)
		all[name] = string(text)
		return err
	}))
	return all
}

// restore makes the tree what it was.
func (w *workshop) restore(old files) {
	w.Helper()
	for name := range w.tree() {
		if _, ok := old[name]; !ok {
			w.remove(name)
		}
	}
	now := w.tree()
	for _, name := range slices.Sorted(maps.Keys(old)) { // folders come before what is in them
		text := old[name]
		if now[name] == text {
			continue
		}
		w.remove(name)
		if to, ok := strings.CutPrefix(text, "→"); ok {
			must.Do(w, os.Symlink(to, w.path(name)))
		} else if text == "/" {
			must.Do(w, os.MkdirAll(w.path(name), 0o755))
		} else {
			w.write(name, text)
		}
		now = w.tree() // with a folder went what is in it
	}
}

// builds reports whether the Builder builds the program. It holds the Builder to its word: the
// program is that of the go command, or nothing has changed. A program of an earlier call goes first.
func (w *workshop) builds(ctx context.Context) bool {
	w.Helper()
	if !w.tries(ctx) {
		return false
	}
	if file, err := w.goBuilds(); err != nil {
		w.Errorf("Build says true, go build fails: %v", err)
	} else {
		w.same(file)
	}
	return true
}

// tries calls Build, and reports what it says. If that is false, nothing may have changed.
func (w *workshop) tries(ctx context.Context) bool {
	w.Helper()
	name, err := filepath.Rel(w.root, w.target)
	must.Do(w, err)
	w.remove(name)
	before := w.tree()
	ok := w.builder.Build(ctx, w.command())
	after := w.tree()
	if ok {
		if _, there := after[name]; !there {
			w.Errorf("Build says true, and %s is not there", name)
		}
		delete(after, name)
	}
	w.unchanged(before, after)
	return ok
}

// same compares the program of the Builder with that of the go command, in file.
func (w *workshop) same(file string) {
	w.Helper()
	if bytes.Equal(must.Get(os.ReadFile(w.target)).Or(w), must.Get(os.ReadFile(file)).Or(w)) {
		return
	}
	ours, theirs := must.Get(buildinfo.ReadFile(w.target)).Or(w), must.Get(buildinfo.ReadFile(file)).Or(w)
	if ours.String() != theirs.String() {
		w.Errorf("Build makes another program than go build: go version -m says\n%s\nwant\n%s", ours, theirs)
		return
	}
	ourWords, _ := exec.Command(w.target).CombinedOutput()
	theirWords, _ := exec.Command(file).CombinedOutput()
	w.Errorf("Build makes another program than go build: it prints\n%s\nwant\n%s", ourWords, theirWords)
}

// unchanged reports what has come, gone or changed between two looks at the tree.
func (w *workshop) unchanged(before, after files) {
	w.Helper()
	for name, text := range after {
		if old, ok := before[name]; !ok {
			w.Errorf("Build leaves %s", name)
		} else if old != text {
			w.Errorf("Build changes %s", name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			w.Errorf("Build removes %s", name)
		}
	}
}

// made makes what is begun ahead, if it is.
func made(m *build.Making) {
	if m != nil {
		m.Make()
	}
}
