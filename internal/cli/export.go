package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"marginalia/internal/base/repo"
	"marginalia/internal/base/shell"
	"marginalia/internal/gotest/export"
	"marginalia/internal/notebook/workspace"
)

func newExport() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "export NOTEBOOK [-o DIR]",
		Short: "Write the cells of a notebook as a Go test package",
		Long: `Export writes a Go package whose tests are the cells of the notebook. Plain
"go test" runs every cell in a process of its own and compares its outputs with
the stored ones; the package keeps a copy of those. It agrees with "marginalia test":
cells that may touch files or ports run in the notebook's order, all others in
parallel, and no result is taken from go test's cache. The code of the cells has line
directives, so that errors name the cell and its line.

testdata/part1 is a program: with a cell's id in MARGINALIA_CELL it runs that cell and
nothing else, on every system that Go has, GOOS=js and wasip1 included. A cell that
redefines something, or imports a package whose init others must not see, is in
another program (part2, …). A cell that does not compile becomes one of its own, in a
folder there. No "go vet" and no "./..." looks into testdata: cells may do what vet
refuses.

Outside the repository the package gets a go.mod that points to it, and, if the
notebook's folder or one above it has a go.mod or go.work, a go.work that points there.
Modules in a vendor folder are copied.

The last expression of a cell shows itself, which GoNB without marginalia refuses: export
names each, and what to write there.

Cells run in the notebook's folder, so that they find the files that lie there. Where
the notebook has been moved, or the package alone was taken elsewhere, they run in the
package's testdata: copy there what they read.

The default DIR is the notebook's name without .ipynb, in the working directory.
It must be new, empty, or an earlier export.` + statuses("the notebook could not be exported"),
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			root, err := repo.Root(args...)
			if err != nil {
				return err
			}
			noteCopies(os.Stderr, root, args)
			if dir == "" {
				dir = strings.TrimSuffix(filepath.Base(args[0]), ".ipynb")
			}
			// The imports are looked up where the package would stand, before anything is written there.
			tmp, err := os.MkdirTemp("", "marginalia_export_")
			if err != nil {
				return err
			}
			defer os.RemoveAll(tmp)
			modules, err := workspace.Find(filepath.Dir(args[0]), root)
			if err != nil {
				return err
			}
			if err := export.WriteModule(tmp, root, modules); err != nil {
				return err
			}
			adds := root
			if modules != nil {
				adds = modules.Home
			}
			e, err := export.Notebook(c.Context(), args[0], tmp, adds)
			if err != nil {
				return err
			}
			if err := e.Write(dir, root); err != nil {
				return err
			}
			for _, expr := range e.Shows {
				fmt.Fprintf(c.OutOrStdout(), "cell %s\n\tshows itself on marginalia's kernel; on GoNB's own write show.Value(…) around it and import \"marginalia/show\"\n", expr)
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %d files; run them with: go -C %s test ./...\n", dir, len(e.Files), shell.Quote(dir))
			return nil
		},
	}
	c.Flags().StringVarP(&dir, "output", "o", "", "the `folder` to write")
	return c
}
