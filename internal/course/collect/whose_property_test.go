package collect

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"marginalia/internal/testkit/property"
)

// A person of a generated class. The numbers of all sorts come from one small range, so
// that one's number is often another's of another sort.
type person struct {
	id, first, last, team, login       string
	participant, canvas, d2l, teamsKey int
	listed                             bool // in the roster
}

// drawClass draws persons, some of one name, and teams.
func drawClass(t *rapid.T) (class []*person) {
	firsts := []string{"Ada", "José", "Maja", "Sean", "Lukasz", "Kim", "A"}
	lasts := []string{"Lovelace", "Müller", "Mueller", "O'Brien", "Lee", "Núñez", "Red"}
	n := rapid.IntRange(1, 6).Draw(t, "students")
	numbers := func(label string) []int { return rapid.Permutation([]int{1, 2, 3, 4, 5, 6, 7, 8}).Draw(t, label) }
	ids, participants, canvas, d2l, logins, teams := numbers("ids"), numbers("participants"), numbers("canvas"), numbers("d2l"), numbers("logins"), numbers("teams")
	for i := range n {
		k := rapid.IntRange(0, 1).Draw(t, "team")
		class = append(class, &person{
			id: fmt.Sprint(ids[i]), first: rapid.SampledFrom(firsts).Draw(t, "first"), last: rapid.SampledFrom(lasts).Draw(t, "last"),
			team: []string{"Team Red", "Lee"}[k], teamsKey: teams[k], participant: participants[i], canvas: canvas[i], d2l: d2l[i],
			login: fmt.Sprint(logins[i]), listed: rapid.IntRange(0, 4).Draw(t, "listed") > 0,
		})
	}
	return class
}

// written is a name as another system writes it.
func written(t *rapid.T, p *person) string {
	plain := strings.NewReplacer("é", "e", "ü", "ue", "ñ", "n", "'", "", "ú", "u")
	return rapid.SampledFrom([]string{p.first + " " + p.last, p.last + " " + p.first, p.last + ", " + p.first, plain.Replace(p.first + " " + p.last)}).Draw(t, "written")
}

// Whatever the class: each file comes to its owner, or to all of the team, or is refused,
// or becomes that of a new student. It never comes to another who is in the roster.
func TestNeverAnothers(outer *testing.T) {
	property.Check(outer, func(t *rapid.T) {
		class := drawClass(t)
		system := rapid.SampledFrom([]string{"moodle", "teams", "canvas", "d2l", "blackboard"}).Draw(t, "system")
		var roster strings.Builder
		quoted := func(s string) string { return `"` + s + `"` }
		switch list := rapid.SampledFrom([]string{"moodle", "no teams", "canvas", "own"}).Draw(t, "roster"); list {
		case "moodle":
			roster.WriteString("Identifier,Full name,ID number,Group\n")
			for _, p := range class {
				if p.listed {
					fmt.Fprintf(&roster, "Participant %d,%s,%s,%s\n", p.participant, quoted(written(t, p)), p.id, p.team)
				}
			}
		case "no teams":
			roster.WriteString("Identifier,Full name,ID number\n")
			for _, p := range class {
				if p.listed {
					fmt.Fprintf(&roster, "Participant %d,%s,%s\n", p.participant, quoted(written(t, p)), p.id)
				}
			}
		case "canvas":
			roster.WriteString("Student,ID,SIS User ID,SIS Login ID,Section\n")
			for _, p := range class {
				if p.listed {
					p.id = p.login
					fmt.Fprintf(&roster, "%s,%d,,%s,A\n", quoted(p.last+", "+p.first), p.canvas, p.login)
				}
			}
		default:
			roster.WriteString("id,first_name,last_name,moodle,canvas,d2l,login,group\n")
			for _, p := range class {
				if p.listed {
					fmt.Fprintf(&roster, "%s,%s,%s,%d,%d,%d,%s,%s\n", p.id, p.first, quoted(p.last), p.participant, p.canvas, p.d2l, p.login, p.team)
				}
			}
		}
		r, err := ReadRoster(strings.NewReader(roster.String()), time.UTC)
		if err != nil {
			return // nobody is listed
		}
		owners := map[string][]string{} // content of a file to the ids of those whose it is
		listed := map[string]bool{}
		var entries []entry
		for i, p := range class {
			listed[p.id] = listed[p.id] || p.listed
			if rapid.IntRange(0, 3).Draw(t, "handed in") == 0 {
				continue
			}
			name, text := "", right(fmt.Sprintf("of %d", i))
			mine := []string{p.id}
			switch system {
			case "moodle":
				name = fmt.Sprintf("%s_%d_assignsubmission_file/ps1.ipynb", written(t, p), p.participant)
			case "teams":
				name, text, mine = fmt.Sprintf("%s_%d_assignsubmission_file/ps1.ipynb", p.team, p.teamsKey), right("of "+p.team), nil
				for _, q := range class {
					if q.team == p.team {
						mine = append(mine, q.id)
					}
				}
				if slices.ContainsFunc(entries, func(e entry) bool { return e.name == name }) {
					continue
				}
			case "canvas":
				name = fmt.Sprintf("%s_%d_%d_ps1.ipynb", strings.ToLower(strings.NewReplacer("'", "", " ", "").Replace(p.last+p.first)), p.canvas, 1000+i)
			case "d2l":
				name = fmt.Sprintf("%d-77 - %s %s - Nov 21, 2026 1130 AM/ps1.ipynb", p.d2l, p.first, p.last)
			case "blackboard":
				name = fmt.Sprintf("hw_%s_attempt_2026-11-21-10-00-00_ps1.ipynb", p.login)
			}
			entries = append(entries, entry{name, text})
			owners[text] = mine
		}
		if len(entries) == 0 {
			return
		}
		course := newCourse(outer)
		res := collect(outer, course, Options{Roster: r, Inputs: []string{zipped(outer, entries...)}})
		for name, text := range tree(outer, filepath.Join(course, "submitted")) {
			student, _, _ := strings.Cut(name, "/")
			if !strings.HasSuffix(name, ".ipynb") || slices.Contains(owners[text], student) || !listed[student] {
				continue
			}
			who := class[slices.IndexFunc(class, func(p *person) bool { return p.listed && p.id == student })]
			said := slices.ContainsFunc(res.Taken, func(t Taken) bool {
				return t.Student == student && strings.Contains(strings.Join(t.Record.Notes, "\n"), "alone")
			})
			if said || slices.Contains(res.ByName, student) || !numbered(r, system) && slices.ContainsFunc(class, func(p *person) bool { return p != who && same(p.first+p.last, who.first+who.last) }) {
				continue // a namesake whom nothing tells apart, or it is said
			}
			t.Errorf("%s got %s, which is of %q\nthe roster:\n%s", student, text, owners[text], roster.String())
		}
		for _, e := range entries {
			if !slices.ContainsFunc(res.Refused, func(r Refusal) bool { return strings.HasPrefix(e.name, r.Path) }) && !slices.ContainsFunc(res.Taken, func(t Taken) bool { return strings.Contains(strings.Join(t.Record.From, " "), "ps1.ipynb") }) {
				t.Errorf("%s is nowhere", e.name)
			}
		}
	})
}

// numbered reports whether the roster has the numbers by which a system tells students apart.
func numbered(r *Roster, system string) bool {
	sort := map[string]Sort{"moodle": Participant, "canvas": CanvasUser, "d2l": D2LUser, "blackboard": Login}[system]
	return slices.ContainsFunc(r.students, func(s *Student) bool { return s.of(sort) != "" })
}
