package collect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"marginalia/internal/course"
)

// A Sort is what kind of number or name a Key is. A number is looked up among those of
// its sort: Moodle's participant 12 is not the student whose university number is 12.
type Sort string

const (
	Unsorted    Sort = ""            // lms_user_id of a roster, which may be of any system
	CourseID    Sort = "id"          // the name of the student's folder
	Login       Sort = "login"       // user name at the university
	Number      Sort = "idnumber"    // the university's number: SIS user id, ID number, OrgDefinedId
	Email       Sort = "email"       //
	Participant Sort = "participant" // Moodle's number of a student in one assignment
	CanvasUser  Sort = "canvas"      // Canvas's own number
	D2LUser     Sort = "d2l"         // Brightspace's own number
	ILIASUser   Sort = "ilias"       // ILIAS's own number
	GitHub      Sort = "github"      // user name at GitHub

	teamName  Sort = "team"      // of a team, never of a student
	fullName  Sort = "name"      // where the system's number tells nobody apart
	anonymous Sort = "anonymous" // Canvas's, of one assignment
)

// A Key is one number or name by which something knows a student.
type Key struct {
	Sort  Sort
	Value string
}

// A Roster is the list of a course's students. It turns what a learning management
// system calls a student into the id that the course uses.
type Roster struct {
	students []*Student
	by       map[Key]*Student    // values folded; nil for what two have
	named    map[string]*Student // nameKeys of full names; nil for a name that two have
	teams    map[string]*team
}

// A Student is one line of a roster.
type Student struct {
	ID, First, Last, Name, Email string
	LMSUserID                    string // by which the marks go back: nbgrader's lms_user_id, Canvas's ID, Moodle's ID number
	LMSSort                      Sort   // of LMSUserID
	Keys                         []Key  // other numbers and logins
	Teams                        []string
	Submitted                    time.Time // when the student handed in, of Moodle's worksheet; zero if it does not say
}

// FullName returns the name, first name first where both are known.
func (s *Student) FullName() string {
	return cmp.Or(s.Name, strings.TrimSpace(s.First+" "+s.Last))
}

// NewRoster returns the roster of students, as a gradebook has them.
func NewRoster(students []Student) (*Roster, error) {
	r := &Roster{by: map[Key]*Student{}, named: map[string]*Student{}, teams: map[string]*team{}}
	for _, s := range students {
		if err := r.add(&s); err != nil {
			return nil, fmt.Errorf("collect: the roster: %w", err)
		}
	}
	return r, nil
}

// Students returns the students of the roster in its order.
func (r *Roster) Students() (all []Student) {
	for _, s := range r.students {
		all = append(all, *s)
	}
	return all
}

func (r *Roster) add(s *Student) error {
	if err := course.CheckStudent(s.ID); err != nil {
		return err
	}
	if other, there := r.by[Key{CourseID, fold(s.ID)}]; there {
		return fmt.Errorf("%s and %s are the same id, or differ in capitals alone", Printable(other.ID), Printable(s.ID))
	}
	r.students = append(r.students, s)
	for _, key := range append(slices.Clone(s.Keys), Key{s.LMSSort, s.LMSUserID}, Key{CourseID, s.ID}, Key{Email, s.Email}) {
		if key.Value == "" {
			continue
		}
		key.Value = fold(key.Value)
		if other, there := r.by[key]; there && other != s {
			r.by[key] = nil
		} else {
			r.by[key] = s
		}
	}
	for _, name := range []string{s.Name, s.First + " " + s.Last} {
		for _, key := range nameKeys(name) {
			if other, there := r.named[key]; there && other != s {
				r.named[key] = nil
			} else {
				r.named[key] = s
			}
		}
	}
	for _, name := range s.Teams {
		r.addTeam(name, s)
	}
	return nil
}

// A team is one that the roster names; nil for a key that two have.
type team struct {
	name    string
	members []*Student
}

// teamKeys returns the keys of a team's name: as Moodle has it in the name of a file,
// with a space for each underscore and without what no file may be called, and its
// letters and digits alone, as Canvas has it.
func teamKeys(name string) [2]string {
	name = fold(name)
	file := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r == '_':
			return ' '
		case strings.ContainsRune("&<>\"`|':\\/", r) || unicode.IsControl(r):
			return -1
		}
		return r
	}, name)), " ")
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, name)
	return [2]string{file, "/" + letters}
}

func (r *Roster) addTeam(name string, s *Student) {
	for _, key := range teamKeys(name) {
		t, there := r.teams[key]
		switch {
		case !there:
			r.teams[key] = &team{name, []*Student{s}}
		case t != nil && t.name != name:
			r.teams[key] = nil
		case t != nil && !slices.Contains(t.members, s):
			t.members = append(t.members, s)
		}
	}
}

// team returns the members of a team, none if the roster has no such team.
func (r *Roster) team(name string) []*Student {
	for _, key := range teamKeys(name) {
		if r != nil && key != "" && key != "/" && r.teams[key] != nil {
			return r.teams[key].members
		}
	}
	return nil
}

// of returns a number of a student by its sort, "" if the roster has none.
func (s *Student) of(sort Sort) string {
	if s.LMSSort == sort && s.LMSUserID != "" {
		return s.LMSUserID
	}
	for _, key := range s.Keys {
		if key.Sort == sort && key.Value != "" {
			return key.Value
		}
	}
	return ""
}

// find returns the student whom a name or number of unknown sort means, as that of a
// folder, nil if the roster has none. An id of the course wins, then comes what one student
// alone has, an e-mail address, a name that one student alone bears.
func (r *Roster) find(o owner) *Student {
	if r == nil {
		return nil
	}
	if key := fold(o.key); key != "" {
		if s := r.by[Key{CourseID, key}]; s != nil {
			return s
		}
		var found *Student
		several := false
		for _, sort := range []Sort{Unsorted, Login, Number, Email, Participant, CanvasUser, D2LUser, ILIASUser, GitHub} {
			s, there := r.by[Key{sort, key}]
			several = several || there && (s == nil || found != nil && found != s)
			found = cmp.Or(found, s)
		}
		if several {
			return nil // one's number in one system may be another's in another
		}
		if found != nil {
			return found
		}
	}
	if s := r.by[Key{Email, fold(o.email)}]; s != nil && o.email != "" {
		return s
	}
	return r.byName(o.name)
}

// byName returns the one student who bears a name, nil if none does or several do.
func (r *Roster) byName(name string) *Student {
	var found *Student
	for _, key := range nameKeys(name) {
		s, there := r.named[key]
		if there && (s == nil || found != nil && found != s) {
			return nil
		}
		found = cmp.Or(found, s)
	}
	return found
}
