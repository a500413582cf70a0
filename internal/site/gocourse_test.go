//go:build browser

package site

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/install/venv"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// shapes is a notebook with the packages of another module, one that needs cgo and one of a solution, and with files.
var shapes = []nbformat.Cell{
	{ID: "area", Source: "import \"example.org/shapes\"\n\n%%\nfmt.Println(\"the area is\", shapes.Area(3))"},
	{ID: "names", Source: "%%\nentries, err := os.ReadDir(\"../data\")\nfor _, e := range entries {\n\tinfo, _ := e.Info()\n\tfmt.Print(e.Name(), \" \", info.Size(), \", \")\n}\nfmt.Println(err)"},
	{ID: "move", Source: "%%\nerr := os.Rename(\"../data/points.csv\", \"../data/moved.csv\")\ntext, _ := os.ReadFile(\"../data/moved.csv\")\nfmt.Println(err, strings.Count(string(text), \"\\n\"), \"lines\")"},
	{ID: "gone", Source: "%%\n_, err := os.ReadFile(\"../data/z.bin\")\nfmt.Println(err)"},
	{ID: "cgo", Source: "import \"example.org/course/withc\"\n\n%%\nfmt.Println(withc.X)"},
	{ID: "solution", Source: "import \"example.org/course/source/ps0/answers\"\n\n%%\nfmt.Println(answers.Text)"},
}

// goCourse is the course of lecturers with that notebook.
func goCourse(t *testing.T) string {
	t.Helper()
	dir := lecturers(t)
	nb := notebookOf()
	nb.Metadata = map[string]any{"kernelspec": map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}}
	nb.Cells = append(nb.Cells, &nbformat.Cell{ID: "title", Type: "markdown", Source: "# Shapes\n\nSee [the area](../shapes/shapes.go).", Metadata: map[string]any{}})
	for _, c := range shapes {
		c.Type, c.Metadata = "code", map[string]any{}
		nb.Cells = append(nb.Cells, &c)
	}
	for name, text := range map[string]string{
		"notebooks/03-shapes.ipynb":  string(must.Get(nb.Encode()).Or(t)),
		"go.mod":                     read(t, dir, "go.mod") + "\nrequire example.org/shapes v0.0.0\n\nreplace example.org/shapes => ./shapes\n",
		"shapes/go.mod":              "module example.org/shapes\n",
		"shapes/shapes.go":           "// Package shapes measures.\npackage shapes\n\n// Area is that of a square.\nfunc Area(side float64) float64 { return side * side }\n",
		"withc/withc.go":             "package withc\n\nimport \"C\"\n",
		"source/ps0/answers/text.go": "package answers\n\nconst Text = \"the-answer-of-ps0\"\n",
		"data/z.bin":                 "\x00\xff",
	} {
		testfile.Write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	return dir
}

// TestGoCourse runs cells of a course in their pages and in the lab: with a package beside the notebook, with one of a
// module that go.mod replaces by a folder, and with the course's files. What can't be built is said, and no file of the
// site has a solution.
func TestGoCourse(t *testing.T) {
	tier.Browser(t)
	browser := labtest.Chromium(t)
	dir, out := goCourse(t), filepath.Join(t.TempDir(), "site")
	r := must.Get(Build(t.Context(), repotest.Root(t), Options{Out: out, Course: dir, Cells: true}, nil)).Or(t)
	var faults []string
	for _, fault := range r.Faults {
		faults = append(faults, fault.Error())
	}
	for _, want := range []string{"notebooks/03-shapes.ipynb: cells that use example.org/course/withc do not run in its page: it needs cgo", "notebooks/03-shapes.ipynb: cells that use example.org/course/source/ps0/answers do not run in its page: it lies in a folder that the site leaves out"} {
		if !slices.Contains(faults, want) {
			t.Errorf("the build does not say %q", want)
		}
	}
	if len(faults) != 3 { // and that the notebook has no outputs
		t.Errorf("the build says %q", faults)
	}
	if want := []string{"data/points.csv", "data/z.bin"}; !slices.Equal(r.Read, want) {
		t.Errorf("cells may read %q, want %q", r.Read, want)
	}
	noSolution(t, dir, out)

	address := served(t, out)
	open := func(t *testing.T, name string) *goPage {
		p := &goPage{watch(labtest.Window(t, browser), t, nil), views[0].width}
		must.Do(t, chromedp.Do(p.ctx, chromedp.Navigate(address+"notebooks/"+name+".html")))
		p.wait("the buttons", `document.querySelectorAll(".go-offer").length > 2`)
		return p
	}
	t.Run("own", func(t *testing.T) {
		p := open(t, "01-first")
		p.shows("data", "the output", `out.querySelector("pre")?.textContent === "8 points in 2 dimensions, their mean is (2.2500, 1.7500)\n"`) // as stored
		p.shows("street", "the figure", `out.querySelector(".marginalia-figure > svg path")`)
		p.wait("no file but the one that is read", `performance.getEntriesByType("resource").every((e) => !e.name.endsWith("z.bin"))`)
		p.quiet("01-first.html")
	})
	t.Run("shapes", func(t *testing.T) {
		p := open(t, "03-shapes")
		p.shows("area", "the area", `out.querySelector("pre")?.textContent === "the area is 9\n"`)
		p.shows("names", "the files", `out.querySelector("pre")?.textContent === "points.csv 94, z.bin 2, <nil>\n"`)
		p.shows("move", "the moved file", `out.querySelector("pre")?.textContent === "<nil> 9 lines\n"`)
		p.shows("names", "the files afterwards", `out.querySelector("pre")?.textContent === "moved.csv 94, z.bin 2, <nil>\n"`)
		p.shows("cgo", "why it lacks", `out.querySelector(".error").textContent.includes("this site has no such package: it needs cgo") && out.textContent.includes("go run . lab")`)
		p.shows("solution", "why it is left out", `out.querySelector(".error").textContent.includes("it lies in a folder that the site leaves out")`)
		p.quiet("03-shapes.html")
		openCourseLab(p)
	})
	t.Run("python", func(t *testing.T) {
		if page := read(t, out, "notebooks", "other", "plain.html"); strings.Contains(page, "data-go") || strings.Contains(page, "wasm-unsafe-eval") || strings.Contains(page, "Open in the lab") {
			t.Error("the page of a notebook in Python offers to run cells")
		}
	})
	t.Run("gone", func(t *testing.T) {
		must.Do(t, os.Remove(filepath.Join(out, "files", "data", "z.bin")))
		p := open(t, "03-shapes")
		p.shows("gone", "that the file is gone", `out.textContent.includes("z.bin cannot be loaded: the server says 404") && out.textContent.includes("open ../data/z.bin: ")`)
	})
}

// openCourseLab follows the page's link to the lab, and runs the cells there up to the first that fails.
func openCourseLab(p *goPage) {
	p.evaluate(`[...document.querySelectorAll(".run-box a")].find((a) => a.textContent === "Open in the lab").click()`)
	p.wait("the lab", `location.pathname.startsWith("/lab/lab/") && document.querySelector(".jp-Notebook .jp-Cell") && document.querySelector("#jp-main-statusbar")?.innerText.includes("Go (gonb) | Idle")`)
	labtest.Choose(p.ctx, p.t, "Run", "runmenu:run-all")
	p.wait("the outputs", `((text) => ["the area is 9", "points.csv 94", "z.bin 2", "<nil> 9 lines", "it needs cgo"].every((want) => text?.includes(want)))([...document.querySelectorAll(".jp-OutputArea")].map((e) => e.innerText).join("\n"))`)
	labtest.Picture(p.ctx, "go course lab")
}

// noSolution looks for the solution, and for folders of this computer, in all files of a site, unpacked.
func noSolution(t *testing.T, dir, out string) {
	t.Helper()
	env := must.Get(venv.Find(t.Context())).Or(t)
	text := must.Get(exec.CommandContext(t.Context(), env.Path, "-c", `import gzip, json, lzma, os, sys
found, unpacked = [], 0
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        path = os.path.join(folder, name)
        with open(path, "rb") as f:
            data = f.read()
        if name.endswith(".lzma"):
            data, unpacked = lzma.decompress(data, lzma.FORMAT_ALONE), unpacked + 1
        for word in sys.argv[2:]:
            if word.encode() in data:
                found.append(f"{path}: {word}")
print(json.dumps({"found": found, "unpacked": unpacked}))`, out, "the-answer-of-ps0", "const answer = 4711", filepath.Dir(out), dir).Output()).Or(t)
	var got struct {
		Found    []string
		Unpacked int
	}
	must.Do(t, json.Unmarshal(text, &got))
	if len(got.Found) > 0 || got.Unpacked < 500 {
		t.Errorf("of %d unpacked files some have a solution, or a folder of this computer: %v", got.Unpacked, fmt.Sprint(got.Found))
	}
}
