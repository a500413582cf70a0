package build

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// A place is where the go command finds a program: its module, and the workspace of that.
type place struct {
	key     string // programs with the same key are built alike
	program string // import path
	module  string // path of its module
	root    string // folder of its module
	mod     string // its go.mod
	work    string // the go.work that counts, or ""
}

// of returns the place of a command's program. The names of its folder and of its module do not
// count for the key, what go.mod and go.work say does: each kernel has a folder of its own, and all
// of them share what is known.
func placeOf(c Command, flags []string) (place, error) {
	file := above(c.Dir, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return place{}, err
	}
	mod, err := modfile.Parse(file, text, nil)
	if err != nil {
		return place{}, err
	}
	if mod.Module == nil {
		return place{}, fmt.Errorf("%s names no module", file)
	}
	root := filepath.Dir(file)
	within, err := filepath.Rel(root, c.Dir)
	if err != nil {
		return place{}, err
	}
	if err := module.CheckImportPath(mod.Module.Mod.Path); err != nil {
		return place{}, err
	}
	if slices.Contains([]string{"std", "cmd"}, mod.Module.Mod.Path) {
		return place{}, errors.New("the module has the name of Go's own")
	}
	at := place{root: root, mod: file, module: mod.Module.Mod.Path, program: path.Join(mod.Module.Mod.Path, filepath.ToSlash(within))}

	h := sha256.New()
	note := func(what ...string) { fmt.Fprintf(h, "%q\n", what) }
	note(c.Go)
	note(c.Args[0])
	note(flags...)
	note(environment(c.Env)...)
	line := mod.Module.Syntax
	note("go.mod", string(text[:line.Start.Byte]), string(text[line.End.Byte:]))
	note(folders(root, mod.Replace)...)
	sum, _ := os.ReadFile(filepath.Join(root, "go.sum"))
	note("go.sum", string(sum))

	work := value(c.Env, "GOWORK")
	if work == "" {
		work = above(c.Dir, "go.work")
	}
	if work != "off" && work != "" {
		at.work = work
		text, err := os.ReadFile(work)
		if err != nil {
			return place{}, err
		}
		w, err := modfile.ParseWork(work, text, nil)
		if err != nil {
			return place{}, err
		}
		note("go.work", string(text))
		home := filepath.Dir(work)
		note(folders(home, w.Replace)...)
		for _, use := range w.Use {
			if dir := resolve(home, use.Path); dir != root {
				note("use", dir)
			}
		}
		sum, _ := os.ReadFile(work + ".sum")
		note("go.work.sum", string(sum))
		if vendored(home) {
			return place{}, errors.New("packages are vendored")
		}
	}
	if vendored(root) {
		return place{}, errors.New("packages are vendored")
	}
	at.key = fmt.Sprintf("%x", h.Sum(nil)[:16])
	return at, nil
}

// files are the states of the files that placeOf reads.
func (at place) files() map[string]state {
	files := map[string]state{}
	for _, file := range []string{at.mod, filepath.Join(at.root, "go.sum"), at.work, at.work + ".sum"} {
		files[file] = stampOf(file, none).State
	}
	return files
}

// environment is all that go, compile and link read of theirs.
func environment(all []string) (env []string) {
	last := map[string]string{} // settings that count
	for _, v := range all {
		name, setting, _ := strings.Cut(v, "=")
		last[name] = setting
	}
	for name, setting := range last {
		switch {
		case name == "GOGC" || name == "GOWORK" || strings.HasPrefix(name, "GONB_"): // placeOf reads what GOWORK names
		case strings.HasPrefix(name, "GO"), strings.HasPrefix(name, "CGO_"), strings.HasPrefix(name, "XDG_"),
			slices.Contains([]string{"HOME", "CC", "CXX", "AR", "PKG_CONFIG"}, name):
			env = append(env, name+"="+setting)
		}
	}
	slices.Sort(env)
	// Of PATH count the compilers of C that the go command finds in it.
	for _, dir := range filepath.SplitList(last["PATH"]) {
		for _, name := range []string{"gcc", "clang"} {
			file := filepath.Join(dir, name)
			if info, err := os.Stat(file); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
				env = append(env, file)
			}
		}
	}
	return env
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

// above returns the file of a name in dir or the nearest folder above it, "" if there is none.
func above(dir, name string) string {
	for ; ; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return file
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

func vendored(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "vendor"))
	return err == nil
}

// folders are those by which modules are replaced.
func folders(dir string, all []*modfile.Replace) (found []string) {
	for _, r := range all {
		if modfile.IsDirectoryPath(r.New.Path) {
			found = append(found, resolve(dir, r.New.Path))
		}
	}
	return found
}

// resolve returns a path that a file in dir names.
func resolve(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}
