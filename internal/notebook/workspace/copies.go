package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// A copied module is one that a workspace can't name where it lies: its packages are in a vendor
// folder, which leaves out each module's go.mod, or it is not there.
type copied struct{ path, dir, language string }

// vendor takes in the modules of a vendor folder, as far as the repository does not require them
// itself.
func (m *Modules) vendor(folder string, r *modfile.File) error {
	list := filepath.Join(folder, "modules.txt")
	data, err := os.ReadFile(list)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("workspace: %w", err)
	}
	m.Files = append(m.Files, list)
	known := map[string]bool{ours: true}
	for _, line := range r.Require {
		known[line.Mod.Path] = true
	}
	var last *copied
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		switch {
		case len(words) > 1 && words[0] == "#":
			if last = nil; known[words[1]] {
				continue
			}
			known[words[1]] = true
			m.copied = slices.DeleteFunc(m.copied, func(c copied) bool { return c.path == words[1] })
			m.copied = append(m.copied, copied{path: words[1]})
			last = &m.copied[len(m.copied)-1]
			if dir := filepath.Join(folder, filepath.FromSlash(words[1])); same(dir, dir) { // of some no package is needed
				last.dir = dir
				m.Local = append(m.Local, dir)
			}
		case len(words) > 1 && words[0] == "##" && last != nil:
			if _, version, ok := strings.Cut(line, "go "); ok {
				last.language = strings.TrimSpace(version)
			}
		}
	}
	return nil
}

// copy returns the folder of the i-th copy, from that of the go.work.
func (m *Modules) copy(i int) string {
	if m.copied[i].dir == "" {
		return absent + fmt.Sprint(i)
	}
	return fmt.Sprintf("./copies/vendored%d", i)
}

// Absent returns the modules that a go.mod or go.work replaces by folders that are not there, from the
// go.work beside the go.mod of folder dir.
func Absent(dir string) []string {
	file := Of(dir)
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	w, err := modfile.ParseWork(file, data, nil)
	if err != nil {
		return nil
	}
	var paths []string
	for _, r := range w.Replace {
		if strings.HasPrefix(r.New.Path, absent) {
			paths = append(paths, r.Old.Path)
		}
	}
	return paths
}

// absent begins the folder that stands in for one that is not there.
const absent = "./copies/absent"

// Copy writes the modules that have to be copied into folder at, that of the go.work.
func (m *Modules) Copy(at string) error {
	if err := os.RemoveAll(filepath.Join(at, "copies")); err != nil {
		return fmt.Errorf("workspace: %w", err)
	}
	for i, c := range m.copied {
		to := filepath.Join(at, m.copy(i))
		err := os.MkdirAll(to, 0o755)
		if err == nil && c.dir != "" {
			err = os.CopyFS(to, os.DirFS(c.dir))
		}
		for _, other := range m.copied { // a module within it has a copy of its own
			if below, ok := strings.CutPrefix(other.path, c.path+"/"); ok && err == nil {
				err = os.RemoveAll(filepath.Join(to, filepath.FromSlash(below)))
			}
		}
		if err == nil {
			text := "module " + modfile.AutoQuote(c.path) + "\n"
			if c.language != "" {
				text += "\ngo " + c.language + "\n"
			}
			err = os.WriteFile(filepath.Join(to, "go.mod"), []byte(text), 0o644)
		}
		if err != nil {
			return fmt.Errorf("workspace: %w", err)
		}
	}
	return nil
}
