package celltest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/cpu"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/notebook/nbformat"
)

// A Store keeps what cells have shown, by all that this can depend on, so that an edit of one cell does
// not run the others of its notebook again. It keeps nothing of a cell that may look at files or touch
// anything (layout.Cell.Key), nor of one that failed. What is kept is compared with the notebook like
// what has just been shown.
//
// Two keys lead to it. One is of what the program is built from: its text, and all packages. The other
// is of the program as the linker has made it: an edit of a package that a cell imports, in what its
// program does not use, leaves that as it was. Both have the environment, the processor, and the
// executable that runs the cells.
type Store struct {
	Dir    string
	Folder func(id string) string // in which a cell leaves files, which are kept too
	Built  string                 // a sum of all that programs are built from, except the text of the cells
	Same   func() bool            // reports, when all have run, whether Built is still that sum

	mu    sync.Mutex
	texts map[string]string // results by text, and by program, that are not yet found by text
}

// kept is what a cell has left.
type kept struct {
	Shown []byte // JSON
	Files map[string][]byte
}

// A shownJSON is a shown, in JSON.
type shownJSON struct {
	Output nbformat.Output
	ID     string
}

// volatile are variables of the environment that programs do not see, or see with another value.
var volatile = []string{"PWD", "OLDPWD", "SHLVL", "_"}

// machine is what else programs may see: the processor, and how its executable records what they show.
var machine = sync.OnceValues(func() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	sum, err := sumOf(self, "")
	return fmt.Sprintln(runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), cpu.X86, cpu.ARM64, sum), err
})

// sumOf returns the sum of a program, in which the name of the folder where it was built does not count.
func sumOf(program, dir string) (string, error) {
	data, err := os.ReadFile(program)
	if err != nil {
		return "", err
	}
	if dir != "" {
		data = bytes.ReplaceAll(data, []byte(dir), bytes.Repeat([]byte{0}, len(dir)))
	}
	return fmt.Sprintf("%x", sha256.Sum256(data)), nil
}

// around is a sum of what the run of a cell depends on besides its program.
func (s *Suite) around(r *run) (string, error) {
	m, err := machine()
	if err != nil {
		return "", err
	}
	env := os.Environ()
	if s.Env != nil {
		env = append(env, s.Env(r.cell.ID)...)
	}
	env = slices.DeleteFunc(env, func(v string) bool { name, _, _ := strings.Cut(v, "="); return slices.Contains(volatile, name) })
	for i, v := range env {
		env[i] = strings.ReplaceAll(v, s.Store.Folder(r.cell.ID), "")
	}
	slices.Sort(env)
	cell := r.cell
	cell.Key, cell.Lines, cell.Uses = "", nil, nil
	about, err := json.Marshal(cell)
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %s", m, s.dir, s.file, env, about))), err
}

// run takes what came of the program of a cell from the store, or runs it and keeps that.
func (s *Store) run(ctx context.Context, suite *Suite, r *run) error {
	around, err := suite.around(r)
	if err != nil {
		return err
	}
	byText := s.path(s.Built, r.cell.Key, around)
	if s.take(byText, r) {
		return nil
	}
	byProgram := ""
	if err := suite.program(ctx, r, func(binary string) bool {
		sum, err := sumOf(binary, r.pkg.Dir)
		if err != nil {
			return false
		}
		byProgram = s.path(sum, around)
		return s.take(byProgram, r)
	}); err != nil {
		return err
	}
	// What fails runs again.
	if byProgram == "" || slices.ContainsFunc(r.rec.outs, func(o *shown) bool { return o.Type == "error" }) {
		return nil
	}
	if _, err := os.Stat(byProgram); err != nil {
		if err := s.keep(r, byProgram); err != nil {
			return fmt.Errorf("celltest: what cell %s shows can't be kept: %w", r.cell.ID, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.texts == nil {
		s.texts = map[string]string{}
	}
	s.texts[byText] = byProgram
	return nil
}

// Close has results found by the texts of their programs, unless somebody has edited meanwhile what these
// are built from: a program may then be of either state. They are still found by it.
func (s *Store) Close() {
	if len(s.texts) > 0 && s.Same() {
		for byText, byProgram := range s.texts {
			_ = os.Link(byProgram, byText) // else it is found by its program
		}
	}
	s.prune()
}

func (s *Store) path(key ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", key))
	return filepath.Join(s.Dir, hex.EncodeToString(sum[:16]))
}

// take replays what is kept in a file, and reports whether there was something.
func (s *Store) take(path string, r *run) bool {
	data, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	var k kept
	if gob.NewDecoder(bytes.NewReader(data)).Decode(&k) != nil {
		return false
	}
	outs, err := parseShown(k.Shown)
	if err != nil {
		return false
	}
	for name, data := range k.Files {
		if os.WriteFile(filepath.Join(s.Folder(r.cell.ID), name), data, 0o644) != nil {
			return false
		}
	}
	r.rec.outs = outs
	now := time.Now()
	_ = os.Chtimes(path, now, now) // else it is the first to be removed
	return true
}

// keep keeps what a cell has shown and left, if it can be told again.
func (s *Store) keep(r *run, path string) error {
	list := make([]shownJSON, len(r.rec.outs))
	for i, o := range r.rec.outs {
		list[i] = shownJSON{o.Output, o.id}
	}
	shown, err := json.Marshal(list)
	if err != nil {
		return err
	}
	if again, err := parseShown(shown); err != nil || !reflect.DeepEqual(again, r.rec.outs) {
		return err // what JSON can't tell is not kept
	}
	k := kept{Shown: shown, Files: map[string][]byte{}}
	folder := s.Folder(r.cell.ID)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if k.Files[e.Name()], err = os.ReadFile(filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return err
	}
	return atomicfile.Stream(path, func(w io.Writer) error { return gob.NewEncoder(w).Encode(k) })
}

func parseShown(text []byte) ([]*shown, error) {
	var list []shownJSON
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber() // as the harness does
	if err := dec.Decode(&list); err != nil {
		return nil, err
	}
	var outs []*shown
	for _, o := range list {
		outs = append(outs, &shown{o.Output, o.ID})
	}
	return outs, nil
}

// most is how many bytes are kept, and long for how long what nobody takes.
const (
	most = 512 << 20
	long = 3 * 24 * time.Hour
)

// prune removes what has not been taken for longest.
func (s *Store) prune() {
	entries, _ := os.ReadDir(s.Dir)
	var infos []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			infos = append(infos, info)
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	var size int64
	for _, info := range infos {
		if size += info.Size(); size > most || time.Since(info.ModTime()) > long {
			_ = os.Remove(filepath.Join(s.Dir, info.Name())) // another process may have
		}
	}
}
