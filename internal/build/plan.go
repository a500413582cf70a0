package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// plan takes in how the go command would build a program that imports all of the packages. The
// program is in a folder that an overlay alone has: no other files are in it, and it is in no cache, so
// that the go command would compile it.
func (g *graph) plan(ctx context.Context, c Command, at place, flags []string) error {
	tmp, err := os.MkdirTemp("", "marginalia-plan-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	text := "package main\n\nimport (\n"
	for _, path := range slices.Sorted(maps.Keys(g.Direct)) {
		text += "\t_ " + strconv.Quote(path) + "\n"
	}
	name, args := "main.go", []string{"build", "-n"}
	if c.tests() {
		name, args = testFile, []string{"test", "-c", "-n"}
		text += "\t\"testing\"\n)\n\nfunc TestMade(*testing.T) {}\n"
	} else {
		text += ")\n\nfunc main() {}\n"
	}
	text += "// " + tmp + "\n"
	folder := filepath.Base(tmp)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(c.Dir, folder, name): filepath.Join(tmp, "main.go")}})
	if err != nil {
		return err
	}
	if err := errors.Join(
		os.WriteFile(filepath.Join(tmp, "main.go"), []byte(text), 0o600),
		os.WriteFile(filepath.Join(tmp, "overlay.json"), overlay, 0o600)); err != nil {
		return err
	}
	_, out, err := c.output(ctx, slices.Concat(args, []string{"-overlay", filepath.Join(tmp, "overlay.json"), "-o", filepath.Join(tmp, "program")}, flags, []string{"./" + folder})...)
	if err != nil {
		return err
	}
	return g.planned(c, flags, path.Join(at.program, folder), out)
}

// planned reads what "go build -n" or "go test -n" prints.
func (g *graph) planned(c Command, flags []string, program, out string) error {
	var archives strings.Builder
	found := map[string]bool{}
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if read, err := g.Vet.read(line); read || err != nil {
			if err != nil {
				return err
			}
			continue
		}
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
			if err := g.call(words, program); err != nil {
				return err
			}
		}
	}
	g.Archives = archives.String()
	if g.Compiler.Path == "" || g.Linker.Path == "" || c.tests() && g.Tested.Path == "" {
		return errors.New(`build: "go build -n" calls no compiler and linker`)
	}
	if c.tests() && !slices.Contains(flags, noVet) && (g.Vet.Config == "" || g.Vet.Tool.Path == "") {
		return errors.New(`build: "go test -n" does not call vet`)
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
	maps.DeleteFunc(g.Direct, func(path string, _ bool) bool { return !has(path) || !g.Vet.knows(path) })
	return nil
}

// call takes in the call of a tool for the program, or for the tests in it.
func (g *graph) call(words []string, program string) error {
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
	of := ""                            // the package
	for i := 1; i < len(words)-1; i++ { // the last is the file
		switch words[i] {
		case "-o", "-importcfg", "-trimpath", "-buildid":
			i++
		case "-pack":
		case "-p":
			of = words[i+1]
			i++
		default:
			if !strings.HasPrefix(words[i], "-buildid=") {
				t.Flags = append(t.Flags, words[i])
			}
		}
	}
	switch name := filepath.Base(t.Path); {
	case name == "compile" && of == "main":
		g.Compiler = t
	case name == "compile" && of == program:
		g.Tested = t
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
