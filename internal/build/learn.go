package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A graph is what the go command has said of packages and of how a program is built from them.
type graph struct {
	Direct           map[string]bool // packages that a program may import
	Listed           map[string]listed
	Archives         string // lines of the importcfg for all of them
	Modinfo          modinfo
	Compiler, Linker tool
	Goroot           string
	Stamps           stamps
	Asked            []string // what it was asked for, import paths and patterns
	Learned          time.Time
}

// lasting is how long a graph is used: the go command, which is then asked again, removes archives
// from the build cache that it has not used for five days.
const lasting = 24 * time.Hour

// current reports whether the go command would say the same now.
func (g *graph) current() bool { return time.Since(g.Learned) < lasting && g.Stamps.current() }

// asked reports whether all of this was asked for.
func (g *graph) asked(more []string) bool {
	return !slices.ContainsFunc(more, func(path string) bool { return !slices.Contains(g.Asked, path) })
}

// there reports whether the build cache has all archives.
func (g *graph) there() bool {
	for line := range strings.Lines(g.Archives) {
		_, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		if _, err := os.Stat(file); err != nil {
			return false
		}
	}
	return true
}

// listed is what "go list" says of a package.
type listed struct {
	ImportPath, Name, Dir string
	Standard, DepOnly     bool
	Incomplete            bool
	EmbedFiles, Imports   []string
	EmbedPatterns         []string
	Module                *struct{ Path, Dir string }
}

const listedFields = "ImportPath,Name,Dir,Standard,DepOnly,Incomplete,EmbedFiles,EmbedPatterns,Imports,Module"

// has reports whether a program may import all of these.
func (g *graph) has(imports []string) bool {
	return !slices.ContainsFunc(imports, func(path string) bool { return !g.Direct[path] })
}

// within reports whether packages lie in a folder.
func (g *graph) within(root string) bool {
	for _, p := range g.Listed {
		if !p.Standard && (p.Dir == root || strings.HasPrefix(p.Dir, root+string(filepath.Separator))) {
			return true
		}
	}
	return false
}

// modules are those of the packages that a program with these imports is linked from.
func (g *graph) modules(imports []string) map[string]bool {
	seen, modules := map[string]bool{}, map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		p := g.Listed[path]
		if seen[path] || p.Standard {
			return
		}
		seen[path] = true
		if p.Module != nil {
			modules[p.Module.Path] = true
		}
		for _, path := range p.Imports {
			visit(path)
		}
	}
	for _, path := range imports {
		visit(path)
	}
	return modules
}

// Learn asks the go command what it would do for the program in the folder of a command, so that
// Build can do it. It is meant for when the go command has built the program: what the build cache
// has not got stays unknown. The program may come to import the packages of more, import paths or
// patterns, too. What is known and still holds is not asked for again.
func (b *Builder) Learn(ctx context.Context, c Command, more ...string) error {
	c = c.located()
	_, flags, ok := c.flags()
	if !ok {
		return nil
	}
	p, err := readProgram(c.Dir, slices.Concat(c.goflags(), flags))
	if errors.Is(err, errNone) {
		p, err = &program{}, nil
	}
	if err != nil {
		return err
	}
	at, err := placeOf(c, flags)
	if err != nil {
		return err
	}
	e := b.entry(at)
	e.Lock()
	defer e.Unlock()
	if g := e.find(at, p.imports, true); g != nil && g.asked(more) {
		return nil
	}
	more = slices.Clone(more)
	for _, root := range []string{at.root, ""} {
		if g := e.learned[root]; g != nil {
			more = append(more, g.Asked...)
		}
	}
	more = slices.Concat(more, p.imports)
	slices.Sort(more)
	more = slices.Compact(more)
	g, err := learn(ctx, c, at, flags, p.imports, more)
	if err != nil {
		return err
	}
	root := ""
	if g.within(at.root) {
		root = at.root
	}
	e.learned[root] = g
	return b.save(at.key, root, g)
}

// learn asks in an order that no change in between goes unseen: what there is, what its files are
// like, and then how to build from that.
func learn(ctx context.Context, c Command, at place, flags, imports, more []string) (*graph, error) {
	g := &graph{Direct: map[string]bool{}, Listed: map[string]listed{}, Stamps: stamps{}, Asked: more, Learned: time.Now()}
	if err := g.list(ctx, c, flags, imports, more); err != nil {
		return nil, err
	}
	if err := g.stamp(ctx, c, at); err != nil {
		return nil, err
	}
	if err := g.plan(ctx, c, flags); err != nil {
		return nil, err
	}
	for _, file := range []string{c.Go, g.Compiler.Path, g.Linker.Path, filepath.Join(g.Goroot, "VERSION"), filepath.Join(g.Goroot, "go.env")} {
		g.Stamps.file(file)
	}
	// Clocks of file systems are up to a hundredth of a second slow.
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
	args := slices.Concat([]string{"list", "-e", "-deps", "-json=" + listedFields}, flags, []string{"--"}, linked, more)
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
		if !p.DepOnly && !p.Incomplete && p.Name != "main" && (slices.Contains(imports, p.ImportPath) || !closed(p.ImportPath)) {
			g.Direct[p.ImportPath] = true
		}
	}
}

// closed reports whether not every program may import a package.
func closed(path string) bool {
	elements := strings.Split(path, "/")
	return slices.Contains(elements, "internal") || elements[0] == "vendor"
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

// plan takes in how the go command would build a program that imports all of the packages. The
// program is an overlay's: it is in no cache, so the go command would compile it.
func (g *graph) plan(ctx context.Context, c Command, flags []string) error {
	tmp, err := os.MkdirTemp("", "marginalia-plan-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	text := "package main\n\nimport (\n"
	for _, path := range slices.Sorted(maps.Keys(g.Direct)) {
		text += "\t_ " + strconv.Quote(path) + "\n"
	}
	text += ")\n\nfunc main() {}\n// " + tmp + "\n"
	replace := map[string]string{filepath.Join(c.Dir, "main.go"): filepath.Join(tmp, "main.go")}
	others, _ := filepath.Glob(filepath.Join(c.Dir, "*.go")) // the pattern is well-formed
	for _, file := range others {
		if filepath.Base(file) != "main.go" {
			replace[file] = ""
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	if err := errors.Join(
		os.WriteFile(filepath.Join(tmp, "main.go"), []byte(text), 0o600),
		os.WriteFile(filepath.Join(tmp, "overlay.json"), overlay, 0o600)); err != nil {
		return err
	}
	_, out, err := c.output(ctx, slices.Concat([]string{"build", "-n", "-overlay", filepath.Join(tmp, "overlay.json"), "-o", filepath.Join(tmp, "program")}, flags)...)
	if err != nil {
		return err
	}
	return g.planned(out)
}

// planned reads what "go build -n" prints.
func (g *graph) planned(out string) error {
	var archives strings.Builder
	found := map[string]bool{}
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if archive, ok := strings.CutPrefix(line, "packagefile "); ok {
			path, file, _ := strings.Cut(archive, "=")
			if !found[path] && filepath.IsAbs(file) {
				archives.WriteString(line + "\n")
				found[path] = true
			}
		} else if info, ok := strings.CutPrefix(line, "modinfo "); ok {
			if err := g.Modinfo.read(info); err != nil {
				return err
			}
		} else if words := split(line); slices.Contains(words, "-importcfg") {
			if err := g.call(words); err != nil {
				return err
			}
		}
	}
	g.Archives = archives.String()
	if g.Compiler.Path == "" || g.Linker.Path == "" {
		return errors.New(`build: "go build -n" calls no compiler and linker`)
	}
	for path := range found {
		if _, ok := g.Listed[path]; !ok {
			return fmt.Errorf("build: go list does not name %s, which go build would link: it has come in between", path)
		}
	}
	// What has to be compiled first, and what imports that, is for the go command.
	var has func(path string) bool
	whole := map[string]bool{"unsafe": true, "C": true}
	has = func(path string) bool {
		if all, known := whole[path]; known {
			return all
		}
		whole[path] = true
		p := g.Listed[path]
		whole[path] = found[path] && !slices.ContainsFunc(p.Imports, func(path string) bool { return !has(path) })
		return whole[path]
	}
	maps.DeleteFunc(g.Direct, func(path string, _ bool) bool { return !has(path) })
	return nil
}

// call takes in the call of a tool for the main package.
func (g *graph) call(words []string) error {
	for len(words) > 0 && strings.Contains(words[0], "=") {
		if root, ok := strings.CutPrefix(words[0], "GOROOT="); ok {
			g.Goroot = strings.Trim(root, "'")
		}
		words = words[1:]
	}
	if len(words) == 0 {
		return nil
	}
	t := tool{Path: words[0]}
	main := false
	for i := 1; i < len(words)-1; i++ { // the last is the file
		switch words[i] {
		case "-o", "-importcfg", "-trimpath", "-buildid":
			i++
		case "-pack":
		case "-p":
			main = words[i+1] == "main"
			t.Flags = append(t.Flags, "-p", words[i+1])
			i++
		default:
			if !strings.HasPrefix(words[i], "-buildid=") {
				t.Flags = append(t.Flags, words[i])
			}
		}
	}
	switch name := filepath.Base(t.Path); {
	case name == "compile" && main:
		g.Compiler = t
	case name == "link":
		g.Linker = t
	default:
		return nil
	}
	if i := slices.IndexFunc(t.Flags, func(flag string) bool { return strings.Contains(flag, "$WORK") }); i >= 0 {
		return fmt.Errorf("build: the go command would call %s with %s", t.Path, t.Flags[i])
	}
	return nil
}

// split splits a line into words, some of them quoted as in Go.
func split(line string) (words []string) {
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		word := line
		if quoted, err := strconv.QuotedPrefix(line); err == nil {
			word, line = quoted, line[len(quoted):]
			word, _ = strconv.Unquote(word) // it is one
		} else if i := strings.IndexByte(line, ' '); i >= 0 {
			word, line = line[:i], line[i:]
		} else {
			line = ""
		}
		words = append(words, word)
	}
	return words
}
