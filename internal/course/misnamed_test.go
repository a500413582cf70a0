package course

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Folders that Students leaves out, although they have a submission in them.
func TestMisnamed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{`AD\ada/ps1`, ".x/ps1", "[a]/ps1", "-rf/ps1", "a*/ps1", "b?/ps1", "x\u202ey/ps1", "ada/ps1", "Ada Lovelace/ps1", ".git/objects", ".y/ps2", "source"} {
		if err := os.MkdirAll(filepath.Join(dir, "submitted", filepath.FromSlash(name)), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	c := &Course{Dir: dir}
	all, err := c.Misnamed(Submitted, "ps1")
	var names []string
	for _, m := range all {
		names = append(names, m.Name)
		if m.Why == nil {
			t.Errorf("%q: no reason", m.Name)
		}
	}
	if want := []string{"-rf", ".x", `AD\ada`, "[a]", "a*", "b?", "x\u202ey"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, %v; want %q", names, err, want)
	}
}
