package plotting_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A cell that draws is linked anew after every edit, with all that plotting imports: by
// gonum/plot's tag minimal, which the kernel builds such cells with (internal/lab), only
// what plotting asks for itself. What is listed here took a third of the time that this
// costs above a cell with gonum/mat alone.
func TestLean(t *testing.T) {
	list := exec.Command("go", "list", "-tags=minimal", "-deps", "marginalia/plotting")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	reasons := map[string]string{
		"git.sr.ht/~sbinet/gg":              "marginalia/plotting/internal/pixels draws",
		"golang.org/x/image/draw":           "it has an interpolation for every pair of formats; internal/pixels has the one we use",
		"golang.org/x/image/font/basicfont": "letters are DejaVu Sans",
		"golang.org/x/image/tiff":           "figures are PNG, SVG or PDF",
		"image/jpeg":                        "figures are PNG, SVG or PDF",
		"image/png":                         "encodePNG writes, and nothing is read",
		"html":                              "escape escapes, without a table of names of characters",
		"codeberg.org/go-pdf/fpdf":          "marginalia/plotting/pdf is for those who ask for it",
		"gonum.org/v1/plot/vg/vgeps":        "it is a back end that nothing uses",
		"gonum.org/v1/plot/vg/vgimg":        "marginalia/plotting/internal/pixels draws",
		"gonum.org/v1/plot/vg/vgpdf":        "marginalia/plotting/pdf is for those who ask for it",
		"gonum.org/v1/plot/vg/vgsvg":        "toSVG writes",
		"gonum.org/v1/plot/vg/vgtex":        "it is a back end that nothing uses",
	}
	seen := false
	for dep := range strings.FieldsSeq(string(out)) {
		seen = seen || dep == "marginalia/plotting"
		if reason := reasons[dep]; reason != "" {
			t.Errorf("plotting imports %s, itself or through others; but %s", dep, reason)
		}
	}
	if !seen {
		t.Error("go list does not list marginalia/plotting")
	}
}
