package plotting_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A style that a layer has no use for does not compile, and the error names both. The right pairs
// beside them do.
func TestWrongStyle(t *testing.T) {
	files := map[string]string{}
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "marginalia/plotting/space")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	fset := token.NewFileSet()
	from := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
	for expression, want := range map[string]string{
		`Note(0, 0, "x", Size(9))`:                       "",
		`Note(0, 0, "x", Width(2))`:                      "WidthStyle does not implement plotting.NoteStyle",
		`Confusion(nil, nil, Bar(""))`:                   "",
		`Confusion(nil, nil, Scale(0, 1))`:               "ScaleStyle does not implement plotting.ConfusionStyle",
		`Line(nil, nil, Steps(), Dashed())`:              "",
		`Points(nil, nil, Steps())`:                      "does not implement plotting.PointsStyle",
		`Line(nil, nil, []LineStyle{Name("a")}...)`:      "",
		`Line(nil, nil, []Style{Name("a")}...)`:          "[]plotting.Style",
		`space.Plane(nil, 0, Name("a"))`:                 "",
		`space.Plane(nil, 0, Shade())`:                   "does not implement plotting.StrokeStyle",
		`space.Points(nil, Alpha(1), Colour(Blue))`:      "",
		`space.Points(nil, Alpha(1), Dashed(), Size(1))`: "DashedStyle does not implement plotting.PointsStyle",
	} {
		source := "package p\nimport . \"marginalia/plotting\"\nimport \"marginalia/plotting/space\"\nvar _ space.View\nvar _ = " + expression
		file, err := parser.ParseFile(fset, "p.go", source, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = (&types.Config{Importer: from}).Check("p", fset, []*ast.File{file}, nil)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", expression, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: error %v, want one with %q", expression, err, want)
		}
	}
}
