package pages

import (
	"path/filepath"
	"testing"

	"marginalia/internal/course"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// example is the course that course new makes, with other settings.
func example(t *testing.T, settings string) *course.Course {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ml")
	must.Do(t, course.New(dir))
	testfile.Write(t, filepath.Join(dir, "course.toml"), "course = \"ml\"\nzone = \"UTC\"\n"+settings)
	return must.Get(course.Open(dir)).Or(t)
}
