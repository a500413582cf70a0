package cellrun_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"marginalia/internal/testkit/tier"
)

// cell is what runs in a cell.
var cell = []string{"./mlkit/...", "./plotting/...", "./datasets", "./internal/cell/cellrun", "./internal/cell/display"}

const host = "./internal/cell/display/testdata/host"

// What runs in a cell builds as a guest of a grader (wasip1) and on arm64.
func TestCrossBuilds(t *testing.T) {
	tier.Long(t)
	for _, target := range []struct {
		os, arch string
		packages []string
	}{
		// Guests of assignments have -trimpath too, so most is compiled already.
		{"wasip1", "wasm", append([]string{"-trimpath", host}, cell...)},
		// As for the tests that .ci/all has qemu run. macOS has the same files of ours, and
		// TestCrossTypes checks their types there.
		{"linux", "arm64", cell},
	} {
		t.Run(target.os+"-"+target.arch, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "go", append([]string{"build"}, target.packages...)...)
			cmd.Dir = "../../.."
			cmd.Env = append(os.Environ(), "GOOS="+target.os, "GOARCH="+target.arch, "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("go build: %v\n%s", err, out)
			}
		})
	}
}

// The whole repository has the right types on macOS and on arm64, with the files that Linux
// on amd64 leaves out (*_other.go and the like), and what runs in a cell has them on Windows and in
// a page (js), for which the site builds some of it. To check types alone takes a tenth of the time
// of a build.
func TestCrossTypes(t *testing.T) {
	tier.Long(t)
	types := filepath.Join(t.TempDir(), "types")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", types, "./testdata/types").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	all := []string{"./..."}
	for _, target := range []struct {
		os, arch string
		packages []string
	}{
		{"windows", "amd64", append([]string{"./datasets/fetch"}, cell...)},
		{"js", "wasm", append([]string{host}, cell...)},
		{"darwin", "arm64", all},
		{"linux", "arm64", all},
	} {
		t.Run(target.os+"-"+target.arch, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), types, slices.Concat([]string{target.os, target.arch}, target.packages)...)
			cmd.Dir = "../../.."
			var errors strings.Builder
			cmd.Stderr = &errors
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, errors.String())
			}
			// The standard library alone is more than a hundred packages.
			if checked, err := strconv.Atoi(strings.TrimSpace(string(out))); err != nil || checked < 100 {
				t.Errorf("%q packages were checked", out)
			}
		})
	}
}
