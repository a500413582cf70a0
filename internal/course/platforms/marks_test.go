package platforms

import (
	"encoding/csv"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"marginalia/internal/course"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/property"
)

// book is one with assignments ps1, of 3 + 2 points (the 2 by hand), due, and ps2, of 10, and
// three students: Ada has handed in both, one of them two days late; ben ps2; the last one none.
func book(t *testing.T) *gradebook.Book {
	t.Helper()
	ctx := t.Context()
	b := must.Get(gradebook.Create(ctx, filepath.Join(t.TempDir(), "gradebook.db"))).Or(t)
	t.Cleanup(func() { b.Close() })
	due := time.Date(2026, 11, 1, 22, 59, 0, 0, time.UTC)
	dues := map[string]time.Time{"ps1": due, "ps2": due.Add(time.Hour)}
	tests := gradebook.Cell{ID: "q1", Type: "code", Grade: true, Max: 3}
	words := gradebook.Cell{ID: "q2", Type: "markdown", Grade: true, Solution: true, Max: 2}
	long := tests
	long.Max = 10
	check := func(err error) {
		t.Helper()
		must.Do(t, err)
	}
	check(b.SetAssignment(ctx, gradebook.Assignment{Name: "ps2", Due: dues["ps2"], Notebooks: []gradebook.Notebook{{Name: "ps2", Cells: []gradebook.Cell{long}}}}))
	check(b.SetAssignment(ctx, gradebook.Assignment{Name: "ps1", Due: due, Notebooks: []gradebook.Notebook{{Name: "ps1", Cells: []gradebook.Cell{tests, words}}}}))
	check(b.SetStudents(ctx, gradebook.Student{ID: "ada", FirstName: "Ada", LastName: "Lovelace", Email: "ada@example.org", LMS: "17"},
		gradebook.Student{ID: "zuse", LastName: "Zuse", LMS: "SIS-9"}))
	save := func(assignment, student string, points float64, at time.Time, more ...gradebook.Score) {
		t.Helper()
		_, err := b.Save(ctx, gradebook.Scores{Assignment: assignment, Student: student, Submitted: at, Notebooks: []gradebook.NotebookScores{
			{Notebook: assignment, Cells: append(more, gradebook.Score{Cell: "q1", Auto: &points})}}},
			&gradebook.Terms{Due: dues[assignment], Late: course.Settings{Zone: time.UTC, Late: course.Policy{Percent: 10, Every: course.Span{Days: 1}, Most: 50}}})
		check(err)
	}
	save("ps1", "ada", 2.5, due.Add(25*time.Hour+250*time.Microsecond), gradebook.Score{Cell: "q2", Auto: new(float64)})
	tenth := 0.1
	save("ps2", "ada", tenth+0.2, due) // 0.30000000000000004
	save("ps2", "ben", 12, due)        // 2 points beyond the maximum
	return b
}

func read(t *testing.T, names ...string) Marks {
	t.Helper()
	return must.Get(Read(t.Context(), book(t), names...)).Or(t)
}

// The files of three formats. Ada's 2.5 points of ps1 are two begun days late: 20 % of them,
// 0.5, are lost. What nbgrader writes is held against nbgrader in TestNbgraderExport.
func TestFormats(t *testing.T) {
	m := read(t, "ps1", "ps2")
	for _, c := range []struct {
		name  string
		write func(io.Writer, Marks) ([]string, error)
		want  string
	}{
		{"moodle", Moodle, `Username,ID number,First name,Last name,Email address,Assignment: ps1 (Real),Assignment: ps2 (Real)
ben,(unknown),,,(unknown),,12
ada,17,Ada,Lovelace,ada@example.org,2,0.3
zuse,SIS-9,,Zuse,(unknown),,
`},
		{"canvas", Canvas, `Student,ID,SIS User ID,SIS Login ID,Section,ps1,ps2
"    Points Possible",,,,,5,10
ben,,,ben,,,12
"Lovelace, Ada",17,,ada,,2,0.3
Zuse,,SIS-9,zuse,,,
`},
		{"nbgrader", Nbgrader, `assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,score,max_score
ps1,2026-11-01 22:59:00,,ben,,,,0.0,0.0,0.0,5.0
ps1,2026-11-01 22:59:00,2026-11-02 23:59:00.000250,ada,Lovelace,Ada,ada@example.org,2.5,0.5,2.0,5.0
ps1,2026-11-01 22:59:00,,zuse,Zuse,,,0.0,0.0,0.0,5.0
ps2,2026-11-01 23:59:00,2026-11-01 22:59:00,ben,,,,12.0,0.0,12.0,10.0
ps2,2026-11-01 23:59:00,2026-11-01 22:59:00,ada,Lovelace,Ada,ada@example.org,0.30000000000000004,0.0,0.30000000000000004,10.0
ps2,2026-11-01 23:59:00,,zuse,Zuse,,,0.0,0.0,0.0,10.0
`},
	} {
		var got strings.Builder
		if _, err := c.write(&got, m); err != nil || got.String() != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got.String(), c.want)
		}
	}
	if got := m.Assignments[0].Unfinished(); got != nil {
		t.Errorf("to be marked by hand: %q, want none: q2 was left empty", got)
	}
	if _, err := Read(t.Context(), book(t), "ps3"); err == nil || !strings.Contains(err.Error(), "no assignment ps3: there are ps1, ps2") {
		t.Errorf("error %v, want one that names ps3, and what is there", err)
	}
	m.Assignments[0].Name = "Final Score of all"
	if _, err := Canvas(new(strings.Builder), m); err == nil {
		t.Error("Canvas skips a column of that name")
	}
}

// Formulas (OWASP's examples, and their full-width and indented forms) become text, and
// numbers stay numbers.
func TestDefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"Lovelace":                     "Lovelace",
		"a=b":                          "a=b",
		"-12.5":                        "-12.5",
		"+41":                          "+41",
		"-3,5":                         "-3,5",
		`=HYPERLINK("http://x","y")`:   `'=HYPERLINK("http://x","y")`,
		"=cmd|' /C calc'!A0":           "'=cmd|' /C calc'!A0",
		"+1+1":                         "'+1+1",
		"-1+1":                         "'-1+1",
		"-":                            "'-",
		"@SUM(A1)":                     "'@SUM(A1)",
		"\tx":                          "'\tx",
		"\rx":                          "'\rx",
		"\n=1":                         "'\n=1",
		"  =1+1":                       "'  =1+1",
		"\u200b=1+1":                   "'\u200b=1+1",
		"\ufeff=1":                     "'\ufeff=1",
		"＝1+1":                         "'＝1+1",
		"-1e5":                         "'-1e5",
		"=1":                           "'=1",
		"'=1":                          "'=1", // text already
		"O'Hara":                       "O'Hara",
		"x\t=1":                        "x\t=1",
		`"=1`:                          `"=1`, // a quote is data: the CSV doubles it
		"\x00=1":                       "'\x00=1",
		"ﬁ":                            "ﬁ",
		"-12.5.6":                      "'-12.5.6",
		"–5":                           "–5", // a dash is no minus
		"@":                            "'@",
		"ada@example.org":              "ada@example.org",
		"Anna-Lena":                    "Anna-Lena",
		"0":                            "0",
		"=":                            "'=",
		" ":                            " ",
		"+":                            "'+",
		"\u00a0+1":                     "'\u00a0+1",
		"\xff=1":                       "'\xff=1",
		"-١":                           "'-١",
		"\u2060@x":                     "'\u2060@x",
		"- item":                       "'- item",
		"1-1":                          "1-1",
		"\v=1":                         "'\v=1",
		"\u202e=1":                     "'\u202e=1",
		"Robert'); DROP TABLE student": "Robert'); DROP TABLE student",
	} {
		if got := defused(text); got != want {
			t.Errorf("defused(%q) = %q, want %q", text, got, want)
		}
	}
}

// Whatever the names are, the file has its rows and columns, the texts are there, and no cell
// begins as a formula does.
func TestProperty(t *testing.T) {
	letters := rapid.OneOf(rapid.RuneFrom([]rune("=+-@\t\r\n\",;' ０＝A1")), rapid.Rune())
	hostile, id := rapid.StringOf(letters), rapid.StringOfN(letters, 1, -1, -1)
	property.Check(t, func(t *rapid.T) {
		st := gradebook.Student{ID: id.Draw(t, "id"), FirstName: hostile.Draw(t, "first"), LastName: hostile.Draw(t, "last"), Email: hostile.Draw(t, "email"), LMS: hostile.Draw(t, "lms")}
		m := Marks{[]gradebook.Student{st, {ID: "z"}}, []Column{{gradebook.Assignment{Name: "ps1"}, nil}, {gradebook.Assignment{Name: "ps2"}, nil}}, nil}
		for rows, write := range map[int]func(io.Writer, Marks) ([]string, error){
			5: Nbgrader,
			3: Moodle,
			4: Canvas,
		} {
			var text strings.Builder
			must.Get(write(&text, m)).Or(t)
			records, err := csv.NewReader(strings.NewReader(text.String())).ReadAll() // wants as many columns in each row
			if err != nil || len(records) != rows {
				t.Fatalf("%d rows, %v; want %d\n%s", len(records), err, rows, text.String())
			}
			found := false
			for _, record := range records {
				for _, cell := range record {
					begin := strings.TrimLeftFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
					if begin != "" && strings.ContainsAny(begin[:1], "=+-@") && !numeric.MatchString(cell) {
						t.Fatalf("cell %q is a formula", cell)
					}
					// The reader makes \r\n of a quoted field \n.
					found = found || strings.ReplaceAll(strings.TrimPrefix(cell, "'"), "\r\n", "\n") == strings.ReplaceAll(strings.TrimPrefix(st.ID, "'"), "\r\n", "\n")
				}
			}
			if !found {
				t.Fatalf("no cell is the id %q\n%s", st.ID, text.String())
			}
		}
	})
}
