package site

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/notebook/program"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// secret stands in everything that students must not see of the course that the tests make, and
// visible in everything that they get.
const secret, visible = "zugzwangSecret", "zugzwangVisible"

// lecturer is a course with an assignment: its notebook with solutions, hidden tests and outputs, a
// file beside it, and the pages and wrong submissions that lecturers have. A page links to all of it.
func lecturer(t *testing.T, data string) *stage {
	t.Helper()
	root := repotest.Root(t)
	cell := func(id, kind, source string, grading map[string]any) *nbformat.Cell {
		c := &nbformat.Cell{ID: id, Type: kind, Source: source, Metadata: map[string]any{}}
		if grading != nil {
			for key, v := range map[string]any{"grade": false, "grade_id": id, "locked": false, "schema_version": 3, "solution": false, "task": false} {
				if _, set := grading[key]; !set {
					grading[key] = v
				}
			}
			c.Metadata["nbgrader"] = grading
		}
		if kind == "code" {
			c.Outputs = []nbformat.Output{{Type: "stream", Name: "stdout", Text: secret + "\n"}}
		}
		return c
	}
	nb := &nbformat.Notebook{
		Metadata: map[string]any{"kernelspec": map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}},
		Cells: []*nbformat.Cell{
			cell("title", "markdown", "# Assignment 1: "+visible+"\n\nThe [points](data.csv).", nil),
			cell("answer", "code", "// Twice is "+visible+".\nfunc Twice(x int) int {\n\t// BEGIN SOLUTION\n\t"+secret+" := 2 * x\n\treturn "+secret+"\n\t// END SOLUTION\n}", map[string]any{"solution": true}),
			cell("tests", "code", "%test\nfunc TestTwice(t *testing.T) {\n\tif Twice(1) != 2 {\n\t\tt.Error(\""+visible+"\")\n\t}\n\t// BEGIN HIDDEN TESTS\n\tt.Log(\""+secret+" and more of it\")\n\t// END HIDDEN TESTS\n}", map[string]any{"grade": true, "locked": true, "points": 1}),
			cell("words", "markdown", "Because of "+secret, map[string]any{"grade": true, "solution": true, "points": 1}),
			cell("task", "markdown", visible+"\n=== BEGIN MARK SCHEME ===\n"+secret+"\n=== END MARK SCHEME ===", map[string]any{"task": true, "locked": true, "points": 1}),
		}}
	at := t.TempDir()
	s := newStage(&book{root: at, dir: at}, t.TempDir(), "", &library{})
	s.types[at] = program.NewChecker(root, root)
	testfile.Write(t, s.book.at("notebooks/assignments/course.toml"), "")
	testfile.Write(t, s.book.at("notebooks/assignments/source/one/data.csv"), data)
	testfile.Write(t, s.book.at("notebooks/assignments/testdata/one/wrong.txtar"), secret)
	testfile.Write(t, s.book.at("docs/assignments/one.md"), "# Assignment 1\n\n"+secret)
	testfile.Write(t, s.book.at("docs/page.md"), "# Page\n\n[one](assignments/one.md), [source](../notebooks/assignments/source/one/one.ipynb), [wrong](../notebooks/assignments/testdata/one/wrong.txtar)\n")
	nbtest.Write(t, nb, s.book.at("notebooks/assignments/source/one/one.ipynb"))
	return s
}

// The site has what students get of an assignment, and nothing of solutions, hidden tests, mark
// schemes, outputs, and lecturers' files, wherever pages link to.
func TestAssignments(t *testing.T) {
	s := lecturer(t, "1,2\n")
	if err := s.book.findDocuments(); err != nil || len(s.book.documents) != 1 {
		t.Fatalf("the pages in Markdown are %v, %v; want docs/page.md", s.book.documents, err)
	}
	must.Do(t, s.release())
	must.Do(t, s.assignments(t.Context()))
	s.sources["docs/page.md"] = true
	must.Do(t, s.document("docs/page.md"))
	must.Do(t, s.index())
	all := map[string][]byte{}
	for name, data := range s.files {
		all["site/"+name] = data
	}
	if err := fs.WalkDir(os.DirFS(s.dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			all[name] = []byte(read(t, s.dir, name))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	const page = "assignments/one/one.ipynb"
	for name, data := range all {
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s has what students must not see:\n%s", name, data)
		}
		// The title, the comment of the answer, the message of the test, and the task.
		if n := bytes.Count(data, []byte(visible)); path.Base(name) == "one.ipynb" && n != 4 {
			t.Errorf("%s has %d of the 4 places that students see", name, n)
		}
	}
	if all[page] == nil || all["site/"+page] == nil || string(all["site/assignments/one/data.csv"]) != "1,2\n" || len(all) != 5 {
		t.Errorf("the site has %d files, want the assignment's page and notebook, its data, the index and a page in Markdown", len(all))
	}
	links := `<a href="cell:0:assignments/one.md">one</a>, <a href="cell:0:../notebooks/assignments/source/one/one.ipynb">source</a>, <a href="cell:0:../notebooks/assignments/testdata/one/wrong.txtar">wrong</a>`
	if got, err := s.resolved("docs/page.md", []byte(links)); err != nil || string(got) != `<a href="../assignments/one/one.html">one</a>, source, wrong` {
		t.Errorf("the links are %s, %v", got, err)
	}
	if got, err := s.resolved(page, []byte(`<a href="cell:1:data.csv">points</a>`)); err != nil || string(got) != `<a href="../../assignments/one/data.csv">points</a>` {
		t.Errorf("the link to the data is %s, %v", got, err)
	}
	for _, want := range []string{`<a href=\"one.ipynb\" download>The notebook</a>`, `<a href=\"data.csv\" download>`} {
		if !bytes.Contains(all[page], []byte(want)) {
			t.Errorf("the page has no %s:\n%s", want, all[page])
		}
	}
}

// There is no site of an assignment whose files give a solution away.
func TestAssignmentsLeak(t *testing.T) {
	s := lecturer(t, "The answer: "+secret+" := 2 * x, return "+secret+"\n")
	if err := s.release(); err == nil || !strings.Contains(err.Error(), "data.csv") {
		t.Errorf("error %v, want one that names the file with the solution", err)
	}
}
