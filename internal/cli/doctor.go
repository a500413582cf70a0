package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"marginalia/internal/base/repo"
	"marginalia/internal/install/doctor"
)

func newDoctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check everything marginalia needs on this computer",
		Long: `Doctor looks at everything the other commands need, and prints a line for each:

  ok       what was found
  warn     works without it, or the next "lab" makes it
  missing  needed; the end of the line says what to do

It changes nothing, and uses the network only if something has yet to be
downloaded.` + statuses("something is missing"),
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			root, err := repo.Root()
			if err != nil {
				return err
			}
			missing := false
			report := func(check doctor.Check) {
				missing = missing || check.Status == doctor.Missing
				fmt.Fprintf(c.OutOrStdout(), "%-8s %-12s %s\n", check.Status, check.What, check.Found)
			}
			report(doctor.Check{Status: doctor.OK, What: "repository", Found: root})
			doctor.Diagnose(c.Context(), root, report)
			if missing {
				return errFailed
			}
			return c.Context().Err()
		},
	}
}
