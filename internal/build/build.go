package build

import (
	"bytes"
	"context"
	"errors"
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
		if !strings.HasPrefix(flag, "-") || !slices.Contains([]string{"ldflags", "gcflags", "tags", "race", "mod"}, name) {
			return "", nil, false
		}
	}
	file = c.Args[2]
	if !filepath.IsAbs(file) {
		file = filepath.Join(c.Dir, file)
	}
	return file, c.Args[3:], true
}

// key says what else has to be the same for two commands to build alike: all that go, compile and
// link read from their environment.
func (c Command) key(flags []string) string {
	env := slices.DeleteFunc(slices.Clone(c.Env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return !strings.HasPrefix(name, "GO") && !strings.HasPrefix(name, "CGO_") && !strings.HasPrefix(name, "XDG_") &&
			!slices.Contains([]string{"HOME", "PATH", "CC", "CXX", "AR", "PKG_CONFIG"}, name)
	})
	slices.Sort(env)
	return strings.Join(slices.Concat([]string{c.Go, c.Dir}, flags, env), "\x00")
}

// value is that of the last setting of a variable, which counts.
func value(env []string, name string) string {
	for _, v := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(v, name+"="); ok {
			return v
		}
	}
	return ""
}

// A Builder builds for any number of folders and environments. The zero Builder has learned
// nothing.
type Builder struct {
	mu    sync.Mutex
	known map[string]*entry // by the key of the command
	made  map[string]bool   // files that Build has written
}

// An entry is what is known for one key. Its lock is held while that is learned.
type entry struct {
	sync.Mutex
	learned *graph // nil if nothing is
}

func (b *Builder) entry(key string) *entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.known == nil {
		b.known, b.made = map[string]*entry{}, map[string]bool{}
	}
	if b.known[key] == nil {
		b.known[key] = new(entry)
	}
	return b.known[key]
}

// ready returns the program in the folder of a command and what is known of its packages, if both
// are sure.
func (b *Builder) ready(c Command) (file string, p *program, g *graph) {
	file, flags, ok := c.flags()
	if !ok {
		return "", nil, nil
	}
	p, err := readProgram(c.Dir)
	if err != nil {
		return "", nil, nil
	}
	e := b.entry(c.key(flags))
	e.Lock()
	defer e.Unlock()
	if e.learned == nil || !e.learned.has(p.imports) || !e.learned.stamps.current() {
		return "", nil, nil
	}
	return file, p, e.learned
}

// Complete reports whether all that the program in the folder of a command imports is there, so
// that "go get" has nothing to do.
func (b *Builder) Complete(c Command) bool {
	_, _, g := b.ready(c)
	return g != nil
}

// Build builds a program and reports whether it did. If not, it has changed nothing.
func (b *Builder) Build(ctx context.Context, c Command) bool {
	file, p, g := b.ready(c)
	if g == nil || !b.mayWrite(file) {
		return false
	}
	tmp, err := os.MkdirTemp(filepath.Dir(file), ".building-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(tmp)
	built := filepath.Join(tmp, "program")
	if g.compile(ctx, c, p, tmp, built) != nil || os.Rename(built, file) != nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.made[file] = true
	return true
}

// mayWrite reports whether a file may be written: the go command refuses to replace what it has not
// built.
func (b *Builder) mayWrite(file string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, err := os.Lstat(file)
	return b.made[file] || errors.Is(err, os.ErrNotExist)
}

// compile calls the compiler and the linker as the go command would, in the folder tmp.
func (g *graph) compile(ctx context.Context, c Command, p *program, tmp, to string) error {
	archive, importcfg := filepath.Join(tmp, "main.a"), filepath.Join(tmp, "importcfg")
	if err := errors.Join(
		os.WriteFile(importcfg, []byte(g.packages), 0o600),
		os.WriteFile(importcfg+".link", []byte(g.packages+g.modinfo.of(g.modules(p.imports))), 0o600)); err != nil {
		return err
	}
	compile := slices.Concat([]string{"-o", archive, "-trimpath", tmp + "=>"}, g.compiler.flags, []string{"-importcfg", importcfg, "-pack"})
	for _, name := range p.files {
		compile = append(compile, "./"+name)
	}
	// Both live half a second: less collecting of garbage is a tenth of that.
	if err := g.compiler.run(ctx, c, compile, "GOGC=400"); err != nil {
		return err
	}
	link := slices.Concat([]string{"-o", to, "-importcfg", importcfg + ".link"}, g.linker.flags, []string{archive})
	return g.linker.run(ctx, c, link, "GOGC=off", "GOROOT="+g.goroot)
}

// A tool is the compiler or the linker, and the flags that are the same for all programs.
type tool struct {
	path  string
	flags []string
}

func (t tool) run(ctx context.Context, c Command, args []string, env ...string) error {
	cmd := processes.Command(ctx, t.path, args...)
	cmd.Dir, cmd.Env = c.Dir, append(env, c.Env...) // GOGC is the user's, if there is one
	return cmd.Run()
}

// output runs the go command with other arguments in the folder and the environment of c.
func (c Command) output(ctx context.Context, args ...string) (string, error) {
	cmd := processes.Command(ctx, c.Go, args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	var stderr bytes.Buffer // where "go build -n" writes
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		err = errors.New(strings.TrimSpace(stderr.String()))
	}
	return string(out) + stderr.String(), err
}
