package collect

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// worksheetOf is Moodle's worksheet of a team assignment. Team Red has the number of Ada's
// participation, 12.
const worksheetOf = "\ufeffIdentifier,\"Full name\",\"Email address\",Status,Group,Grade\n" +
	"Participant 12,\"Ada Lovelace\",ada@example.org,\"Submitted for grading - \",\"Team Blue\",\n" +
	"Participant 13,\"Bob Bee\",bob@example.org,\"Submitted for grading - \",\"Team Red\",\n" +
	"Participant 14,\"Cy Noor\",cy@example.org,\"Submitted for grading - \",\"Team Red\",\n" +
	"Participant 15,\"Kim Lee\",kim@example.org,\"Submitted for grading - \",\"Default group\",\n"

// Whose each file is. A file that could be another student's is refused, with words.
func TestWhose(t *testing.T) {
	const folder = "_assignsubmission_file/ps1.ipynb"
	for name, c := range map[string]struct {
		roster  string
		files   []string
		want    map[string]string // student to the place of the file that the submission is
		refused map[string]string // the place of a refused file to words of the reason
	}{
		"Moodle's team with the number of another's participation": {
			worksheetOf,
			[]string{"Team Red_12" + folder},
			map[string]string{"bob@example.org": "Team Red_12", "cy@example.org": "Team Red_12"}, nil,
		},
		"Moodle's students of no team": {
			worksheetOf,
			[]string{"Default group" + folder, "Team Blue_99" + folder},
			map[string]string{"kim@example.org": "Default group", "ada@example.org": "Team Blue_99"}, nil,
		},
		"a team that the roster does not know": {
			"Identifier,Full name,Email address\nParticipant 12,Ada Lovelace,ada@example.org\nParticipant 13,Bob Bee,bob@example.org\n",
			[]string{"Team Red_12" + folder, "Bob Bee_13" + folder, "Default group" + folder},
			map[string]string{"bob@example.org": "Bob Bee_13"},
			map[string]string{"Team Red_12": "Ada Lovelace", "Default group": "no member"},
		},
		"a team's name without what no file may be called": {
			"Identifier,Full name,Email address,Gruppe\nTeilnehmer/in12,Ada Lovelace,ada@example.org,Rot/Grün_1\nTeilnehmer/in13,Bob Bee,bob@example.org,Rot/Grün_2\n",
			[]string{"RotGrün 1_12" + folder},
			map[string]string{"ada@example.org": "RotGrün 1_12"}, nil,
		},
		"without a roster name and number are kept": {
			"",
			[]string{"Team Red_12" + folder, "Ada Lovelace_7" + folder},
			map[string]string{"12": "Team Red_12", "7": "Ada Lovelace_7"}, nil,
		},
		"names as they are written elsewhere": {
			"Identifier,Full name,ID number\nParticipant 1,\"Müller, Maja\",m1\nParticipant 2,Seán O'Brien,m2\nParticipant 3,Ada King Lovelace,m3\n",
			[]string{"Maja Mueller_1" + folder, "Sean OBrien_2" + folder, "A. Lovelace_3" + folder},
			map[string]string{"m1": "Maja Mueller_1", "m2": "Sean OBrien_2", "m3": "A. Lovelace_3"}, nil,
		},
		"an id that looks like a participant's number": {
			"id,name\n12,Ada Lovelace\n7,Bob Bee\n",
			[]string{"Bob Bee_12" + folder, "Cy Noor_7" + folder},
			map[string]string{"7": "Bob Bee_12"},
			map[string]string{"Cy Noor_7": "Bob Bee"},
		},
		"an id without a name that looks like a participant's number": {
			"id\n12\n7\n",
			[]string{"Bob Bee_12" + folder},
			nil,
			map[string]string{"Bob Bee_12": "no student's of the roster"},
		},
		"a team with the name and the id of one student": {
			"Student,ID,SIS Login ID\n\"Lee, Ada\",3,4\n\"Lovelace, Ada\",4,3\n",
			[]string{"Lee_4" + folder},
			nil,
			map[string]string{"Lee_4": "no student's of the roster"},
		},
		"initials that are another's, with the id of that other": {
			"id,name,moodle\n2,A Müller,1\n4,Ada Müller,7\n5,B Noor,8\n6,Bob Noor,9\n",
			[]string{"1-77 - B Noor - Nov 21, 2026 1130 AM/ps1.ipynb", "2-77 - Ada Müller - Nov 21, 2026 1130 AM/ps1.ipynb", "A Müller_7" + folder},
			map[string]string{"5": "1-77", "4": "2-77"},
			map[string]string{"A Müller_7": "Ada Müller"},
		},
		"two of one name, one of whom the roster does not have": {
			"id,name,moodle\nkim,Kim Lee,1\n",
			[]string{"Kim Lee_1" + folder, "Kim Lee_2" + folder},
			map[string]string{"kim": "Kim Lee_1"},
			map[string]string{"Kim Lee_2": "two students of one name"},
		},
		"two of one name, numbers unknown": {
			"id,name\nkim,Kim Lee\n",
			[]string{"Kim Lee_1" + folder, "Kim Lee_2" + folder},
			nil,
			map[string]string{"Kim Lee_1": "several have the name", "Kim Lee_2": "several have the name"},
		},
		"a worksheet of another assignment: the names count": {
			"Identifier,Full name,Email address\nParticipant 12,Ada Lovelace,ada@example.org\nParticipant 13,Bob Bee,bob@example.org\n",
			[]string{"Ada Lovelace_112" + folder, "Bob Bee_113" + folder},
			map[string]string{"ada@example.org": "Ada Lovelace_112", "bob@example.org": "Bob Bee_113"}, nil,
		},
		"blind marking": {
			"ID,Status\nTeilnehmer/in12,Zur Bewertung abgegeben\nTeilnehmer/in13,Zur Bewertung abgegeben\n",
			[]string{"Teilnehmerin_12" + folder, "Teilnehmerin_13" + folder},
			map[string]string{"12": "Teilnehmerin_12", "13": "Teilnehmerin_13"}, nil,
		},
		"blind marking, with a stroke in the word": {
			"ID,Status\nTeilnehmer/in12,Zur Bewertung abgegeben\nTeilnehmer/in13,Zur Bewertung abgegeben\n",
			[]string{"Teilnehmer/in12_12" + folder, "Teilnehmer/in13_13" + folder},
			map[string]string{"12": "Teilnehmer/in12_12", "13": "Teilnehmer/in13_13"}, nil,
		},
		"blind marking, and the roster of another list": {
			"id,name,moodle\nada,Ada Lovelace,12\nbob,Bob Bee,13\n",
			[]string{"Participant_12" + folder, "参加者_13" + folder},
			map[string]string{"ada": "Participant_12", "bob": "参加者_13"}, nil,
		},
		"Canvas's number with another's name": {
			"Student,ID,SIS User ID,SIS Login ID,Section\n\"Lovelace, Ada\",7,42,ada,A\n\"Bee, Bob\",42,7,bob,A\n",
			[]string{"lovelaceada_7_900_ps1.ipynb", "beebob_42_901_ps1.ipynb"},
			map[string]string{"ada": "lovelaceada_7_900_ps1.ipynb", "bob": "beebob_42_901_ps1.ipynb"}, nil,
		},
		"Canvas's group, with one member's number": {
			"name,canvas_user_id,login_id,group_name\nAda Lovelace,7,ada,Team Red\nBob Bee,8,bob,Team Red\nCy Noor,9,cy,Blue\n",
			[]string{"teamred_7_900_ps1.ipynb"},
			map[string]string{"ada": "teamred_7_900_ps1.ipynb", "bob": "teamred_7_900_ps1.ipynb"}, nil,
		},
		"Canvas's group, unknown": {
			"Student,ID,SIS Login ID\n\"Lovelace, Ada\",7,ada\n\"Bee, Bob\",8,bob\n",
			[]string{"teamred_7_900_ps1.ipynb"},
			nil,
			map[string]string{"teamred_7_900_ps1.ipynb": "Ada"},
		},
		"a name at Canvas that ends in another's number": {
			"Student,ID,SIS Login ID\n\"Lovelace, Ada\",340934,ada\n\"Bee, Bob\",7,bob\n",
			[]string{"beebob_7_340934_2084_ps1.ipynb", "beebob_7_900_3_ps1.ipynb"},
			map[string]string{"bob": "beebob_7_900_3_ps1.ipynb"},
			map[string]string{"beebob_7_340934_2084_ps1.ipynb": "number 7 and of 340934"},
		},
		"a login that is another's number": {
			"Last Name,First Name,Username,Student ID\nLovelace,Ada,42,7\nBee,Bob,7,42\n",
			[]string{"hw_42_attempt_2026-11-21-10-00-00_ps1.ipynb", "hw_7_attempt_2026-11-21-10-00-00_ps1.ipynb"},
			map[string]string{"42": "hw_42_attempt_2026-11-21-10-00-00_ps1.ipynb", "7": "hw_7_attempt_2026-11-21-10-00-00_ps1.ipynb"}, nil,
		},
		"a name at GitHub that is another's login": {
			"id,name,github\nada,Ada Lovelace,bob\nbob,Bob Bee,bobbee\n",
			[]string{"ps1-bob/ps1.ipynb", "ps1-bobbee/ps1.ipynb", "ps1-ada/ps1.ipynb"},
			map[string]string{"ada": "ps1-bob", "bob": "ps1-bobbee"},
			map[string]string{"ps1-ada": "no student's of the roster"},
		},
		"an id that is another's number": {
			"id,name,lms_user_id\n1,Ada Lovelace,2\n2,Bob Bee,1\n",
			[]string{"1/ps1.ipynb", "2/ps1.ipynb"},
			map[string]string{"1": "1", "2": "2"}, nil,
		},
		"Blackboard's names that imitate another's attempt": {
			"",
			[]string{"hw_ada_attempt_2026-11-21-10-00-00_x_ben_attempt_2026-11-22-10-00-00_ps1.ipynb", "hw_ben_attempt_2026-11-20-10-00-00_ps1.ipynb"},
			map[string]string{"ada": "hw_ada_attempt_2026-11-21-10-00-00_x_ben_attempt_2026-11-22-10-00-00_ps1.ipynb", "ben": "hw_ben_attempt_2026-11-20-10-00-00_ps1.ipynb"}, nil,
		},
		"names that imitate another's at Moodle, Canvas, Brightspace, in the exchange": {
			"",
			[]string{
				"Ada_1_assignsubmission_file_Ben_2_assignsubmission_file_ps1.ipynb",
				"lovelaceada_3_900_bee_4_901_ps1.ipynb",
				"5-6 - Cy Noor - Nov 21, 2026 1130 AM - 7-6 - Dan - Nov 22, 2026 1130 AM - ps1.ipynb",
				"eve+ps1+2026-11-22 10:00:00 UTC+abc/fay+ps1+2026-11-23 10:00:00 UTC+abc/ps1.ipynb",
			},
			map[string]string{
				"1": "Ada_1_assignsubmission_file_Ben_2_assignsubmission_file_ps1.ipynb", "3": "lovelaceada_3_900_bee_4_901_ps1.ipynb",
				"5":   "5-6 - Cy Noor - Nov 21, 2026 1130 AM - 7-6 - Dan - Nov 22, 2026 1130 AM - ps1.ipynb",
				"eve": "eve+ps1+2026-11-22 10:00:00 UTC+abc"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			roster := rosterOf(t, c.roster)
			var entries []entry
			for _, file := range c.files {
				entries = append(entries, entry{file, right(file)})
			}
			course := newCourse(t)
			res := collect(t, course, Options{Roster: roster, Inputs: []string{zipped(t, entries...)}})
			checkWhose(t, course, res, c.files, c.want, c.refused)
		})
	}
}

// checkWhose compares what became of files with what should have.
func checkWhose(t *testing.T, course string, res Intake, files []string, want, refused map[string]string) {
	t.Helper()
	got := map[string]bool{}
	for name, text := range tree(t, filepath.Join(course, "submitted")) {
		if !strings.HasSuffix(name, ".ipynb") {
			continue
		}
		student, _, _ := strings.Cut(name, "/")
		got[student] = true
		i := slices.IndexFunc(files, func(file string) bool { return text == right(file) })
		if i < 0 || !strings.HasPrefix(files[i], want[student]) || want[student] == "" {
			t.Errorf("%s has %s, want that of %q", student, text, want[student])
		}
	}
	for student, place := range want {
		if !got[student] {
			t.Errorf("%s has nothing, want %s; refused: %v", student, place, res.Refused)
		}
	}
	for place, words := range refused {
		if !slices.ContainsFunc(res.Refused, func(r Refusal) bool { return strings.HasPrefix(r.Path, place) && strings.Contains(r.Reason, words) }) {
			t.Errorf("%s is not refused with %q: %v", place, words, res.Refused)
		}
	}
	if len(res.Refused) != len(refused) {
		t.Errorf("refused: %v, want %v", res.Refused, refused)
	}
}

// Without a roster the course knows whom it has collected before. Moodle's numbers are
// others in each assignment, so that the names count; in one assignment they stay.
func TestKnown(t *testing.T) {
	known, err := NewRoster([]Student{
		{ID: "10001", First: "Anna", Last: "Arndt", LMSUserID: "10001", LMSSort: Participant}, // of another assignment
		{ID: "10400", First: "Ben", Last: "Bee", LMSUserID: "10400", LMSSort: Participant},
	})
	if err != nil {
		t.Fatal(err)
	}
	sheet := rosterOf(t, "Identifier,Full name,Email address\nParticipant 10001,Anna Arndt,anna@example.org\n")
	const folder = "_assignsubmission_file/ps1.ipynb"
	files := []string{"Anna Arndt_10345" + folder, "Ben Bee_10400" + folder}
	input := zipped(t, entry{files[0], right(files[0])}, entry{files[1], right(files[1])})
	for anna, roster := range map[string]*Roster{"10001": nil, "anna@example.org": sheet} {
		course := newCourse(t)
		for range 2 {
			res := collect(t, course, Options{Roster: roster, Known: known, Inputs: []string{input}})
			checkWhose(t, course, res, files, map[string]string{anna: "Anna", "10400": "Ben"}, nil)
			if !slices.Equal(res.ByName, []string{anna}) {
				t.Errorf("found by name: %q, want %s", res.ByName, anna)
			}
		}
		// Another of that name, in the same assignment.
		other := "Anna Arndt_10346" + folder
		res := collect(t, course, Options{Roster: roster, Known: known, Inputs: []string{zipped(t, entry{other, right(other)})}})
		checkWhose(t, course, res, files, map[string]string{anna: "Anna", "10400": "Ben"}, map[string]string{"Anna Arndt_10346": "two students of one name"})
	}
}

// Without a roster and a gradebook, the records of attempts tell whose an id is.
func TestRecordsTell(t *testing.T) {
	course := newCourse(t)
	collect(t, course, Options{Inputs: []string{zipped(t, entry{"Anna Arndt_12_assignsubmission_file/ps1.ipynb", right("anna")}, entry{"Ben_13_assignsubmission_file/ps1.ipynb", right("ben")})}})
	write(t, course, map[string]string{"submitted/14/ps1/ps1.ipynb": right("by hand")})
	for file, words := range map[string]string{
		"Team Red_12_assignsubmission_file/ps1.ipynb": "Anna Arndt",
		"beebob_13_900_ps1.ipynb":                     "nothing says",
		"Cy_14_assignsubmission_file/ps1.ipynb":       "nothing says",
		"ps1-12/ps1.ipynb":                            "",
	} {
		res := collect(t, course, Options{Inputs: []string{zipped(t, entry{file, right("another's")})}})
		if words != "" && (len(res.Refused) != 1 || !strings.Contains(res.Refused[0].Reason, words)) {
			t.Errorf("%s: %+v, want %q", file, res.Refused, words)
		}
	}
	for student, text := range map[string]string{"12": "anna", "13": "ben", "14": "by hand"} {
		if got := tree(t, course)["submitted/"+student+"/ps1/ps1.ipynb"]; got != right(text) {
			t.Errorf("%s has %s", student, got)
		}
	}
}

// A team whose members a roster named once goes to them again without it.
func TestTeamAgain(t *testing.T) {
	roster := rosterOf(t, worksheetOf)
	course := newCourse(t)
	const file = "Team Red_12_assignsubmission_file/ps1.ipynb"
	want := map[string]string{"bob@example.org": "Team Red", "cy@example.org": "Team Red"}
	for _, r := range []*Roster{roster, nil} {
		res := collect(t, course, Options{Roster: r, Inputs: []string{zipped(t, entry{file, right(file)})}})
		checkWhose(t, course, res, []string{file}, want, nil)
		if rec := record(t, course, "cy@example.org"); rec.Team != "Team Red" || rec.LMSUserID != "" || len(res.Taken) != 2 || !strings.Contains(strings.Join(rec.Notes, ""), "for bob@example.org too") {
			t.Errorf("%+v", rec)
		}
	}
}
