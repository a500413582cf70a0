package build

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"marginalia/internal/base/processes"
)

// A Command is a call of the go command.
type Command struct {
	Go   string   // the go command itself
	Args []string // without its name
	Dir  string
	Env  []string
}

// flags returns the file that "go build -o file [flags]" makes, and the flags. ok is false for
// other commands and for flags whose effect is not known here.
func (c Command) flags() (file string, flags []string, ok bool) {
	if len(c.Args) < 3 || c.Args[0] != "build" || c.Args[1] != "-o" {
		return "", nil, false
	}
	all := slices.Concat(c.Args[3:], strings.Fields(value(c.Env, "GOFLAGS")))
	for _, flag := range all {
		name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if !strings.HasPrefix(flag, "-") || !slices.Contains([]string{"buildvcs", "gcflags", "ldflags", "mod", "race", "tags"}, name) {
			return "", nil, false
		}
	}
	file = c.Args[2]
	if !filepath.IsAbs(file) {
		file = filepath.Join(c.Dir, file)
	}
	return file, c.Args[3:], true
}

// A Builder builds for any number of folders and environments. The zero Builder has learned
// nothing, and keeps what it learns to itself.
type Builder struct {
	Dir string // where what is learned is kept for other processes, if it is not ""

	mu    sync.Mutex
	known map[string]*entry // by the key of the place
	ahead []*making         // the oldest first
}

// An entry is what is known of one place. Its lock is held while that is learned.
type entry struct {
	sync.Mutex
	learned *graph // nil if nothing is
}

// entry returns the entry of a key, with what another process has learned.
func (b *Builder) entry(key string) *entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.known == nil {
		b.known = map[string]*entry{}
	}
	if b.known[key] == nil {
		b.known[key] = &entry{learned: b.load(key)}
	}
	return b.known[key]
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

// Names returns the names of the packages that the program of a command may import, as far as they
// are known; nil if none are.
func (b *Builder) Names(c Command) func(path string) (name string, ok bool) {
	_, flags, ok := c.flags()
	at, err := placeOf(c, flags)
	if !ok || err != nil {
		return nil
	}
	e := b.entry(at.key)
	e.Lock()
	defer e.Unlock()
	g := e.learned
	if g == nil || !g.current() {
		return nil
	}
	return func(path string) (string, bool) { return g.Listed[path].Name, g.Direct[path] }
}

// job returns what the command is to do, nil if that is not sure. files are the program's, nil for
// those in its folder.
func (b *Builder) job(c Command, files map[string][]byte) *job {
	file, flags, ok := c.flags()
	if !ok {
		return nil
	}
	p, err := readProgram(c.Dir, flags)
	if files != nil {
		p, err = newProgram(files)
	}
	if err != nil {
		return nil
	}
	at, err := placeOf(c, flags)
	if err != nil {
		return nil
	}
	e := b.entry(at.key)
	e.Lock()
	defer e.Unlock()
	if e.learned == nil || !e.learned.has(p.imports) || !e.learned.current() {
		return nil
	}
	return &job{p, e.learned, c, at, e, file}
}

// Complete reports whether all that the program in the folder of a command imports is there, so
// that "go get" has nothing to do.
func (b *Builder) Complete(c Command) bool { return b.job(c, nil) != nil }

// Build builds a program and reports whether it did. If not, it has changed nothing.
func (b *Builder) Build(ctx context.Context, c Command) bool {
	j := b.job(c, nil)
	if j == nil || !mayWrite(j.file) {
		return false
	}
	m := b.claim(j)
	if m == nil {
		m = j.begin(ctx)
		m.make()
	}
	defer m.remove()
	select {
	case <-m.made:
	case <-ctx.Done():
		return false
	}
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
func (e *entry) forget(g *graph) {
	e.Lock()
	defer e.Unlock()
	if e.learned == g {
		e.learned = nil
	}
}

// compile calls the compiler and the linker as the go command would, with copies of the files in the
// folder tmp. They are named as if they lay in the folder of the command.
func (j *job) compile(ctx context.Context, tmp, to string) error {
	archive, importcfg := filepath.Join(tmp, "main.a"), filepath.Join(tmp, "importcfg")
	err := errors.Join(
		os.WriteFile(importcfg, []byte(j.Archives), 0o600),
		os.WriteFile(importcfg+".link", []byte(j.Archives+j.Modinfo.of(j.place, j.modules(j.imports))), 0o600))
	compile := slices.Concat([]string{"-o", archive, "-trimpath", tmp + "=>" + j.command.Dir}, j.Compiler.Flags, []string{"-importcfg", importcfg, "-pack"})
	for _, name := range slices.Sorted(maps.Keys(j.files)) {
		err = errors.Join(err, os.WriteFile(filepath.Join(tmp, name), j.files[name], 0o600))
		compile = append(compile, "./"+name)
	}
	if err != nil {
		return err
	}
	// Both live half a second: less collecting of garbage is a tenth of that.
	if err := j.run(ctx, j.Compiler, tmp, compile, "GOGC=400"); err != nil {
		return err
	}
	link := slices.Concat([]string{"-o", to, "-importcfg", importcfg + ".link"}, j.Linker.Flags, []string{archive})
	return j.run(ctx, j.Linker, tmp, link, "GOGC=off", "GOROOT="+j.Goroot)
}

// A tool is the compiler or the linker, and the flags that are the same for all programs.
type tool struct {
	Path  string
	Flags []string
}

func (j *job) run(ctx context.Context, t tool, dir string, args []string, env ...string) error {
	cmd := processes.Command(ctx, t.Path, args...)
	cmd.Dir, cmd.Env = dir, slices.Concat(env, j.command.Env, []string{"PWD=" + dir}) // GOGC is the user's, if there is one
	return cmd.Run()
}

// output runs the go command with other arguments in the folder and the environment of c.
func (c Command) output(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	cmd := processes.Command(ctx, c.Go, args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		err = errors.New(strings.TrimSpace(said.String()))
	}
	return out.String(), said.String(), err
}
