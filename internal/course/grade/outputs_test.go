package grade_test

import (
	"encoding/base64"
	"image"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/course/grade"
	"marginalia/internal/gotest/built"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/picture"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// shower returns a grader whose assignment is a notebook, to run cells with.
func shower(t *testing.T, nb *nbformat.Notebook) *grade.Grader {
	t.Helper()
	a := must.Get(assignment.Read(t.Context(), nb, root(t))).Or(t)
	a.MayImport = func(path string) bool { return path == "strings" || path == "fmt" || path == "os" }
	program := must.Get((&grade.Builder{Root: root(t)}).Judge(t.Context(), a)).Or(t)
	g := &grade.Grader{Assignment: a, Judge: grade.NewProcess(program, ""), Memory: 256 << 20}
	t.Cleanup(g.Close)
	must.Do(t, g.Warm(t.Context(), nb))
	return g
}

// The figure of an assignment is the one that the same cell draws in a program of this machine: on amd64 byte for byte.
func TestFigure(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	const name, cell = "regression", "regression-figure"
	file := filepath.Join(root(t), "notebooks/assignments/source", name, name+".ipynb")
	nb := must.Get(nbformat.Read(file)).Or(t)
	shown, err := shower(t, nb).Outputs(t.Context(), "ada", nb, grade.Limits{Cell: time.Minute, Notebook: time.Minute}, "")
	must.Do(t, err)
	b := must.Get(built.Notebook(t.Context(), file, root(t))).Or(t)
	defer b.Close()
	var got []nbformat.Output
	for c, out := range shown {
		if c.ID == cell {
			got = out
		}
	}
	want := b.Run(t.Context(), cell).Outputs
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d outputs, want %d: %v", len(got), len(want), got)
	}
	drawn := 0
	for i, o := range got {
		if o.Type != want[i].Type || o.Text != want[i].Text || o.Data["text/plain"] != want[i].Data["text/plain"] || o.Metadata["figure"] != want[i].Metadata["figure"] {
			t.Errorf("output %d: %.300v, want %.300v", i, o, want[i])
		}
		if o.Data["image/png"] == nil {
			continue
		}
		drawn++
		if runtime.GOARCH == "amd64" && o.Data["image/png"] != want[i].Data["image/png"] {
			t.Error("the figure has other bytes")
		}
		// Nothing that it shows has moved (255 is one pixel from white to black, see package picture).
		if d := picture.Compare(pixels(t, want[i]), pixels(t, o)); d.Want != d.Got || d.Spot > 255 || d.Far > d.Want.X*d.Want.Y/500 {
			t.Errorf("the figure: %v", d)
		}
	}
	if drawn != 1 {
		t.Errorf("%d figures, want 1", drawn)
	}
}

// pixels returns the picture of an output.
func pixels(t *testing.T, o nbformat.Output) *image.RGBA {
	t.Helper()
	text, _ := o.Data["image/png"].(string)
	file := must.Get(base64.StdEncoding.DecodeString(strings.ReplaceAll(text, "\n", ""))).Or(t)
	return must.Get(picture.Decode(file)).Or(t)
}

// A cell that goes wrong loses itself alone, and says why in words for the student.
func TestOutputs(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	g := shower(t, notebook(t, map[string]string{
		"given":  "import (\n\t\"fmt\"\n\t\"testing\"\n\n\t\"marginalia/internal/cell/display\"\n)\n\nfunc Given(x int) int { return x + 1 }",
		"figure": "%%\nfmt.Println(\"given\", Given(1))",
	}))
	sources := map[string]string{
		"one":      "func One(x int) int { return x + 1 }\n%%\nfmt.Println(\"main of an answer\", One(1))",
		"two":      "func Two(x int) int { return undefined }",
		"last":     "%%\nx := One(1)\nx",
		"prints":   "%%\nfmt.Println(\"out\", One(1))\nprintln(\"err\")\nfmt.Println(\"more\")",
		"broken":   "%%\nfmt.Println(1)\nundefined(1)",
		"open":     "func f() {}\n%%\nfmt.Println(1",
		"depends":  "%%\nfmt.Println(Two(1))",
		"panics":   "func boom(x []int) int {\n\treturn x[3]\n}\n%%\nfmt.Println(\"before\")\nboom(nil)",
		"goes":     "%%\ngo func() { panic(\"apart\") }()\nselect {}",
		"waits":    "%%\nselect {}",
		"leaves":   "import \"os\"\n\n%%\nfmt.Println(\"left\")\nos.Exit(0)",
		"fails":    "import \"os\"\n\n%%\nos.Exit(3)",
		"endless":  "%%\nfmt.Println(\"begun\")\nfor {\n}",
		"gigabyte": "%%\ntext := strings.Repeat(\"x\", 1<<20)\nfor range 1 << 10 {\n\tfmt.Print(text)\n}",
		"memory":   "%%\nvar x [][]byte\nfor {\n\tx = append(x, make([]byte, 1<<24))\n}",
		"slow":     "var slow = func() int {\n\tfor {\n\t}\n}()",
		"uses":     "%%\nfmt.Println(slow)",
		"world":    "import \"os\"\n\n%%\nfiles, _ := os.ReadDir(\"/\")\nfmt.Println(len(os.Args), len(os.Environ()), len(files))",
		"html":     "%%\ndisplay.Send(display.Data{Data: display.Bundle{\"text/html\": \"<script>alert(1)</script>\"}})\nfmt.Println(\"behind\")",
		"again":    "%%\nfor i := range 100 {\n\tdisplay.Send(display.Data{Data: display.Bundle{\"text/plain\": fmt.Sprint(i)}, DisplayID: \"a\"})\n}",
		"many":     "%%\nfor i := range 100 {\n\tdisplay.Send(display.Data{Data: display.Bundle{\"text/plain\": fmt.Sprint(i)}})\n}",
		"shell":    "%env A 1\n!ls /",
		"bash":     "%%bash\nls /",
		"tested":   "%test\nfunc TestMine(t *testing.T) { fmt.Println(\"no\") }",
		"declares": "func unused() { fmt.Println(\"no\") }",
		"figure":   "%%\nfmt.Println(\"given\", Given(1))",
	}
	nb := notebook(t, sources)
	limits := grade.Limits{Cell: 2 * time.Second, Notebook: time.Minute}
	shown := must.Get(g.Outputs(t.Context(), "ada", nb, limits, "")).Or(t)
	got := map[string]string{}
	for c, out := range shown {
		got[c.ID] = grade.Printed(out)
	}
	for id, want := range map[string]string{
		"one":     `stdout "main of an answer 2\n"`,
		"last":    `map[text/plain:2] map[]`,
		"prints":  `stdout "out 2\n"; stderr "err\n"; stdout "more\n"`,
		"broken":  `error not run: line 3: does not compile: undefined: undefined ["line 3: does not compile: undefined: undefined"]`,
		"open":    `error not run: it does not compile: line 3: missing ',' before newline in argument list ["it does not compile: line 3: missing ',' before newline in argument list"]`,
		"depends": `error panic: Two: it does not compile: undefined: undefined ["panic: Two: it does not compile: undefined: undefined" "    in cell depends, line 2"]`,
		"panics":  `stdout "before\n"; error panic: runtime error: index out of range [3] with length 0 ["panic: runtime error: index out of range [3] with length 0" "    in cell panics, line 2" "    in cell panics, line 6"]`,
		"goes":    `error panic: apart ["panic: apart" "    in cell goes, line 2"]`,
		"waits":   `error stopped: fatal error: all goroutines are asleep - deadlock! ["fatal error: all goroutines are asleep - deadlock!" "    in cell waits, line 2"]`,
		"leaves":  `stdout "left\n"`,
		"fails":   `error stopped: the program left with os.Exit(3) ["the program left with os.Exit(3)"]`,
		"endless": `stdout "begun\n"; error stopped: it takes too long ["it takes too long"]`,
		"uses":    `error stopped: it takes too long ["it takes too long"]`,
		"world":   `stdout "1 0 0\n"`,
		"html":    `map[text/plain:<script>alert(1)</script>] map[marginalia:map[type:text/html]]; stdout "behind\n"`,
		"again":   `map[text/plain:99] map[]`,
		"shell":   `error not run: line 2: shell commands do not run here ["line 2: shell commands do not run here"]`,
		"bash":    `error not run: %%bash does not run here ["%%bash does not run here"]`,
		"figure":  `stdout "given 2\n"`,
	} {
		if got[id] != want {
			t.Errorf("%s:\n%s, want\n%s", id, got[id], want)
		}
	}
	full := `error stopped: it prints or shows too much ["it prints or shows too much"]`
	if text := got["gigabyte"]; !strings.HasSuffix(text, full) || len(text) > 64<<10+200 {
		t.Errorf("gigabyte: %d bytes, ends with %s", len(text), text[max(0, len(text)-200):])
	}
	if text := got["many"]; !strings.HasSuffix(text, full) || strings.Count(text, "map[text/plain") != 20 {
		t.Errorf("many: %s", text)
	}
	if text := got["memory"]; !strings.Contains(text, "out of memory") {
		t.Errorf("memory: %s", text)
	}
	for _, id := range []string{"two", "one-test", "slow", "tested", "declares", "given"} {
		if text, ok := got[id]; ok {
			t.Errorf("%s: %s, want nothing", id, text)
		}
	}
	// The first of two endless cells takes the time of the notebook, on a machine with one processor too.
	t.Setenv("GOMAXPROCS", "1")
	both := notebook(t, map[string]string{"first": sources["endless"], "second": sources["endless"]})
	limits.Notebook = limits.Cell
	shown = must.Get(g.Outputs(t.Context(), "ada", both, limits, "")).Or(t)
	var all []string
	for _, out := range shown {
		all = append(all, grade.Printed(out))
	}
	slices.Sort(all)
	if want := []string{`error stopped: the cells before it have used up the notebook's time ["the cells before it have used up the notebook's time"]`, got["endless"]}; !slices.Equal(all, want) {
		t.Errorf("%q, want %q", all, want)
	}
}

// The graded notebook has what the student's cells print, and none of the outputs that were handed in; with
// outputs = false it has those, and says so. The marks are the same, and as without any of it.
func TestRunStoresOutputs(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	submission := map[string]string{"prints": "%%\nprintln(One(41))\npanic(\"late\")", "one": "func One(x int) int { print(\"in \"); return x + 1 }"}
	dir := folder(t, map[string]map[string]string{"ada": submission})
	file := filepath.Join(dir, "submitted", "ada", "ps1", "ps1.ipynb")
	nb := must.Get(nbformat.Read(file)).Or(t)
	for _, c := range nb.Cells {
		if c.Type == "code" {
			c.Outputs = []nbformat.Output{{Type: "display_data", Data: map[string]any{"text/html": "<script>"}, Metadata: map[string]any{}}}
		}
	}
	must.Do(t, nb.WriteFile(file))
	handed := `stderr "As handed in. Not run by course grade.\n"; map[text/plain:<script>] map[marginalia:map[type:text/html]]`
	for _, tt := range []struct {
		toml string
		want map[string]string
	}{
		{"", map[string]string{"given": "", "one": "", "prints": `stderr "in 42\n"; error panic: late ["panic: late" "    in cell prints, line 3"]`}},
		{"outputs = false\n", map[string]string{"given": handed, "one": handed, "prints": handed}},
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, "course.toml"), []byte("course = \"c\"\n"+tt.toml), 0o666))
		all := must.Get(run(t.Context(), dir, root(t))).Or(t)
		if ada := all["ada"]; ada.Err != nil || ada.NotRun != nil || ada.Score != 6 || ada.Unchanged || len(ada.Changes) > 0 {
			t.Errorf("%q: %+v", tt.toml, ada)
		}
		graded := must.Get(nbformat.Read(filepath.Join(dir, "autograded", "ada", "ps1", "ps1.ipynb"))).Or(t)
		for _, c := range graded.Cells {
			if want, ok := tt.want[c.ID]; ok && grade.Printed(c.Outputs) != want {
				t.Errorf("%q: cell %s has %s, want %s", tt.toml, c.ID, grade.Printed(c.Outputs), want)
			}
			if strings.HasSuffix(c.ID, "-test") && !strings.Contains(grade.Printed(c.Outputs), "2 of 2 points") {
				t.Errorf("%q: tests cell %s has %s", tt.toml, c.ID, grade.Printed(c.Outputs))
			}
		}
	}
}
