package execute

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/program"
	"marginalia/internal/testkit/must"
)

// executedRun is a run that has executed the cells. The program of cell fails
// did not compile.
func executedRun(code []*nbformat.Cell) *Run {
	r := &Run{session: program.NewSession("."), ids: map[int]string{}}
	for i, c := range code {
		result := &jupyter.Result{ExecutionCount: i + 1}
		if c.ID == "fails" {
			result.EValue = "# gonb\n./main.go:5:1: declared and not used: x\n"
		}
		r.program = r.session.Step(c.ID, c.Source)
		r.code = append(r.code, &codeCell{Cell: c})
		r.executed(r.code[i], result)
	}
	return r
}

// frame returns the first place of a panic with a stack in the last cell, as id:line, or
// the id of that cell if it can't be told.
func (r *Run) frame(stack string) string {
	c := r.code[len(r.code)-1]
	c.result.EValue = "exit status 2"
	c.result.Outputs = []nbformat.Output{{Type: "stream", Name: "stderr", Text: "panic: x\n\ngoroutine 1 [running]:\n" + stack}}
	e := r.failure(c).Explain()
	if len(e[0].Places) == 0 {
		return c.ID
	}
	return fmt.Sprintf("%s:%d", r.ids[e[0].Places[0].Count], e[0].Places[0].Line)
}

// GoNB leaves a frame without its place if it reads the pipe in two pieces
// with the name of the file in both, and gives a wrong one if the number is.
// Which happens is up to the scheduler, so the stack is written here.
func TestFrameOfTornStack(t *testing.T) {
	r := executedRun([]*nbformat.Cell{
		{ID: "imports", Source: "import \"fmt\""},
		{ID: "old", Source: "func boom() { fmt.Println(1) }"},
		{ID: "types", Source: "type T int\n\n\nfunc (T) String() string { return \"\" }"},
		{ID: "declares", Source: "// boom panics.\nfunc boom() {\n\tpanic(strings.ToUpper(fmt.Sprint(\"boom\")))\n}\n\nvar a = 1"},
		{ID: "fails", Source: "func late() { x := 1 }\nfunc a2() {}"},
		{ID: "calls", Source: "%%\n\nboom()"},
	})
	main := filepath.Join(t.TempDir(), "main.go")
	// As GoNB writes it: imports by their key, what goimports found among them.
	text := "package main\n\nimport (\n\t\"flag\"\n\t\"fmt\"\n\t\"strings\"\n)\n\ntype T int\n\nvar (\n\ta = 1\n)\n\nfunc (T) String() string { return \"\" }\n\n" +
		"// boom panics.\nfunc boom() {\n\tpanic(strings.ToUpper(fmt.Sprint(\"boom\")))\n}\n\n\nfunc main() {\n\tflag.Parse()\n\nboom()\n\n}\n"
	must.Do(t, os.WriteFile(main, []byte(text), 0o600))
	line := func(s string) int { return 1 + strings.Count(text[:strings.Index(text, s)], "\n") }
	inBoom, inMain := line("\tpanic("), line("\nboom()")+1
	for _, tt := range []struct{ name, stack, want string }{
		{"no place", fmt.Sprintf("main.boom(...)\n\t%s:%d\nmain.main()\n\t [[ Cell [6] Line 3 ]] %s:%d +0x65\n", main, inBoom, main, inMain), "declares:3"},
		{"wrong place", fmt.Sprintf("main.boom(...)\n\t [[ Cell [1] Line 1 ]] %s:%d\n", main, inBoom), "declares:3"},
		{"the cell itself", fmt.Sprintf("main.main()\n\t%s:%d +0x65\n", main, inMain), "calls:3"},
		{"the line of %%", fmt.Sprintf("flag.Parse()\n\t%s:%d\nmain.main()\n\t%s:%d +0x65\n", main, line("\tflag.Parse"), main, inMain), "calls:1"},
		{"a file that is gone", "main.main()\n\t" + filepath.Join(t.TempDir(), "main.go") + ":3\n", "calls"},
		{"no such line", fmt.Sprintf("main.main()\n\t%s:%d\n", main, 1000), "calls"},
		{"no stack", "exit status 3\n", "calls"},
	} {
		if got := r.frame(tt.stack); got != tt.want {
			t.Errorf("%s: frame is %s, want %s", tt.name, got, tt.want)
		}
	}
}

// What %rm and %reset make GoNB forget is not in the program, so that the lines
// before it, counted from the end, are others.
func TestFrameAfterForgetting(t *testing.T) {
	boom := &nbformat.Cell{ID: "boom", Source: "// boom panics.\nfunc boom() {\n\tpanic(1)\n}"}
	calls := &nbformat.Cell{ID: "calls", Source: "%%\nboom()"}
	// zoo stands behind boom and looks alike: in a program that still has it, the
	// panic of boom is a line of zoo.
	zoo := &nbformat.Cell{ID: "zoo", Source: "func zoo() {\n\tpanic(1)\n}"}
	for _, tt := range []struct {
		name string
		code []*nbformat.Cell
	}{
		{"%rm", []*nbformat.Cell{boom, zoo, {ID: "rm", Source: "%rm zoo"}, calls}},
		{"%remove beside declarations", []*nbformat.Cell{boom, zoo, {ID: "rm", Source: "%remove zoo\nimport \"os\""}, calls}},
		{"%rm in a cell that does not compile", []*nbformat.Cell{boom, zoo, {ID: "fails", Source: "%rm zoo\nfunc late() { x := 1 }"}, calls}},
		{"%reset", []*nbformat.Cell{zoo, {ID: "reset", Source: "%reset"}, boom, calls}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := executedRun(tt.code)
			main := filepath.Join(t.TempDir(), "main.go")
			text := "package main\n\nimport (\n\t\"flag\"\n)\n\n// boom panics.\nfunc boom() {\n\tpanic(1)\n}\n\n\nfunc main() {\n\tflag.Parse()\nboom()\n\n}\n"
			must.Do(t, os.WriteFile(main, []byte(text), 0o600))
			// Line 9 of GoNB's program is line 3 of cell boom.
			if got := r.frame(fmt.Sprintf("main.boom(...)\n\t%s:9 +0x25\n", main)); got != "boom:3" {
				t.Errorf("frame is %s, want boom:3", got)
			}
		})
	}
}
