package collect

import (
	"cmp"
	"fmt"
	"slices"
)

// lookups are the sorts among which a key of a source is looked up, the surest first.
var lookups = map[Sort][]Sort{
	CourseID:    {CourseID, Login},
	Login:       {Login, CourseID, Unsorted},
	Number:      {Number, CourseID, Login, Unsorted},
	Email:       {Email, CourseID},
	Participant: {Participant, Unsorted, CourseID},
	CanvasUser:  {CanvasUser, Unsorted, CourseID},
	D2LUser:     {D2LUser, Unsorted, CourseID},
	GitHub:      {GitHub, Unsorted},
}

// own reports whether a sort of number is a system's own: it says nothing among the ids
// of a course, unless a name agrees.
func (sort Sort) own() bool {
	return slices.Contains([]Sort{Participant, CanvasUser, D2LUser, ILIASUser, GitHub, anonymous}, sort)
}

// words are what a message calls a number.
func (sort Sort) words() string {
	return map[Sort]string{
		Participant: "Moodle's participant number", CanvasUser: "Canvas's number", D2LUser: "Brightspace's number",
		ILIASUser: "ILIAS's number", GitHub: "the name at GitHub", Number: "the number", Login: "the login",
		CourseID: "the id", Email: "the address",
	}[sort]
}

// A claim is whose a hand-in is, by the roster.
type claim struct {
	students []*Student // one, or the members of a team; none if the roster has no such student
	team     string     // whose members they are
	byName   bool       // no number says so, the name alone does
	refused  string     // why it is nobody's
	note     string     // what the assistant should look at
}

const remedy = "; name whose it is with --student, or mend the roster"

// claim finds whose a hand-in is. A number counts among those of its sort, where the name
// beside it agrees. Then comes the name of a team, then a name that one student bears. sheet
// says that the roster has the participant numbers of this very assignment.
func (r *Roster) claim(o owner, sheet bool) claim {
	if r == nil {
		return claim{}
	}
	if o.sort == Unsorted {
		if s := r.find(o); s != nil {
			return claim{students: []*Student{s}}
		}
		return claim{}
	}
	s, against := r.byNumber(o)
	if s != nil {
		cl := claim{students: []*Student{s}}
		if o.name == "" || s.FullName() == "" || same(o.name, s.FullName()) {
			return cl
		}
		little := len(nameWords(o.name)) == 1 // what a team may be called as well
		switch {
		case len(r.team(o.team)) > 0: // it is the team's number
		case little && len(s.Teams) > 0:
			against = s
		case little:
			cl.note = fmt.Sprintf("%s %s is %s in the roster; the name here is %s alone", o.sort.words(), Printable(o.key), Printable(s.FullName()), Printable(o.name))
			return cl
		default:
			return cl
		}
	}
	if members := r.team(o.team); len(members) > 0 {
		return claim{students: members, team: o.team}
	}
	if against != nil {
		words := ""
		if o.team != "" {
			words = ": this may be the number of a team, whose members a column Group of the roster names"
		}
		return claim{refused: fmt.Sprintf("%s %s is that of %s, and the name here is %s%s%s",
			o.sort.words(), o.key, Printable(cmp.Or(against.FullName(), against.ID)), Printable(o.name), words, remedy)}
	}
	if o.sort == teamName {
		return claim{refused: fmt.Sprintf("the roster names no member of the team %s: its column Group tells%s", Printable(o.team), remedy)}
	}
	s = r.byName(o.name)
	if s == nil {
		return claim{}
	}
	if has := s.of(o.sort); has != "" && fold(has) != fold(o.key) && (o.sort != Participant || sheet) {
		return claim{refused: fmt.Sprintf("%s of %s is %s in the roster, and %s here: two students of one name?%s",
			o.sort.words(), Printable(o.name), Printable(has), Printable(o.key), remedy)}
	}
	return claim{students: []*Student{s}, byName: true}
}

// byNumber returns the student with the owner's number or address, or else one who has
// that number and another name.
func (r *Roster) byNumber(o owner) (found, against *Student) {
	for _, sort := range lookups[o.sort] {
		s := r.by[Key{sort, fold(o.key)}]
		if s == nil {
			continue
		}
		named := o.name != "" && s.FullName() != ""
		has := s.of(o.sort)
		switch {
		case sort != o.sort && has != "" && fold(has) != fold(o.key): // has another number of this sort
		case sort == CourseID && !named && (o.sort.own() || o.sort == Login && s.of(Number) == s.ID): // may be of another sort
		case sort == Unsorted && !named && !o.sort.own():
		case named && sort != o.sort && len(nameWords(o.name)) == 1 && !same(o.name, s.FullName()): // one word is little
		case Agree(o.name, s.FullName()) && !r.isAnothers(o.name, s):
			return s, nil
		case sort == o.sort:
			against = s
		}
	}
	if s := r.by[Key{Email, fold(o.email)}]; s != nil && o.email != "" && Agree(o.name, s.FullName()) && !r.isAnothers(o.name, s) {
		return s, nil
	}
	return nil, against
}

// isAnothers reports whether a name that may be s's is just that of another student, or of several.
func (r *Roster) isAnothers(name string, s *Student) bool {
	if same(name, s.FullName()) {
		return false
	}
	return slices.ContainsFunc(nameKeys(name), func(key string) bool {
		other, there := r.named[key]
		return there && other != s
	})
}

// find is that of the roster, or else of the students whom the course knows.
func (c *collector) find(o owner) *Student {
	return cmp.Or(c.Roster.find(o), c.Known.find(o))
}

// knows reports whether the roster or the course has the owner's number.
func (c *collector) knows(o owner) bool {
	for _, r := range []*Roster{c.Roster, c.Known} {
		if r != nil {
			if s, _ := r.byNumber(o); s != nil {
				return true
			}
		}
	}
	return false
}
