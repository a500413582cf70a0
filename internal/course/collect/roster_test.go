package collect

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"marginalia/internal/course"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/property"
)

// rosterOf reads a roster, and is nil for no text.
func rosterOf(t testing.TB, text string) *Roster {
	t.Helper()
	if text == "" {
		return nil
	}
	return must.Get(ReadRoster(strings.NewReader(text), time.UTC)).Or(t)
}

// The files that nbgrader's docs, Moodle, Canvas and Blackboard have for the students of
// a course, and by what each source finds them.
func TestRoster(t *testing.T) {
	for name, c := range map[string]struct {
		roster string
		find   []owner
		ids    []string // "" if the roster has none
	}{
		"nbgrader": {
			"id,first_name,last_name,email,lms_user_id\nada,Ada,Lovelace,ada@example.org,340934\nmm,Maja,Müller,,7\n",
			[]owner{{key: "340934"}, {key: "ada"}, {key: "x", email: "ADA@example.org"}, {key: "99", name: "Maja Mu\u0308ller"}, {key: "99", name: "müllermaja"}, {key: "99", name: "Maja"}, {key: ""}},
			[]string{"ada", "ada", "ada", "mm", "mm", "", ""},
		},
		"Moodle's worksheet": {
			"\ufeffIdentifier,\"Full name\",\"ID number\",\"Email address\",\"Last modified (submission)\"\nParticipant 1234567,\"Ada Lovelace\",a042,ada@example.org,\"Sunday, 22 November 2026, 10:05 PM\"\nParticipant 8,Bob,,bob@example.org,-\n",
			[]owner{{key: "1234567", name: "whoever"}, {key: "8"}, {key: "9", name: "Ada Lovelace"}},
			[]string{"a042", "bob@example.org", "a042"},
		},
		"Canvas": {
			"Student,ID,SIS User ID,SIS Login ID,Section,ps1 (1)\n    Points Possible,,,,,10\n\"Lovelace, Ada\",340934,s42,ada,A,\n\"Bee, Bob\",7,s43,bob,A,\n",
			[]owner{{key: "340934", name: "lovelaceada"}, {key: "1", name: "beebob"}},
			[]string{"ada", "bob"},
		},
		"Blackboard": {
			"\"Last Name\";\"First Name\";\"Username\";\"Student ID\"\nLovelace;Ada;ada_l;42\n",
			[]owner{{key: "ada_l"}, {key: "42"}},
			[]string{"ada_l", "ada_l"},
		},
		"two of a name, one number in two systems": {
			"id,name,moodle,canvas\na,Kim Lee,1,2\nb,Kim Lee,2,3\n",
			[]owner{{key: "1"}, {key: "2"}, {key: "3"}, {key: "x", name: "Kim Lee"}},
			[]string{"a", "", "b", ""},
		},
	} {
		r, err := ReadRoster(strings.NewReader(c.roster), time.UTC)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, o := range c.find {
			got := ""
			if s := r.find(o); s != nil {
				got = s.ID
			}
			if got != c.ids[i] {
				t.Errorf("%s: %+v is %q, want %q", name, o, got, c.ids[i])
			}
		}
	}
	// By what the marks go back to the system (course/platforms).
	for roster, want := range map[string]Student{
		"id,first_name,last_name,email,lms_user_id\nada,Ada,Lovelace,a@b.c,42\n": {ID: "ada", First: "Ada", Last: "Lovelace", Email: "a@b.c", LMSUserID: "42"},
		"Identifier,Full name,ID number\nParticipant 7,Ada Lovelace,a042\n":      {ID: "a042", Name: "Ada Lovelace", LMSUserID: "a042"},
		"Student,ID,SIS Login ID\n\"Lovelace, Ada\",340934,ada\n":                {ID: "ada", Name: "Lovelace, Ada", LMSUserID: "340934"},
	} {
		r := rosterOf(t, roster)
		got := r.Students()[0]
		if got.ID != want.ID || got.First != want.First || got.Last != want.Last || got.Name != want.Name || got.Email != want.Email || got.LMSUserID != want.LMSUserID {
			t.Errorf("%q: %+v, want %+v", roster, got, want)
		}
	}
	for roster, words := range map[string]string{
		"":                        "empty",
		"a,b\n1,2\n":              "names no student",
		"id\nada\nAda\n":          "capitals",
		"id\n../x\n":              "want none of",
		"id,name\n\"ada,Ada\nx\n": "roster",
	} {
		if _, err := ReadRoster(strings.NewReader(roster), time.UTC); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: error %v, want one with %q", roster, err, words)
		}
	}
}

// With a roster the course's ids are the folders, and Moodle's worksheet has the times
// that its zip has not.
func TestCollectWithRoster(t *testing.T) {
	berlin := must.Get(time.LoadLocation("Europe/Berlin")).Or(t)
	r, err := ReadRoster(strings.NewReader("Identifier,Full name,ID number,Last modified (submission)\nParticipant 1,Ada Lovelace,ada,\"Sunday, 22 November 2026, 10:05 AM\"\nParticipant 2,Bob,bob,-\n"), berlin)
	must.Do(t, err)
	course := newCourse(t)
	collect(t, course, Options{Roster: r, Inputs: []string{zipped(t, entry{moodle + "ps1.ipynb", right("")}, entry{"Bob_2_assignsubmission_file_/ps1.ipynb", right("")}, entry{"Cy_3_assignsubmission_file_/ps1.ipynb", right("")})}})
	if got, want := names(t, course), []string{"3/ps1/ps1.ipynb", "ada/ps1/ps1.ipynb", "ada/ps1/timestamp.txt", "bob/ps1/ps1.ipynb"}; !slices.Equal(got, want) {
		t.Errorf("submitted/ has %q, want %q", got, want)
	}
	// Berlin is an hour ahead of UTC in November.
	if got, want := record(t, course, "ada").Timestamp, time.Date(2026, 11, 22, 9, 5, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("Ada handed in at %v, want %v", got, want)
	}
	// Files with the ids of students for names, and folders with their names.
	in := t.TempDir()
	write(t, in, map[string]string{"bob.ipynb": right("by name"), "ada.docx": "PK\x03\x04"})
	collect(t, course, Options{Roster: r, Inputs: []string{in}, Now: func() time.Time { return noon.Add(time.Hour) }})
	if got := tree(t, course)["submitted/bob/ps1/ps1.ipynb"]; got != right("by name") {
		t.Errorf("bob.ipynb did not become Bob's: %s", got)
	}
	in = t.TempDir()
	write(t, in, map[string]string{"Ada Lovelace/ps1.ipynb": right("by folder")})
	collect(t, course, Options{Roster: r, Inputs: []string{filepath.Join(in, "Ada Lovelace")}, Now: func() time.Time { return noon.Add(2 * time.Hour) }})
	if got := tree(t, course)["submitted/ada/ps1/ps1.ipynb"]; got != right("by folder") {
		t.Errorf("Ada's folder did not become hers: %s", got)
	}
}

// A student whom a later roster gives another id would be graded twice: a note says so, and it is in no other record.
func TestRosterAfterwards(t *testing.T) {
	r := rosterOf(t, "id,name,moodle\nada,Ada Lovelace,1\n3,Cy,3\n")
	course := newCourse(t)
	in := zipped(t, entry{moodle + "ps1.ipynb", right("")}, entry{"Cy_3_assignsubmission_file_/ps1.ipynb", right("")})
	collect(t, course, Options{Inputs: []string{in}})
	collect(t, course, Options{Inputs: []string{in}, Roster: r})
	for id, want := range map[string]bool{"1": false, "3": false, "ada": true} {
		notes := strings.Join(record(t, course, id).Notes, "\n")
		if got := strings.Contains(notes, "collected as 1 before") && strings.Contains(notes, "remove submitted/1/ps1 and attempts/1/ps1"); got != want {
			t.Errorf("%s: notes %q", id, notes)
		}
	}
}

// Names that differ in capitals alone would be one folder on macOS and Windows: the
// second is refused, now and at the next call, until the roster tells them apart.
func TestTwins(t *testing.T) {
	course, in := newCourse(t), t.TempDir()
	write(t, in, map[string]string{"Ana/ps1.ipynb": right("1"), "ana/ps1.ipynb": right("2"), "bob/a.csv": "1", "bob/A.csv": "2", "bob/NUL.txt": "3", "bob/ps1.ipynb": right("")})
	for range 2 {
		res := collect(t, course, Options{Inputs: []string{in}})
		if len(res.Refused) != 1 || res.Refused[0].Path != "ana" {
			t.Errorf("refused: %v", res.Refused)
		}
	}
	want := []string{"Ana/ps1/ps1.ipynb", "bob/ps1/A.csv", "bob/ps1/_NUL.txt", "bob/ps1/a~2.csv", "bob/ps1/ps1.ipynb"}
	if got := names(t, course); !slices.Equal(got, want) {
		t.Errorf("submitted/ has %q, want %q", got, want)
	}
}

// Names of all kinds, from Moodle, end in folders that every system can have, one for
// each student.
func TestStrangeStudents(t *testing.T) {
	keys := []string{"Jörg Müller", "O'Brien \"Bob\"", "A/B", "x\u202egpj", "CON", "李雷", strings.Repeat("n", 300), "..", "a b ", "ana\u200b"}
	var entries []entry
	for _, key := range keys {
		entries = append(entries, entry{strings.ReplaceAll(key, "/", "_") + "_assignsubmission_file_/ps1.ipynb", right(key)})
	}
	course := newCourse(t)
	res := collect(t, course, Options{Inputs: []string{zipped(t, entries...)}})
	if len(res.Refused) > 0 || len(res.Taken) != len(keys) {
		t.Errorf("%d students, want %d; refused %v", len(res.Taken), len(keys), res.Refused)
	}
	for _, taken := range res.Taken {
		if taken.Record.Fault("ps1") != nil || studentID(taken.Student) != taken.Student {
			t.Errorf("%+v", taken)
		}
	}
}

func TestRosterProperty(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		r, err := ReadRoster(strings.NewReader("id,name,email\n"+text), time.UTC)
		if err != nil {
			return
		}
		for _, s := range r.students {
			if err := course.CheckStudent(s.ID); err != nil {
				t.Errorf("%q gives the id %q: %v", text, s.ID, err)
			}
		}
	})
}

// An id of a gradebook that would lead out of the course is no student's folder.
func TestNewRosterChecksIDs(t *testing.T) {
	if _, err := NewRoster([]Student{{ID: "ada"}, {ID: ".."}}); err == nil {
		t.Error("no error for ..")
	}
}
