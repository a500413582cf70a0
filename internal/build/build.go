package build

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"marginalia/internal/base/processes"
	"marginalia/internal/build/testmain"
)

// A Builder builds for any number of folders and environments. The zero Builder has learned
// nothing, and keeps what it learns to itself.
type Builder struct {
	Dir string // where what is learned is kept for other processes, if it is not ""

	off   bool // it is sure of nothing
	mu    sync.Mutex
	known map[string]*entry // by the key of the place
	ahead []*Making         // the oldest first
}

// An entry is what is known for one key. Its lock is held while that is learned.
type entry struct {
	sync.Mutex
	learned map[string]*graph // by the folder of the module if it has packages of its own, else by ""
}

// entry returns the entry of a place, with what other processes have learned.
func (b *Builder) entry(at place) *entry {
	b.mu.Lock()
	if b.known == nil {
		b.known = map[string]*entry{}
	}
	e := b.known[at.key]
	if e == nil {
		e = &entry{learned: map[string]*graph{}}
		b.known[at.key] = e
	}
	b.mu.Unlock()
	e.Lock()
	defer e.Unlock()
	for _, root := range []string{at.root, ""} {
		if _, tried := e.learned[root]; !tried {
			e.learned[root] = b.load(at.key, root)
		}
	}
	return e
}

// find returns what is known at a place and has all the imports. Whether that still holds costs a
// look at some hundreds of files.
func (e *entry) find(at place, imports []string, holds bool) *graph {
	for _, root := range []string{at.root, ""} {
		if g := e.learned[root]; g != nil && g.has(imports, at) && !g.doubts(at) && (!holds || g.current()) {
			return g
		}
	}
	return nil
}

// A job is a program to build, and how.
type job struct {
	*program
	*graph
	command Command
	place   place
	entry   *entry
	file    string
}

// A Package is what a program may import.
type Package struct {
	Name     string
	Standard bool   // it is of the standard library
	Archive  string // the file with what it exports
}

// Packages returns the packages by import path that the program of a command may import, as far as
// they are known, or were when the Builder last looked; nil if none are.
func (b *Builder) Packages(c Command) func(path string) (p Package, ok bool) {
	g := b.graph(c, nil, false)
	if g == nil {
		return nil
	}
	return func(path string) (Package, bool) {
		p := g.Listed[path]
		return Package{p.Name, p.Standard, g.archive(path)}, g.Direct[path]
	}
}

// Complete reports whether all that the program in the folder of a command imports is there, so
// that "go get" has nothing to do.
func (b *Builder) Complete(c Command) bool {
	c = c.located()
	_, flags, ok := c.flags()
	if !ok {
		return false
	}
	p, err := readProgram(c.Dir, slices.Concat(c.goflags(), flags), c.tests())
	return err == nil && b.graph(c, p.imports, true) != nil
}

// graph returns what is known of the packages that the program of a command imports. Of tests it is
// enough to know those of other programs: there are the same packages.
func (b *Builder) graph(c Command, imports []string, holds bool) *graph {
	c = c.located()
	file, flags, ok := c.flags()
	if !ok || b.off {
		return nil
	}
	at, err := placeOf(c, flags)
	if err != nil {
		return nil
	}
	e := b.entry(at)
	e.Lock()
	g := e.find(at, imports, holds)
	e.Unlock()
	if g == nil && c.tests() {
		c.Args = slices.Concat([]string{"build", "-o", file}, buildFlags(flags))
		return b.graph(c, imports, holds)
	}
	return g
}

// job returns what the command is to do, nil if that is not sure. files are the program's, nil for
// those in its folder. holds says whether what is known has to hold.
func (b *Builder) job(c Command, files map[string][]byte, holds bool) *job {
	c = c.located()
	file, flags, ok := c.flags()
	if !ok || b.off {
		return nil
	}
	p, err := readProgram(c.Dir, slices.Concat(c.goflags(), flags), c.tests())
	if err == nil && files == nil && c.Edited != nil {
		files = p.files
		maps.Copy(files, c.Edited)
	}
	if files != nil {
		p, err = newProgram(files, c.tests())
	}
	if err != nil {
		return nil
	}
	at, err := placeOf(c, flags)
	if err != nil {
		return nil
	}
	if c.tests() {
		if p.testmain, ok = testmain.Write(p.test, at.module, at.program); !ok {
			return nil
		}
	}
	e := b.entry(at)
	e.Lock()
	defer e.Unlock()
	g := e.find(at, p.imports, holds)
	if g == nil {
		return nil
	}
	return &job{p, g, c, at, e, file}
}

// Build builds a program and reports whether it did. If not, it has changed nothing.
func (b *Builder) Build(ctx context.Context, c Command) bool {
	j := b.job(c, nil, true)
	if j == nil || !mayWrite(j.file) {
		return false
	}
	m := b.claim(j)
	if m == nil {
		m = j.begin(ctx)
	}
	defer m.remove()
	defer context.AfterFunc(ctx, m.end)()
	m.Make()
	return m.err == nil && os.Rename(m.program(), j.file) == nil
}

// mayWrite reports whether a file may be written: like the go command, Build replaces programs alone.
func mayWrite(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	magic := make([]byte, 4)
	_, err = io.ReadFull(f, magic)
	return err == nil && slices.Contains(programs, string(magic))
}

// programs are how those of Linux, macOS and WebAssembly begin.
var programs = []string{"\x7fELF", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe", "\x00asm"}

// forget forgets what has turned out wrong.
func (e *entry) forget(wrong *graph) {
	e.Lock()
	defer e.Unlock()
	for root, g := range e.learned {
		if g == wrong {
			e.learned[root] = nil
		}
	}
}

// compile calls the compiler and the linker as the go command would, with copies of the files in the
// folder tmp. They are named as if they lay in the folder of the command.
func (j *job) compile(ctx context.Context, tmp, to string) error {
	if err := j.write(tmp); err != nil {
		return err
	}
	if j.command.tests() {
		return j.buildTests(ctx, tmp, to)
	}
	if err := j.compilePackage(ctx, tmp, "main", j.Compiler, j.command.Dir, j.Archives, slices.Sorted(maps.Keys(j.files))...); err != nil {
		return err
	}
	return j.link(ctx, tmp, to, j.Archives)
}

// write writes the files of the program to tmp.
func (j *job) write(tmp string) error {
	for name, text := range j.files {
		if err := os.WriteFile(filepath.Join(tmp, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// compilePackage compiles files in tmp, which are named as if they lay in dir, to an archive there.
func (j *job) compilePackage(ctx context.Context, tmp, pkg string, compiler tool, dir, archives string, files ...string) error {
	importcfg := filepath.Join(tmp, "importcfg")
	if err := os.WriteFile(importcfg, []byte(archives), 0o600); err != nil {
		return err
	}
	args := slices.Concat([]string{"-o", archive(tmp, pkg), "-p", pkg, "-trimpath", tmp + "=>" + dir}, compiler.Flags, []string{"-importcfg", importcfg, "-pack"})
	for _, file := range files {
		args = append(args, "./"+file)
	}
	// Collecting less garbage saves a tenth of their time.
	return j.run(ctx, compiler, tmp, args, "GOGC=400")
}

// archive is the file in tmp of a package that is compiled there.
func archive(tmp, pkg string) string {
	if pkg == "main" {
		return filepath.Join(tmp, "main.a")
	}
	return filepath.Join(tmp, "tested.a")
}

// link links the archive main.a in tmp with others.
func (j *job) link(ctx context.Context, tmp, to, archives string) error {
	importcfg := filepath.Join(tmp, "importcfg.link")
	if err := os.WriteFile(importcfg, []byte(archives+j.Modinfo.of(j.place, j.modules(j.imports))), 0o600); err != nil {
		return err
	}
	args := slices.Concat([]string{"-o", to, "-importcfg", importcfg}, j.Linker.Flags, []string{archive(tmp, "main")})
	return j.run(ctx, j.Linker, tmp, args, "GOGC=off", "GOROOT="+j.Goroot)
}

// A tool is the compiler, the linker or vet, and the flags that are the same for all programs.
type tool struct {
	Path  string
	Flags []string
}

func (j *job) run(ctx context.Context, t tool, dir string, args []string, env ...string) error {
	cmd := processes.Command(ctx, t.Path, args...)
	cmd.Dir, cmd.Env = dir, slices.Concat(env, j.command.Env, []string{"PWD=" + dir}) // GOGC is the user's, if there is one
	return cmd.Run()
}
