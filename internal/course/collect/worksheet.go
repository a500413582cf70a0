package collect

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// participant is how Moodle's worksheets call a student: a word of the site's language,
// and the number (gradingtable.php, col_recordid).
var participant = regexp.MustCompile(`^(\D*\pL\D*?)[ \x{a0}]*(\d+)$`)

// A worksheet has the columns of Moodle's offline grading worksheet.
type worksheet struct {
	name, email, number, team int
	foreign                   bool // its language is not known: any column may be that of the teams
}

// moodle finds the columns of a grading worksheet by what is in them, whatever language
// its headers are in; nil if it is another table. All cells of the first column are the
// same word with different numbers. The name stands second, unless marking is blind; the
// address has an @. In a language that is not known any other column may hold the names of
// teams.
//
// Source: moodle/moodle, mod/assign/gradingtable.php and feedback/offline.
func (t *sheet) moodle() *worksheet {
	word := ""
	numbers := map[string]bool{}
	for _, line := range t.lines {
		first := t.cell(line, 0)
		if first == "" {
			continue
		}
		m := participant.FindStringSubmatch(first)
		if m == nil || word != "" && m[1] != word || numbers[m[2]] {
			return nil
		}
		word, numbers[m[2]] = m[1], true
	}
	// user1, user2 under a header that is known is a list of logins.
	plain := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
	if word == "" || plain && isHeader(t.header[0]) && t.header[0] != "identifier" && !isParticipantWord(word) {
		return nil
	}
	w := &worksheet{name: -1, email: -1, number: -1, team: -1}
	find := func(kinds ...string) int {
		for i, header := range t.header {
			if i > 0 && slices.Contains(kinds, header) {
				return i
			}
		}
		return -1
	}
	w.name, w.number, w.team = find(rosterHeaders["name"]...), find("id number", "id-nummer", "matrikelnummer"), find(rosterHeaders["team"]...)
	w.foreign = w.name < 0 && w.team < 0
	for _, number := range idNumbers {
		if w.number < 0 {
			w.number = find(number)
		}
	}
	for i := 1; i < len(t.header) && w.email < 0; i++ {
		if t.all(i, func(cell string) bool { return strings.Count(cell, "@") == 1 && !strings.Contains(cell, " ") }) {
			w.email = i
		}
	}
	if w.name < 0 && w.email != 1 && w.number != 1 && w.team != 1 && t.names(1) {
		w.name = 1
	}
	return w
}

// isParticipantWord knows Moodle's word for a student whose name is hidden, in the
// languages of its packs (hiddenuser and participant of mod_assign) that have it without
// a space before the number.
func isParticipantWord(word string) bool {
	return slices.Contains(participantWords, strings.Join(nameWords(word), ""))
}

var participantWords = func() (folded []string) {
	for _, word := range strings.Fields(`participant teilnehmer/in teilnehmerin teilnehmer participante partecipante deelnemer deltagare deltaker deltager osallistuja uczestnik
		účastník účastníci участник учасник katılımcı 参加者 参与者 參與者 참가자 المشارك مشارك résztvevő participantul συμμετέχων udeleženec sudionik polaznik dalyvis dalībnieks osaleja parte-hartzailea participanta`) {
		folded = append(folded, strings.Join(nameWords(word), ""))
	}
	return folded
}()

// idNumbers are Moodle's headers of the university's number (idnumber of its packs).
var idNumbers = []string{"numéro d'identification", "numéro d’identification", "número de id", "número id", "número de identificación", "número de identificação", "codice identificativo",
	"id-nummer", "idnummer", "numer id", "număr identificator", "идентификационный номер", "id 号", "學號"}

// all reports whether a column has cells, and all of them are so.
func (t *sheet) all(column int, is func(string) bool) bool {
	found := false
	for _, line := range t.lines {
		if cell := t.cell(line, column); cell != "" {
			if !is(cell) {
				return false
			}
			found = true
		}
	}
	return found
}

// names reports whether a column may hold names: letters, no digits, and not the same few
// again and again, as the states of submissions are.
func (t *sheet) names(column int) bool {
	different := map[string]bool{}
	return column < len(t.header) && t.header[column] != "status" && t.all(column, func(cell string) bool {
		different[cell] = true
		return strings.ContainsFunc(cell, unicode.IsLetter) && !strings.ContainsFunc(cell, unicode.IsDigit) && !strings.Contains(cell, "@")
	}) && 2*len(different) > len(t.lines)
}

// participants reads the lines of a grading worksheet.
func (t *sheet) participants(w *worksheet, zone *time.Location) (all []Student, err error) {
	for _, line := range t.lines {
		m := participant.FindStringSubmatch(t.cell(line, 0))
		if m == nil {
			continue
		}
		s := Student{Name: t.cell(line, w.name), Email: t.cell(line, w.email), Keys: []Key{{Participant, m[2]}}}
		if number := t.cell(line, w.number); number != "" {
			s.LMSUserID, s.LMSSort = number, Number
		}
		login := t.get(line, []string{"username", "anmeldename", "benutzername", "nom d'utilisateur", "nombre de usuario"})
		if login != "" {
			s.Keys = append(s.Keys, Key{Login, login})
		}
		for _, id := range []string{t.get(line, []string{"student_id", "id"}), s.LMSUserID, login, s.Email, m[2]} {
			if s.ID == "" && id != t.cell(line, 0) {
				s.ID = id
			}
		}
		for i := 1; i < len(t.header); i++ {
			if cell := t.cell(line, i); cell != "" && (i == w.team || w.foreign && i != w.name && i != w.email && i != w.number) {
				s.Teams = append(s.Teams, cell)
			}
		}
		if s.Submitted, err = t.submitted(line, zone); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}
