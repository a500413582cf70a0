//go:build !noasm

package simd

import (
	"os"
	"os/exec"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// With the tag noasm the package has no assembly, and passes its tests in plain Go.
func TestNoAssembly(t *testing.T) {
	testkit.Long(t)
	for _, args := range [][]string{{"vet", "-tags", "noasm", "."}, {"test", "-tags", "noasm", "-count=1", "-vet=off", "-short", "."}} {
		cmd := exec.Command("go", args...)
		cmd.Env = append(os.Environ(), "MARGINALIA_TEST=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %v: %v\n%s", args, err, out)
		}
	}
	out, err := exec.Command("go", "list", "-tags", "noasm", "-f", "{{len .SFiles}}", ".").Output()
	if err != nil || string(out) != "0\n" {
		t.Errorf("the package has %s files of assembly, %v", out, err)
	}
}
