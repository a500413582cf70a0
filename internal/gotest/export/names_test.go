package export_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// The name of a package need not be the last word of its path, and an alias may
// be just that word: GoNB's tutorial imports svgo, package svg, as svgo.
func TestPackageNamesUnlikeTheirPaths(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	for _, tt := range []struct{ name, imports, id, main, want string }{
		{"alias like the path", `import v2 "math/rand/v2"`, "v2", "fmt.Println(v2.New(v2.NewPCG(1, 2)).IntN(1000))", "769\n"}, // as the kernel prints
		{"no alias", `import "math/rand/v2"`, "rand", "fmt.Println(rand.New(rand.NewPCG(1, 2)).IntN(1000))", "769\n"},
		{"alias like the package", `import rand "math/rand/v2"`, "rand", "fmt.Println(rand.New(rand.NewPCG(1, 2)).IntN(1000))", "769\n"},
		{"another alias", `import dice "math/rand/v2"`, "dice", "fmt.Println(dice.New(dice.NewPCG(1, 2)).IntN(1000))", "769\n"},
		{"third party, alias like the path", `import svgo "github.com/ajstarks/svgo"`, "svgo", "svgo.New(os.Stdout).Text(1, 2, \"a\")", "<text x=\"1\" y=\"2\" >a</text>\n"},
		{"third party, no alias", `import "github.com/ajstarks/svgo"`, "svg", "svg.New(os.Stdout).Text(1, 2, \"a\")", "<text x=\"1\" y=\"2\" >a</text>\n"},
		// The type of a variable names the package in a cell that does not import it.
		{"inferred type", "import svgo \"github.com/ajstarks/svgo\"\nvar canvas = svgo.New(os.Stdout)", "canvas", "canvas.Text(1, 2, \"a\")", "<text x=\"1\" y=\"2\" >a</text>\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := run(t, notebook(t, t.TempDir(), "imports", tt.imports, "use", "%%\n"+tt.main))["use"]
			if got := stdout(r); got != tt.want {
				t.Errorf("prints %q, want %q; %v", got, tt.want, r.Failures)
			}
		})
	}
}

// The same notebook becomes the same files, however Go walks its maps: what is
// declared on one line, in cells of earlier packages, imported under two names.
func TestExportIsDeterministic(t *testing.T) {
	files := []string{notebook(t, t.TempDir(),
		"first", "var f, e, d, c, b, a = 1, 2, 3, 4, 5, 6\nvar _, _, _, _ = 1, 2, 3, 4\nconst y, x = 1, 2\ntype T int; type S int; type R int",
		"second", "var p, q, r = 1, 2, 3\nfunc g() {}; func h() {}; func k() {}",
		"third", "import one \"strings\"\nimport two \"strings\"\nfunc u() string { return one.ToUpper(two.ToLower(\"a\")) }",
		"redefined", "func g() { fmt.Println(a, b, c, d, e, f, p, q, r, x, y, R(1), S(1), T(1)) }\n%%\ng()")}
	if tier.IsLong(t) { // else go test would run this package anew after every edit of a lecture
		lectures, err := filepath.Glob(filepath.Join(root(t), "notebooks", "*.ipynb"))
		if err != nil || len(lectures) < 9 { // the nine lectures and their index
			t.Fatal(lectures, err)
		}
		files = append(files, lectures...)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".ipynb"), func(t *testing.T) {
			once, again := exported(t, file).Files, exported(t, file).Files
			if a, b := slices.Sorted(maps.Keys(once)), slices.Sorted(maps.Keys(again)); !slices.Equal(a, b) {
				t.Fatalf("files once\n%q\nand again\n%q", a, b)
			}
			for name, text := range once {
				if string(text) != string(again[name]) {
					t.Errorf("%s once\n%s\nand again\n%s", name, text, again[name])
				}
			}
		})
	}
}
