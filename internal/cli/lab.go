package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"marginalia/internal/base/repo"
	"marginalia/internal/base/setup"
	"marginalia/internal/course"
	"marginalia/internal/course/formgrade"
	"marginalia/internal/install/lab"
)

func newLab() *cobra.Command {
	var o lab.Options
	var setUp bool
	c := &cobra.Command{
		Use:   "lab",
		Short: "Start JupyterLab with the Go kernel on the lectures",
		Long: `Lab starts JupyterLab on the lectures, with the Go kernel ready. What you change in a
lecture is saved to a copy in notebooks/own, which opens in the lecture's place from
then on; the lecture's file stays as it is. New notebooks and duplicates go there, too.
Git ignores that folder: what is in it is yours, and never taken for a lecture.

With --dir it opens a folder of your own as it is, on its first notebook. A folder with
course.toml (course new) is opened with nbgrader: its panel Create Assignment says what
cells are, and the menu Nbgrader has formgrader, as course formgrade does. This needs
Python 3.11 or newer, and an environment of its own in the user's cache.

The first start builds the kernel from its pinned sources, makes a virtual
environment (.venv in the repository) with the pinned JupyterLab, and compiles
what cells import. It prints a line for each step and takes a minute or more.
Later starts take as long as JupyterLab does. A Jupyter of your own is neither
read nor changed.

Lab needs Python 3.10 or newer with its venv module. If it does not find the one
you want, set MARGINALIA_PYTHON. "doctor" checks everything that is needed.

Only this computer can connect, with the token in the printed address. Ctrl-C
ends JupyterLab and its kernels, with status 0.` + statuses("JupyterLab could not be set up or started"),
		Example: `  go run . lab
  go run . lab --dir ~/course --port 9000 --no-browser`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Port < 0 || o.Port > 65535 {
				return usageError{fmt.Errorf("lab: --port %d: a port is a number from 1 to 65535", o.Port)}
			}
			root, err := repo.Root()
			if err != nil {
				return err
			}
			if setUp {
				if err := lab.SetUp(c.Context(), root, setup.Lines(os.Stderr), os.Stderr); err != nil {
					return err
				}
				fmt.Fprintf(os.Stderr, "All is ready: %s lab\n", called())
				return nil
			}
			if o.Dir == "" {
				o.Dir, o.Lectures = filepath.Join(root, "notebooks"), true
			} else if _, err := os.Stat(filepath.Join(o.Dir, "course.toml")); err == nil {
				co, err := course.Open(o.Dir)
				if err != nil {
					return err
				}
				if o.Extra, err = formgrade.Extra(root, co); err != nil {
					return err
				}
				o.Extra.Optional = true
			}
			return lab.Start(c.Context(), root, o, setup.Lines(os.Stderr), os.Stderr)
		},
	}
	c.Flags().BoolVar(&o.NoBrowser, "no-browser", false, "do not open a browser")
	c.Flags().BoolVar(&setUp, "set-up", false, "set up what is missing, and start nothing")
	c.Flags().IntVar(&o.Port, "port", 0, "port to listen on (default 8888, or the next free one)")
	c.Flags().StringVar(&o.Dir, "dir", "", "folder to open (default the repository's notebooks)")
	c.Flags().StringVar(&o.Host, "host", "127.0.0.1", "address to listen on; with any other, computers that have the token can connect")
	return c
}
