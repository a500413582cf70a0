package plotting_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A cell that draws is linked after every edit, with everything that plotting imports. From
// outside this repository that is only gonum/plot with its back ends, gonum/mat for
// samples (which a lecture's cell has anyway) and one font.
func TestImports(t *testing.T) {
	deps := func(packages ...string) []string {
		list := exec.Command("go", append([]string{"list", "-deps"}, packages...)...)
		list.Stderr = os.Stderr
		out, err := list.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		return strings.Fields(string(out))
	}
	allowed := append(deps("gonum.org/v1/plot", "gonum.org/v1/gonum/mat"), "codeberg.org/go-fonts/dejavu/dejavusans")
	all := deps("marginalia/plotting")
	for _, dep := range all {
		if !strings.HasPrefix(dep, "marginalia/") && !slices.Contains(allowed, dep) {
			t.Errorf("plotting imports %s, itself or through others: neither gonum/plot nor gonum/mat needs it, and every cell that draws is linked with it", dep)
		}
	}
	if !slices.Contains(all, "marginalia/plotting") {
		t.Error("go list does not list marginalia/plotting")
	}
	const pdf = "codeberg.org/go-pdf/fpdf"
	if !slices.Contains(all, pdf) || slices.Contains(deps("-tags=minimal", "marginalia/plotting"), pdf) {
		t.Errorf("want %s without the tag minimal and not with it: a grader's guest and a page would have it too", pdf)
	}
}

// Drawing imports nothing of this module's tools. Only internal/notebook does, which displays
// what is drawn.
func TestToolsImports(t *testing.T) {
	list := exec.Command("go", "list", "-f", "{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}\n{{end}}", "./...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	found := false
	for line := range strings.Lines(string(out)) {
		from, to, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(to, "marginalia/") || strings.HasPrefix(to, "marginalia/plotting") {
			continue
		}
		if found = true; from != "marginalia/plotting/internal/notebook" {
			t.Errorf("%s imports %s", from, to)
		}
	}
	if !found {
		t.Error("no package imports a tool, not even internal/notebook")
	}
}
