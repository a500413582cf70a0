// Package workspace finds the modules that lie beside a notebook, and joins them with the
// repository in a workspace: a cell imports the packages of the go.mod in its notebook's
// folder or above it, or of all modules of the go.work there, and what these require.
//
// The workspace is a go.work in a folder of ours, that of a kernel or of an exported
// notebook; nothing is written beside the notebook. The go command chooses versions in
// both alike, so a cell means the same on the kernel and as a test. This file and copies.go are
// built into the kernel, too (see internal/kernel/patches.go), and import golang.org/x/mod alone.
package workspace

import (
	"errors"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// ours is the path of the repository's module.
const ours = "marginalia"

// Modules are what lies beside a notebook.
type Modules struct {
	Home  string   // the folder of the nearest go.mod, or of the go.work: where to run go get
	Dirs  []string // folders of the modules
	Local []string // folders by which the modules replace others
	Files []string // that decide on versions, there or not

	replaces []*modfile.Replace // of go.work
	copied   []copied
	language string // the newest go line
}

// Find returns the modules beside a notebook in folder dir, to join with the repository at
// root. It returns nil if no go.mod and no go.work lies there, or only the repository's. An
// error names the file at fault and says what to do.
func Find(dir, root string) (*Modules, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	home, work := above(dir, "go.mod"), above(dir, "go.work")
	if home == "" && work == "" || home != "" && same(home, root) {
		return nil, nil
	}
	r, err := parse(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	m := &Modules{Home: home, Dirs: []string{home}, language: r.Go.Version}
	if work != "" {
		if err := m.work(filepath.Join(work, "go.work"), home, root); err != nil {
			return nil, err
		}
	}
	for _, d := range m.Dirs {
		if err := m.module(filepath.Join(d, "go.mod"), r); err != nil {
			return nil, err
		}
	}
	if len(m.Dirs) == 0 {
		return nil, nil
	}
	if work == "" {
		work = home
	}
	return m, m.vendor(filepath.Join(work, "vendor"), r)
}

// above returns the nearest folder, dir or above it, that has the file; "" if none has.
func above(dir, file string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, file)); err == nil && !info.IsDir() {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}

func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// work takes in the modules and the replacements of a go.work.
func (m *Modules) work(file, home, root string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("workspace: %w", err)
	}
	w, err := modfile.ParseWork(file, data, nil)
	if err != nil {
		return fmt.Errorf("workspace: %w: fix the file", err)
	}
	dir := filepath.Dir(file)
	m.Dirs = nil
	for _, u := range w.Use {
		at := absolute(dir, u.Path)
		switch {
		case same(at, root):
			continue
		case !same(at, at):
			return fmt.Errorf("workspace: %s uses %s, and there is no such folder: go -C %s work edit -dropuse %s", file, u.Path, dir, u.Path)
		}
		m.Dirs = append(m.Dirs, at)
	}
	if home == "" {
		m.Home = dir
	} else if !slices.ContainsFunc(m.Dirs, func(d string) bool { return same(d, home) }) {
		return fmt.Errorf("workspace: %s does not use the module of the notebook, %s: go -C %s work use %[2]s", file, home, dir)
	}
	for _, r := range w.Replace {
		if r.Old.Path == ours && modfile.IsDirectoryPath(r.New.Path) {
			continue // that is what we do
		}
		if m.replace(file, r) {
			m.replaces = append(m.replaces, r)
		}
	}
	if w.Go != nil {
		if err := m.needs(file, w.Go.Version); err != nil {
			return err
		}
	}
	m.Files = append(m.Files, file, file+".sum")
	return pinned(file, nil, w.Replace, nil)
}

// replace makes the folder that a line of file names absolute, and notes it. It returns false if
// there is no module in that folder. Then an empty one stands in for it: a workspace reads the
// go.mod of each module that is required, used or not, where `go build` beside the notebook does
// not miss it.
func (m *Modules) replace(file string, r *modfile.Replace) bool {
	if !modfile.IsDirectoryPath(r.New.Path) {
		return true
	}
	r.New.Path = absolute(filepath.Dir(file), r.New.Path)
	mod := filepath.Join(r.New.Path, "go.mod")
	m.Files = append(m.Files, mod)
	if !same(mod, mod) {
		m.copied = append(m.copied, copied{path: r.Old.Path})
		return false
	}
	m.Local = append(m.Local, r.New.Path)
	return true
}

func absolute(dir, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// module takes in a go.mod, and holds it against that of the repository.
func (m *Modules) module(file string, r *modfile.File) error {
	f, err := parse(file)
	if err != nil {
		return err
	}
	if f.Module == nil {
		return fmt.Errorf("workspace: %s names no module: go mod edit -module example.org/course %[1]s", file)
	}
	if path := f.Module.Mod.Path; path == ours || strings.HasPrefix(path, ours+"/") {
		return fmt.Errorf("workspace: %s names its module %s, and cells find the lectures' library by that name: go mod edit -module example.org/course %[1]s", file, path)
	}
	if f.Go != nil {
		if err := m.needs(file, f.Go.Version); err != nil {
			return err
		}
	}
	for _, line := range f.Replace {
		if line.Old.Path != ours {
			m.replace(file, line)
		}
	}
	m.Files = append(m.Files, file, filepath.Join(filepath.Dir(file), "go.sum"))
	return pinned(file, f.Require, f.Replace, r)
}

func parse(file string) (*modfile.File, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("workspace: there is no %s, and the go.work above uses its folder: go mod init example.org/course there", file)
	}
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	f, err := modfile.Parse(file, data, nil)
	if err != nil {
		return nil, fmt.Errorf("workspace: %w: fix the file", err)
	}
	return f, nil
}

// needs notes the go line of a file, which must not be newer than the Go that builds.
func (m *Modules) needs(file, line string) error {
	if have := runtime.Version(); version.IsValid(have) && version.Compare("go"+line, have) > 0 {
		return fmt.Errorf("workspace: %s says go %s, and cells are built with %s: install Go %s or newer, or write an older version there", file, line, have, line)
	}
	if version.Compare("go"+line, "go"+m.language) > 0 {
		m.language = line
	}
	return nil
}

// pinned returns an error if a file would give cells another gonum than the repository's:
// the numbers and figures of the lectures depend on its version. For every other module the
// newest required version serves both.
func pinned(file string, require []*modfile.Require, replaces []*modfile.Replace, r *modfile.File) error {
	gonum := func(path string) bool { return strings.HasPrefix(path, "gonum.org/v1/") }
	for _, line := range require {
		for _, have := range r.Require {
			if gonum(have.Mod.Path) && line.Mod.Path == have.Mod.Path && semver.Compare(line.Mod.Version, have.Mod.Version) > 0 {
				return fmt.Errorf("workspace: %s requires %s, and the lectures' numbers and figures are those of %s: go -C %s get %s", file, line.Mod, have.Mod.Version, filepath.Dir(file), have.Mod)
			}
		}
	}
	for _, line := range replaces {
		if gonum(line.Old.Path) {
			return fmt.Errorf("workspace: %s replaces %s, on which the lectures' numbers and figures rest: remove the line", file, line.Old.Path)
		}
	}
	return nil
}

// join adds the modules to a workspace.
func (m *Modules) join(w *modfile.WorkFile) error {
	if w.Go == nil || version.Compare("go"+m.language, "go"+w.Go.Version) > 0 {
		if err := w.AddGoStmt(m.language); err != nil {
			return err
		}
	}
	for _, d := range m.Dirs {
		if err := w.AddUse(d, ""); err != nil {
			return err
		}
	}
	for _, r := range m.replaces {
		if err := w.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version); err != nil {
			return err
		}
	}
	for i, c := range m.copied {
		if err := w.AddReplace(c.path, "", m.copy(i), ""); err != nil {
			return err
		}
	}
	return nil
}

// part removes the modules from a workspace.
func (m *Modules) part(w *modfile.WorkFile) error {
	for _, d := range m.Dirs {
		if err := w.DropUse(d); err != nil {
			return err
		}
	}
	for _, r := range m.replaces {
		if err := w.DropReplace(r.Old.Path, r.Old.Version); err != nil {
			return err
		}
	}
	for _, c := range m.copied {
		if err := w.DropReplace(c.path, ""); err != nil {
			return err
		}
	}
	return nil
}

// Work returns the go.work of a folder with a module of its own, that of the repository
// at root, and the modules.
func (m *Modules) Work(root string) ([]byte, error) {
	w, err := modfile.ParseWork("go.work", nil, nil)
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	if err := errors.Join(m.join(w), w.AddUse(".", ""), w.AddUse(root, "")); err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	w.Cleanup()
	return modfile.Format(w.Syntax), nil
}

// Of returns the GOWORK of the go command in a folder of a module of ours: the
// go.work beside the module's go.mod, or "off", whatever the user has set.
func Of(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		file := filepath.Join(above(abs, "go.mod"), "go.work")
		if filepath.IsAbs(file) && same(file, file) {
			return file
		}
	}
	return "off"
}

// Flags returns the flags in a GOFLAGS that a workspace admits: all but -mod and -modfile.
func Flags(goflags string) []string {
	return slices.DeleteFunc(strings.Fields(goflags), func(f string) bool {
		name := strings.TrimLeft(f, "-")
		return strings.HasPrefix(name, "mod=") || strings.HasPrefix(name, "modfile=")
	})
}

// Environ returns the environment of the go command in that folder.
func Environ(dir string) []string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return append(os.Environ(), "GOWORK="+Of(dir), "PWD="+dir)
}

// A Joiner keeps a kernel's workspace up to date with the modules beside its notebook.
type Joiner struct {
	dir    string // of the notebook: where the kernel was started, wherever %cd leads
	joined *Modules
}

// DirEnv names the notebook's folder to a kernel that replaces a dead one, which starts in
// the folder that %cd had chosen.
const DirEnv = "MARGINALIA_NOTEBOOK_DIR"

// NewJoiner returns a Joiner for a notebook in the folder that [DirEnv] names, or in the
// working directory if it is not set.
func NewJoiner() *Joiner {
	dir := os.Getenv(DirEnv)
	if dir == "" {
		dir, _ = os.Getwd()
	}
	return &Joiner{dir: dir, joined: &Modules{}}
}

// Join updates the go.work in folder at, which uses the repository. It keeps the lines that
// others have added.
func (j *Joiner) Join(at string) error {
	file := filepath.Join(at, "go.work")
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("workspace: %w", err)
	}
	w, err := modfile.ParseWork(file, data, nil)
	if err != nil {
		return fmt.Errorf("workspace: %w", err)
	}
	root := ""
	for _, u := range w.Use {
		dir := absolute(at, u.Path)
		if mod, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && modfile.ModulePath(mod) == ours {
			root = dir
		}
	}
	m, err := Find(j.dir, root)
	if err != nil {
		return err
	}
	if m == nil {
		m = &Modules{}
	}
	if err := errors.Join(j.joined.part(w), m.join(w)); err != nil {
		return fmt.Errorf("workspace: %w", err)
	}
	if !slices.Equal(m.copied, j.joined.copied) {
		if err := m.Copy(at); err != nil {
			return err
		}
	}
	j.joined = m
	w.Cleanup()
	if text := modfile.Format(w.Syntax); string(text) != string(data) {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return fmt.Errorf("workspace: %w", err)
		}
	}
	return nil
}
