package grade

import (
	"os/exec"
	"strings"
	"testing"
)

// The sum of the code covers every package that marks depend on, here and in the guest. So an edit of
// one of them grades again.
func TestMarking(t *testing.T) {
	for _, target := range []struct {
		env      []string
		packages []string
	}{
		{nil, []string{"marginalia/internal/course/grade", "marginalia/internal/sandbox/host"}},
		{[]string{"GOOS=wasip1", "GOARCH=wasm"}, []string{"marginalia/internal/sandbox/guest/worker", "marginalia/internal/sandbox/guest/screen"}},
	} {
		list := exec.Command("go", append([]string{"list", "-deps"}, target.packages...)...)
		list.Env = append(list.Environ(), target.env...)
		out, err := list.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		found := 0
	packages:
		for line := range strings.Lines(string(out)) {
			pkg, ours := strings.CutPrefix(strings.TrimSpace(line), "marginalia/")
			if !ours {
				continue
			}
			found++
			for _, top := range marking {
				if strings.HasPrefix(pkg+"/", top+"/") {
					continue packages
				}
			}
			t.Errorf("marks depend on %s, of which no sum is taken", pkg)
		}
		if found < 3 {
			t.Errorf("go list names %d packages of ours", found)
		}
	}
}
