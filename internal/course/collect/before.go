package collect

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

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

// teamBefore returns the members for whom a team handed in this assignment before: the
// roster may have named them then.
func (c *collector) teamBefore(h *handin) (members []whose) {
	if c.teams == nil {
		c.teams = map[[3]string][]string{}
		for _, id := range c.students() {
			for _, rec := range c.records(id, c.Assignment) {
				if at := [3]string{rec.Source, rec.Team, rec.TeamNumber}; rec.Team != "" && !slices.Contains(c.teams[at], id) {
					c.teams[at] = append(c.teams[at], id)
				}
			}
		}
	}
	for _, id := range c.teams[[3]string{h.source, h.team, h.key}] {
		members = append(members, whose{id: id})
	}
	return members
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
