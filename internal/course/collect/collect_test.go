package collect

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/course"
	"marginalia/internal/testkit/must"
)

// notebookOf is a notebook whose cells have these nbgrader ids.
func notebookOf(text string, ids ...string) string {
	var cells []string
	for _, id := range ids {
		cells = append(cells, fmt.Sprintf(`{"id": %q, "cell_type": "code", "execution_count": null, "outputs": [], "source": %q, "metadata": {"nbgrader": {"schema_version": 3, "grade_id": %q, "grade": false, "solution": true, "locked": false}}}`, id, text, id))
	}
	return fmt.Sprintf(`{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [%s]}`, strings.Join(cells, ","))
}

// right is a student's notebook of the course that newCourse makes.
func right(text string) string { return notebookOf(text, "setup", "q1", "q2") }

// newCourse makes a course folder with the assignments ps1 (one notebook) and ps2.
func newCourse(t testing.TB) string {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"course.toml":           "",
		"release/ps1/ps1.ipynb": right("answer here"),
		"release/ps2/ps2.ipynb": notebookOf("answer here", "setup", "p1", "p2"),
	})
	return dir
}

func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o777))
		must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	}
}

// entry is one of a zip's: name and content, in order.
type entry struct{ name, text string }

func zipOf(t testing.TB, entries ...entry) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		w := must.Get(z.Create(e.name)).Or(t)
		must.Get(w.Write([]byte(e.text))).Or(t)
	}
	must.Do(t, z.Close())
	return b.String()
}

// zipped writes a zip into a folder of its own and returns its path.
func zipped(t testing.TB, entries ...entry) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, map[string]string{"export.zip": zipOf(t, entries...)})
	return filepath.Join(dir, "export.zip")
}

// noon is when the tests collect.
var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func open(t testing.TB, dir string) *course.Course {
	t.Helper()
	return must.Get(course.Open(dir)).Or(t)
}

// collect collects ps1 into a course; every attempt a second later.
func collect(t testing.TB, dir string, o Options) Intake {
	t.Helper()
	o.Course, o.Assignment = open(t, dir), "ps1"
	if o.Now == nil {
		now := noon
		o.Now = func() time.Time { now = now.Add(time.Second); return now }
	}
	return must.Get(Collect(t.Context(), o)).Or(t)
}

// tree reads all files below dir.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == ".lock" {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	})
	must.Do(t, err)
	return files
}

// names returns the files of submitted/ without the records.
func names(t testing.TB, course string) []string {
	t.Helper()
	files := tree(t, filepath.Join(course, "submitted"))
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasSuffix(name, RecordFile) })
	return slices.Sorted(maps.Keys(files))
}

func record(t testing.TB, course, student string) *Record {
	t.Helper()
	return must.Get(ReadRecord(filepath.Join(course, "submitted", student, "ps1"))).Or(t)
}

// The same three students hand in by every way there is. The conventions are cited
// in owner.go.
func TestSources(t *testing.T) {
	ada, bob := right("ada"), right("bob")
	folder := func(files map[string]string) func(*testing.T) string {
		return func(t *testing.T) string {
			dir := filepath.Join(t.TempDir(), "downloads")
			write(t, dir, files)
			return dir
		}
	}
	archive := func(entries ...entry) func(*testing.T) string {
		return func(t *testing.T) string { return zipped(t, entries...) }
	}
	const nine, ten = "2026-11-22 09:00:00.000000 UTC", "2026-11-22 10:00:00.500000 UTC"
	for name, c := range map[string]struct {
		input func(*testing.T) string
		want  map[string]string // submitted/
		lms   map[string]string // student to what the source calls them
	}{
		"moodle, folders": {
			archive(entry{"Ada Lovelace_1234567_assignsubmission_file_/ps1.ipynb", ada}, entry{"Ada Lovelace_1234567_assignsubmission_file_/data/x.csv", "1,2"}, entry{"Bob_2_assignsubmission_file_/ps1.ipynb", bob}),
			map[string]string{"1234567/ps1/ps1.ipynb": ada, "1234567/ps1/data/x.csv": "1,2", "2/ps1/ps1.ipynb": bob},
			map[string]string{"1234567": "Ada Lovelace", "2": "Bob"},
		},
		"moodle, folders of today": {
			archive(entry{"Ada Lovelace_1234567_assignsubmission_file/ps1.ipynb", ada}, entry{"Bob_2_assignsubmission_file/ps1.ipynb", bob}, entry{"Bob_2_assignsubmission_onlinetext/onlinetext.html", "<p>hello"}),
			map[string]string{"1234567/ps1/ps1.ipynb": ada, "2/ps1/ps1.ipynb": bob, "2/ps1/onlinetext.html": "<p>hello"},
			map[string]string{"1234567": "Ada Lovelace", "2": "Bob"},
		},
		"moodle, flat": {
			archive(entry{"Ada Lovelace_1234567_assignsubmission_file_ps1.ipynb", ada}, entry{"Bob_2_assignsubmission_file_ps1.ipynb", bob}),
			map[string]string{"1234567/ps1/ps1.ipynb": ada, "2/ps1/ps1.ipynb": bob},
			map[string]string{"1234567": "Ada Lovelace", "2": "Bob"},
		},
		"moodle, unpacked": {
			folder(map[string]string{"Ada Lovelace_1234567_assignsubmission_file_/ps1.ipynb": ada, "Team two_assignsubmission_file_/ps1.ipynb": bob}),
			map[string]string{"1234567/ps1/ps1.ipynb": ada, "Team two/ps1/ps1.ipynb": bob},
			map[string]string{"1234567": "Ada Lovelace", "Team two": "Team two"},
		},
		"canvas": {
			archive(entry{"lovelaceada_LATE_340934_208490284_ps1-1.ipynb", ada}, entry{"lovelaceada_LATE_340934_208490285_x.csv", "1,2"}, entry{"bob_7_208490286_ps1.ipynb", bob}),
			map[string]string{"340934/ps1/ps1.ipynb": ada, "340934/ps1/x.csv": "1,2", "7/ps1/ps1.ipynb": bob},
			map[string]string{"340934": "lovelaceada", "7": "bob"},
		},
		"canvas, anonymous": {
			archive(entry{"LATE_anon_x7Ab1_2084_ps1.ipynb", ada}, entry{"anon_Qq9Zz_2085_ps1.ipynb", bob}),
			map[string]string{"anon_x7Ab1/ps1/ps1.ipynb": ada, "anon_Qq9Zz/ps1/ps1.ipynb": bob},
			nil,
		},
		"blackboard": {
			archive(
				entry{"Problem_set 1_ada_l_attempt_2026-11-22-10-00-00.txt", "Name: Ada Lovelace (ada_l)\nAssignment: Problem_set 1\n"},
				entry{"Problem_set 1_ada_l_attempt_2026-11-22-10-00-00_ps1.ipynb", ada},
				entry{"Problem_set 1_bob_attempt_2026-11-22-09-00-00_ps1.ipynb", bob}),
			map[string]string{
				"ada_l/ps1/ps1.ipynb": ada, "ada_l/ps1/blackboard.txt": "Name: Ada Lovelace (ada_l)\nAssignment: Problem_set 1\n",
				"ada_l/ps1/timestamp.txt": "2026-11-22 10:00:00.000000 UTC", "bob/ps1/ps1.ipynb": bob, "bob/ps1/timestamp.txt": nine},
			map[string]string{"ada_l": "Ada Lovelace"},
		},
		"gradescope": {
			archive(
				entry{"assignment_9_export/submission_metadata.yml", "submission_1:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '0042'\n    :email: ada@example.org\n  :created_at: 2026-11-22 10:00:00.500000000 Z\n  :score: 3.0\nsubmission_2:\n  :submitters:\n  - :name: Bob\n    :sid:\n    :email: bob@example.org\n  - :name: Cy\n    :sid: '0043'\n"},
				entry{"assignment_9_export/submission_1/ps1.ipynb", ada},
				entry{"assignment_9_export/submission_2/ps1.ipynb", bob}),
			map[string]string{"0042/ps1/ps1.ipynb": ada, "0042/ps1/timestamp.txt": ten, "bob@example.org/ps1/ps1.ipynb": bob, "0043/ps1/ps1.ipynb": bob},
			map[string]string{"0042": "Ada Lovelace", "bob@example.org": "Bob", "0043": "Cy"},
		},
		"nbgrader's exchange": {
			folder(map[string]string{
				"inbound/ada+ps1+" + nine + "+MTIzNDU2Nzg5MDEy/ps1.ipynb":            right("ada's first"),
				"inbound/ada+ps1+" + ten + "+ZTIzNDU2Nzg5MDEy/ps1.ipynb":             ada,
				"inbound/ada+ps1+" + ten + "+ZTIzNDU2Nzg5MDEy/timestamp.txt":         ten,
				"inbound/ada+ps1+" + ten + "+ZTIzNDU2Nzg5MDEy/submission_secret.txt": "ab12",
				"inbound/ada+ps2+2026-11-22 11:00:00 UTC+YTIzNDU2Nzg5MDEy/ps2.ipynb": notebookOf("", "p1"),
				"inbound/bob+x+ps1+" + nine + "/ps1.ipynb":                           bob,
			}),
			map[string]string{"ada/ps1/ps1.ipynb": ada, "ada/ps1/submission_secret.txt": "ab12", "ada/ps1/timestamp.txt": ten, "bob+x/ps1/ps1.ipynb": bob, "bob+x/ps1/timestamp.txt": nine},
			nil,
		},
		"nbgrader's submitted": {
			folder(map[string]string{"ada/ps1/ps1.ipynb": ada, "ada/ps1/timestamp.txt": "2026-11-22 10:00:00.5", "ada/ps2/ps2.ipynb": notebookOf("", "p1"), "bob/ps1/ps1.ipynb": bob}),
			map[string]string{"ada/ps1/ps1.ipynb": ada, "ada/ps1/timestamp.txt": ten, "bob/ps1/ps1.ipynb": bob},
			nil,
		},
		"a folder for each student": {
			folder(map[string]string{"ada/ps1.ipynb": ada, "ada/.ipynb_checkpoints/ps1-checkpoint.ipynb": "{}", "bob/ps1.ipynb": bob, "bob/sub/x.csv": "1"}),
			map[string]string{"ada/ps1/ps1.ipynb": ada, "bob/ps1/ps1.ipynb": bob, "bob/ps1/sub/x.csv": "1"},
			nil,
		},
		"a folder for each student, zipped with one around them": {
			archive(entry{"hand-ins/ada/ps1.ipynb", ada}, entry{"hand-ins/bob/ps1.ipynb", bob}, entry{"__MACOSX/hand-ins/._ada", "x"}, entry{"hand-ins/.DS_Store", "x"}),
			map[string]string{"ada/ps1/ps1.ipynb": ada, "bob/ps1/ps1.ipynb": bob},
			nil,
		},
		"a zip within": {
			archive(entry{"Ada_1_assignsubmission_file_/work.zip", zipOf(t, entry{"work/ps1.ipynb", ada}, entry{"work/x.csv", "1"}, entry{"__MACOSX/work/._ps1.ipynb", "x"})}),
			map[string]string{"1/ps1/ps1.ipynb": ada, "1/ps1/x.csv": "1"},
			map[string]string{"1": "Ada"},
		},
		"exports in a folder": {
			func(t *testing.T) string {
				return folder(map[string]string{
					"moodle.zip": zipOf(t, entry{"Ada_1_assignsubmission_file_/ps1.ipynb", ada}),
					"canvas.zip": zipOf(t, entry{"bob_7_208490286_ps1.ipynb", bob}),
				})(t)
			},
			map[string]string{"1/ps1/ps1.ipynb": ada, "7/ps1/ps1.ipynb": bob},
			map[string]string{"1": "Ada", "7": "bob"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			course := newCourse(t)
			input := c.input(t)
			res := collect(t, course, Options{Inputs: []string{input}})
			if len(res.Refused) > 0 {
				t.Errorf("refused: %v", res.Refused)
			}
			got := tree(t, filepath.Join(course, "submitted"))
			for student, want := range c.lms {
				if rec := record(t, course, student); rec.LMSName != want {
					t.Errorf("%s is called %q by the source, want %q", student, rec.LMSName, want)
				}
			}
			for name, text := range got {
				if strings.HasSuffix(name, RecordFile) {
					var rec Record
					if err := json.Unmarshal([]byte(text), &rec); err != nil || len(rec.Faults) > 0 || rec.From[0] != input && filepath.Dir(rec.From[0]) != input {
						t.Errorf("%s: %v\n%s", name, err, text)
					}
					delete(got, name)
				}
			}
			if !maps.Equal(got, c.want) {
				t.Errorf("submitted/ has\n%q, want\n%q", got, c.want)
			}
			if again := collect(t, course, Options{Inputs: []string{input}, Now: func() time.Time { return noon.Add(time.Hour) }}); slices.ContainsFunc(again.Taken, func(t Taken) bool { return t.New > 0 || t.State != Unchanged }) {
				t.Errorf("the same files again: %+v", again.Taken)
			}
		})
	}
}

// Collecting again changes no byte and no file.
func TestTwiceIsOnce(t *testing.T) {
	course := newCourse(t)
	input := zipped(t, entry{"Ada_1_assignsubmission_file_/ps1.ipynb", right("a")}, entry{"Bob_2_assignsubmission_file_/ps1.docx", "PK\x03\x04"})
	collect(t, course, Options{Inputs: []string{input}})
	before := tree(t, course)
	collect(t, course, Options{Inputs: []string{input}, Now: func() time.Time { return noon.Add(time.Hour) }})
	if after := tree(t, course); !maps.Equal(before, after) {
		t.Errorf("before %q, after %q", slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
	}
	left, _ := filepath.Glob(filepath.Join(course, "attempts", ".new*"))
	if len(left) > 0 {
		t.Errorf("left in attempts: %q", left)
	}
}

func attemptOf(when, text string) (map[string]string, string) {
	dir := "ada+ps1+2026-11-" + when + ".000000 UTC+MTIzNDU2Nzg5MDEy"
	return map[string]string{"inbound/" + dir + "/ps1.ipynb": right(text)}, dir
}

// Which attempt counts, as nbgrader's collect has it (apps/collectapp.py): the last;
// with --before-duedate the last before it, or the last if there is none.
func TestWhichAttemptCounts(t *testing.T) {
	const due = "[assignment.ps1]\ndue = 2026-11-21T00:00:00\n"
	for name, c := range map[string]struct {
		attempts  []string
		beforeDue bool
		settings  string // course.toml
		want      string
	}{
		"the last":                       {[]string{"20 10:00:00", "22 10:00:00", "19 10:00:00"}, false, due, "22 10:00:00"},
		"before the due date":            {[]string{"20 10:00:00", "22 10:00:00", "19 10:00:00"}, true, due, "20 10:00:00"},
		"at the due date, to the second": {[]string{"20 10:00:00", "21 00:00:00", "21 00:00:01"}, true, due, "21 00:00:00"},
		"all late":                       {[]string{"22 10:00:00", "23 10:00:00"}, true, due, "23 10:00:00"},
		"no due date":                    {[]string{"22 10:00:00", "23 10:00:00"}, true, "", "23 10:00:00"},
		"an extension":                   {[]string{"20 10:00:00", "22 10:00:00", "25 10:00:00"}, true, due + "extensions = { ada = 2026-11-24T00:00:00 }\n", "22 10:00:00"},
		"grace":                          {[]string{"20 10:00:00", "21 00:10:00", "21 00:20:00"}, true, "[late]\ngrace = \"15m\"\n" + due, "21 00:10:00"},
	} {
		t.Run(name, func(t *testing.T) {
			course, in := newCourse(t), t.TempDir()
			write(t, course, map[string]string{"course.toml": c.settings})
			for _, when := range c.attempts {
				files, _ := attemptOf(when, "at "+when)
				write(t, in, files)
			}
			res := collect(t, course, Options{Inputs: []string{in}, BeforeDue: c.beforeDue})
			if got := tree(t, course)["submitted/ada/ps1/ps1.ipynb"]; got != right("at "+c.want) {
				t.Errorf("counts: %s, want that of %s", got, c.want)
			}
			if n := res.Taken[0]; n.New != len(c.attempts) || n.Attempts != len(c.attempts) {
				t.Errorf("%d attempts, %d new, want %d", n.Attempts, n.New, len(c.attempts))
			}
			kept, _ := filepath.Glob(filepath.Join(course, "attempts/ada/ps1/*/files/ps1.ipynb"))
			if len(kept) != len(c.attempts) {
				t.Errorf("kept: %q", kept)
			}
		})
	}
}

// An older attempt that is collected later does not replace a newer one; one without a
// time counts from when it was collected.
func TestNeverOverANewerAttempt(t *testing.T) {
	course := newCourse(t)
	now := noon
	at := func(when, text string) {
		in := t.TempDir()
		files, _ := attemptOf(when, text)
		write(t, in, files)
		now = now.Add(time.Hour)
		collect(t, course, Options{Inputs: []string{in}, Now: func() time.Time { return now }})
	}
	counts := func(want string) {
		t.Helper()
		if got := tree(t, course)["submitted/ada/ps1/ps1.ipynb"]; got != right(want) {
			t.Errorf("counts: %s, want %s", got, want)
		}
	}
	at("21 10:00:00", "new")
	at("20 10:00:00", "old")
	counts("new")
	at("22 10:00:00", "newest")
	counts("newest")
	in := t.TempDir()
	write(t, in, map[string]string{"ada/ps1.ipynb": right("undated")})
	collect(t, course, Options{Inputs: []string{in}, Now: func() time.Time { return now.Add(time.Hour) }})
	counts("undated")
	if rec := record(t, course, "ada"); !rec.Timestamp.IsZero() {
		t.Errorf("a time that nobody said: %v", rec.Timestamp)
	}
}

// What somebody else put into submitted/, or changed there, is an attempt before
// another takes its place.
func TestKeepsWhatIsThere(t *testing.T) {
	course, in := newCourse(t), t.TempDir()
	write(t, course, map[string]string{"submitted/ada/ps1/ps1.ipynb": right("by nbgrader"), "submitted/ada/ps1/timestamp.txt": "2026-11-21 10:00:00 UTC"})
	files, _ := attemptOf("20 10:00:00", "older")
	write(t, in, files)
	collect(t, course, Options{Inputs: []string{in}})
	if got := tree(t, course)["submitted/ada/ps1/ps1.ipynb"]; got != right("by nbgrader") {
		t.Errorf("an older attempt replaced what nbgrader had collected: %s", got)
	}
	if rec := record(t, course, "ada"); rec.Source != "folder" || rec.Timestamp.Day() != 21 {
		t.Errorf("the record of nbgrader's submission: %+v", rec)
	}
	write(t, course, map[string]string{"submitted/ada/ps1/ps1.ipynb": right("mended by hand")})
	collect(t, course, Options{Inputs: []string{in}})
	if got := tree(t, course)["submitted/ada/ps1/ps1.ipynb"]; got != right("mended by hand") {
		t.Errorf("with nothing new, what was mended by hand was replaced: %s", got)
	}
	files, _ = attemptOf("22 10:00:00", "newer")
	write(t, in, files)
	collect(t, course, Options{Inputs: []string{in}})
	if got := tree(t, course)["submitted/ada/ps1/ps1.ipynb"]; got != right("newer") {
		t.Errorf("a newer attempt did not count: %s", got)
	}
	kept, _ := filepath.Glob(filepath.Join(course, "attempts/ada/ps1/edited-*/files/ps1.ipynb"))
	if len(kept) != 1 || string(tree(t, filepath.Dir(kept[0]))["ps1.ipynb"]) != right("mended by hand") {
		t.Errorf("what was mended by hand is kept as %q", kept)
	}
}

// Somebody removed the attempts: the submission is one again, and not replaced by an
// older one.
func TestAttemptsRemoved(t *testing.T) {
	course, in, older := newCourse(t), t.TempDir(), t.TempDir()
	files, _ := attemptOf("22 10:00:00", "newer")
	write(t, in, files)
	collect(t, course, Options{Inputs: []string{in}})
	must.Do(t, os.RemoveAll(filepath.Join(course, "attempts")))
	files, _ = attemptOf("20 10:00:00", "older")
	write(t, older, files)
	res := collect(t, course, Options{Inputs: []string{older}})
	if got := tree(t, course)["submitted/ada/ps1/ps1.ipynb"]; got != right("newer") || res.Taken[0].Attempts != 2 {
		t.Errorf("counts, of %d attempts: %s", res.Taken[0].Attempts, got)
	}
}

// A submission without a time is older than what is collected after it.
func TestUndatedThatIsThere(t *testing.T) {
	course, in := newCourse(t), t.TempDir()
	write(t, course, map[string]string{"submitted/ada/ps1/ps1.ipynb": right("by hand")})
	before := noon.Add(-time.Hour)
	must.Do(t, os.Chtimes(filepath.Join(course, "submitted/ada/ps1"), before, before))
	write(t, in, map[string]string{"ada/ps1.ipynb": right("handed in")})
	collect(t, course, Options{Inputs: []string{in}})
	if got := tree(t, course)["submitted/ada/ps1/ps1.ipynb"]; got != right("handed in") {
		t.Errorf("counts: %s", got)
	}
	if kept, _ := filepath.Glob(filepath.Join(course, "attempts/ada/ps1/*/files/ps1.ipynb")); len(kept) != 2 {
		t.Errorf("kept: %q", kept)
	}
}

// Where a system cannot swap two folders, a call that is killed between two renames
// leaves no submission. The next one makes it from the attempt, whatever it collects.
func TestMakesALostSubmission(t *testing.T) {
	course := newCourse(t)
	collect(t, course, Options{Inputs: []string{zipped(t, entry{"Ada_1_assignsubmission_file_/ps1.ipynb", right("a")})}})
	before := tree(t, course)
	must.Do(t, os.RemoveAll(filepath.Join(course, "submitted/1/ps1")))
	if res := collect(t, course, Options{}); len(res.Taken) != 1 || res.Taken[0].State != First || !maps.Equal(tree(t, course), before) {
		t.Errorf("%+v", res.Taken)
	}
}

// On Linux and macOS a submission is replaced in one step: it is there at any moment.
func TestSwap(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"x/a/one": "1", "y/b/two": "2"})
	root := must.Get(os.OpenRoot(dir)).Or(t)
	defer root.Close()
	must.Do(t, swap(root, "x/a", "y/b"))
	if got, want := tree(t, dir), (map[string]string{"x/a/two": "2", "y/b/one": "1"}); !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// One student's files, named on the command line.
func TestStudent(t *testing.T) {
	course, in := newCourse(t), t.TempDir()
	write(t, in, map[string]string{"ps1.ipynb": right("one file"), "work/ps1.ipynb": right("folder"), "work/data/x.csv": "1"})
	res := collect(t, course, Options{Inputs: []string{filepath.Join(in, "ps1.ipynb")}})
	if len(res.Taken) > 0 || len(res.Refused) != 1 || !strings.Contains(res.Refused[0].Reason, "--student") {
		t.Errorf("nobody's notebook: %+v", res)
	}
	collect(t, course, Options{Student: "ada", Inputs: []string{filepath.Join(in, "ps1.ipynb")}})
	collect(t, course, Options{Student: "bob", Inputs: []string{filepath.Join(in, "work")}})
	if got, want := names(t, course), []string{"ada/ps1/ps1.ipynb", "bob/ps1/data/x.csv", "bob/ps1/ps1.ipynb"}; !slices.Equal(got, want) {
		t.Errorf("submitted/ has %q, want %q", got, want)
	}
	for _, bad := range []string{"../x", "a/b", "", ".", "..", "x\u202e"} {
		if _, err := Collect(t.Context(), Options{Course: open(t, course), Assignment: "ps1", Student: bad, Inputs: []string{in}}); bad != "" && err == nil {
			t.Errorf("student %q: no error", bad)
		}
		if _, err := Collect(t.Context(), Options{Course: open(t, course), Assignment: bad, Inputs: []string{in}}); err == nil {
			t.Errorf("assignment %q: no error", bad)
		}
	}
}

// A folder of nbgrader's exchange that one student alone writes to: the attempts have their
// times, other assignments are not meant, and who writes another's name there hands in
// nothing for that other.
func TestStudentsExchange(t *testing.T) {
	course, in := newCourse(t), filepath.Join(t.TempDir(), "ada")
	write(t, in, map[string]string{
		"ada+ps1+2026-11-22 10:00:00.123456 UTC+Rnd_-1/ps1.ipynb": right("first"),
		"ada+ps1+2026-11-22 12:00:00.123456 UTC+Rnd_-2/ps1.ipynb": right("second"),
		"ada+ps2+2026-11-22 13:00:00.123456 UTC+Rnd_-3/ps1.ipynb": right("of ps2"),
		"bob+ps1+2026-11-22 14:00:00.123456 UTC+Rnd_-4/ps1.ipynb": right("forged"),
	})
	res := collect(t, course, Options{Student: "ada", Inputs: []string{in}})
	if len(res.Refused) != 1 || !strings.Contains(res.Refused[0].Reason, "it says to be of bob") {
		t.Errorf("refused: %+v, want bob's", res.Refused)
	}
	if got, want := names(t, course), []string{"ada/ps1/ps1.ipynb", "ada/ps1/timestamp.txt"}; !slices.Equal(got, want) {
		t.Errorf("submitted/ has %q, want %q", got, want)
	}
	rec, err := ReadRecord(filepath.Join(course, "submitted", "ada", "ps1"))
	if want := time.Date(2026, 11, 22, 12, 0, 0, 123456000, time.UTC); err != nil || !rec.Timestamp.Equal(want) {
		t.Errorf("handed in %+v, %v; want %v", rec, err, want)
	}
	if text, _ := os.ReadFile(filepath.Join(course, "submitted", "ada", "ps1", "ps1.ipynb")); !strings.Contains(string(text), "second") {
		t.Error("the last attempt does not count")
	}
}
