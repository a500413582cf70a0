package release

import (
	"fmt"
	"slices"
	"strings"

	"marginalia/internal/notebook/nbgrader"
)

// A Leak is a part of a solution, a hidden test or a mark scheme that the release
// holds.
type Leak struct {
	Where string // "perceptron.ipynb, cell 5 (score), line 3", "data.csv"
	How   string // how it is hidden there: "base64, gzip"; "" if it stands there plainly
	Of    string // "the solution of cell 7 (margin)"
	Text  string // what was found, as it stands in the source
}

func (l Leak) Error() string {
	how := ""
	if l.How != "" {
		how = " (" + l.How + ")"
	}
	text := strings.Join(strings.Fields(l.Text), " ")
	if r := []rune(text); len(r) > 100 {
		text = string(r[:100]) + " …"
	}
	return fmt.Sprintf("release: %s%s holds a part of %s: %s", l.Where, how, l.Of, text)
}

// A threshold is how much of a secret, found in one run, is a leak: a number of letters
// and digits, and of words. Everything else (spaces, signs, upper and lower case) does
// not count, so that code which was commented out, wrapped, quoted or renamed in case
// is found; and a name alone, however long, is no leak.
//
// Code that lecturers show shares idioms with the solution: "if err != nil { return
// nil, err }" has 20 letters. Elsewhere there is no reason for any code of the
// solution. Nothing decodes to a part of the solution by chance.
type threshold struct{ letters, words int }

var (
	inCode  = threshold{50, 9} // code in code, words in words
	inText  = threshold{24, 5} // code in Markdown, comments, metadata, attachments, other files
	encoded = threshold{12, 2} // anything that had to be decoded
	whole   = threshold{16, 5} // or this, if it is all of the secret
)

// shared is the share of a hidden test that may stand in the visible tests, in pieces
// of inText each: two tests of one function look much alike.
const shared = 0.8

// Leaks looks for all that was removed in all that students get: sources, outputs,
// metadata, attachments and the files beside the notebooks; decoded where it might be
// encoded, and put together where it might be split. public are texts that may be
// there. The leaks are in the order of the release; there is one at most of each
// secret in each place.
//
// It decodes what programs write on their own: escapes of Go, JSON, HTML and addresses, base64,
// gzip, zlib, deflate and zip, four deep, and no more than maxDecoded bytes; unsearched are the
// places with more. A lecturer who hides a solution on purpose (in hexadecimal, backwards, as a
// picture, encrypted) knows that it is there: that is not looked for.
func (a *Handout) Leaks(public []string) (leaks []Leak, unsearched []string) {
	var allowed []letters
	for _, text := range public {
		allowed = append(allowed, lettersOf([]piece{{text: text}}))
	}
	x := newIndex(a.secrets(allowed))
	s := newSearch(x, maxDecoded)
	for _, st := range a.streams() {
		s.stream(st)
	}
	s.pictures(a)
	return s.leaks, s.unsearched
}

// A secret is a text that students must not see.
type secret struct {
	letters
	of      string
	prose   bool   // words, not code
	hidden  bool   // a hidden test, which visible tests may be like
	remarks []bool // which letters are those of comments, in code: they join lines, and count for nothing
}

// secrets returns what was removed from the notebooks, less what must be known: the
// signatures of functions, imports, and what is allowed.
func (a *Handout) secrets(allowed []letters) []secret {
	var all []secret
	for _, nb := range a.Notebooks {
		for _, r := range nb.Removed {
			of := secret{
				of:     fmt.Sprintf("the %s of cell %d (%s) of %s.ipynb", r.Mark.Name, r.Cell, r.ID, nb.Name),
				prose:  r.Type != "code",
				hidden: r.Mark == nbgrader.HiddenTests,
			}
			of.letters = lettersOf([]piece{{text: r.Text}})
			parts := []secret{of}
			if !of.prose {
				text := withoutSignatures(r.Text)
				code, comments := splitComments(text)
				of.letters = lettersOf([]piece{{text: code}})
				remarks := of
				remarks.prose, remarks.letters = true, lettersOf([]piece{{text: comments}})
				both := of
				both.letters = lettersOf([]piece{{text: text}})
				for _, at := range both.at {
					both.remarks = append(both.remarks, code[at.offset] == ' ')
				}
				parts = []secret{both, of, remarks}
			}
			for _, p := range allowed {
				var rest []secret
				for _, s := range parts {
					rest = append(rest, s.without(p)...)
				}
				parts = rest
			}
			all = append(all, parts...)
		}
	}
	return all
}

// without returns the parts of a secret between the places where it has p.
func (s secret) without(p letters) []secret {
	if len(p.runes) == 0 {
		return []secret{s}
	}
	var parts []secret
	start := 0
	for i := 0; i+len(p.runes) <= len(s.runes); i++ {
		if slices.Equal(s.runes[i:i+len(p.runes)], p.runes) {
			parts = append(parts, s.cut(start, i))
			start = i + len(p.runes)
			i = start - 1
		}
	}
	return append(parts, s.cut(start, len(s.runes)))
}

func (s secret) cut(from, to int) secret {
	s.letters = letters{runes: s.runes[from:to], at: s.at[from:to], pieces: s.pieces}
	if s.remarks != nil {
		s.remarks = s.remarks[from:to]
	}
	return s
}

// withoutSignatures blanks what a region of code has in common with what students are
// told: function headers, import paths and GoNB's commands.
func withoutSignatures(code string) string {
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		t := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(t, "func ") && strings.Contains(line, "{"):
			at := strings.Index(line, "{")
			lines[i] = strings.Repeat(" ", at) + line[at:] // places stay
		case strings.HasPrefix(t, "%"), strings.HasPrefix(t, "import "), strings.HasPrefix(t, "package "),
			strings.HasSuffix(t, `"`) && !strings.ContainsAny(t, "(){}[],+=: "):
			lines[i] = strings.Repeat(" ", len(line))
		}
	}
	return strings.Join(lines, "\n")
}
