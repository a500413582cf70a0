package collect

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The names of more systems. The forms are cited in systems.go.
func TestSystems(t *testing.T) {
	for name, c := range map[string]struct {
		roster string
		files  []string
		want   map[string][]string // student to the files of the submission
		names  map[string]string   // what the system calls them
	}{
		"Brightspace, folders, two attempts": {
			"",
			[]string{
				"ps1 Download Nov 23, 2026 900 AM/index.html",
				"ps1 Download Nov 23, 2026 900 AM/123456-789012 - Ada Lovelace - Nov 21, 2026 1130 AM/ps1.ipynb",
				"ps1 Download Nov 23, 2026 900 AM/123456-789012 - Ada Lovelace - Nov 22, 2026 926 PM/ps1.ipynb",
				"ps1 Download Nov 23, 2026 900 AM/123457-789012 - Mary-Ann Smith - Nov 22, 2026 1200 AM/x.csv",
			},
			map[string][]string{"123456": {"Nov 22, 2026 926 PM/ps1.ipynb", "2026-11-22 21:26:00"}, "123457": {"x.csv", "2026-11-22 00:00:00"}},
			map[string]string{"123456": "Ada Lovelace", "123457": "Mary-Ann Smith"},
		},
		"Brightspace, files, one number for all": {
			"",
			[]string{"397063-2557369 - Ada Lovelace - Nov 21, 2026 926 PM - ps1.ipynb", "397063-2557369 - Bob Bee - 21 November 2026 926 PM - ps1.ipynb"},
			map[string][]string{"Ada Lovelace": {"Ada Lovelace - Nov 21, 2026 926 PM - ps1.ipynb", "2026-11-21 21:26:00"}, "Bob Bee": {"Bob Bee - 21 November", "2026-11-21 21:26:00"}},
			nil,
		},
		"Brightspace, with a roster": {
			"OrgDefinedId,Username,Last Name,First Name\n#42,#ada,Lovelace,Ada\n#43,#bob,Bee,Bob\n",
			[]string{"1-9 - Ada Lovelace - Nov 21, 2026 926 PM/ps1.ipynb", "2-9 - Bob Bee - Nov 21, 2026 926 PM/ps1.ipynb"},
			map[string][]string{"ada": {"1-9", "2026"}, "bob": {"2-9", "2026"}}, nil,
		},
		"ILIAS": {
			"",
			[]string{"Abgaben/Lovelace_Ada_ada_1234/ps1.ipynb", "Abgaben/von Neumann_John_jvn_x_1235/ps1.ipynb", "Abgaben/status.xlsx"},
			map[string][]string{"ada": {"Lovelace_Ada_ada_1234"}, "jvn_x": {"von Neumann"}},
			map[string]string{"ada": "Ada Lovelace", "jvn_x": "John von Neumann"},
		},
		"ILIAS, teams": {
			"",
			[]string{"Abgaben/Team 7/Lovelace_Ada_ada_1234/ps1.ipynb", "Abgaben/Team 8/Bee_Bob_bob_1235/ps1.ipynb"},
			map[string][]string{"ada": {"Team 7"}, "bob": {"Team 8"}}, nil,
		},
		"ILIAS, one student of the roster": {
			"id,name,login\na1,Ada Lovelace,ada\n",
			[]string{"Lovelace_Ada_ada_1234/ps1.ipynb"},
			map[string][]string{"a1": {"Lovelace"}}, nil,
		},
		"OpenOLAT, with a revision": {
			"",
			[]string{
				"ps1_task/Lovelace_Ada_ada/4_revisions_1/ps1.ipynb", "ps1_task/Lovelace_Ada_ada/2_submissions/ps1.ipynb", "ps1_task/Lovelace_Ada_ada/1_task/ps1.ipynb",
				"ps1_task/Lovelace_Ada_ada/3_corrections/ps1.ipynb", "ps1_task/Bee_Bob_bob/2_submissions/ps1.ipynb",
			},
			map[string][]string{"ada": {"4_revisions_1"}, "bob": {"2_submissions"}},
			map[string]string{"ada": "Ada Lovelace"},
		},
		"OpenOLAT, groups": {
			"id,name,group\nada,Ada Lovelace,Team Red\nbob,Bob Bee,Team Red\ncy,Cy Noor,Blue\n",
			[]string{"Team Red_98765/2_submissions/ps1.ipynb", "Blue_98766/2_submissions/ps1.ipynb"},
			map[string][]string{"ada": {"Team Red"}, "bob": {"Team Red"}, "cy": {"Blue"}}, nil,
		},
		"Sakai": {
			"",
			[]string{
				"ps1/grades.csv", "ps1/Lovelace, Ada(ada)/Submission attachment(s)/ps1.ipynb", "ps1/Lovelace, Ada(ada)/timestamp.txt",
				"ps1/Lovelace, Ada(ada)/Feedback Attachment(s)/ps1.ipynb", "ps1/Bee, Bob(bob)/Submission attachment(s)/ps1.ipynb", "ps1/Bee, Bob(bob)/comments.txt",
			},
			map[string][]string{"ada": {"Lovelace, Ada(ada)/Submission", "2026-11-21 10:00:00.123"}, "bob": {"Bee, Bob"}},
			map[string]string{"ada": "Lovelace, Ada"},
		},
		"Sakai, files": {
			"",
			[]string{"Lovelace, Ada(ada)_Submission attachment(s)_ps1.ipynb", "Bee, Bob(bob)_Submission attachment(s)_ps1.ipynb"},
			map[string][]string{"ada": {"Lovelace"}, "bob": {"Bee"}}, nil,
		},
		"GitHub Classroom": {
			"",
			[]string{"ps1-submissions/ps1-countess/ps1.ipynb", "ps1-submissions/ps1-countess/.git/config", "ps1-submissions/ps1-bob-bee/ps1.ipynb"},
			map[string][]string{"countess": {"ps1-countess"}, "bob-bee": {"ps1-bob-bee"}}, nil,
		},
		"GitHub Classroom, with its roster": {
			"\"identifier\",\"github_username\",\"github_id\",\"name\"\n\"ada@example.org\",\"countess\",\"1\",\"Ada Lovelace\"\n",
			[]string{"ps1-countess/ps1.ipynb"},
			map[string][]string{"ada@example.org": {"ps1-countess"}}, nil,
		},
		"a student's own folders": {
			"",
			[]string{"hand-ins/ada/ps1-work/ps1.ipynb", "hand-ins/bob/ps1-work/ps1.ipynb", "hand-ins/cy/My_First_try_2/ps1.ipynb"},
			map[string][]string{"ada": {"hand-ins/ada"}, "bob": {"hand-ins/bob"}, "cy": {"hand-ins/cy"}}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			roster := rosterOf(t, c.roster)
			var entries []entry
			for _, file := range c.files {
				text := right(file)
				if filepath.Base(file) == "timestamp.txt" {
					text = "20261121100000123"
				}
				entries = append(entries, entry{file, text})
			}
			course := newCourse(t)
			res := collect(t, course, Options{Roster: roster, Inputs: []string{zipped(t, entries...)}})
			if len(res.Refused)+len(res.Strange) > 0 {
				t.Errorf("refused %v, strange %q", res.Refused, res.Strange)
			}
			got := tree(t, filepath.Join(course, "submitted"))
			maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasSuffix(name, RecordFile) })
			for name, text := range got {
				student, _, _ := strings.Cut(name, "/")
				if !slices.ContainsFunc(c.want[student], func(part string) bool { return strings.Contains(text, part) }) {
					t.Errorf("%s is %s, want %q", name, text, c.want[student])
				}
			}
			n := 0
			for student, parts := range c.want {
				n += len(parts)
				if name := record(t, course, student).LMSName; c.names[student] != "" && name != c.names[student] {
					t.Errorf("%s is called %q, want %q", student, name, c.names[student])
				}
			}
			if len(got) != n {
				t.Errorf("submitted/ has %q, want %d files", slices.Sorted(maps.Keys(got)), n)
			}
			if again := collect(t, course, Options{Roster: roster, Inputs: []string{zipped(t, entries...)}, Now: func() time.Time { return noon.Add(time.Hour) }}); len(again.Refused) > 0 || slices.ContainsFunc(again.Taken, func(t Taken) bool { return t.New > 0 }) {
				t.Errorf("the same files again: %+v", again)
			}
		})
	}
}

// Folders that no known system names are taken for ids, and those that look like none are said.
func TestStrange(t *testing.T) {
	for name, strange := range map[string]bool{
		"ada": false, "1234567": false, "ada@example.org": false, "ada_l-2": false, "k12345678": false, "müller": false,
		"2_submissions": true, "Ada Lovelace": true, "Lovelace_Ada_ada_1234": true, "ps1-countess": true, "1 - Ada": true, "Lovelace, Ada": true, "__x": true, "Team 12": true,
	} {
		course := newCourse(t)
		res := collect(t, course, Options{Inputs: []string{zipped(t, entry{name + "/ps1.ipynb", right("")})}})
		if got := slices.Contains(res.Strange, name); got != strange || len(res.Taken) != 1 {
			t.Errorf("%s: strange %q, taken %d", name, res.Strange, len(res.Taken))
		}
		if again := collect(t, course, Options{Inputs: []string{zipped(t, entry{name + "/ps1.ipynb", right("")})}}); len(again.Strange) > 0 {
			t.Errorf("%s is said again, though the course has it: %q", name, again.Strange)
		}
	}
}
