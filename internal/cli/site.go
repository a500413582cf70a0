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
	"marginalia/internal/base/setup"
	"marginalia/internal/site"
)

func newSite() *cobra.Command {
	var o site.Options
	var serve bool
	var port int
	c := &cobra.Command{
		Use:   "site [--course DIR] [--cells=false] [--out DIR] [--serve]",
		Short: "Make the lectures, or your course, a static site",
		Long: `Site makes pages of the lectures, their exercises, the assignments, the documentation
and all figures, and of the library what go doc says. Any web server can serve the folder,
and its pages open as files, too. They ask no other computer for anything.

With --course it makes the same of a folder of yours: pages of all notebooks and Markdown in
it, the first of its README.md, and the documentation of its packages. Sliders move as in
the lectures. Files that the code of its notebooks names go into the site.

Readers can edit and run the cells in the page, with Go's own compiler and linker, which are
built for the browser, and open the notebooks in a JupyterLab in the browser. That takes
37 MB and 35 MB of the site, and some minutes the first time. --cells=false leaves it out.

Notebooks are taken as they are stored: no cell runs while the site is made. What has not
changed since the last build is not made again. If something is wrong, the old site stays.

With --serve the site is served to this computer alone. When a notebook or a page in
Markdown is saved, its page is made anew and loads again where it is open. What is wrong is
said in the page and here until it is mended, and the old page stays.

The first build makes a virtual environment with the pinned Sphinx in the user's cache. It
needs Python 3.11 or newer with its venv module (MARGINALIA_PYTHON names one).` + statuses("the site could not be made or served"),
		Example: `  go run . site --serve
  go run . site --out public --source https://github.com/you/marginalia/blob/main
  go run . site --course ~/course --serve`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if port < 0 || port > 65535 {
				return usageError{fmt.Errorf("site: --port %d: a port is a number from 0 to 65535", port)}
			}
			if err := o.Validate(); err != nil {
				return usageError{err}
			}
			return runSite(c.Context(), c.OutOrStdout(), o, serve, port)
		},
	}
	c.Flags().StringVar(&o.Out, "out", "site", "the `folder` to write; it must be new, empty or an older site")
	c.Flags().StringVar(&o.Course, "course", "", "the `folder` of a course whose site is made, in place of the lectures'")
	c.Flags().BoolVar(&o.Cells, "cells", true, "cells can be edited and run in their pages, by Go's compiler and linker in WebAssembly, and in a lab")
	c.Flags().StringVar(&o.Source, "source", "", "`address` of the repository's files, or the course's, on the web, before their paths; without it pages link to copies in the site")
	c.Flags().BoolVar(&serve, "serve", false, "serve the site to this computer afterwards, and make pages anew when their notebooks are saved, until Ctrl-C")
	c.Flags().IntVar(&port, "port", 8000, "port for --serve; 0 is any that is free")
	return c
}

func runSite(ctx context.Context, w io.Writer, o site.Options, serve bool, port int) error {
	root, err := repo.Root()
	if err != nil {
		return err
	}
	start := time.Now()
	p := setup.Lines(os.Stderr)
	first := func(r site.Report) { reportSite(w, r, o.Out, time.Since(start)) }
	if !serve {
		r, err := site.Build(ctx, root, o, p)
		if err == nil {
			first(r)
		}
		return err
	}
	return site.Live(ctx, root, o, port, p, first,
		func(address string) {
			fmt.Fprintf(w, "%s, made anew when a notebook or a page in Markdown is saved; Ctrl-C ends it\n", address)
		},
		func(line string) { fmt.Fprintln(w, line) })
}

// reportSite says what was made.
func reportSite(w io.Writer, r site.Report, out string, took time.Duration) {
	for _, fault := range r.Faults {
		fmt.Fprintf(os.Stderr, "warning: %s\n", strings.TrimPrefix(fault.Error(), "site: "))
	}
	if n := len(r.Read); n > 0 {
		const most = 10
		more := ""
		if n > most {
			more = fmt.Sprintf(", and %d more", n-most)
		}
		fmt.Fprintf(w, "in the site since cells or sliders may read it: %s%s\n", strings.Join(r.Read[:min(n, most)], ", "), more)
	}
	fmt.Fprintf(w, "%d pages, %.1f MB, %.1fs: %s\n", r.Pages, float64(r.Bytes)/1e6, took.Seconds(), filepath.Join(out, "index.html"))
}
