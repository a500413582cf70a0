package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marginalia/internal/build/testmain"
)

// Learn asks the go command how it would build the program in the folder of a command, so that Build
// can do it. Call it when the go command has built the program: packages that the build cache lacks
// stay unknown. more names packages that the program may import later, as import paths or patterns.
// Learn does not ask again for what it knows and still holds.
func (b *Builder) Learn(ctx context.Context, c Command, more ...string) error {
	return b.Learning(c)(ctx, more...)
}

// Learning begins what Learn does, and returns the rest, which has to be called. When Learning returns,
// the program has been read and may change, and who asks for what is being learned waits.
func (b *Builder) Learning(c Command) (learn func(ctx context.Context, more ...string) error) {
	failed := func(err error) func(context.Context, ...string) error {
		return func(context.Context, ...string) error { return err }
	}
	c = c.located()
	_, flags, ok := c.flags()
	if !ok || b.off {
		return failed(nil)
	}
	p, err := readProgram(c.Dir, slices.Concat(c.goflags(), flags), c.tests())
	if errors.Is(err, errNone) {
		p, err = &program{}, nil
	}
	if err != nil {
		return failed(err)
	}
	at, err := placeOf(c, flags)
	if err != nil {
		return failed(err)
	}
	e := b.entry(at)
	e.Lock()
	return func(ctx context.Context, more ...string) error {
		defer e.Unlock()
		return b.learn(ctx, c, flags, p.imports, at, e, more)
	}
}

// learn puts into an entry what it lacks.
func (b *Builder) learn(ctx context.Context, c Command, flags, imports []string, at place, e *entry, more []string) error {
	files := at.files()
	if g := e.find(at, imports, true); g != nil && g.asked(more) {
		return nil
	}
	more = slices.Clone(more)
	for _, root := range []string{at.root, ""} {
		if g := e.learned[root]; g != nil {
			more = append(more, g.Asked...)
		}
	}
	more = slices.Concat(more, imports)
	slices.Sort(more)
	more = slices.Compact(more)
	g, err := ask(ctx, c, at, flags, imports, more)
	if err != nil {
		return err
	}
	// If the files changed meanwhile, the go command may have read others than those of this key.
	if now, err := placeOf(c, flags); err != nil || now != at || !maps.Equal(files, at.files()) {
		return errors.New("build: go.mod or go.work has changed meanwhile")
	}
	root := ""
	if g.within(at.root) {
		root = at.root
	}
	e.learned[root] = g
	return b.save(at.key, root, g)
}

// ask asks in an order that no change in between goes unseen: what there is, what its files are
// like, and then how to build from that.
func ask(ctx context.Context, c Command, at place, flags, imports, more []string) (*graph, error) {
	g := &graph{Direct: map[string]bool{}, Listed: map[string]listed{}, Stamps: stamps{}, Asked: more, Learned: time.Now()}
	if err := g.list(ctx, c, flags, imports, more); err != nil {
		return nil, err
	}
	if err := g.stamp(ctx, c, at); err != nil {
		return nil, err
	}
	if err := g.plan(ctx, c, at, flags); err != nil {
		return nil, err
	}
	for _, file := range []string{c.Go, g.Compiler.Path, g.Linker.Path, g.Vet.Tool.Path, filepath.Join(g.Goroot, "VERSION"), filepath.Join(g.Goroot, "go.env")} {
		g.Stamps.file(file)
	}
	// Times of change come from a clock that ticks a hundred times a second on the slowest systems.
	if g.Stamps.changedSince(g.Learned.Add(-20 * time.Millisecond)) {
		return nil, errors.New("build: a source has changed meanwhile")
	}
	return g, nil
}

// list takes in the packages. Those that the go command does not find stay unknown.
func (g *graph) list(ctx context.Context, c Command, flags, imports, more []string) error {
	linked := []string{"runtime"} // what no package imports
	if slices.ContainsFunc(slices.Concat(c.goflags(), flags), func(flag string) bool { return strings.TrimLeft(flag, "-") == "race" }) {
		linked = append(linked, "runtime/race")
	}
	if c.tests() {
		linked = append(linked, testmain.Imports...)
	}
	args := slices.Concat([]string{"list", "-e", "-deps", "-json=" + listedFields}, buildFlags(flags), []string{"--"}, linked, more)
	out, _, err := c.output(ctx, args...)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(strings.NewReader(out))
	for {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("build: go list: %w", err)
		}
		g.Listed[p.ImportPath] = p
		if !p.DepOnly && !p.Incomplete && p.Name != "main" && (slices.Contains(imports, p.ImportPath) || open(p.ImportPath, "")) {
			g.Direct[p.ImportPath] = true
		}
	}
}

// stamp notes what decides which packages there are, and what their files are like.
func (g *graph) stamp(ctx context.Context, c Command, at place) error {
	out, _, err := c.output(ctx, "env", "-json", "GOFLAGS", "GOMOD", "GOWORK", "GOENV", "GOMODCACHE")
	if err != nil {
		return err
	}
	var env struct{ GOFLAGS, GOMOD, GOWORK, GOENV, GOMODCACHE string }
	if err := json.Unmarshal([]byte(out), &env); err != nil {
		return fmt.Errorf("build: go env: %w", err)
	}
	if env.GOWORK == "off" {
		env.GOWORK = ""
	}
	if env.GOMOD != at.mod || env.GOWORK != at.work || !known(strings.Fields(env.GOFLAGS)) {
		return fmt.Errorf("build: go env says GOMOD=%s GOWORK=%s GOFLAGS=%s", env.GOMOD, env.GOWORK, env.GOFLAGS)
	}
	g.Stamps.file(env.GOENV)
	modules, err := g.Stamps.modules(at)
	if err != nil {
		return err
	}
	for _, p := range g.Listed {
		if p.Standard || p.Dir == "" {
			continue
		}
		for _, m := range modules { // which may come to have the package, too
			if below, ok := strings.CutPrefix(p.ImportPath, m.path+"/"); ok {
				g.Stamps.folder(filepath.Join(m.dir, filepath.FromSlash(below)), sources)
			}
		}
		if strings.HasPrefix(p.Dir, env.GOMODCACHE+string(filepath.Separator)) {
			continue
		}
		g.Stamps.packageFolder(p.Dir)
		if err := g.Stamps.embedded(p.Dir, p.EmbedFiles, p.EmbedPatterns); err != nil {
			return err
		}
		if p.Module == nil || p.Module.Dir == "" {
			return fmt.Errorf("build: %s is of no module", p.ImportPath)
		}
		for at := p.Dir; len(at) >= len(p.Module.Dir); at = filepath.Dir(at) {
			g.Stamps.file(filepath.Join(at, "go.mod"))
		}
	}
	return nil
}
