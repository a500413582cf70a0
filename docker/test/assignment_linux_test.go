//go:build browser

package test

import (
	"strings"
	"testing"
)

// An assignment is released and checked in the container, which has no network: what judges
// and guests are built from is in the image.
func TestAssignmentInImage(t *testing.T) {
	c := testImage(t).idle(t)
	for _, step := range []struct {
		command string
		status  bool
		want    string
	}{
		{"marginalia course new ml", true, "source/ps0"},
		{"cd ml && marginalia course release ps0", true, "ps0: released"},
		{"cd ml && marginalia course check release/ps0/ps0.ipynb", false, "0 of 2 checks passed"},
	} {
		if got, err := c.exec(t, "sh", "-c", step.command); (err == nil) != step.status || !strings.Contains(got, step.want) {
			t.Fatalf("%s: %v, want %q in\n%s", step.command, err, step.want, got)
		}
	}
}
