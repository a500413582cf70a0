package collect

import (
	"fmt"
	"slices"
	"strings"
)

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
	var to []whose
	for _, s := range cl.students {
		to = append(to, whose{s.ID, s.Submitted})
	}
	if len(to) == 0 && h.team != "" {
		if to = c.teamBefore(h); len(to) > 0 {
			cl.team = h.team
		}
	}
	if h.team = cl.team; h.team != "" {
		h.sort = teamName
	}
	switch {
	case len(to) == 0:
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
	case cl.byName:
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
