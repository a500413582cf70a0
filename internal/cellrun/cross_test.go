package cellrun_test

import (
	"os"
	"os/exec"
	"testing"

	"marginalia/internal/tier"
)

// What runs in a cell builds wherever a cell may run: in a page (js), as a
// guest of a grader (wasip1), on the systems that the README names, and on
// Windows. The rest of the repository builds on macOS and on arm64 too, with
// the files that Linux on amd64 leaves out (*_other.go and the like).
func TestCrossBuilds(t *testing.T) {
	tier.Long(t)
	cell := []string{"./mlkit/...", "./plotting/...", "./datasets/...", "./internal/cellrun", "./internal/display"}
	guest := append([]string{"./internal/display/testdata/host"}, cell...)
	all := []string{"./..."}
	for _, target := range []struct {
		os, arch string
		packages []string
	}{{"js", "wasm", guest}, {"wasip1", "wasm", guest}, {"windows", "amd64", cell}, {"darwin", "arm64", all}, {"linux", "arm64", all}} {
		t.Run(target.os+"-"+target.arch, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "go", append([]string{"build"}, target.packages...)...)
			cmd.Dir = "../.."
			cmd.Env = append(os.Environ(), "GOOS="+target.os, "GOARCH="+target.arch, "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("go build: %v\n%s", err, out)
			}
		})
	}
}
