package collect

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"marginalia/internal/course"
	"marginalia/internal/course/moment"
)

// rosterHeaders are those that rosters have, in small letters, and what they mean: those of
// nbgrader's students file, of the gradebooks that Canvas, Blackboard, Brightspace and
// Sakai export, of GitHub Classroom's roster, of Moodle's lists in the languages of many
// universities. The first one found of a kind counts.
var rosterHeaders = map[string][]string{
	"id": {"student_id", "sis login id", "login_id", "id number", "id-nummer", "username", "login", "login id", "anmeldename", "benutzername", "matrikelnummer",
		"orgdefinedid", "sis user id", "id", "display id", "email address", "email", "identifier"},
	"first": {"first_name", "first name", "firstname", "given name", "vorname", "prénom", "nombre", "nome", "voornaam"},
	"last":  {"last_name", "last name", "lastname", "surname", "family name", "nachname", "familienname", "nom", "nom de famille", "apellido(s)", "apellidos", "cognome", "sobrenome", "achternaam"},
	"name":  {"full name", "name", "student", "vollständiger name", "nom complet", "nombre completo", "nome completo", "volledige naam"},
	"email": {"email", "email address", "e-mail", "e-mail-adresse", "adresse de courriel", "dirección de correo"},
	"team": {"group", "team", "group name", "group_name", "gruppe", "groupe", "grupo", "gruppo", "groep", "grupp", "grupa", "csoport", "ryhmä", "skupina", "группа", "група", "grup",
		"équipe", "equipo", "グループ", "그룹", "小组", "群組"},
	"submitted": {"last modified (submission)"},
}

// sorted are the headers of numbers and logins with their sorts.
var sorted = []struct {
	sort    Sort
	headers []string
}{
	{Participant, []string{"moodle", "moodle_id"}},
	{CanvasUser, []string{"canvas", "canvas_id", "canvas_user_id"}},
	{Login, []string{"blackboard", "username", "login", "login id", "login_id", "sis login id", "anmeldename", "benutzername"}},
	{Number, []string{"student id", "sis user id", "sid", "id number", "id-nummer", "orgdefinedid", "matrikelnummer"}},
	{D2LUser, []string{"d2l", "d2l_id"}},
	{ILIASUser, []string{"ilias", "ilias_id", "usr_id"}},
	{GitHub, []string{"github", "github_username"}},
}

// A sheet is a roster as a table.
type sheet struct {
	lines  [][]string     // without that of headers
	header []string       // in small letters
	at     map[string]int // header to its column
	known  int            // headers that mean something
}

func (t *sheet) cell(line []string, i int) string {
	if i < 0 || i >= len(line) {
		return ""
	}
	// Brightspace writes # before what a spreadsheet would take for a number.
	cell := strings.TrimSpace(line[i])
	if t.header[i] == "orgdefinedid" || t.header[i] == "username" {
		cell = strings.TrimPrefix(cell, "#")
	}
	return cell
}

// get returns the first cell of the named columns that has something in it.
func (t *sheet) get(line []string, headers []string) string {
	for _, header := range headers {
		if i, there := t.at[header]; there {
			if cell := t.cell(line, i); cell != "" {
				return cell
			}
		}
	}
	return ""
}

// ReadRoster reads a roster: CSV with a line of headers, separated by commas,
// semicolons or tabs. Besides nbgrader's own id,first_name,last_name,email,lms_user_id
// it knows Moodle's offline grading worksheet, in any language, the gradebooks that
// Canvas, Blackboard, Brightspace and Sakai export, and GitHub Classroom's roster. Times in
// it are in zone.
func ReadRoster(r io.Reader, zone *time.Location) (*Roster, error) {
	const limit = 64 << 20 // a million lines
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, fmt.Errorf("collect: the roster: %w", err)
	}
	if len(text) > limit {
		return nil, fmt.Errorf("collect: the roster has more than %s", bytesOf(limit))
	}
	t, err := readSheet(plainText(text))
	if err != nil {
		return nil, fmt.Errorf("collect: the roster: %w", err)
	}
	var students []Student
	if columns := t.moodle(); columns != nil {
		students, err = t.participants(columns, zone)
	} else {
		students, err = t.students(zone)
	}
	if err != nil {
		return nil, err
	}
	if len(students) == 0 {
		return nil, fmt.Errorf("collect: the roster names no student: its headers are %q, want id, or those of a gradebook of Moodle, Canvas or Blackboard", t.header)
	}
	return NewRoster(students)
}

// plainText returns UTF-8 of what spreadsheets save: with a mark at its beginning, in
// UTF-16 ("Unicode text"), in Windows-1252, after a line that names the separator.
func plainText(text []byte) []byte {
	if len(text) >= 2 && (text[0] == 0xff && text[1] == 0xfe || text[0] == 0xfe && text[1] == 0xff) {
		units := make([]uint16, 0, len(text)/2)
		for i := 2; i+1 < len(text); i += 2 {
			low, high := text[i], text[i+1]
			if text[0] == 0xfe {
				low, high = high, low
			}
			units = append(units, uint16(low)|uint16(high)<<8)
		}
		text = []byte(string(utf16.Decode(units)))
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		text, _ = charmap.Windows1252.NewDecoder().Bytes(text) // every byte is a letter of it
	}
	if line, rest, found := bytes.Cut(text, []byte("\n")); found && bytes.HasPrefix(line, []byte("sep=")) {
		return rest
	}
	return text
}

// readSheet reads CSV with the separator that fits the headers best: with which most of
// them are known, then with which there are most.
func readSheet(text []byte) (*sheet, error) {
	var best *sheet
	var failed error
	for _, comma := range ",;\t" {
		in := csv.NewReader(bytes.NewReader(text))
		in.FieldsPerRecord, in.Comma = -1, comma
		header, err := in.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil, errors.New("it is empty, want a line of headers and a line for each student")
		case err != nil:
			if failed == nil {
				failed = err
			}
			continue
		}
		t := &sheet{at: map[string]int{}}
		for i, name := range header {
			name = strings.ToLower(strings.TrimSpace(name))
			t.header = append(t.header, name)
			if _, there := t.at[name]; !there {
				t.at[name] = i
			}
			if isHeader(name) {
				t.known++
			}
		}
		if best != nil && (t.known < best.known || t.known == best.known && len(t.header) <= len(best.header)) {
			continue
		}
		lines, err := in.ReadAll()
		if err != nil {
			if failed == nil {
				failed = err
			}
			continue
		}
		t.lines, best = lines, t
	}
	if best == nil {
		return nil, failed
	}
	return best, nil
}

func isHeader(name string) bool {
	for _, names := range rosterHeaders {
		if slices.Contains(names, name) {
			return true
		}
	}
	return name == "lms_user_id" || slices.ContainsFunc(sorted, func(s struct {
		sort    Sort
		headers []string
	}) bool {
		return slices.Contains(s.headers, name)
	})
}

// students reads the lines of a roster with known headers.
func (t *sheet) students(zone *time.Location) (all []Student, err error) {
	canvas := slices.Contains(t.header, "sis login id") || slices.Contains(t.header, "sis user id")
	for _, line := range t.lines {
		s := Student{ID: t.get(line, rosterHeaders["id"]), First: t.get(line, rosterHeaders["first"]), Last: t.get(line, rosterHeaders["last"]),
			Name: t.get(line, rosterHeaders["name"]), Email: t.get(line, rosterHeaders["email"]), LMSUserID: t.get(line, []string{"lms_user_id"})}
		for _, column := range sorted {
			for _, header := range column.headers {
				if value := t.get(line, []string{header}); value != "" {
					s.Keys = append(s.Keys, Key{column.sort, value})
				}
			}
		}
		if id := t.get(line, []string{"student_id", "id"}); id != "" && !canvas {
			s.ID = id // of one's own roster
		}
		if s.LMSUserID == "" {
			for _, column := range []struct {
				sort    Sort
				headers []string
			}{{CanvasUser, []string{"canvas_id", "canvas_user_id"}}, {Number, []string{"id number", "id-nummer"}}} {
				if value := t.get(line, column.headers); value != "" && s.LMSUserID == "" {
					s.LMSUserID, s.LMSSort = value, column.sort
				}
			}
		}
		if canvas {
			if value := t.get(line, []string{"id"}); value != "" {
				s.LMSUserID, s.LMSSort = value, CanvasUser
			}
		}
		if team := t.get(line, rosterHeaders["team"]); team != "" {
			s.Teams = []string{team}
		}
		if s.Submitted, err = t.submitted(line, zone); err != nil {
			return nil, err
		}
		if _, github := t.at["github_username"]; github && course.CheckStudent(s.ID) != nil {
			s.ID = t.get(line, []string{"github_username"}) // the identifier is free text there
		}
		first := t.cell(line, 0)
		switch {
		case s.ID == "": // an empty line, one that says Manual Posting, or a student who never had an account
		case canvas && (strings.HasPrefix(first, "Points Possible") || s.Name == "Student, Test" || s.Name == "" && s.Last == "Student" && s.First == "Test"):
		default:
			all = append(all, s)
		}
	}
	return all, nil
}

// submitted reads when the student of a line handed in, zero if the line does not say.
func (t *sheet) submitted(line []string, zone *time.Location) (time.Time, error) {
	text := t.get(line, rosterHeaders["submitted"])
	if strings.Trim(text, "-–") == "" { // Moodle's sign for none
		return time.Time{}, nil
	}
	when, err := moment.Parse(text, zone, zone)
	if err != nil {
		err = fmt.Errorf("collect: the roster: when %s handed in: %w; or leave the column out", Printable(t.cell(line, 0)), err)
	}
	return when, err
}
