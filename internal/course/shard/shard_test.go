package shard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"marginalia/internal/course"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/testkit/must"
)

var morning = time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)

// result is a submission of ps1, handed in hours after the morning, with these points.
func result(student string, hours int, points float64) Result {
	return Result{"v1", gradebook.Scores{Assignment: "ps1", Student: student, Submitted: morning.Add(time.Duration(hours) * time.Hour), Notebooks: []gradebook.NotebookScores{
		{Notebook: "ps1", Cells: []gradebook.Score{{Cell: "q", Auto: &points}, {Cell: "words", Comment: "No response."}}},
	}}}
}

func book(t *testing.T) *gradebook.Book {
	t.Helper()
	b := must.Get(gradebook.Create(t.Context(), filepath.Join(t.TempDir(), "gradebook.db"))).Or(t)
	t.Cleanup(func() { b.Close() })
	notebook := gradebook.Notebook{Name: "ps1", Cells: []gradebook.Cell{
		{ID: "q", Type: "code", Grade: true, Max: 5},
		{ID: "words", Type: "markdown", Grade: true, Solution: true, Max: 2},
	}}
	a := gradebook.Assignment{Name: "ps1", Due: morning, Notebooks: []gradebook.Notebook{notebook}}
	must.Do(t, b.SetAssignment(t.Context(), a))
	return b
}

// written writes results into folders of their own, as shards do, and returns the files.
func written(t *testing.T, results ...Result) (files []string) {
	t.Helper()
	dir := t.TempDir()
	for i, r := range results {
		file := must.Get(Write(filepath.Join(dir, fmt.Sprint(i)), r)).Or(t)
		files = append(files, file)
	}
	return files
}

// v1 accepts results of version v1, and takes a point for each hour.
func v1(r Result) (*gradebook.Terms, error) {
	if r.Version != "v1" {
		return nil, errors.New("another version")
	}
	return terms(perHour{}), nil
}

type perHour struct{}

func (perHour) Penalty(_ float64, due, submitted time.Time) float64 {
	return submitted.Sub(due).Hours()
}

// terms are those of a policy for what comes after the due date.
func terms(late gradebook.LatePolicy) *gradebook.Terms {
	return &gradebook.Terms{Due: morning, Late: late}
}

func merge(t *testing.T, b *gradebook.Book, files ...string) Report {
	t.Helper()
	return must.Get(Merge(t.Context(), b, files, v1)).Or(t)
}

// inBook is what the book has of ps1: student, submission, points, penalty, comment.
func inBook(t *testing.T, b *gradebook.Book) (lines []string) {
	t.Helper()
	all := must.Get(b.Submissions(t.Context(), "ps1")).Or(t)
	for _, s := range all {
		lines = append(lines, fmt.Sprint(s.Student.ID, " ", s.Submitted.Format(time.TimeOnly), " ", s.Score().Total, " ", s.Penalty(), " ", s.Notebooks[0].Cells[1].Comment()))
	}
	return lines
}

// Whatever the order, at once or in parts, and however often: the book is the same. Of two
// submissions the later one counts.
func TestAnyOrder(t *testing.T) {
	results := []Result{result("ada", 1, 2), result("ada", 3, 4.5), result("ada", 2, 5), result("ben", 0, 3), result("zoë", 5, 1)}
	results = append(results, results[1], results[3]) // again, by another shard
	want := []string{"ada 11:00:00 4.5 3 No response.", "ben 08:00:00 3 0 No response.", "zoë 13:00:00 1 1 No response."}
	random := rand.New(rand.NewPCG(1, 2))
	for range 6 {
		files := written(t, results...)
		random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		b := book(t)
		cut := random.IntN(len(files))
		for _, part := range [][]string{files[:cut], files[cut:], files} {
			if report := merge(t, b, part...); len(report.Refused) > 0 {
				t.Error(report.Refused)
			}
		}
		if got := inBook(t, b); !reflect.DeepEqual(got, want) {
			t.Errorf("the book has %q, want %q", got, want)
		}
	}
	b := book(t)
	if report := merge(t, b, written(t, results...)...); report.Merged+len(report.Older) != 5 || len(report.Changes) > 2 {
		t.Errorf("report %+v, want 5 submissions", report)
	}
}

// What a merge leaves out is named, and a mark that changes says whether the submission is another one.
func TestNamed(t *testing.T) {
	files := written(t, result("ada", 2, 2), result("ada", 3, 4), result("ada", 1, 5), result("ada", 3, 1))
	b := book(t)
	merge(t, b, files[0])
	report := merge(t, b, files[1], files[2])
	if want := fmt.Sprintf("[shard: %s: ada, ps1: the book has a later submission]", files[2]); fmt.Sprint(report.Older) != want || report.Merged != 1 {
		t.Errorf("older %v, want %s", report.Older, want)
	}
	again := merge(t, b, files[3])
	for i, changes := range [][]gradebook.Change{report.Changes, again.Changes} {
		if len(changes) != 1 || changes[0].Another != (i == 0) {
			t.Errorf("%d: changes %+v", i, changes)
		}
	}
}

// A file that was torn, edited, of another version or student is refused by its name; the
// others are merged.
func TestRefused(t *testing.T) {
	good := written(t, result("ada", 1, 2))[0]
	data := must.Get(os.ReadFile(good)).Or(t)
	other := result("ada", 1, 2)
	other.Version = "v2"
	foreign := result("ada", 1, 2)
	foreign.Scores.Notebooks[0].Cells[0].Cell = "q9"
	path := result("ada", 1, 2)
	path.Scores.Student = "../../ada"
	encoded := func(r Result) []byte {
		t.Helper()
		return must.Get(encode(r)).Or(t)
	}
	cases := map[string]struct {
		data []byte
		want string
	}{
		"torn":    {data[:len(data)/2], "torn"},
		"empty":   {nil, "torn"},
		"zeros":   {append(bytes.Clone(data[:len(data)-40]), make([]byte, 40)...), "torn"},
		"twice":   {append(bytes.Clone(data), data...), "torn"},
		"edited":  {bytes.Replace(data, []byte(`"Auto": 2`), []byte(`"Auto": 5`), 1), "checksum"},
		"newer":   {bytes.Replace(data, []byte(`"marginalia_result": 2`), []byte(`"marginalia_result": 3`), 1), "format 3"},
		"other":   {[]byte(`{"a": 1}`), "format 0"},
		"version": {encoded(other), "another version"},
		"foreign": {encoded(foreign), "q9"},
		"path":    {encoded(path), "../../ada"},
		"huge":    {bytes.Repeat([]byte(" "), maxFile+1), "more than 16 MB"},
	}
	dir := t.TempDir()
	for name, c := range cases {
		file := filepath.Join(dir, name+".json")
		must.Do(t, os.WriteFile(file, c.data, 0o666))
		b := book(t)
		report := merge(t, b, file, written(t, result("ben", 0, 3))[0])
		if len(report.Refused) != 1 || !strings.Contains(report.Refused[0].Error(), file) || !strings.Contains(report.Refused[0].Error(), c.want) {
			t.Errorf("%s: refused %v, want %s with %q", name, report.Refused, file, c.want)
		}
		if got := inBook(t, b); len(got) != 1 || !strings.HasPrefix(got[0], "ben") {
			t.Errorf("%s: the book has %q, want ben's marks", name, got)
		}
	}
	b := book(t)
	if report := merge(t, b, written(t, result("ada", 1, 2), result("ada", 1, 3), result("ada", 1, 2))...); len(report.Refused) != 1 || report.Merged != 0 || !strings.Contains(report.Refused[0].Error(), "differently") {
		t.Errorf("report %+v of two marks for one submission", report)
	}
	if _, err := Write(t.TempDir(), path); err == nil {
		t.Error("wrote outside of its folder")
	}
}

// A merge that stops in the middle is finished by the next one.
func TestStopped(t *testing.T) {
	var results []Result
	for i := range 20 {
		results = append(results, result(fmt.Sprint("s", i), 1+i, 2))
	}
	files := written(t, results...)
	b := book(t)
	stopped := errors.New("stopped")
	ctx, stop := context.WithCancelCause(t.Context())
	n := 0
	_, err := Merge(ctx, b, files, func(Result) (*gradebook.Terms, error) {
		return terms(after(func() {
			if n++; n == 7 {
				stop(stopped)
			}
		})), nil
	})
	if !errors.Is(err, stopped) {
		t.Errorf("error %v, want the cause of the stop", err)
	}
	if n := len(inBook(t, b)); n != 6 { // the seventh was under way
		t.Errorf("%d submissions, want 6", n)
	}
	merge(t, b, files...)
	if n := len(inBook(t, b)); n != 20 {
		t.Errorf("%d submissions, want 20", n)
	}
}

// after is a late policy that does something first.
type after func()

func (f after) Penalty(float64, time.Time, time.Time) float64 { f(); return 0 }

// Files finds what shards wrote, and not the temporary file of one that was killed.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, student := range []string{"ada", "ben"} {
		must.Get(Write(dir, result(student, 0, 1))).Or(t)
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "ps1", ".ada.json123"), []byte("{"), 0o666))
	files, err := Files(dir)
	want := []string{filepath.Join(dir, "ps1", "ada.json"), filepath.Join(dir, "ps1", "ben.json")}
	if err != nil || !reflect.DeepEqual(files, want) {
		t.Errorf("files %q, %v; want %q", files, err, want)
	}
	if _, err := Files(filepath.Join(dir, "none")); err == nil || !strings.Contains(err.Error(), "that course grade --shard leaves") {
		t.Error("no error for a folder that is not there")
	}
}

// The version is of names and contents of the source, Jupyter's checkpoints aside.
func TestVersion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "course")
	must.Do(t, course.New(dir))
	c := must.Get(course.Open(dir)).Or(t)
	seen := map[string]string{}
	at := func(what string, same bool) {
		t.Helper()
		v, err := Version(c, "ps0")
		if other, ok := seen[v]; err != nil || ok != same {
			t.Errorf("%s: version %q, %v; it was that of %q", what, v, err, other)
		}
		seen[v] = what
	}
	put := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, "source", "ps0", name)
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)))
	}
	at("new", false)
	at("again", true)
	put(".ipynb_checkpoints/ps0-checkpoint.ipynb", "{}")
	at("opened in Jupyter", true)
	put("data/points.csv", "1,2\n")
	at("with data", false)
	put("data/points.csv", "1,3\n")
	at("with other data", false)
	if _, err := Version(c, "ps9"); err == nil {
		t.Error("a version of an assignment that is not there")
	}
}

// Whatever a file holds, Read ends with a result that it writes again in the same way, or
// with an error.
func FuzzDecode(f *testing.F) {
	data := must.Get(encode(result("ada", 1, 2.5))).Or(f)
	f.Add(data)
	f.Add(data[:20])
	f.Add([]byte(`{"marginalia_result": 1, "sha256": "", "result": [[[[]]]]}`))
	f.Add([]byte(strings.Repeat("[", 20000)))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decode(data)
		if err != nil {
			return
		}
		again := must.Get(encode(r)).Or(t)
		if second, err := decode(again); err != nil || !reflect.DeepEqual(second, r) {
			t.Fatalf("%+v is read as %+v, %v", r, second, err)
		}
	})
}
