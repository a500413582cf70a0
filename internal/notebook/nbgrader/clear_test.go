package nbgrader

import (
	"errors"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/property"
)

const (
	answerMeta = `{"schema_version": 3, "grade": false, "solution": true, "locked": false, "grade_id": "q", "ours": 1}`
	testsMeta  = `{"schema_version": 3, "grade": true, "solution": false, "locked": true, "grade_id": "t", "points": 2}`
	wordsMeta  = `{"schema_version": 3, "grade": true, "solution": true, "locked": false, "grade_id": "w", "points": 2}`
	taskMeta   = `{"schema_version": 3, "grade": false, "solution": false, "locked": true, "task": true, "grade_id": "k", "points": 2}`
)

func lines(s ...string) string { return strings.Join(s, "\n") }

func TestRegions(t *testing.T) {
	for source, want := range map[string][]Region{
		"":     nil,
		"a\nb": nil,
		lines("// BEGIN SOLUTION", "x", "// END SOLUTION"):                                                             {{0, 2}},
		lines("a", "### BEGIN SOLUTION ###", "### END SOLUTION", "b", "/* BEGIN SOLUTION */", "<!-- END SOLUTION -->"): {{1, 2}, {4, 5}},
		lines("\tBEGIN SOLUTION", "BEGIN HIDDEN TESTS", "xEND SOLUTIONx"):                                              {{0, 2}},
	} {
		if got, err := Solution.Regions(source); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", source, got, err, want)
		}
	}
	for source, want := range map[string]Fault{
		lines("a", "// BEGIN SOLUTION", "x"):                                    {Line: 2, Text: "BEGIN SOLUTION without an END SOLUTION below it"},
		lines("// BEGIN SOLUTION", "x", "// BEGIN SOLUTION", "// END SOLUTION"): {Line: 3, Text: "BEGIN SOLUTION within the region that begins in line 1: end that first"},
		lines("x", "// END SOLUTION"):                                           {Line: 2, Text: "END SOLUTION without a BEGIN SOLUTION above it"},
		lines("// BEGIN SOLUTION", "// END SOLUTION", "x", "// END SOLUTION"):   {Line: 4, Text: "END SOLUTION without a BEGIN SOLUTION above it"},
		"// BEGIN SOLUTION END SOLUTION":                                        {Line: 1, Text: "BEGIN SOLUTION without an END SOLUTION below it"},
	} {
		var f *Fault
		if _, err := Solution.Regions(source); !errors.As(err, &f) || *f != want {
			t.Errorf("%q: %v, want %v", source, err, want)
		}
	}
}

// What nbgrader's ClearSolutions, ClearHiddenTests and ClearMarkScheme leave of these.
func TestClear(t *testing.T) {
	pictures := map[string]any{"seen.png": 1, "a b.png": 2, "hidden.png": 3}
	for _, v := range []struct {
		do                       func(*nbformat.Notebook) ([]Removed, error)
		kind, source, meta, want string
		removed                  []Removed
		left                     []string // attachments
	}{
		{goSolutions, "code",
			lines("// Sum adds.", "func Sum(x []float64) float64 {", "\t// BEGIN SOLUTION", "\ts := 0.0", "\treturn s", "\t// END SOLUTION", "}"), answerMeta,
			lines("// Sum adds.", "func Sum(x []float64) float64 {", "\t// YOUR CODE HERE", "\tpanic(\"not implemented\")", "}"),
			[]Removed{{Cell: 1, ID: "q", Mark: Solution, Type: "code", Line: 4, Text: "\ts := 0.0\n\treturn s", Attachments: map[string]any{}}}, nil},
		{goSolutions, "code", lines("a", "//BEGIN SOLUTION", "//END SOLUTION", "b", "  //BEGIN SOLUTION", "x", "  //END SOLUTION"), answerMeta,
			lines("a", "// YOUR CODE HERE", "panic(\"not implemented\")", "b", "  // YOUR CODE HERE", "  panic(\"not implemented\")"),
			[]Removed{{Cell: 1, ID: "q", Mark: Solution, Type: "code", Line: 3, Text: "", Attachments: map[string]any{}}, {Cell: 1, ID: "q", Mark: Solution, Type: "code", Line: 6, Text: "x"}}, nil},
		{goSolutions, "code", "%%\nplot()", wordsMeta, "%%\n// YOUR CODE HERE\npanic(\"not implemented\")",
			[]Removed{{Cell: 1, ID: "w", Mark: Solution, Type: "code", Line: 1, Text: "%%\nplot()", Attachments: map[string]any{}}}, nil},
		{goSolutions, "markdown", "It is.", wordsMeta, "YOUR ANSWER HERE",
			[]Removed{{Cell: 1, ID: "w", Mark: Solution, Type: "markdown", Line: 1, Text: "It is.", Attachments: pictures}}, nil},
		{goSolutions, "code", "func TestX() {}", testsMeta, "func TestX() {}", nil, nil},
		{ClearHiddenTests, "code", lines("%test", "a", "\t// BEGIN HIDDEN TESTS", "\tb", "\t// END HIDDEN TESTS", "c"), testsMeta, lines("%test", "a", "c"),
			[]Removed{{Cell: 1, ID: "t", Mark: HiddenTests, Type: "code", Line: 4, Text: "\tb", Attachments: map[string]any{}}}, nil},
		{ClearMarkSchemes, "markdown", lines("Draw ![](attachment:seen.png).", "![](attachment:a%20b.png)", "=== BEGIN MARK SCHEME ===", "![](attachment:hidden.png)", "=== END MARK SCHEME ==="), taskMeta,
			lines("Draw ![](attachment:seen.png).", "![](attachment:a%20b.png)"),
			[]Removed{{Cell: 1, ID: "k", Mark: MarkScheme, Type: "markdown", Line: 4, Text: "![](attachment:hidden.png)", Attachments: map[string]any{"hidden.png": 3}}}, []string{"a b.png", "seen.png"}},
	} {
		c := cellOf(t, v.kind, v.source, v.meta)
		if v.kind == "markdown" {
			c.Attachments = map[string]any{"seen.png": 1, "a b.png": 2, "hidden.png": 3}
		}
		got, err := v.do(&nbformat.Notebook{Cells: []*nbformat.Cell{c}})
		if err != nil || c.Source != v.want || !reflect.DeepEqual(got, v.removed) {
			t.Errorf("%q becomes\n%q, want\n%q\nremoved %v, want %v (%v)", v.source, c.Source, v.want, got, v.removed, err)
		}
		var left []string
		for name := range c.Attachments {
			left = append(left, name)
		}
		if slices.Sort(left); !slices.Equal(left, v.left) {
			t.Errorf("%q keeps the attachments %q, want %q", v.source, left, v.left)
		}
		if _, there := c.Metadata["ours"]; !there {
			t.Errorf("%q: a key of others is gone", v.source)
		}
	}
}

// A stub is a statement only where one may stand, so that the rest of the cell is declared.
func TestStubsParse(t *testing.T) {
	stubs := Go
	stubs.Parses = func(source string) bool {
		_, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+source, 0)
		return err == nil
	}
	begin, end, panics := "// BEGIN SOLUTION", "// END SOLUTION", "panic(\"not implemented\")"
	for _, v := range []struct{ source, want string }{
		{lines("func F() int {", begin, "return 1", end, "}", begin, "type t int", end), lines("func F() int {", "// YOUR CODE HERE", panics, "}", "// YOUR CODE HERE")},
		{lines("type T struct {", begin, "x int", end, "}", "", "func (T) F() {", begin, end, "}"), lines("type T struct {", "// YOUR CODE HERE", "}", "", "func (T) F() {", "// YOUR CODE HERE", panics, "}")},
		{lines("var X = []int{", "\t"+begin, "\t1,", "\t"+end, "}"), lines("var X = []int{", "\t// YOUR CODE HERE", "}")},
		{lines("func F() {", begin, end, "}", "it does not parse anyway"), lines("func F() {", "// YOUR CODE HERE", panics, "}", "it does not parse anyway")},
	} {
		c := cellOf(t, "code", v.source, answerMeta)
		if _, err := ClearSolutions(&nbformat.Notebook{Cells: []*nbformat.Cell{c}}, stubs); err != nil || c.Source != v.want {
			t.Errorf("%q becomes\n%q, want\n%q (%v)", v.source, c.Source, v.want, err)
		}
	}
}

func goSolutions(nb *nbformat.Notebook) ([]Removed, error) { return ClearSolutions(nb, Go) }

// A region in a cell of another kind would not be graded, or not be hidden.
func TestClearRefuses(t *testing.T) {
	for _, v := range []struct {
		do                 func(*nbformat.Notebook) ([]Removed, error)
		source, meta, want string
	}{
		{goSolutions, "x\n// BEGIN SOLUTION\n// END SOLUTION", testsMeta, "cell 1 (t), line 2: BEGIN SOLUTION in a cell of kind tests"},
		{goSolutions, "// BEGIN SOLUTION\n// END SOLUTION", "", "cell 1 (a), line 1: BEGIN SOLUTION in a cell of kind given"},
		{ClearHiddenTests, "// BEGIN HIDDEN TESTS\n// END HIDDEN TESTS", answerMeta, "line 1: BEGIN HIDDEN TESTS in a cell of kind answer"},
		{ClearMarkSchemes, "// BEGIN MARK SCHEME\n// END MARK SCHEME", wordsMeta, "line 1: BEGIN MARK SCHEME in a cell of kind manual answer"},
		{ClearHiddenTests, "// BEGIN HIDDEN TESTS", testsMeta, "cell 1 (t), line 1: BEGIN HIDDEN TESTS without an END HIDDEN TESTS"},
	} {
		c := cellOf(t, "code", v.source, v.meta)
		if _, err := v.do(&nbformat.Notebook{Cells: []*nbformat.Cell{c}}); err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%q: %v, want %q", v.source, err, v.want)
		}
		if c.Source != v.source {
			t.Errorf("%q was changed to %q", v.source, c.Source)
		}
	}
}

// deletable and editable are those of nbgrader's LockCells.
func TestLock(t *testing.T) {
	for meta, want := range map[string][2]any{
		"":         {nil, nil},
		answerMeta: {false, nil},
		wordsMeta:  {false, nil},
		testsMeta:  {false, false},
		taskMeta:   {false, false},
		`{"schema_version": 3, "grade": false, "solution": false, "locked": true, "grade_id": "r"}`: {false, false},
	} {
		c := cellOf(t, "code", "x", meta)
		must.Do(t, Lock(&nbformat.Notebook{Cells: []*nbformat.Cell{c}}))
		if got := [2]any{c.Metadata["deletable"], c.Metadata["editable"]}; got != want {
			t.Errorf("%s: deletable, editable = %v, want %v", meta, got, want)
		}
	}
}

// The lines outside regions stay, in their order; those inside are in what was removed.
func TestCutProperty(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		var source, outside, inside []string
		for _, block := range rapid.SliceOfN(rapid.SliceOfN(rapid.StringMatching(`[a-z \t]{0,6}`), 0, 4), 0, 6).Draw(r, "blocks") {
			if hidden := len(source)%2 == 1; hidden {
				inside = append(inside, strings.Join(block, "\n"))
				source = append(append(append(source, "# BEGIN HIDDEN TESTS"), block...), "# END HIDDEN TESTS")
			} else {
				outside = append(outside, block...)
				source = append(source, block...)
			}
		}
		text := strings.Join(source, "\n")
		regions := must.Get(HiddenTests.Regions(text)).Or(r)
		rest, removed := cut(text, regions, func(int) []string { return nil })
		if rest != strings.Join(outside, "\n") || !slices.Equal(removed, inside) {
			r.Fatalf("%q: %q and %q, want %q and %q", text, rest, removed, outside, inside)
		}
	})
}
