package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/course"
	"marginalia/internal/course/collect"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// What the names of files say of a student comes into the gradebook once, with the sort of
// the number. A roster wins over it, and what contradicts it later is said.
func TestKeepNames(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "source"), 0o777))
	co := must.Get(course.Open(dir)).Or(t)
	var out bytes.Buffer
	keep := func(records ...collect.Record) {
		t.Helper()
		var taken []collect.Taken
		for _, r := range records {
			taken = append(taken, collect.Taken{Student: r.Student, Record: &r})
		}
		out.Reset()
		must.Do(t, keepNames(t.Context(), &out, co, taken))
	}
	want := func(students ...gradebook.Student) {
		t.Helper()
		book := must.Get(gradebook.Open(t.Context(), co.Gradebook())).Or(t)
		defer book.Close()
		all, err := book.Students(t.Context())
		if err != nil || len(all) != len(students) {
			t.Fatalf("%+v, %v", all, err)
		}
		for i, s := range all {
			if s != students[i] {
				t.Errorf("%+v, want %+v", s, students[i])
			}
		}
	}
	keep(collect.Record{Student: "ada", Source: "folder", LMSName: "Ada"}, collect.Record{Student: "bob", Source: "moodle", Team: "Team Red", TeamNumber: "12"})
	if _, err := os.Stat(co.Gradebook()); err == nil {
		t.Error("a gradebook, although nothing was said of anybody")
	}
	anna := collect.Record{Student: "10001", Source: "moodle", LMSName: "Anna Arndt", LMSUserID: "10001", LMSSort: collect.Participant}
	keep(anna,
		collect.Record{Student: "7", Source: "canvas", LMSName: "beebob", LMSUserID: "7", LMSSort: collect.CanvasUser},
		collect.Record{Student: "cy@example.org", Source: "gradescope", LMSName: "Cy Noor", LMSEmail: "cy@example.org", LMSUserID: "cy@example.org", LMSSort: collect.Email})
	known := []gradebook.Student{
		{ID: "10001", FirstName: "Anna", LastName: "Arndt", LMSNumber: "10001", LMSSort: gradebook.Participant},
		{ID: "cy@example.org", FirstName: "Cy", LastName: "Noor", Email: "cy@example.org"},
		{ID: "7", LastName: "beebob", LMS: "7"},
	}
	want(known...)
	another := anna
	another.LMSUserID, another.LMSName = "10345", "Arndt, Anna" // of the next assignment
	keep(another)
	want(known...)
	if out.Len() > 0 {
		t.Errorf("says %q of the same name", out.String())
	}
	another.LMSName = "Anna Berg"
	keep(another)
	want(known...)
	if got := out.String(); !strings.Contains(got, "10001 is Anna Arndt in the gradebook, and Anna Berg in what was collected") {
		t.Errorf("says %q", got)
	}
	testfile.Write(t, filepath.Join(dir, "roster.csv"), "id,first_name,last_name,lms_user_id\n10001,Anna,Arndt-Berg,a042\n")
	roster, others, err := rosterOf(t.Context(), "", co)
	if err != nil || len(roster.Students()) != 1 || len(others.Students()) != 2 {
		t.Fatalf("%+v, %+v, %v", roster, others, err)
	}
	known[0].LastName, known[0].LMS, known[0].LMSNumber, known[0].LMSSort = "Arndt-Berg", "a042", "", gradebook.Unsorted
	keep(anna)
	want(known...)
}
