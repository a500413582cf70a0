//go:build unix

package buildserver

import (
	"slices"
	"testing"

	"marginalia/internal/build"
)

// A program that can write a file with gonum/plot, or PDF with plotting, is not linked without that:
// it would panic, or find that a format is not known.
func TestCannotTell(t *testing.T) {
	standard := []string{"fmt", "os"}
	others := []string{"marginalia/plotting", "marginalia/mlkit/svm", "gonum.org/v1/gonum/mat", "gonum.org/v1/plot", "gonum.org/v1/plot/vg", "gonum.org/v1/plot/vg/draw", "course/beside"}
	packages := func(path string) (build.Package, bool) {
		return build.Package{Standard: slices.Contains(standard, path)}, slices.Contains(slices.Concat(standard, others), path)
	}
	program := func(body string, imports ...string) string {
		text := "package main\n\n"
		for _, path := range imports {
			text += "import _ \"" + path + "\"\n"
		}
		return text + "\nfunc main() {\n" + body + "}\n"
	}
	plain := []string{"build", "-o", "cell"}
	for _, c := range []struct {
		name, text string
		args, env  []string
		want       bool
	}{
		{"draws", program("", "fmt", "marginalia/plotting", "marginalia/mlkit/svm", "gonum.org/v1/gonum/mat"), plain, nil, true},
		{"does not draw", program("", "fmt", "marginalia/mlkit/svm"), plain, nil, false},
		{"gonum/plot", program("", "marginalia/plotting", "gonum.org/v1/plot"), plain, nil, false},
		{"lengths of gonum/plot", program("", "marginalia/plotting", "gonum.org/v1/plot/vg"), plain, nil, true},
		{"canvases of gonum/plot", program("", "marginalia/plotting", "gonum.org/v1/plot/vg/draw"), plain, nil, false},
		{"a package beside the notebook", program("", "marginalia/plotting", "course/beside"), plain, nil, false},
		{"an unknown package", program("", "marginalia/plotting", "example.org/other"), plain, nil, false},
		{"PDF", program("\tfigure.PDF()\n", "marginalia/plotting"), plain, nil, false},
		{"a file's name", program("\tname := \"x.pdf\"\n", "marginalia/plotting"), plain, nil, false},
		{"format in the environment", program("", "marginalia/plotting"), plain, []string{"MARGINALIA_FIGURE_FORMATS=svg,pdf"}, false},
		{"other formats", program("", "marginalia/plotting"), plain, []string{"MARGINALIA_FIGURE_FORMATS=svg"}, true},
		{"the user's flags", program("", "marginalia/plotting"), []string{"build", "-o", "cell", "-race"}, nil, false},
		{"the user's tags", program("", "marginalia/plotting"), plain, []string{"GOFLAGS=-ldflags=-s -tags=x"}, false},
		{"not Go", "package main\n\nimport \"marginalia/plotting\nfunc", plain, nil, false},
	} {
		if got := cannotTell(build.Command{Args: c.args, Env: c.env}, map[string][]byte{"main.go": []byte(c.text)}, packages); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
