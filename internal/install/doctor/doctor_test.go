package doctor_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/install/doctor"
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
	got := map[string]doctor.Check{}
	doctor.Diagnose(t.Context(), root, func(c doctor.Check) { got[c.What] = c })
	for what, want := range map[string]doctor.Check{
		"go":          {doctor.OK, "", runtime.Version()},
		"git":         {doctor.Warn, "", "not found"},
		"python":      {doctor.OK, "", "Python 3.12"},
		"kernel":      {doctor.Warn, "", "go run . lab makes it"},
		"gopls":       {doctor.Warn, "", "go run . lab makes it"},
		"environment": {doctor.Warn, "", "go run . lab makes it"},
		"disk":        {doctor.OK, "", "MB free"},
		"go proxy":    {doctor.Missing, "", "cannot be reached"},
		"pip":         {doctor.Missing, "", "cannot be reached"},
		"chromium":    {doctor.Warn, "", "not found"},
	} {
		if c := got[what]; c.Status != want.Status || !strings.Contains(c.Found, want.Found) {
			t.Errorf("%s: %v %q, want %v %q", what, c.Status, c.Found, want.Status, want.Found)
		}
	}
	if _, err := os.Lstat(filepath.Join(root, ".venv")); err == nil {
		t.Error("doctor made an environment")
	}
}
