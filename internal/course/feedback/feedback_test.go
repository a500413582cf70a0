package feedback

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"flag"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/course/grade"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/release"
	"marginalia/internal/testkit/must"
)

var update = flag.Bool("update", false, "write the pages of testdata anew")

// due is the due date of ps1.
var due = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// byHand gives ada's marks as an assistant does in formgrader.
func byHand(s gradebook.Submission) gradebook.Submission {
	s.Student.FirstName, s.Student.LastName = "Ada", "Lovelace"
	marks := s.Notebooks[0].Cells
	for i := range marks {
		two, half := 2.0, 0.5
		switch marks[i].Cell {
		case "words":
			marks[i].Manual, marks[i].Extra, marks[i].NeedsHand = &two, &half, false
			marks[i].HandComment = "Very *good*.\n\n- Which point\n- breaks <b>down</b>, for $a_1*b_1*c$?"
		case "median":
			marks[i].HandComment = "An index from 0."
		}
	}
	return s
}

// The pages of one submission say what testdata has, which was read in a browser. The style
// sheet and its hash stand there as a word each, since they say nothing of the submission.
func TestPages(t *testing.T) {
	m := newCourse(t)
	m.graded("ada", due.Add(30*time.Hour), judged(), handedIn)
	html, markdown := m.pages(byHand(m.submission("ada")))
	checkHTML(t, html)
	checkMarkdown(t, markdown)
	_, sheet, _ := strings.Cut(html, "<style>")
	sheet, _, _ = strings.Cut(sheet, "</style>")
	sum := sha256.Sum256([]byte(sheet)) // as a browser computes it
	if want := "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"; Policy() != want {
		t.Errorf("the policy is %s, want %s", Policy(), want)
	}
	html = strings.Replace(strings.Replace(html, Style, "STYLE", 1), strings.ReplaceAll(Policy(), "'", "&#39;"), "POLICY", 1)
	for file, got := range map[string]string{"ada.html": html, "ada.md": markdown} {
		file = filepath.Join("testdata", file)
		if *update {
			must.Do(t, os.WriteFile(file, []byte(got), 0o666))
		}
		want := must.Get(os.ReadFile(file)).Or(t)
		if got != string(want) {
			t.Errorf("%s is now (go test -update writes it)\n%s", file, got)
		}
	}
}

// A begun hour counts: four days and ten hours are not "4 days", which a policy per begun day takes for five.
func TestLate(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Second: "1 minute", 119 * time.Minute: "119 minutes", 2 * time.Hour: "2 hours", 23*time.Hour + 31*time.Minute: "24 hours",
		24*time.Hour + time.Second: "25 hours", 48 * time.Hour: "2 days", 48*time.Hour + time.Second: "2 days and 1 hour", 106*time.Hour + time.Minute: "4 days and 11 hours",
	} {
		if got := late(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

// Nothing of a hidden test, a solution or a mark scheme stands in a page: neither its text,
// found as course release looks for it, nor a value that a hidden test calls a function with
// or expects. The numbers are in the hidden tests alone.
func TestNothingHidden(t *testing.T) {
	m := newCourse(t)
	m.graded("ada", due, judged(), handedIn)
	html, markdown := m.pages(byHand(m.submission("ada")))
	pages := []release.File{{Path: "ada.html", Data: []byte(html)}, {Path: "ada.md", Data: []byte(markdown)}}
	secret := []string{"mean", "mean-test", "task"}
	for _, c := range m.a.Notebooks[0].Source.Cells {
		if slices.Contains(secret, c.ID) {
			pages = append(pages, release.File{Path: c.ID, Data: []byte(markdown + c.Source)}) // what the search must find
		}
	}
	a := *m.a
	a.Files = pages
	leaks, unsearched := a.Leaks(nil)
	for _, leak := range leaks {
		if where, _, _ := strings.Cut(leak.Where, ","); strings.HasPrefix(where, "ada") {
			t.Error(leak)
		} else {
			secret = slices.DeleteFunc(secret, func(id string) bool { return id == where })
		}
	}
	if len(secret) > 0 || len(unsearched) > 0 {
		t.Errorf("pages with the source of %q would pass; not searched: %q", secret, unsearched)
	}
	for _, secret := range []string{"7117", "3113", "5225", "8118", "4224", "6171", "untouched", "TestMedianEven", "instead of", "should have been", "breakdown"} {
		if strings.Contains(html, secret) || strings.Contains(markdown, secret) {
			t.Errorf("a page says %q, which is hidden", secret)
		}
	}
	// The words for students are there.
	if words := "Mean leaves its argument as it was."; !strings.Contains(html, words) || !strings.Contains(markdown, words) {
		t.Error("a page lacks the message of a hidden check")
	}
}

// Judged alone, an answer ran beside the lecturer's other answers: their lines are not marked.
func TestFaultOfASolution(t *testing.T) {
	m := newCourse(t)
	v := judged()
	v.Tests[1].Checks[0].Place.Cell = "mean"
	m.graded("ada", due, v, handedIn)
	if html, markdown := m.pages(m.submission("ada")); strings.Contains(html, "of cell mean") || strings.Contains(markdown, "line 4") {
		t.Error("a line of the lecturer's solution is marked in the student's answer")
	}
	v.Tests[1].Alone = false
	m.graded("ada", due, v, handedIn)
	if html, _ := m.pages(m.submission("ada")); !strings.Contains(html, "line 4 of cell mean<") {
		t.Error("a line of another answer is not marked")
	}
}

// Marks that do not fit the record, and records of others, make no page; nothing changes then.
func TestRecordsThatDisagree(t *testing.T) {
	m := newCourse(t)
	m.graded("ada", due, judged(), handedIn)
	s := m.submission("ada")
	m.pages(s)
	rec := must.Get(grade.ReadRecord(filepath.Join(m.Dir, "autograded", "ada", "ps1"))).Or(t)
	for what, change := range map[string]func(r *grade.Record){
		"another mark":         func(r *grade.Record) { r.Notebooks[0].Tests[0].Score = 3 },
		"another student's":    func(r *grade.Record) { r.Scores.Student = "bob" },
		"another's notebook":   func(r *grade.Record) { r.Notebooks[0].Student = "bob" },
		"another assignment's": func(r *grade.Record) { r.Scores.Assignment = "ps2" },
		"a path":               func(r *grade.Record) { r.Notebooks[0].Notebook = "../../bob/ps1/ps1" },
		"an unknown notebook":  func(r *grade.Record) { r.Notebooks[0].Notebook = "ps2" },
	} {
		other, notebook := *rec, *rec.Notebooks[0]
		notebook.Tests = slices.Clone(notebook.Tests)
		other.Notebooks = append(other.Notebooks[:0:0], &notebook)
		change(&other)
		m.store("ada", other)
		if paths, err := Write(t.Context(), m.Course, "ps1", s); err == nil || !strings.Contains(err.Error(), "run course grade again") {
			t.Errorf("%s: %q, %v", what, paths, err)
		}
	}
	if got := files(t, filepath.Join(m.Dir, "feedback")); !slices.Equal(got, []string{"ada/ps1/ps1.html", "ada/ps1/ps1.md"}) {
		t.Errorf("there are %q", got)
	}
	os.RemoveAll(filepath.Join(m.Dir, "autograded", "ada"))
	if _, err := Write(t.Context(), m.Course, "ps1", s); err == nil || !strings.Contains(err.Error(), "course grade ps1 --student 'ada'") {
		t.Errorf("without a record: %v", err)
	}
}

// What the exchange needs goes along, what a killed run left goes, and a second call changes
// nothing. A link is not followed.
func TestFiles(t *testing.T) {
	m := newCourse(t)
	m.graded("ada", due, judged(), handedIn)
	submitted, dir := filepath.Join(m.Dir, "submitted", "ada", "ps1"), filepath.Join(m.Dir, "feedback", "ada", "ps1")
	for _, d := range []string{submitted, dir} {
		must.Do(t, os.MkdirAll(d, 0o777))
	}
	outside := filepath.Join(t.TempDir(), "outside")
	for file, text := range map[string]string{filepath.Join(submitted, "timestamp.txt"): "2026-11-01 12:00:00 UTC", filepath.Join(dir, ".ps1.html123"): "half", outside: "private"} {
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
	}
	must.Do(t, os.Symlink(outside, filepath.Join(submitted, "submission_secret.txt")))
	s := m.submission("ada")
	first, _ := m.pages(s)
	if got := files(t, dir); !slices.Equal(got, []string{"ps1.html", "ps1.md", "timestamp.txt"}) {
		t.Errorf("there are %q", got)
	}
	if again, _ := m.pages(s); again != first {
		t.Error("the same submission has another page")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Write(ctx, m.Course, "ps1", s); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// A notebook that could not be graded has a page with the reason, and no code.
func TestRefused(t *testing.T) {
	m := newCourse(t)
	v := judged()
	for i := range v.Tests {
		v.Tests[i].Score, v.Tests[i].Checks, v.Tests[i].Alone = 0, nil, false
	}
	m.graded("bob", due, v, handedIn)
	rec := must.Get(grade.ReadRecord(filepath.Join(m.Dir, "autograded", "bob", "ps1"))).Or(t)
	rec.Faults = []grade.Fault{{Notebook: "ps1", Reason: "solution.docx is a Word file"}}
	m.store("bob", *rec)
	html, markdown := m.pages(m.submission("bob"))
	checkHTML(t, html)
	if !strings.Contains(html, "<td>nothing to mark</td>") || strings.Contains(html, "<td>marked by hand</td>") {
		t.Errorf("the table of points says that somebody marked what nobody did\n%s", html)
	}
	for _, text := range []string{html, markdown} {
		if !strings.Contains(text, "Word file") || strings.Contains(text, "not implemented") || !strings.Contains(text, "2. The median") {
			t.Errorf("the page is\n%s", text)
		}
	}
}

// Pages of nobody are named and left alone.
func TestStale(t *testing.T) {
	m := newCourse(t)
	m.graded("ada", due, judged(), handedIn)
	s := m.submission("ada")
	m.pages(s)
	var want []string
	for _, file := range []string{"ada/ps1/old.html", "zed/ps1/ps1.html", "zed/ps1/ps1.md"} {
		path := filepath.Join(m.Dir, "feedback", filepath.FromSlash(file))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Do(t, os.WriteFile(path, nil, 0o666))
		want = append(want, path)
	}
	got, err := Stale(m.Course, "ps1", []gradebook.Submission{s})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for _, path := range want {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// files are the paths below a folder.
func files(t testing.TB, dir string) (all []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return err
	})
	must.Do(t, err)
	return all
}

// The comment with the points of a cell does not show, as in Jupyter; any other one does, as text.
func TestPointsComment(t *testing.T) {
	for source, want := range map[string]string{
		"<!-- POINTS: 2 -->\nIt moves.":        "<p>It moves.</p>\n",
		"It moves.\n\n<!--POINTS: 2.5-->":      "<p>It moves.</p>\n",
		"<!-- another -->\nIt moves.":          "<pre>&lt;!-- another --&gt;\n</pre>\n<p>It moves.</p>\n",
		"<!-- POINTS: 2 --><b>x</b> -->\nMore": "<pre>&lt;!-- POINTS: 2 --&gt;&lt;b&gt;x&lt;/b&gt; --&gt;\n</pre>\n<p>More</p>\n",
	} {
		if got, ok := prose(source, func(string) template.URL { return "" }); string(got) != want || !ok {
			t.Errorf("%q is %q, want %q", source, got, want)
		}
	}
}
