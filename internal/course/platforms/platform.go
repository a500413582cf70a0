package platforms

import (
	"encoding/csv"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/course/gradebook"
)

// A Handin says by what a platform told a student apart who handed in there.
type Handin struct{ Platform, Number, Name string }

// named returns a student for the files of platforms: without an id or LMS id that is only a
// number of a platform, in whose column it would name nobody, or somebody else. own are the
// platform's own number of the student, if it has one.
func (m Marks) named(st gradebook.Student, platform string) (known gradebook.Student, own string) {
	known = st
	if st.LMSNumber != "" && st.ID == st.LMSNumber {
		known.ID = "" // a number of the platform's, for want of another id
	}
	for _, h := range m.Handins[st.ID] {
		if h.Platform != "moodle" && h.Platform != "canvas" {
			continue
		}
		if h.Platform == platform {
			own = h.Number
		}
		if h.Number == st.ID {
			known.ID = ""
		}
		if h.Number == st.LMS {
			known.LMS = ""
		}
	}
	return known, own
}

// shown is a student for a note: the id, and the name if there is one.
func (m Marks) shown(st gradebook.Student) string {
	name := strings.TrimSpace(st.FirstName + " " + st.LastName)
	for _, h := range m.Handins[st.ID] {
		if name == "" {
			name = h.Name
		}
	}
	if name == "" || name == st.ID {
		return fmt.Sprintf("%q", st.ID)
	}
	return fmt.Sprintf("%q (%q)", st.ID, name)
}

// unknown stands for what is not known of a student. Moodle's import gives the marks of a line
// whose user field is empty to the student of the line above it (grade/import/csv, class
// gradeimport_csv_load_data, keeps the user), and ends with an error at one that no user has.
const unknown = "(unknown)"

// Moodle writes a file for Moodle's grade import (Grades, Import, CSV file; docs.moodle.org,
// "Grade import"). Map one of the first columns to the user, and each assignment to its grade
// item. A student without a submission has no grade. Grades beyond the maximum need Moodle's
// setting unlimitedgrades. The notes say whom it leaves out, since nothing is known by which
// Moodle finds them, and whom a column does not name.
func Moodle(w io.Writer, m Marks) (notes []string, err error) {
	t := table{csv.NewWriter(w)}
	header := []any{"Username", "ID number", "First name", "Last name", "Email address"}
	for _, a := range m.Assignments {
		header = append(header, "Assignment: "+a.Name+" (Real)")
	}
	t.row(header...)
	columns := []string{"Username", "ID number", "Email address"}
	lacks := map[string][]string{}
	var left []string
	for _, st := range m.Students {
		known, _ := m.named(st, "moodle")
		by := []string{known.ID, known.LMS, known.Email}
		if known.ID+known.LMS+known.Email == "" {
			left = append(left, m.shown(st))
			continue
		}
		for i, column := range columns {
			if by[i] == "" {
				by[i] = unknown
				lacks[column] = append(lacks[column], m.shown(st))
			}
		}
		t.row(append([]any{by[0], by[1], st.FirstName, st.LastName, by[2]}, finals(m, st)...)...)
	}
	if len(left) > 0 {
		notes = append(notes, "left out, since neither user name nor ID number nor e-mail address is known: "+strings.Join(left, ", ")+": collect with a roster that has one of them")
	}
	complete := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return len(lacks[c]) > 0 })
	for _, column := range columns {
		if len(complete) == 0 {
			notes = append(notes, fmt.Sprintf("%s is not known of %s: no column names all; complete the roster, and collect with it", column, strings.Join(lacks[column], ", ")))
		}
	}
	if len(complete) > 0 && len(complete) < len(columns) {
		notes = append(notes, "map "+strings.Join(complete, " or ")+" to the user: the other columns do not name all students")
	}
	return notes, t.flush()
}

// Canvas writes a file for Canvas's gradebook (Grades, Import). Canvas finds a student by its
// own id, which the gradebook keeps as lms_user_id, else by the login, then by the name; and
// an assignment by its name. A student without a submission keeps the grade that is there. The
// notes say whom it leaves out, and whom Canvas has to find by name.
func Canvas(w io.Writer, m Marks) (notes []string, err error) {
	t := table{csv.NewWriter(w)}
	header := []any{"Student", "ID", "SIS User ID", "SIS Login ID", "Section"}
	points := []any{"    Points Possible", "", "", "", ""}
	for _, a := range m.Assignments {
		if own := computed.FindString(a.Name); own != "" {
			return nil, fmt.Errorf("platforms: assignment %q: Canvas skips columns with %q in their name", a.Name, own)
		}
		header, points = append(header, a.Name), append(points, rounded(a.Max().Total))
	}
	t.row(header...)
	t.row(points...)
	var left, byName []string
	for _, st := range m.Students {
		known, own := m.named(st, "canvas")
		id, sis := known.LMS, ""
		if st.LMSSort == gradebook.IDNumber || strings.Trim(id, "0123456789") != "" { // it would be read as another's, or as 0
			id, sis = "", id
		}
		if id == "" && strings.Trim(own, "0123456789") == "" {
			id = own
		}
		if id+sis+known.ID == "" {
			if st.FirstName+st.LastName == "" {
				left = append(left, m.shown(st))
				continue
			}
			byName = append(byName, m.shown(st))
		}
		t.row(append([]any{full(st), id, sis, known.ID, ""}, finals(m, st)...)...)
	}
	if len(left) > 0 {
		notes = append(notes, "left out, since neither Canvas's number nor login nor name is known: "+strings.Join(left, ", ")+": collect with a roster that has one of them")
	}
	if len(byName) > 0 {
		notes = append(notes, "Canvas has to find these by their names: "+strings.Join(byName, ", "))
	}
	return notes, t.flush()
}

// computed are the columns that Canvas writes itself, and does not read.
var computed = regexp.MustCompile(`(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)`)
