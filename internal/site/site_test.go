package site

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"go/ast"
	"go/doc"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/base/repo"
	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// staged is the stage of the repository, without its pages, and an empty folder.
func staged(t *testing.T, source string) *stage {
	t.Helper()
	l := must.Get(packagesOnce()).Or(t)
	root := repotest.Root(t)
	b := must.Get(newBook(root, "")).Or(t)
	return newStage(b, t.TempDir(), source, l)
}

// packagesOnce reads the packages for all tests: nothing changes them.
var packagesOnce = sync.OnceValues(func() (*library, error) {
	root, err := repo.Root()
	if err != nil {
		return nil, err
	}
	b, err := newBook(root, "")
	if err != nil {
		return nil, err
	}
	return loadLibrary(context.Background(), b)
})

func read(t *testing.T, path ...string) string {
	t.Helper()
	return testfile.Read(t, filepath.Join(path...))
}

// Names in a cell lead to their documentation: types and functions of mlkit to pages of the site,
// those of Go and of gonum to pkg.go.dev. What the cell declares has none.
func TestCalls(t *testing.T) {
	s := staged(t, "")
	calls := newCalls(s, "notebooks/01.ipynb")
	if got, err := calls.step(t.Context(), "one", "import (\n\t\"fmt\"\n\n\t\"marginalia/mlkit/svm\"\n)\n\nfunc own(é string) int { return len(é) }"); err != nil || len(got) != 0 {
		t.Errorf("a cell without names of others: %v, %v", got, err)
	}
	source := "%%\nvar c svm.Classifier\nfmt.Println(\"é\", own(\"\"), c.FitWith)"
	got := must.Get(calls.step(t.Context(), "two", source)).Or(t)
	// Errorf is a method of a type in testing that is not exported; go doc shows it with T.
	test, err := newCalls(s, "notebooks/01.ipynb").step(t.Context(), "test", "%test\nimport \"testing\"\n\nfunc TestX(t *testing.T) { t.Errorf(\"x\") }")
	if err != nil {
		t.Fatal(err)
	}
	if want := []call{{3, 22, 1, "https://pkg.go.dev/testing#T"}, {3, 29, 6, "https://pkg.go.dev/testing#T.Errorf"}}; !slices.Equal(test, want) {
		t.Errorf("the names of a test are %v, want %v", test, want)
	}
	// Fields, by their literals, by selectors and promoted from embedded structs; methods of interfaces.
	fields := must.Get(newCalls(s, "notebooks/01.ipynb").step(t.Context(), "fields", `import "marginalia/mlkit/svm"
import "net/http"
type own struct{ F float64 }
type inner struct{ *http.Server }
func (inner) x(h http.Handler) {
	c := svm.Classifier{C: own{F: 1}.F}
	_, _ = c.C, inner{}.Addr
	h.ServeHTTP(nil, nil)
}`)).Or(t)
	var named []any
	for _, f := range fields {
		named = append(named, f[3])
	}
	const handler, classifier = "https://pkg.go.dev/net/http#Handler", "../library/mlkit/svm.html#Classifier"
	if want := []any{"https://pkg.go.dev/net/http#Server", handler, classifier, classifier + ".C", classifier + ".C", "https://pkg.go.dev/net/http#Server.Addr", handler + ".ServeHTTP"}; !slices.Equal(named, want) {
		t.Errorf("fields and methods are %v, want %v", named, want)
	}
	// A type made of a generic one of another file has that one's fields.
	made := must.Get(newCalls(s, "notebooks/01.ipynb").step(t.Context(), "made", `import "marginalia/mlkit/calibration"
import "marginalia/mlkit/multiclass"
import "marginalia/mlkit/svm"
type machine = calibration.ClassifierModel[*svm.Model]
var p = multiclass.ProbableOneVsOne[*machine]{Binary: calibration.Classifier[*svm.Model]{}}`)).Or(t)
	if want := "../library/mlkit/multiclass.html#OneVsOne.Binary"; len(made) < 4 || made[3][3] != want {
		t.Errorf("the field of a type made of another is in %v, want %s", made, want)
	}
	// What goimports imports, in a cell that also names what nobody has.
	found, err := newCalls(s, "notebooks/01.ipynb").step(t.Context(), "found", "%%\nfmt.Println(strings.ToUpper(\"a\"), nobody(1))")
	if want := []call{{1, 4, 7, "https://pkg.go.dev/fmt#Println"}, {1, 20, 7, "https://pkg.go.dev/strings#ToUpper"}}; err != nil || !slices.Equal(found, want) {
		t.Errorf("the names of packages that goimports finds are %v, %v, want %v", found, err, want)
	}
	for _, source := range []string{"%%\nfmt.Println(", "func {", "%%\nx := )", "!ls"} {
		if got, err := newCalls(s, "notebooks/01.ipynb").step(t.Context(), "broken", source); err != nil || len(got) > 0 {
			t.Errorf("%q: %v, %v", source, got, err)
		}
	}
	want := []call{
		{1, 10, 10, "../library/mlkit/svm.html#Classifier"},
		{2, 4, 7, "https://pkg.go.dev/fmt#Println"},
		{2, 28, 7, "../library/mlkit/svm.html#Classifier.FitWith"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("the names are %v, want %v", got, want)
	}
}

// The page of a package has an anchor for each exported name, where calls lead to, and no more than
// go doc shows.
func TestLibraryPages(t *testing.T) {
	s := staged(t, "")
	must.Do(t, s.libraryPages())
	anchors := regexp.MustCompile(`<span id="([^"]+)"`)
	for _, p := range s.library.packages {
		text := read(t, s.dir, filepath.FromSlash(strings.TrimSuffix(p.page, ".html")+".md"))
		seen := map[string]bool{}
		for _, m := range anchors.FindAllStringSubmatch(text, -1) {
			if seen[m[1]] {
				t.Errorf("%s: two anchors %s", p.page, m[1])
			}
			seen[m[1]] = true
		}
		for _, name := range p.Types {
			for _, field := range members(name) {
				if !strings.Contains(text, `"#`+name.Name+"."+field+`"`) {
					t.Errorf("%s has no place for %s.%s", p.page, name.Name, field)
				}
			}
			for _, m := range name.Methods {
				if !seen[name.Name+"."+m.Name] {
					t.Errorf("%s has no anchor for %s.%s", p.page, name.Name, m.Name)
				}
			}
		}
	}
	// As the lists of calls at the end of lectures have them. The last is a file alone.
	s.sources["notebooks/04.md"] = true
	got, err := s.resolved("notebooks/04.md", []byte(`<a href="cell:0:../mlkit/svm/kkt.go">svm.KKT</a> <a href="cell:0:../mlkit/svm/model.go"><code>Model.Score</code></a> <a href="cell:0:../mlkit/svm/fit.go">fit</a>`))
	want := `<a href="../library/mlkit/svm.html#KKT">svm.KKT</a> <a href="../library/mlkit/svm.html#Model.Score"><code>Model.Score</code></a> <a href="../files/mlkit/svm/fit.go.txt">fit</a>`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	page := read(t, s.dir, "library", "mlkit", "svm.md")
	for _, want := range []string{"# mlkit/svm\n", "### type Classifier\n", "#### Classifier.Fit\n", "files/mlkit/svm/", `"../../library/mlkit.html#`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of svm has no %q", want)
		}
	}
	if strings.Contains(page, "func (c Classifier) fit(") {
		t.Error("the page of svm has what is not exported")
	}
}

// members are the exported fields of a struct, embedded ones apart, and the methods of an interface.
func members(of *doc.Type) (names []string) {
	for _, spec := range of.Decl.Specs {
		var list *ast.FieldList
		switch t := spec.(*ast.TypeSpec).Type.(type) {
		case *ast.StructType:
			list = t.Fields
		case *ast.InterfaceType:
			list = t.Methods
		default:
			continue
		}
		for _, field := range list.List {
			for _, id := range field.Names {
				if id.IsExported() {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}

func TestEscapeMarkdown(t *testing.T) {
	if got, want := escapeMarkdown("w_1 = `a*b` <c> [d] $5 100%"), `w\_1 = \`+"`"+`a\*b\`+"`"+` \<c\> \[d\] \$5 100\%`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A lecture that is staged has its figures as files, without the pictures that notebooks carry for
// other programs, its cells' ids, and the box that says how to run it.
func TestNotebook(t *testing.T) {
	s := staged(t, "")
	s.sources["notebooks/04-margins.ipynb"], s.sources["README.md"], s.sources["assignments/svm/svm.ipynb"] = true, true, true
	for _, n := range []string{"01-perceptron", "02-least-squares", "03-logistic", "05-kernels", "06-spectral-clustering", "07-features", "08-digits", "09-errata"} {
		s.sources["notebooks/"+n+".ipynb"] = true
	}
	const rel = "notebooks/04-margins.ipynb"
	must.Do(t, s.notebook(t.Context(), rel, true))
	nb := nbtest.Read(t, filepath.Join(s.dir, rel))
	i := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == "c-slider" })
	if i < 0 {
		t.Fatal("there is no cell c-slider")
	}
	shown, _ := nb.Cells[i].Outputs[0].Data["text/html"].(string)
	for _, want := range []string{`data-figure="c-slider"`, "data-slider", `src="../figures/c-slider.svg"`, `data-packed="../figures/c-slider.js"`, `alt="The street between two overlapping clouds`, `width="480" height="480"`} {
		if !strings.Contains(shown, want) {
			t.Errorf("the slider is shown as %s, want %s in it", shown, want)
		}
	}
	if svg := string(s.files["figures/c-slider.svg"]); !strings.HasPrefix(svg, "<svg ") || strings.Contains(svg, "prefers-color-scheme") {
		t.Errorf("the slider's still is %.60q, want SVG that leaves the theme to the page", svg)
	}
	text := read(t, s.dir, rel)
	if strings.Contains(text, "image/png") {
		t.Error("a picture of the notebook is in its page")
	}
	if !strings.Contains(text, "go run . run notebooks/04-margins.ipynb") || nb.Cells[1].ID != "run" {
		t.Error("there is no box below the title that says how to run the lecture")
	}
	if string(s.files["files/"+rel]) != read(t, s.book.root, rel) {
		t.Error("the notebook in the site is not the one of the repository")
	}
}

// An exercise's page has the solution below the answer, folded.
func TestExercises(t *testing.T) {
	s := staged(t, "")
	s.sources["notebooks/01-perceptron.ipynb"], s.sources["notebooks/exercises/01-perceptron.ipynb"] = true, true
	const rel = "notebooks/exercises/01-perceptron.ipynb"
	must.Do(t, s.notebook(t.Context(), rel, false))
	nb := nbtest.Read(t, filepath.Join(s.dir, rel))
	i := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == "answer-1" })
	if i < 0 || nb.Cells[i+1].ID != "answer-1-solution" || !nb.Cells[i+1].HasTag("hide-input") {
		t.Fatal("no folded solution follows the first answer")
	}
	got, err := s.resolved(rel, []byte(`Solutions: <a href="cell:1:../solutions/01-perceptron.ipynb">apart</a>.`))
	if want := "Solutions: below each answer."; err != nil || string(got) != want {
		t.Errorf("%s, %v; want no link from the page to itself: %s", got, err, want)
	}
	if text := nb.Cells[i+1].Source; strings.Contains(text, "SOLUTION") || !strings.Contains(text, "combin.Permutations(6, 6)") {
		t.Errorf("the solution is %q, want its code without the marks", text)
	}
}

// A figure of several panels may scroll on a phone, one of a single panel fits.
func TestWide(t *testing.T) {
	for width, want := range map[int]string{480: `<div data-site class="figure">`, 760: `<div data-site class="figure wide">`} {
		if got := (picture{File: "a.png", width: width, height: 480}).html("index.md"); !strings.HasPrefix(got, want) {
			t.Errorf("a figure of %d pixels is %s, want %s", width, got, want)
		}
	}
}

// The README's page does not have the name of the site as its own.
func TestReadmeTitle(t *testing.T) {
	s := staged(t, "")
	for _, page := range s.book.documents {
		s.sources[s.book.rel(page)] = true
	}
	s.sources["notebooks/00-index.ipynb"] = true
	must.Do(t, s.document("README.md"))
	if text := read(t, s.dir, "README.md"); !strings.HasPrefix(text, "# About marginalia\n") {
		t.Errorf("the page begins with %.40q", text)
	}
}

// A page runs and shows only what comes from its site: what stands in the page is named by its hash,
// as Content Security Policy Level 3 (W3C) has it.
func TestGuarded(t *testing.T) {
	const page = `<head><meta charset="utf-8"><style>a{}</style></head><script>one()</script><script src="x.js"></script><script>one()</script>`
	got := string(guarded([]byte(page)))
	sum := func(text string) string {
		h := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(h[:]) + "'"
	}
	for _, want := range []string{`<meta charset="utf-8">` + "\n    " + `<meta http-equiv="Content-Security-Policy"`, "script-src 'self' " + sum("one()") + ";", "style-src 'self' " + sum("a{}") + ";", "default-src 'none'"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page is %s, want %s in it", got, want)
		}
	}
}

// head is the head of a table with some empty cells before others.
func head(empty, full int) string {
	return "<thead><tr>" + strings.Repeat(`<th class="head"><p></p></th>`, empty) + strings.Repeat(`<th class="head"><p>n</p></th>`, full) + "</tr></thead>"
}

// What axe-core 4.14 found in the pages of Furo 2025.12.19 and MyST-NB 1.4.0.
func TestMended(t *testing.T) {
	for page, want := range map[string]string{
		`<p class="caption" role="heading">`:                                                     `<p class="caption" role="heading" aria-level="2">`,
		`<tr><th class="head"><p></p></th><th class="head"><p>n</p></th></tr>`:                   `<tr><td class="head"><p></p></td><th class="head"><p>n</p></th></tr>`,
		`<h4>Classifier.Fit<a href="#x.y">`:                                                      `<h4>Classifier.<wbr>Fit<a href="#x.y">`,
		`<html class="no-js" lang="en">`:                                                         `<html lang="en">`,
		`<summary aria-label="Toggle hidden content">`:                                           `<summary>`,
		`<table class="docutils a"><thead><tr><th class="head"><p></p></th></tr></thead>`:        `<table class="docutils a"><thead hidden><tr><td class="head"><p></p></td></tr></thead>`,
		`<table class="docutils">` + head(1, 3):                                                  `<table class="docutils many">` + strings.Replace(head(1, 3), `<th class="head"><p></p></th>`, `<td class="head"><p></p></td>`, 1),
		`<table class="docutils packages"><thead><tr><th>package</th><th>what</th></tr></thead>`: `<table class="docutils packages"><thead><tr><th>package</th><th>what</th></tr></thead>`,
		`<table class="docutils">` + head(0, 3):                                                  `<table class="docutils">` + head(0, 3),
		`<p><img alt="A street narrows" src="../_images/c.gif" /></p>`:                           `<details class="film"><summary>A street narrows</summary><img alt="" loading="lazy" src="../_images/c.gif"></details>`,
	} {
		if got := string(mended([]byte(page))); got != want {
			t.Errorf("%s becomes %s, want %s", page, got, want)
		}
	}
}

// The last line of a block may end or not.
func TestMeasured(t *testing.T) {
	const page = "<pre><span></span>a &lt; b\n\n\tif\t<a>c</a>\n</pre><pre>c</pre><pre><span></span>σ²</pre>"
	const want = "<pre><span class=\"lines\" style=\"--lines:3;--columns:9\"><span></span>a &lt; b\n\n\tif\t<a>c</a>\n</span></pre><pre>c</pre>" +
		"<pre><span class=\"lines\" style=\"--lines:1;--columns:2\"><span></span>σ²</span></pre>"
	if got := string(measured([]byte(page))); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A folder with files of somebody else is not replaced; an old site is, whole.
func TestExchange(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	write := func(folder, name, text string) {
		t.Helper()
		must.Do(t, os.MkdirAll(folder, 0o755))
		testfile.Write(t, filepath.Join(folder, name), text)
	}
	if err := replaceable(out); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
	write(out, "thesis.tex", "mine")
	if err := replaceable(out); err == nil || !strings.Contains(err.Error(), "--out") {
		t.Errorf("a folder with somebody's file: error %v, want one that names --out", err)
	}
	write(out, mark, "")
	if err := replaceable(out); err != nil {
		t.Errorf("an old site: %v", err)
	}
	tmp := filepath.Join(dir, "new")
	write(tmp, "index.html", "new")
	must.Do(t, atomicfile.Folder(tmp, out))
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || read(t, out, "index.html") != "new" {
		t.Errorf("there are %v, %v; want the new site alone", entries, err)
	}
	if err := atomicfile.Folder(filepath.Join(dir, "missing"), out); err == nil || read(t, out, "index.html") != "new" {
		t.Errorf("an exchange that fails: error %v, want one, and the old site", err)
	}
}

func TestSourceURL(t *testing.T) {
	for address, want := range map[string]string{
		"":                                     "",
		"https://github.com/you/m/blob/main/":  "https://github.com/you/m/blob/main",
		"https://gitlab.com/you/m/-/blob/main": "https://gitlab.com/you/m/-/blob/main",
	} {
		if got, err := sourceURL(address); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", address, got, err, want)
		}
	}
	for _, address := range []string{"github.com/you", "javascript:alert(1)", "http://example.org/x", "https://example.org/?a"} {
		if _, err := sourceURL(address); err == nil || !strings.Contains(err.Error(), "--source") {
			t.Errorf("%q: error %v, want one that names --source", address, err)
		}
	}
}
