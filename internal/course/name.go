package course

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the most bytes of a name. Names become parts of file names, which may
// have 255, and keys of nbgrader's database, which have 128 characters.
const maxName = 100

var plain = regexp.MustCompile(`^[\pL\pN_]([\pL\pM\pN_ .-]*[\pL\pM\pN_-])?$`)

// CheckAssignment says what is wrong with the name of an assignment. It has letters,
// digits, spaces and _ - . inside: lecturers choose it, and it stands in command
// lines, web addresses and nbgrader's exchange (where + separates).
func CheckAssignment(name string) error { return checkName("assignment", name) }

func checkName(what, name string) error {
	if !plain.MatchString(name) || !filepath.IsLocal(name) {
		return fmt.Errorf("course: %s %q: want letters, digits and _, and inside also - . and space", what, name)
	}
	if len(name) > maxName {
		return fmt.Errorf("course: %s %.20q…: %d bytes, want at most %d", what, name, len(name), maxName)
	}
	return nil
}

// CheckStudent says why an id cannot be the name of a student's folder: it would lead
// out of that, not be shown as it is, or mean something else to nbgrader, which looks
// for students with patterns.
func CheckStudent(id string) error {
	strange := func(r rune) bool {
		return strings.ContainsRune(`/\*?[]`, r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
	}
	switch {
	case id == "":
		return fmt.Errorf("course: a student's id is empty")
	case !utf8.ValidString(id):
		return fmt.Errorf("course: student %q: not UTF-8", id)
	case len(id) > maxName:
		return fmt.Errorf("course: student %.20q…: %d bytes, want at most %d", id, len(id), maxName)
	case strings.ContainsFunc(id, strange):
		return fmt.Errorf(`course: student %q: want none of / \ * ? [ ] and no control characters`, id)
	case id[0] == '.' || id[0] == '-' || strings.TrimSpace(id) != id || strings.HasSuffix(id, ".") || !filepath.IsLocal(id):
		return fmt.Errorf("course: student %q: want no . or - at the beginning, no . at the end, and no space at either", id)
	}
	return nil
}
