package collect

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
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

// isAnothers reports whether a name that may be s's is just that of another student.
func (r *Roster) isAnothers(name string, s *Student) bool {
	other := r.byName(name)
	return other != nil && other != s && !same(name, s.FullName())
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

// settle finds whose each hand-in of an input is. Those that are nobody's for sure are
// refused, so that none goes to another student.
func (c *collector) settle(list []*handin) []*handin {
	apart(list)
	claims := make([]claim, len(list))
	sheet := c.Roster.isSheet(list)
	for i, h := range list {
		claims[i] = c.Roster.claim(h.owner, sheet)
		if len(claims[i].students) == 0 && claims[i].refused == "" {
			claims[i] = c.Known.claim(h.owner, false) // with numbers of several assignments
		}
	}
	type bearer struct {
		source  string
		student *Student
	}
	keys := map[bearer]map[string]bool{}
	for i, h := range list {
		if claims[i].team == "" && h.sort != Unsorted {
			for _, s := range claims[i].students {
				at := bearer{h.source, s}
				if keys[at] == nil {
					keys[at] = map[string]bool{}
				}
				keys[at][fold(h.key)] = true
			}
		}
	}
	var settled []*handin
	for i, h := range list {
		cl := claims[i]
		if cl.byName && len(keys[bearer{h.source, cl.students[0]}]) > 1 {
			cl.refused = fmt.Sprintf("several have the name %s, with different numbers%s", Printable(h.name), remedy)
		}
		if c.assign(h, cl) {
			settled = append(settled, h)
		}
	}
	return settled
}

// isSheet reports whether the roster is of this very assignment: it has the number of a
// participant whose name is beside it.
func (r *Roster) isSheet(list []*handin) bool {
	return r != nil && slices.ContainsFunc(list, func(h *handin) bool {
		if h.sort != Participant || h.name == "" {
			return false
		}
		s := r.by[Key{Participant, fold(h.key)}]
		return s != nil && s.FullName() != "" && Agree(h.name, s.FullName())
	})
}

// apart mends keys and names that tell nobody apart: a number that Brightspace has for
// all, and a name that Moodle has for all with blind marking.
func apart(list []*handin) {
	names, numbers := map[string]map[string]bool{}, map[string]map[string]bool{}
	note := func(m map[string]map[string]bool, of, value string) {
		if m[of] == nil {
			m[of] = map[string]bool{}
		}
		m[of][value] = true
	}
	for _, h := range list {
		if h.sort == D2LUser {
			note(names, h.key, h.name)
		}
		if h.sort == Participant {
			note(numbers, h.name, h.key)
		}
	}
	for _, h := range list {
		if h.sort == D2LUser && len(names[h.key]) > 1 {
			h.sort, h.key = fullName, h.name
		}
		if h.sort == Participant && len(numbers) == 1 && len(numbers[h.name]) > 2 {
			h.name, h.team = "", ""
		}
	}
}

// assign gives a hand-in to its students, or refuses it.
func (c *collector) assign(h *handin, cl claim) bool {
	refuse := func(reason string) bool {
		c.refuse(h.from, file{path: []string{h.place}}, reason)
		return false
	}
	if cl.refused != "" {
		return refuse(cl.refused)
	}
	if len(h.other) > 0 {
		return refuse(fmt.Sprintf("its name can be read as of %s %s and of %s%s", h.sort.words(), Printable(h.key), Printable(strings.Join(h.other, ", ")), remedy))
	}
	if h.team = cl.team; h.team != "" {
		h.sort = teamName
	}
	var to []whose
	for _, s := range cl.students {
		to = append(to, whose{s.ID, s.Submitted})
	}
	if len(to) == 0 {
		id := studentID(h.key)
		if h.sort == Unsorted && c.ids[fold(h.key)] == h.key {
			id = h.key // a folder that is there already, whatever its name
		}
		if reason := c.another(h, id); reason != "" {
			return refuse(reason)
		}
		if _, there := c.ids[fold(id)]; h.sort == Unsorted && !there && h.key != c.Student && !c.looksLikeID(h.key) {
			c.strange = append(c.strange, h.key)
		}
		if c.Roster != nil {
			c.unlisted = append(c.unlisted, id)
		}
		to = []whose{{id: id}}
	} else if cl.byName {
		if reason := c.otherNumber(h, to[0].id); reason != "" {
			return refuse(reason)
		}
		if cl.students[0].of(h.sort) != "" {
			c.byName = append(c.byName, to[0].id)
		}
	}
	for _, w := range to {
		if there, found := c.ids[fold(w.id)]; found && there != w.id {
			return refuse(fmt.Sprintf("%s and %s would be one folder on macOS and Windows: give one of them another id in the roster", Printable(there), Printable(w.id)))
		}
	}
	for _, w := range to {
		c.ids[fold(w.id)], c.handedIn[w.id] = w.id, true
	}
	h.students, h.note = to, cl.note
	return true
}

// another says why the id that a hand-in would get is another student's, "" if nothing
// speaks against it.
func (c *collector) another(h *handin, id string) string {
	key := Key{h.sort, h.key}
	if mine, there := c.mine[id]; there && mine == key {
		return ""
	}
	for _, r := range []*Roster{c.Roster, c.Known} {
		if r == nil || h.sort == Unsorted {
			continue
		}
		if s := r.by[Key{CourseID, fold(id)}]; s != nil {
			return fmt.Sprintf("%s %s is no student's of the roster, whose %s is %s%s", h.sort.words(), Printable(h.key), Printable(s.ID), Printable(cmp.Or(s.FullName(), "another")), remedy)
		}
	}
	if there := c.ids[fold(id)]; there == id && h.sort != Unsorted {
		known := false
		for _, rec := range c.records(id, "*") {
			its := rec.Source == h.source && rec.LMSUserID == h.key
			known = known || its
			if (its || !h.sort.own()) && !Agree(h.name, rec.LMSName) {
				return fmt.Sprintf("%s was collected before, of %s, and here the name is %s%s", Printable(id), Printable(rec.LMSName), Printable(h.name), remedy)
			}
		}
		if h.sort.own() && !known {
			return fmt.Sprintf("the course has a student %s, and nothing says that %s %s is that student's%s", Printable(id), h.sort.words(), Printable(h.key), remedy)
		}
	}
	c.mine[id] = key
	return ""
}

// otherNumber says that a student who was found by name handed in before under another
// number of the same source: in one assignment a student has one.
func (c *collector) otherNumber(h *handin, id string) string {
	for _, rec := range c.records(id, c.Assignment) {
		if rec.Source == h.source && rec.Team == "" && rec.LMSUserID != "" && rec.LMSUserID != h.key && (rec.LMSSort == "" || rec.LMSSort == h.sort) {
			return fmt.Sprintf("%s of %s was %s before, and is %s here: two students of one name?%s", h.sort.words(), Printable(id), Printable(rec.LMSUserID), Printable(h.key), remedy)
		}
	}
	return ""
}

// records returns those of a student's attempts, of one assignment or of all ("*").
func (c *collector) records(id, assignment string) (all []*Record) {
	pattern := path.Join(attemptsDir, globEscape(id), globEscape(assignment), "*", RecordFile)
	if assignment == "*" {
		pattern = path.Join(attemptsDir, globEscape(id), "*", "*", RecordFile)
	}
	names, _ := fs.Glob(c.root.FS(), pattern) // in the order of their names
	for _, name := range names {
		if rec, err := c.record(path.Dir(name)); err == nil {
			all = append(all, rec)
		}
	}
	return all
}
