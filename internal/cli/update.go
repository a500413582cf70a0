package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"marginalia/internal/base/repo"
	"marginalia/internal/install/update"
	"marginalia/internal/notebook/outputs"
)

func newUpdate() *cobra.Command {
	o := update.Options{}
	c := &cobra.Command{
		Use:   "update",
		Short: "Bring new lectures, and keep what you changed",
		Long: `Update pulls new lectures from git, and brings what is new in a lecture into your copy
of it. JupyterLab makes that copy, below notebooks/own, when you first change a lecture.

Cells are merged one by one. What you wrote stays, with its outputs; your own cells
stay at their places; cells that you deleted stay deleted unless the lecture changed
them. A cell that both of you changed stands in the copy twice, the lecture's version
first, with a line that says so. notebooks/own/backups keeps the last five versions of
each copy from before a merge.

Lectures that were changed themselves, by another editor or before copies were made,
become copies first. Their tracked files are then as they are in git.

If there is no network, no remote, or a changed file that is no notebook, update says
so, and what to do; copies are then merged with the lectures that are there. After
unpacking a newer archive over one without git, it does that too.

--check fetches from git, says what would happen, and changes no file.` + statuses("new lectures cannot be fetched, or a copy could not be merged"),
		Example: `  go run . update --check
  go run . update`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if o.Root, err = repo.Root(); err != nil {
				return err
			}
			o.Say = func(line string) { fmt.Fprintln(c.OutOrStdout(), outputs.Visible(line)) }
			o.Complain = func(line string) { say(os.Stderr, errors.New(line)) }
			if err = update.Run(c.Context(), o); errors.Is(err, update.ErrIncomplete) {
				return errFailed
			}
			return err
		},
	}
	c.Flags().BoolVar(&o.Check, "check", false, "say what would happen, and change no file")
	return c
}
