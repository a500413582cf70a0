package collect

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"marginalia/internal/course"
	"marginalia/internal/course/moment"
)

// A Roster is the list of a course's students. It turns what a learning management
// system calls a student into the id that the course uses.
type Roster struct {
	students []*Student
	by       map[string]*Student // any of a student's ids or addresses, folded; nil for what two have
	named    map[string]*Student // full names, folded; nil for a name that two have
}

// A Student is one line of a roster.
type Student struct {
	ID, First, Last, Name, Email string
	LMSUserID                    string    // by which the marks go back: nbgrader's lms_user_id, Canvas's ID, Moodle's ID number
	LMS                          []string  // other numbers and logins of learning management systems
	Submitted                    time.Time // when the student handed in, of Moodle's worksheet; zero if it does not say
}

// NewRoster returns the roster of students, as a gradebook has them.
func NewRoster(students []Student) (*Roster, error) {
	r := &Roster{by: map[string]*Student{}, named: map[string]*Student{}}
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

// columns are the headers that rosters have, in small letters, and what they mean:
// those of nbgrader's students file, of Moodle's offline grading worksheet, of the
// gradebooks that Canvas and Blackboard export. The first one found of a kind counts.
var columns = map[string][]string{
	"id":        {"student_id", "sis login id", "id number", "username", "login", "login id", "sis user id", "id", "email address", "email", "identifier"},
	"back":      {"lms_user_id", "canvas_id", "id number"},
	"lms":       {"moodle", "canvas", "blackboard", "identifier", "username", "login", "login id", "sis login id", "student id", "sis user id", "sid", "moodle_id"},
	"first":     {"first_name", "first name", "given name"},
	"last":      {"last_name", "last name", "surname", "family name"},
	"name":      {"full name", "name", "student"},
	"email":     {"email", "email address", "e-mail"},
	"submitted": {"last modified (submission)"},
}

// ReadRoster reads a roster: CSV with a line of headers, separated by commas,
// semicolons or tabs. Besides nbgrader's own id,first_name,last_name,email,lms_user_id
// it knows Moodle's offline grading worksheet and the gradebooks that Canvas and
// Blackboard export. Times in it are in zone.
func ReadRoster(r io.Reader, zone *time.Location) (*Roster, error) {
	const limit = 64 << 20 // a million lines
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, fmt.Errorf("collect: the roster: %w", err)
	}
	if len(text) > limit {
		return nil, fmt.Errorf("collect: the roster has more than %s", bytesOf(limit))
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // Excel's
	head, _, _ := bytes.Cut(text, []byte("\n"))
	in := csv.NewReader(bytes.NewReader(text))
	in.FieldsPerRecord = -1
	for _, comma := range ";\t" {
		if bytes.ContainsRune(head, comma) && !bytes.ContainsRune(head, ',') {
			in.Comma = comma
		}
	}
	lines, err := in.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("collect: the roster: %w", err)
	}
	if len(lines) == 0 {
		return nil, errors.New("collect: the roster is empty, want a line of headers and a line for each student")
	}
	at := map[string]int{} // header to its column
	for i, header := range lines[0] {
		at[strings.ToLower(strings.TrimSpace(header))] = i
	}
	var students []Student
	for _, line := range lines[1:] {
		get := func(kind string) (all []string) {
			for _, header := range columns[kind] {
				if i, there := at[header]; there && i < len(line) {
					if s := strings.TrimSpace(line[i]); s != "" {
						all = append(all, s)
					}
				}
			}
			return append(all, "")
		}
		s := Student{ID: get("id")[0], First: get("first")[0], Last: get("last")[0], Name: get("name")[0], Email: get("email")[0], LMSUserID: get("back")[0], LMS: get("lms")}
		if text := get("submitted")[0]; strings.Trim(text, "-–") != "" { // Moodle's sign for none
			if s.Submitted, err = moment.Parse(text, zone, zone); err != nil {
				return nil, fmt.Errorf("collect: the roster: when %s handed in: %w; or leave the column out", Printable(s.ID), err)
			}
		}
		if _, canvas := at["sis login id"]; canvas {
			if i := at["id"]; i < len(line) {
				s.LMSUserID = strings.TrimSpace(line[i]) // Canvas's own number
			}
		}
		switch {
		case s.ID == "" && s.Name == "" && s.Last == "":
			continue // an empty line, or Canvas's line of points
		case s.ID == "" || strings.HasPrefix(s.Name, "Points Possible"):
			continue
		}
		s.ID = strings.TrimPrefix(s.ID, "Participant ")
		students = append(students, s)
	}
	if len(students) == 0 {
		return nil, fmt.Errorf("collect: the roster names no student: its headers are %q, want id, or those of a gradebook of Moodle, Canvas or Blackboard", lines[0])
	}
	return NewRoster(students)
}

func (r *Roster) add(s *Student) error {
	if err := course.CheckStudent(s.ID); err != nil {
		return err
	}
	for _, other := range r.students {
		if fold(other.ID) == fold(s.ID) {
			return fmt.Errorf("%s and %s are the same id, or differ in capitals alone", Printable(other.ID), Printable(s.ID))
		}
	}
	r.students = append(r.students, s)
	for _, key := range append(s.LMS, s.LMSUserID, s.ID, s.Email) {
		key = strings.TrimPrefix(fold(key), "participant ")
		if other, there := r.by[key]; there && other != s {
			r.by[key] = nil // one's number in one system may be another's in another
		} else {
			r.by[key] = s
		}
	}
	for _, name := range []string{s.Name, s.First + " " + s.Last, s.Last + " " + s.First} {
		key := nameKey(name)
		if key == "" {
			continue
		}
		if other, there := r.named[key]; there && other != s {
			s = nil
		}
		r.named[key] = s
		if s == nil {
			break
		}
	}
	return nil
}

// find returns the student whom the source means, nil if the roster has none. A name
// alone is enough if one student bears it.
func (r *Roster) find(o owner) *Student {
	if r == nil {
		return nil
	}
	for _, key := range []string{o.key, o.email} {
		if s := r.by[fold(key)]; s != nil && key != "" {
			return s
		}
	}
	return r.named[nameKey(o.name)]
}

// nameKey returns the letters of a name, in small ones without marks: Moodle leaves
// out what a file system may not like, Canvas everything but letters.
func nameKey(name string) string {
	var key strings.Builder
	for _, r := range norm.NFKD.String(fold(name)) {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r > 0x36f {
			key.WriteRune(r)
		}
	}
	return key.String()
}
