package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/course"
	"marginalia/internal/testkit/must"
)

// A submission in a folder whose name is no id is said, in its part, and counts as one
// that was not judged.
func TestGradeSaysMisnamedFolders(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"source", "submitted/ada/ps1", "submitted/.x/ps1", "submitted/[a]/ps1", "submitted/-rf/ps2"} {
		must.Do(t, os.MkdirAll(filepath.Join(dir, name), 0o777))
	}
	co := must.Get(course.Open(dir)).Or(t)
	var out bytes.Buffer
	count := gradedCount{w: &out}
	must.Do(t, count.misnamed(co, "ps1", func(id string) bool { return id != "[a]" }))
	if got := out.String(); count.errors != 1 || !strings.HasPrefix(got, ".x: not judged: the folder's name is no id") || strings.Contains(got, "[a]:") {
		t.Errorf("%d errors, and says %q", count.errors, got)
	}
}
