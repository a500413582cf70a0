// Package figures collects the figures of notebooks as files, for slides and
// print, and compares them with sums that were recorded.
//
//	c, err := figures.Collect(ctx, root, []string{"notebooks/01-perceptron.ipynb"}, "figures", figures.Options{})
//	if err != nil {
//		return err
//	}
//	err = c.WriteIndex()
//
// A figure is what a cell hands to plotting.Show under a name. The cells run as
// they do in tests, each in a process of its own, and Show writes the files.
package figures

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"marginalia/internal/cell/display"
	"marginalia/internal/gotest/built"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/notebook/nbformat"
)

// Formats are the endings of the files that can be made of a figure.
var Formats = []string{"svg", "png", "pdf"}

// Options say what is collected. The zero value is every figure in every format.
type Options struct {
	Only    []string      // patterns of names, as path.Match has them; none: all
	Formats []string      // some of Formats; none: all
	Width   float64       // in inches; 0: each figure's own
	Height  float64       // in inches, at most; 0: any
	Timeout time.Duration // of one cell; 0: celltest.DefaultTimeout
	// Lacks says why what a cell needs is not there, or "". Nil: all is there.
	Lacks func(need string) string
	// Progress is told of every cell that has run.
	Progress func(done, total int, notebook, cell string)
}

// A Figure is one named figure and where it comes from.
type Figure struct {
	Name     string
	Notebook string            // the base name of its file
	Lecture  string            // the notebook's first heading
	Cell     string            // id
	Alt      string            // the figure in words
	Files    map[string]string // by format: paths below the collection's folder
	stored   []byte            // the picture in the notebook, nil if there is none
}

// A Collection is the figures of some notebooks, in the notebooks' order.
type Collection struct {
	Figures []Figure
	Left    []string // "notebook#cell: why" of cells that could not run
	Failed  []error  // of notebooks that could not be run, and of cells that failed: there figures are missing

	shown    []string // names of all figures, also those that are not asked for
	o        Options
	dir, tmp string
	folders  map[*built.Build]string // where the cells of each leave their figures
}

// Collect runs the cells of the notebooks, built against the repository at
// root, and moves the figures they show into dir, which it makes. Files of
// other names there stay. A notebook that cannot be run, or in which a cell fails,
// gives no figures, and stops no other. It is an error if there is no other, if
// two figures have one name, or if a pattern of Only matches no figure.
func Collect(ctx context.Context, root string, notebooks []string, dir string, o Options) (*Collection, error) {
	c, err := New(dir, o)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	builds, errs := built.Notebooks(ctx, notebooks, root)
	for _, b := range builds {
		if b != nil {
			defer b.Close()
		}
	}
	for i, b := range builds {
		err := errs[i]
		if err == nil {
			err = c.Expect(b)
		}
		if err == nil {
			err = c.Add(ctx, notebooks[i], b)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			c.Failed = append(c.Failed, err)
		}
	}
	if len(c.Failed) == len(notebooks) {
		return nil, errors.Join(c.Failed...)
	}
	if err := c.unmatched(); err != nil {
		return nil, err
	}
	return c, c.Move()
}

// unmatched returns an error for the patterns of Only that no figure's name matches, unless
// a notebook is missing that may have it.
func (c *Collection) unmatched() error {
	var errs []error
	for _, p := range c.missing() {
		if len(c.Failed) > 0 {
			break
		}
		words := instead(p, c.shown)
		if len(c.Left) > 0 {
			words += fmt.Sprintf(" (left out: %s", c.Left[0])
			if more := len(c.Left) - 1; more > 0 {
				words += fmt.Sprintf("; and %d more cells", more)
			}
			words += ")"
		}
		errs = append(errs, fmt.Errorf("figures: there is no figure %q: %s", p, words))
	}
	return errors.Join(errs...)
}

// missing returns the patterns of Only that no figure's name matches yet.
func (c *Collection) missing() []string {
	return slices.DeleteFunc(slices.Clone(c.o.Only), func(p string) bool {
		return slices.ContainsFunc(c.shown, func(name string) bool { return match(p, name) })
	})
}

// New returns an empty collection whose figures come into dir, which it makes. What tests
// notebooks collects their figures from the same run of their cells: Expect before, Add
// after, and Move in the end.
func New(dir string, o Options) (*Collection, error) {
	if len(o.Formats) == 0 {
		o.Formats = Formats
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("figures: %w", err)
	}
	// Beside what it is for, so that moving is renaming.
	tmp, err := os.MkdirTemp(dir, ".collect-")
	if err != nil {
		return nil, fmt.Errorf("figures: %w", err)
	}
	if tmp, err = filepath.Abs(tmp); err != nil {
		return nil, err
	}
	return &Collection{o: o, dir: dir, tmp: tmp, folders: map[*built.Build]string{}}, nil
}

// Close removes what has not been moved.
func (c *Collection) Close() error { return os.RemoveAll(c.tmp) }

// Move moves the figures into the collection's folder. It refuses two figures of
// one name: one file would be lost.
func (c *Collection) Move() error {
	first := map[string]Figure{}
	for _, f := range c.Figures {
		if g, ok := first[f.Name]; ok {
			return fmt.Errorf("figures: %s#%s and %s#%s both show a figure %q: give one of them another name",
				g.Notebook, g.Cell, f.Notebook, f.Cell, f.Name)
		}
		first[f.Name] = f
	}
	for i := range c.Figures {
		f := &c.Figures[i]
		for ending, from := range f.Files {
			name := f.Name + "." + ending
			if err := os.Rename(from, filepath.Join(c.dir, name)); err != nil {
				return fmt.Errorf("figures: %w", err)
			}
			f.Files[ending] = name
		}
	}
	return nil
}

// Validate returns an error that names the option at fault, if there is one.
func (o Options) Validate() error {
	for _, f := range o.Formats {
		if !slices.Contains(Formats, f) {
			return fmt.Errorf("figures: there is no format %q: want some of %s", f, strings.Join(Formats, ", "))
		}
	}
	for _, p := range o.Only {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("figures: pattern %q: %w", p, err)
		}
	}
	for name, inches := range map[string]float64{"width": o.Width, "height": o.Height} {
		if inches != 0 && !(inches >= 1 && inches <= 40) {
			return fmt.Errorf("figures: %s %g inches, want 1 to 40", name, inches)
		}
	}
	return nil
}

// wants reports whether figures of the name are asked for.
func (o Options) wants(name string) bool {
	return len(o.Only) == 0 || slices.ContainsFunc(o.Only, func(p string) bool { return match(p, name) })
}

// Expect has every cell of a notebook leave its figures when it runs.
func (c *Collection) Expect(b *built.Build) error {
	c.folders[b] = filepath.Join(c.tmp, strconv.Itoa(len(c.folders)))
	b.Timeout, b.Lacks = c.o.Timeout, c.o.Lacks
	b.Env = func(id string) []string {
		env := []string{display.FiguresEnv + "=" + c.Folder(b, id), display.FormatsEnv + "=" + strings.Join(c.o.Formats, ",")}
		for name, inches := range map[string]float64{display.WidthEnv: c.o.Width, display.HeightEnv: c.o.Height} {
			if inches != 0 {
				env = append(env, name+"="+strconv.FormatFloat(inches, 'g', -1, 64))
			}
		}
		return env
	}
	for _, id := range b.IDs() {
		if err := os.MkdirAll(c.Folder(b, id), 0o755); err != nil {
			return fmt.Errorf("figures: %w", err)
		}
	}
	return nil
}

// Folder is where a cell of an expected notebook leaves its figures.
func (c *Collection) Folder(b *built.Build, id string) string {
	return filepath.Join(c.folders[b], id)
}

// Add runs the cells of the notebook in file that have not run since it was expected, and
// adds the figures of all, unless a cell fails. With Only it leaves out cells that show others, as long as those
// that it runs show what is asked for.
func (c *Collection) Add(ctx context.Context, file string, b *built.Build) error {
	all := b.IDs()
	ids := c.o.cells(b.Notebook, all)
	if err := c.add(ctx, file, b, ids); err != nil || len(ids) == len(all) || c.missing() == nil {
		return err
	}
	return c.add(ctx, file, b, slices.DeleteFunc(slices.Clone(all), func(id string) bool { return slices.Contains(ids, id) }))
}

func (c *Collection) add(ctx context.Context, file string, b *built.Build, ids []string) error {
	tmp, o := c.folders[b], c.o
	base := filepath.Base(file)
	done := 0
	results := b.RunAll(ctx, ids, func(_ int, r celltest.Result) {
		if done++; o.Progress != nil {
			o.Progress(done, len(ids), base, r.ID)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	lecture := heading(b.Notebook)
	before := len(c.Figures)
	var errs []error
	for i, r := range results {
		if r.Skipped != "" {
			c.Left = append(c.Left, fmt.Sprintf("%s#%s: %s", base, ids[i], r.Skipped))
			continue
		}
		// That outputs differ from those stored is for tests to say.
		if len(r.Failures) > len(r.Differences) {
			errs = append(errs, fmt.Errorf("figures: %s#%s: %s", base, ids[i], r.Failures[0]))
			continue
		}
		found, err := read(filepath.Join(tmp, ids[i]), o)
		if err != nil {
			return err
		}
		for _, f := range found {
			c.shown = append(c.shown, f.Name)
		}
		found = slices.DeleteFunc(found, func(f Figure) bool { return !o.wants(f.Name) })
		cells := b.Notebook.Cells
		cell := cells[slices.IndexFunc(cells, func(c *nbformat.Cell) bool { return c.ID == ids[i] })]
		slices.SortStableFunc(found, func(a, b Figure) int {
			return cmp.Compare(mention(cell.Source, a.Name), mention(cell.Source, b.Name))
		})
		for _, f := range found {
			f.Notebook, f.Lecture, f.Cell = base, lecture, ids[i]
			f.stored = stored(cell, f.Name)
			f.Alt, _ = of(r.Outputs, f.Name)["text/plain"].(string)
			c.Figures = append(c.Figures, f)
		}
	}
	if errs != nil {
		c.Figures = c.Figures[:before]
	}
	return errors.Join(errs...)
}

// read returns the figures that a cell left in its folder in formats that are asked for, by name.
func read(dir string, o Options) ([]Figure, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("figures: %w", err)
	}
	var found []Figure
	for _, e := range entries {
		ending := strings.TrimPrefix(filepath.Ext(e.Name()), ".")
		name := strings.TrimSuffix(e.Name(), "."+ending)
		if !slices.Contains(o.Formats, ending) {
			continue
		}
		if len(found) == 0 || found[len(found)-1].Name != name {
			found = append(found, Figure{Name: name, Files: map[string]string{}})
		}
		found[len(found)-1].Files[ending] = filepath.Join(dir, e.Name())
	}
	return found, nil
}

// mention is where a cell's source names the figure; the end if it does not.
func mention(source, name string) int {
	if i := strings.Index(source, strconv.Quote(name)); i >= 0 {
		return i
	}
	return len(source)
}

// heading is the notebook's first heading, without its mark.
func heading(nb *nbformat.Notebook) string {
	for _, c := range nb.Cells {
		if c.Type != "markdown" {
			continue
		}
		for line := range strings.Lines(c.Source) {
			if text := strings.TrimLeft(line, "#"); text != line {
				return strings.TrimSpace(text)
			}
		}
	}
	return ""
}
