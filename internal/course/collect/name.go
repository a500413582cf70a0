package collect

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxName bounds the bytes of a file's name, maxID those of a student's id. Linux
// allows 255 bytes for a name, and what is made of one needs some (".ipynb~", the
// digits of a temporary file); nbgrader's database has 128 characters for an id.
const (
	maxName = 200
	maxID   = 100
)

// fileName returns the name under which a handed-in file is kept. It is valid on
// Linux, macOS and Windows, looks the way it reads, and is name itself where that
// holds already: no separators, no control or formatting characters (U+202E turns
// the text behind it around), no device names of Windows, composed (NFC), at most
// maxName bytes.
//
// Source: Microsoft, Naming Files, Paths, and Namespaces.
func fileName(name string) string { return cleanName(name, maxName) }

func cleanName(name string, limit int) string {
	name = norm.NFC.String(strings.ToValidUTF8(name, "_"))
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
			return -1
		case unicode.IsControl(r), strings.ContainsRune(`/\:*?"<>|`, r), r == '\u2028', r == '\u2029', r == utf8.RuneError:
			return '_'
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, name)
	clean = strings.TrimRight(strings.TrimLeft(clean, " "), " .")
	// What is left out may bring together what composes.
	clean = norm.NFC.String(clean)
	if clean == "" {
		clean = "_"
	}
	if stem, _, _ := strings.Cut(clean, "."); slices.Contains(devices, strings.ToUpper(strings.TrimRight(stem, " "))) {
		clean = "_" + clean
	}
	if len(clean) <= limit {
		return clean
	}
	end := "~" + shortHash(name)
	if ext := path.Ext(clean); len(ext) <= 10 {
		end += ext
	}
	cut := limit - len(end)
	for cut > 0 && (!utf8.RuneStart(clean[cut]) || !norm.NFC.PropertiesString(clean[cut:]).BoundaryBefore()) {
		cut--
	}
	return strings.TrimRight(clean[:cut], " .") + end
}

// devices are the names that Windows keeps for itself, with any extension.
var devices = strings.Fields(`CON PRN AUX NUL CONIN$ CONOUT$
	COM0 COM1 COM2 COM3 COM4 COM5 COM6 COM7 COM8 COM9 COM¹ COM² COM³
	LPT0 LPT1 LPT2 LPT3 LPT4 LPT5 LPT6 LPT7 LPT8 LPT9 LPT¹ LPT² LPT³`)

// studentID returns the id of a student whom an LMS knows as key: key itself where
// that can be the name of a folder and an id of nbgrader's, else something like it
// with a hash of key at its end, so that no two students get the same id. nbgrader
// finds students with glob, where brackets and a leading dot have a meaning.
func studentID(key string) string {
	key = norm.NFC.String(strings.TrimSpace(key))
	folder := func(limit int) string {
		id := strings.NewReplacer("[", "_", "]", "_").Replace(cleanName(key, limit))
		if strings.HasPrefix(id, ".") || strings.HasPrefix(id, "-") {
			id = "_" + id
		}
		return id
	}
	if folder(maxID) == key {
		return key
	}
	hash := "-" + shortHash(key)
	return folder(maxID-len(hash)-len("_")) + hash
}

func shortHash(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s)))[:8] }

// fold returns what two names have in common that a case-insensitive file system,
// as macOS and Windows have, takes for the same.
func fold(name string) string {
	return norm.NFC.String(strings.ToLower(strings.ToUpper(norm.NFC.String(name))))
}

// Printable returns s for a line on a terminal: in quotes, with escapes, if it has
// anything that does not print as itself.
func Printable(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Sprintf("%+q", s)
	}
	return s
}
