package platforms

import (
	"strings"
	"testing"

	"marginalia/internal/course/gradebook"
)

// A number of Moodle's file names is no user name, and Canvas's none of Moodle's. Whom a file
// can't name it leaves out, and says so; no field by which Moodle finds students is empty, since
// Moodle would take the student of the line above.
func TestNamesWhomItCan(t *testing.T) {
	m := Marks{
		Students: []gradebook.Student{
			{ID: "10001"},
			{ID: "10002", FirstName: "Ben", LastName: "Beck", Email: "ben@example.org"},
			{ID: "340934", FirstName: "Cid", LastName: "Cole"},
			{ID: "340935"},
			{ID: "dan", LMS: "10004"},
			{ID: "12345"}, // of the university: nobody says otherwise
		},
		Assignments: []Column{{gradebook.Assignment{Name: "ps1"}, nil}},
		Handins: map[string][]Handin{
			"10001":  {{"moodle", "10001", "Anna Arndt"}},
			"10002":  {{"moodle", "10002", "Ben Beck"}, {"moodle", "10077", "Ben Beck"}},
			"340934": {{"canvas", "340934", "colecid"}},
			"340935": {{"canvas", "340935", "evee"}},
			"dan":    {{"moodle", "10004", "Dan Dorn"}},
			"12345":  {{"blackboard", "12345", ""}},
		},
	}
	for _, c := range []struct {
		write func(w *strings.Builder) ([]string, error)
		want  string
		notes []string
	}{
		{func(w *strings.Builder) ([]string, error) { return Moodle(w, m) }, `Username,ID number,First name,Last name,Email address,Assignment: ps1 (Real)
(unknown),(unknown),Ben,Beck,ben@example.org,
dan,(unknown),,,(unknown),
12345,(unknown),,,(unknown),
`, []string{`left out, since neither user name nor ID number nor e-mail address is known: "10001" ("Anna Arndt"), "340934" ("Cid Cole"), "340935" ("evee"): collect with`, `Username is not known of "10002" ("Ben Beck"): no column names all`, "ID number is not known of", "Email address is not known of"}},
		{func(w *strings.Builder) ([]string, error) { return Canvas(w, m) }, `Student,ID,SIS User ID,SIS Login ID,Section,ps1
"    Points Possible",,,,,0
"Beck, Ben",,,,,
"Cole, Cid",340934,,,,
340935,340935,,,,
dan,,,dan,,
12345,,,12345,,
`, []string{`left out, since neither Canvas's number nor login nor name is known: "10001" ("Anna Arndt")`, `Canvas has to find these by their names: "10002" ("Ben Beck")`}},
	} {
		var text strings.Builder
		notes, err := c.write(&text)
		if err != nil || text.String() != c.want {
			t.Errorf("%v\n%s\nwant\n%s", err, text.String(), c.want)
		}
		if len(notes) != len(c.notes) {
			t.Errorf("notes %q, want %q", notes, c.notes)
			continue
		}
		for i, want := range c.notes {
			if !strings.HasPrefix(notes[i], want) {
				t.Errorf("note %q, want %q…", notes[i], want)
			}
		}
	}
	m.Students = m.Students[4:]
	if notes, _ := Moodle(new(strings.Builder), m); len(notes) != 1 || !strings.HasPrefix(notes[0], "map Username to the user") {
		t.Errorf("notes %q, want to map Username", notes)
	}
	m.Students = []gradebook.Student{{ID: "ada", Email: "ada@example.org", LMS: "17"}}
	if notes, _ := Moodle(new(strings.Builder), m); len(notes) != 0 {
		t.Errorf("notes %q of a student of whom all is known", notes)
	}
}
