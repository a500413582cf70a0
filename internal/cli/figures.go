package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"marginalia/internal/base/repo"
	"marginalia/internal/gotest/figures"
)

func newFigures() *cobra.Command {
	f := &collector{}
	c := &cobra.Command{
		Use:   "figures [NOTEBOOK…] [-o DIR]",
		Short: "Write every figure of the lectures as SVG, PNG and PDF",
		Long: `Figures runs the cells of the notebooks, by default of all lectures, and writes
every figure that they show into DIR: as SVG, as PNG with 192 pixels per inch, and
as PDF with embedded fonts. The files have the same bytes every time. An index
page names the lecture and the cell of each. A notebook with a cell that fails or takes
longer than --timeout gives no figures, and does not stop the others. With --only,
cells that show other figures are not run; a name that no figure has is an error.

--size fits figures into a slide of beamer below its title (slide-16x9: 5.51 by 2.66
inches, slide-4x3: 4.25 by 2.83) or the column or page of a journal (3.5 or 7.16 inches
wide); --width and --height say it in inches. Text keeps its size.

--check compares with the sums in notebooks/figures.sum instead. On the kind of
machine that recorded them (processor, Go release, SIMD instructions) a figure is
exactly the same, or it has changed. On any other, rounding may differ: there a
figure with another sum passes if it looks like the picture in its notebook, to
less than a marker moved by one pixel. For figures that changed, a page in DIR
shows both pictures and the difference. --update records the sums.` + statuses("a cell failed, or --check found a change"),
		RunE: func(c *cobra.Command, files []string) error { return f.run(c.Context(), c.OutOrStdout(), files) },
	}
	flags := c.Flags()
	flags.StringVarP(&f.dir, "output", "o", "figures", "the `folder` to write")
	flags.StringSliceVar(&f.Only, "only", nil, "only figures with these `names`, separated by commas; * stands for any letters")
	flags.StringSliceVar(&f.Formats, "format", nil, "only these `formats`: svg, png, pdf")
	flags.Float64Var(&f.Width, "width", 0, "width of every figure in `inches`, for a slide or a column; text keeps its size")
	flags.Float64Var(&f.Height, "height", 0, "greatest height of a figure in `inches`; a higher one is made narrower")
	flags.StringVar(&f.size, "size", "", "`name` of a width and height: slide-16x9, slide-4x3, column or page")
	timeoutFlag(c, &f.Timeout)
	flags.BoolVar(&f.check, "check", false, "compare with notebooks/figures.sum")
	flags.BoolVar(&f.update, "update", false, "record the sums in notebooks/figures.sum")
	c.MarkFlagsMutuallyExclusive("check", "update", "format")
	c.MarkFlagsMutuallyExclusive("check", "update", "width", "size")
	c.MarkFlagsMutuallyExclusive("check", "update", "height", "size")
	c.MarkFlagsMutuallyExclusive("update", "only")
	return c
}

type collector struct {
	figures.Options
	dir, size     string
	check, update bool
}

// sizes are widths and greatest heights in inches. A slide is beamer's: the paper, 16 × 9 or
// 12.8 × 9.6 cm, less margins of 1 cm on both sides, and three quarters of its height, since
// a title stands above. A column and a page are those of a journal with two columns, 3.5 and
// 7.16 inches by the IEEE's guide for authors.
var sizes = map[string][2]float64{
	"slide-16x9": {5.51, 2.66},
	"slide-4x3":  {4.25, 2.83},
	"column":     {3.5, 0},
	"page":       {7.16, 0},
}

func (f *collector) run(ctx context.Context, w io.Writer, files []string) error {
	if f.size != "" {
		size, ok := sizes[f.size]
		if !ok {
			return usageError{fmt.Errorf("figures: there is no size %q: want slide-16x9, slide-4x3, column or page", f.size)}
		}
		f.Width, f.Height = size[0], size[1]
	}
	if err := f.Validate(); err != nil {
		return usageError{err}
	}
	if f.update && len(files) > 0 {
		return usageError{fmt.Errorf("figures: --update records the figures of all lectures: leave out the notebooks")}
	}
	root, err := repo.Root(files...)
	if err != nil {
		return err
	}
	noteCopies(os.Stderr, root, files)
	all := len(files) == 0
	if all {
		if files, err = repo.Lectures(root); err != nil {
			return err
		}
	}
	if err := f.Slip(files); err != nil {
		return err
	}
	if all {
		if files, err = f.Needed(files); err != nil {
			return err
		}
	}
	dir := f.dir
	if f.check || f.update {
		f.Formats = []string{"svg", "png"}
	}
	if f.check {
		// What is as it should be leaves nothing behind.
		if dir, err = os.MkdirTemp("", "marginalia_figures_"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	f.Lacks = lacks
	f.Progress = progressLine(w)
	start := time.Now()
	c, err := figures.Collect(ctx, root, files, dir, f.Options)
	if err != nil {
		return err
	}
	for _, left := range c.Left {
		fmt.Fprintln(w, "left out:", left)
	}
	for _, err := range c.Failed {
		say(os.Stderr, err)
	}
	sums := filepath.Join(root, "notebooks", "figures.sum")
	if f.check {
		return f.compare(w, c, sums, all && len(f.Only) == 0 && c.Failed == nil)
	}
	if f.update {
		if len(c.Left) > 0 || c.Failed != nil {
			return fmt.Errorf("figures: --update would lose the sums of the cells that were left out or failed: see above")
		}
		if err := c.WriteSums(sums); err != nil {
			return err
		}
	}
	if err := c.WriteIndex(); err != nil {
		return err
	}
	fmt.Fprintf(w, "%s, %.1fs: %s\n", plural(len(c.Figures), "figure"), time.Since(start).Seconds(), filepath.Join(dir, figures.IndexName))
	if c.Failed != nil {
		return errFailed
	}
	return nil
}

func (f *collector) compare(w io.Writer, c *figures.Collection, sums string, all bool) error {
	changes, err := c.Check(sums, all)
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		fmt.Fprintf(w, "%d figures are as recorded\n", len(c.Figures))
		if c.Failed != nil {
			return errFailed
		}
		return nil
	}
	for _, ch := range changes {
		fmt.Fprintf(w, "FAIL %s: %s\n", ch.Name, ch.Why)
	}
	page, file := figuresThatDiffer(changes), filepath.Join(f.dir, "changes.html")
	if err := page.Write(file); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d of %d figures differ: %s; %s records them\n", len(changes), len(c.Figures), file, page.Accept)
	return errFailed
}

// progressLine returns a report of cells that have run: on a terminal one line
// that is written over, and erased with the last cell; elsewhere nothing.
func progressLine(w io.Writer) func(done, total int, notebook, cell string) {
	return func(done, total int, notebook, cell string) {
		line := ""
		if done < total {
			line = fmt.Sprintf("%s: %d of %d cells (%s)", notebook, done, total, cell)
		}
		overwrite(w, line)
	}
}

// overwrite writes a line in place of the one it wrote before, if w is a terminal.
func overwrite(w io.Writer, line string) {
	file, ok := w.(*os.File)
	if !ok {
		return
	}
	if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		fmt.Fprint(w, "\r"+line+strings.Repeat(" ", max(0, 78-len(line)))+"\r")
	}
}
