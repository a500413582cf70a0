package grade

import (
	"go/doc"
	"strings"

	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/host"
)

// hiddenWords are those of a hidden check without a message.
const hiddenWords = "a hidden check"

// words says what a check is called for students, and whether it is hidden from them: it, or
// its name, stands in a hidden region of the tests cell. v is the veil of its test function.
func words(t *assignment.Tests, c host.Check, v *veil) (text string, hidden bool) {
	source := strings.Split(t.Source, "\n")
	secret := hiddenLines(t)
	f, sub, isSub := strings.Cut(c.Name, "/")
	decl := t.Decls.Funcs[f]
	at := decl.At[0].Line
	if isSub {
		sub = sub[strings.LastIndex(sub, "/")+1:]
		at = c.At.Line - 1
		if c.At.Cell != t.ID {
			at = decl.At[0].Line
		}
	}
	if at < 0 || at >= len(source) {
		return hiddenWords, true
	}
	hidden = secret[at]
	if isSub && !hidden { // the row of a table
		shown, kept := parts(t, secret)
		if v != nil && !strings.Contains(shown, sub) && v.names(t, c) {
			hidden = true // the test puts it together, as it does those of hidden rows
		}
		if hidden = hidden || strings.Contains(kept, sub) && !strings.Contains(shown, sub); hidden {
			for i, line := range source {
				if secret[i] && strings.Contains(line, sub) {
					at = i
					break
				}
			}
		}
	}
	if !hidden {
		if isSub {
			return sub, false
		}
		return about(f, decl.Doc), false
	}
	for at--; at >= 0; at-- {
		line, ok := strings.CutPrefix(strings.TrimSpace(source[at]), "//")
		if !ok {
			break
		}
		if message, ok := strings.CutPrefix(strings.TrimSpace(line), "MESSAGE:"); ok {
			return strings.TrimSpace(message), true
		}
	}
	return hiddenWords, true
}

// hiddenLines returns the lines, from 0, that a release does not have.
func hiddenLines(t *assignment.Tests) map[int]bool {
	lines := map[int]bool{}
	regions, _ := nbgrader.HiddenTests.Regions(t.Source)
	for _, r := range regions {
		for i := r.Begin; i <= r.End; i++ {
			lines[i] = true
		}
	}
	return lines
}

// hides reports whether lines of a test function are hidden.
func hides(t *assignment.Tests, name string, secret map[int]bool) bool {
	for _, at := range t.Decls.Funcs[name].At {
		if at.Cell == t.ID && secret[at.Line] {
			return true
		}
	}
	return false
}

// parts returns the lines of a tests cell that students see, and those that they don't.
func parts(t *assignment.Tests, secret map[int]bool) (shown, kept string) {
	for i, line := range strings.Split(t.Source, "\n") {
		if secret[i] {
			kept += line + "\n"
		} else {
			shown += line + "\n"
		}
	}
	return shown, kept
}

// about returns the first sentence of a test's comment, without its name and a colon behind it, or the name.
func about(name string, comment []string) string {
	var lines []string
	for _, line := range comment {
		line = strings.TrimPrefix(strings.TrimPrefix(line, "//"), " ")
		if !strings.HasPrefix(line, "POINTS:") && !strings.HasPrefix(line, "CREDIT:") {
			lines = append(lines, line)
		}
	}
	text := new(doc.Package).Synopsis(strings.Join(lines, "\n"))
	text = strings.TrimPrefix(strings.TrimPrefix(text, name), ":")
	text = strings.TrimSuffix(strings.TrimSpace(text), ".")
	if text == "" {
		return name
	}
	return text
}
