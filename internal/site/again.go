package site

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/base/processes"
	"marginalia/internal/base/setup"
	"marginalia/internal/install/venv"
	"marginalia/internal/notebook/nbformat"
)

// A built site is what single pages are made anew with.
type built struct {
	*stage
	env       venv.Env
	work, sum string // the folder of the cache; what all pages depend on
	out       string
}

// errWhole is the answer of again if the site has to be made as a whole.
var errWhole = errors.New("site: other pages change as well, or Sphinx has ended")

// again makes the page of a source of the site anew, whose file has changed, and what shows its figures. It
// returns the pages that changed. A slider whose code changed keeps to its frames until the whole site is made.
func (b *built) again(ctx context.Context, sphinx *resident, rel string) (pages []string, err error) {
	if path.Ext(rel) == ".ipynb" {
		nb, err := nbformat.Read(b.book.at(strings.Replace(rel, "/exercises/", "/solutions/", 1)))
		if err == nil {
			nb, err = nbformat.Read(b.book.at(rel))
		}
		if err != nil {
			return nil, fmt.Errorf("site: %s: %w", rel, err)
		}
		if b.codes[rel] != codeOf(nb) {
			delete(b.living.sliders, rel)
		}
	}
	held, err := setup.Lock(ctx, b.work+".lock", nil)
	if err != nil {
		return nil, err
	}
	defer held.Close()
	before := map[string][]byte{}
	for name, data := range b.files {
		before[name] = data
	}
	if err := b.stageAgain(ctx, rel); err != nil {
		return nil, err
	}
	if sum, err := b.stage.sum(); err != nil || sum != b.sum {
		return nil, errors.Join(err, errWhole)
	}
	if pages, err = sphinx.build(b.stage); err != nil {
		return nil, errors.Join(err, os.RemoveAll(filepath.Join(b.work, "sum"))) // see sphinx
	}
	frame, err := newFrame(b.pages, b.run.dir != "")
	if err != nil {
		return nil, err
	}
	put := func(name string, data []byte) (changed bool, err error) {
		file := filepath.Join(b.out, filepath.FromSlash(name))
		if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, data) {
			return false, nil
		}
		return true, errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), atomicfile.Write(file, data))
	}
	for _, page := range pages {
		delete(b.places, page)
	}
	finished := map[string][]byte{}
	for _, page := range pages {
		if b.unneeded(page) {
			continue
		}
		if finished[page], err = b.finished(page, frame); err != nil {
			return nil, err
		}
	}
	for name, data := range b.files {
		if !bytes.Equal(before[name], data) {
			_, failed := put(name, data)
			err = errors.Join(err, failed)
		}
	}
	var changed []string
	for page, data := range finished {
		other, failed := put(page, data)
		if err = errors.Join(err, failed); other {
			changed = append(changed, page)
		}
	}
	search, failed := b.searchScript()
	_, unput := put(searchName, search)
	slices.Sort(changed)
	return changed, errors.Join(err, failed, unput)
}

// stageAgain writes the staged source of a page anew, and the pages that show what it has.
func (b *built) stageAgain(ctx context.Context, rel string) error {
	if path.Ext(rel) == ".md" && rel != frontPage {
		return b.document(rel)
	}
	order := slices.Concat(b.book.lectures, b.book.exercises)
	at := func(page string) int { return slices.Index(order, b.book.at(page)) }
	if i := slices.IndexFunc(b.gallery, func(l lecture) bool { return l.page == rel }); i >= 0 {
		for _, f := range b.gallery[i].pictures {
			delete(b.files, f.File)
			delete(b.files, f.Packed)
			delete(b.named, strings.ToLower(f.Name))
		}
		b.gallery = slices.Delete(b.gallery, i, i+1)
	}
	if at(rel) >= 0 {
		if err := b.notebook(ctx, rel, at(rel) < len(b.book.lectures)); err != nil {
			return fmt.Errorf("site: %s: %w", rel, err)
		}
	}
	slices.SortStableFunc(b.gallery, func(x, y lecture) int {
		i, j := at(x.page), at(y.page)
		if i < 0 || j < 0 { // assignments come last
			return j - i
		}
		return i - j
	})
	err := errors.Join(b.galleryPage(), b.index())
	if len(b.living.playgrounds) > 0 {
		err = errors.Join(err, b.playgroundsPage())
	}
	return err
}

// pageFor is the source of the page that a file of the book changes, or "".
func (b *built) pageFor(file string) string {
	rel := strings.Replace(b.book.rel(file), "notebooks/solutions/", "notebooks/exercises/", 1)
	if rel == b.book.front && rel != "" {
		return frontPage
	}
	if b.sources[rel] && (slices.Contains(b.book.lectures, b.book.at(rel)) || slices.Contains(b.book.exercises, b.book.at(rel)) || slices.Contains(b.book.documents, b.book.at(rel))) {
		return rel
	}
	return ""
}

// A resident is a Sphinx that stays: see again.py.
type resident struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// startResident starts Sphinx for a built site. It ends with the context.
func (b *built) startResident(ctx context.Context) (*resident, error) {
	src := filepath.Join(b.work, "src")
	cmd := processes.Command(ctx, b.env.Python(), filepath.Join(src, "_ext", "again.py"), src, filepath.Join(b.work, "html"), filepath.Join(b.work, "doctrees"))
	cmd.Env = sphinxEnvironment()
	var said bytes.Buffer
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	r := &resident{cmd, in, bufio.NewReader(out)}
	if _, err := r.out.ReadString('\n'); err != nil { // it says when it is ready
		r.end()
		return nil, fmt.Errorf("site: Sphinx failed: %s", setup.Last(said.String(), err, "rror:"))
	}
	return r, nil
}

// end ends it.
func (r *resident) end() {
	r.in.Close()
	r.cmd.Wait() // how it ends does not matter
}

// build makes the pages anew whose staged sources have changed, and returns them.
func (r *resident) build(s *stage) ([]string, error) {
	var said struct {
		Pages           []string
		Error, Warnings string
	}
	if _, err := io.WriteString(r.in, "\n"); err != nil {
		return nil, errWhole // it has ended, for lack of memory, say
	}
	line, err := r.out.ReadBytes('\n')
	if err != nil {
		return nil, errWhole
	}
	if err := json.Unmarshal(line, &said); err != nil {
		return nil, fmt.Errorf("site: Sphinx: %w", err)
	}
	if said.Error != "" {
		return nil, fmt.Errorf("site: Sphinx failed: %s", said.Error)
	}
	for _, line := range warningLines(said.Warnings, s.dir) {
		err = errors.Join(err, s.book.fault(fmt.Errorf("site: %s", s.located(line))))
	}
	return said.Pages, err
}
