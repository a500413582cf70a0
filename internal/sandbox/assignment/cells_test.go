package assignment

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"marginalia/internal/base/repo"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
)

// sheet makes a notebook of code cells: kind, grade_id, source.
func sheet(parts ...[3]string) *nbformat.Notebook {
	nb := &nbformat.Notebook{Metadata: map[string]any{}, Minor: 5}
	for i, p := range parts {
		c := &nbformat.Cell{ID: fmt.Sprint("c", i), Type: "code", Source: p[2], Metadata: map[string]any{}}
		if p[0] != "own" {
			c.Metadata["nbgrader"] = map[string]any{"schema_version": json.Number("3"), "grade_id": p[1], "grade": p[0] == "tests" || p[0] == "figure",
				"solution": p[0] == "answer" || p[0] == "figure", "locked": p[0] == "given" || p[0] == "tests", "task": false, "points": json.Number("1")}
		}
		nb.Cells = append(nb.Cells, c)
	}
	return nb
}

// readSheet reads a notebook as the lecturer's.
func readSheet(t *testing.T, nb *nbformat.Notebook) *Assignment {
	t.Helper()
	root := must.Get(repo.Root()).Or(t)
	return must.Get(Read(t.Context(), nb, root)).Or(t)
}

// Cells that share all of the student's variables share a program, which has what they use and nothing else. One
// that is the lecturer's alone is the same for everybody. (Nothing is compiled here: TestOutputs of course/grade does.)
func TestShows(t *testing.T) {
	given := [3]string{"given", "given", "import (\n\t\"fmt\"\n\t\"testing\"\n\n\t\"marginalia/plotting\"\n)\n\ntype T struct{ n int }\n\nfunc (t T) N() int { return double(t.n) }\n\nfunc double(x int) int { return 2 * x }\n\nconst (\n\tzero = iota\n\tone\n)"}
	shows := [3]string{"given", "shows", "%%\nfmt.Println(T{one}.N())"}
	tests := [3]string{"tests", "test", "%test\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Error()\n\t}\n}"}
	a := readSheet(t, sheet(given, shows, [3]string{"answer", "two", "func Two() int { return 2 }"}, tests, [3]string{"figure", "figure", "%%\n"}))
	nb := sheet(given, [3]string{"given", "shows", "%%\nfmt.Println(\"changed\")"},
		[3]string{"answer", "two", "func Two() int { return helper() }\n%%\nprintln(Two())"}, tests,
		[3]string{"figure", "figure", "//go:embed /etc/passwd\n%%\nplotting.Show(\"x\", nil) // a\n"},
		[3]string{"own", "", "func helper() int { return 2 }\n\nvar slow = helper()\n\nfunc unused() {}"},
		[3]string{"own", "", "%%\nfmt.Println(slow)"},
		[3]string{"own", "", "%%\nnothing()"},
		[3]string{"answer", "two", "%%\nprintln(\"a copy\")"},
		[3]string{"own", "", "import \"os\"\n\n%%\nos.Exit(1)"},
	)
	all, left, err := a.shows(t.Context(), nb, false)
	must.Do(t, err)
	// Cells are counted as Compiler sends them, without the copy.
	want := map[string]struct {
		draws     bool
		has, lack []string
	}{
		"[1]":   {false, []string{"fmt.Println(T{one}.N())", "func double", "func (t T) N()", "zero = iota"}, []string{"Two", "helper", "slow", "plotting", "changed"}},
		"[2 4]": {true, []string{"func helper", "func Two", "plotting.Show", "//line two.cell:2\n"}, []string{"slow", "unused", "double", "one", "embed", "\"fmt\""}},
		"[6]":   {false, []string{"slow = helper()"}, []string{"Two", "plotting"}},
	}
	for _, s := range all {
		w, ok := want[fmt.Sprint(s.cells)]
		delete(want, fmt.Sprint(s.cells))
		text := string(s.files["cells.go"])
		if !ok || s.draws != w.draws || strings.Contains(string(s.files["main.go"]), "guest/screen") != w.draws {
			t.Errorf("cells %v, draws %v\n%s", s.cells, s.draws, text)
		}
		for _, has := range w.has {
			if !strings.Contains(text, has) {
				t.Errorf("cells %v: no %q in\n%s", s.cells, has, text)
			}
		}
		for _, lack := range w.lack {
			if strings.Contains(text, lack) {
				t.Errorf("cells %v: %q in\n%s", s.cells, lack, text)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("no programs of %v", want)
	}
	if want := map[int]unrun{
		7: {"line 2: does not compile: undefined: nothing", true},
		8: {"line 4: does not compile: undefined: os: the import \"os\" is not allowed", true},
	}; !maps.Equal(left, want) {
		t.Errorf("without a program %v, want %v", left, want)
	}
	if all, _, err = a.shows(t.Context(), nb, true); err != nil || len(all) != 4 {
		t.Errorf("%d programs, %v, want one for each of 4 cells", len(all), err)
	}
}

// A cell shows its last expression where the kernel has it do so, and is refused for the same reasons otherwise.
func TestShowsLast(t *testing.T) {
	given := [3]string{"given", "given", "import \"testing\"\n\nfunc one() (int, error) { return 1, nil }\n\nfunc fails() error { return nil }"}
	tests := [3]string{"tests", "test", "%test\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Error()\n\t}\n}"}
	two := [3]string{"answer", "two", "func Two() int { return 2 }"}
	a := readSheet(t, sheet(given, two, tests))
	a.MayImport = func(path string) bool { return path == "marginalia/timing" }
	for source, want := range map[string]string{
		"%%\nx := Two()\nx // two":      "marginalia_show.Value(x) ",
		"%%\n[]int{\n\tTwo(),\n};":      "marginalia_show.Value([]int{\n\tTwo(),\n});",
		"%%\none()":                     "marginalia_show.Value(one())",
		"%%time\none()":                 "marginalia_show.Value(one())",
		"%%bench\nTwo() + 1":            "marginalia_show.Value(Two() + 1)",
		"%%\nfails()":                   "\n\nfails()\n",
		"func main() {\n\tone()\n}":     "{\n\tone()\n}",
		"%%\nx := 1\nx\nx++":            "line 3: does not compile: x (variable of type int) is not used",
		"%%\nthree":                     "line 2: does not compile: undefined: three",
		"func main() {\n\tTwo() + 1\n}": "line 2: does not compile: Two() + 1 (value of type int) is not used",
	} {
		all, left, err := a.shows(t.Context(), sheet(given, two, tests, [3]string{"own", "", source}), false)
		must.Do(t, err)
		got := left[3].why
		if len(all) > 0 {
			got = string(all[0].files["cells.go"])
		}
		if !strings.Contains(got, want) || strings.Contains(got, "marginalia_show ") != strings.Contains(want, "show.Value") {
			t.Errorf("%q becomes\n%s\nwant %q", source, got, want)
		}
	}
}

// What students could not run, and where they could not write their id, is told before a release.
func TestUnfit(t *testing.T) {
	nb := sheet([3]string{"given", "who", "var student = \"your id\""},
		[3]string{"given", "imports", "import (\n\t\"fmt\"\n\t\"testing\"\n)"}, [3]string{"answer", "two", "func Two() int { return 2 }\n%%\nfmt.Println(Two())"},
		[3]string{"tests", "two-test", "%test\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Error()\n\t}\n}"},
		[3]string{"given", "ends", "func tell() { fmt.Println(student, \"\\n\") }"}, [3]string{"given", "shown", "%%\nfmt.Println(Two(), student)"}, [3]string{"own", "", "!ls"}, [3]string{"given", "bad", "%%\nTwo() + three"}, [3]string{"own", "", "%%\nx := \"a\" + 1"})
	nb.Cells[0].Metadata["marginalia"] = map[string]any{"student": true}
	all, err := readSheet(t, nb).Unfit(t.Context(), nb)
	const want = "cell who: it is read-only, and students are to write their id into it\ncell ends, line 1: go vet: fmt.Println arg list ends with redundant newline (it ends the line itself: leave \\n out)\ncell bad: line 2: does not compile: undefined: three\ncell c8: line 2: does not compile: "
	if err != nil || !strings.HasPrefix(all.Error(), want) || len(all) != 4 {
		t.Errorf("%v, %v, want %s…", all, err, want)
	}
}
