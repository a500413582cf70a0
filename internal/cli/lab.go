package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"marginalia/internal/lab"
	"marginalia/internal/repo"
	"marginalia/internal/setup"
)

func newLab() *cobra.Command {
	var o lab.Options
	var noBrowser, setUp bool
	c := &cobra.Command{
		Use:   "lab",
		Short: "Start JupyterLab with the Go kernel on the lectures",
		Long: `Lab starts JupyterLab on the lectures, with the Go kernel ready.

The first time it builds the kernel from the pinned sources, makes a virtual
environment (.venv in the repository) with the pinned JupyterLab, and compiles
what cells import; it names each step and takes some minutes. Later starts take
the time JupyterLab takes. Nothing of a Jupyter of your own is read or changed.

Python 3.10 or newer with its venv module is needed; MARGINALIA_PYTHON names one
that is not found by itself. "doctor" checks all that is needed.

Only this computer can connect, with the token in the address that is printed.
Ctrl-C ends JupyterLab and its kernels, which is as it should be: status 0.` + statuses("JupyterLab could not be set up or started"),
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
				return lab.SetUp(c.Context(), root, setup.Lines(os.Stderr), os.Stderr)
			}
			if o.Dir == "" {
				o.Dir = filepath.Join(root, "notebooks")
			}
			o.Browser = !noBrowser
			return lab.Start(c.Context(), root, o, setup.Lines(os.Stderr), os.Stderr)
		},
	}
	c.Flags().BoolVar(&noBrowser, "no-browser", false, "do not open the page in a browser")
	c.Flags().BoolVar(&setUp, "set-up", false, "set up all that is missing, and start nothing")
	c.Flags().IntVar(&o.Port, "port", 0, "port to listen on (default 8888, or the next free one)")
	c.Flags().StringVar(&o.Dir, "dir", "", "folder to open (default the repository's notebooks)")
	c.Flags().StringVar(&o.Host, "host", "127.0.0.1", "address to listen on; anything else lets other computers in, who need the token")
	return c
}
