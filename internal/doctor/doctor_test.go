package doctor

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"marginalia/internal/setup/setuptest"
)

func TestDoctorOnAFreshComputer(t *testing.T) {
	setuptest.OwnCache(t)
	root := setuptest.Repository(t)
	dir := setuptest.OnlyPath(t, "go")
	t.Setenv("GOMODCACHE", filepath.Join(t.TempDir(), "empty"))
	t.Setenv("GOPROXY", setuptest.DeadProxy)
	f := setuptest.GoodPython
	f.Pip = "test \"$3\" = --version || { echo 'Connection refused'; exit 1; }"
	f.Write(t, dir, "python3")
	got := map[string]Check{}
	Diagnose(t.Context(), root, func(c Check) { got[c.What] = c })
	for what, want := range map[string]Check{
		"go":          {OK, "", runtime.Version()},
		"git":         {Warn, "", "not found"},
		"python":      {OK, "", "Python 3.12"},
		"kernel":      {Warn, "", "go run . lab makes it"},
		"gopls":       {Warn, "", "go run . lab makes it"},
		"environment": {Warn, "", "go run . lab makes it"},
		"disk":        {OK, "", "MB free"},
		"go proxy":    {Missing, "", "cannot be reached"},
		"pip":         {Missing, "", "cannot be reached"},
		"chromium":    {Warn, "", "not found"},
	} {
		if c := got[what]; c.Status != want.Status || !strings.Contains(c.Found, want.Found) {
			t.Errorf("%s: %v %q, want %v %q", what, c.Status, c.Found, want.Status, want.Found)
		}
	}
	if _, err := os.Lstat(filepath.Join(root, ".venv")); err == nil {
		t.Error("doctor made an environment")
	}
}
