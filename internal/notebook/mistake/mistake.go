// Package mistake says in few words what is wrong with a cell that failed: the line with a
// caret under the place, the compiler's message, and a hint where one helps. For a panic
// it gives the message and the lines of cells on the stack.
//
//	e := mistake.Failure{Count: 3, Cells: sources, EValue: evalue, Traceback: traceback, Stderr: stderr}.Explain()
//	fmt.Print(e.Text(3, false))
//
// It reads what GoNB v0.11.5 says with -raw_error, executes nothing, and returns no
// explanation for text of another form.
package mistake

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"marginalia/internal/notebook/gonb"
)

// A Failure is a cell that failed, and what GoNB said of it.
type Failure struct {
	Count int                                      // the number of the cell
	Cells func(count int) (source string, ok bool) // the cells executed so far, by number

	Remembered *gonb.Decls // what GoNB remembered before the cell; nil: unknown
	Waiting    []Neighbour // the cells of the notebook that were not executed, as far as they are known

	// Members are the exported names of a package, or the members of its type; nil: unknown.
	Members func(pkg, typ string) []string
	// Origin is the place in a cell that a line of the program comes from; nil: unknown.
	Origin func(file string, line int) (count, cellLine int, ok bool)

	EValue    string   // of the message error
	Traceback []string // of the message error
	Stderr    string   // what the cell wrote to it
}

// An Explanation is what is wrong with a cell.
type Explanation []Mistake

// A Mistake is one thing that is wrong.
type Mistake struct {
	Places  []Place // where; of a panic the lines on the stack, the innermost first; empty if it can't be told
	Message string  // in the words of the compiler, or of the panic; the lines after the first say more
	Hint    string  // what to do; "" if there is nothing to add
}

// A Place is a place in a cell.
type Place struct {
	Count, Line int // from 1
	Column      int // of bytes, from 1; 0 if it is not known
	Text        string
}

// Explain explains a failure. It returns nil if GoNB's text has another form, and is then
// best shown as it is.
func (f Failure) Explain() Explanation {
	for _, explain := range []func() Explanation{f.compiling, f.missing, f.running} {
		if e := explain(); e != nil {
			return e
		}
	}
	return nil
}

// line returns a line of a cell, "" if there is none.
func (f Failure) line(count, line int) string {
	source, _ := f.Cells(count)
	lines := strings.Split(source, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimSuffix(lines[line-1], "\r")
}

// Text returns the explanation to show below cell count. Places in other cells have the
// cell's number. With colour, it has escape sequences, which Jupyter shows in its theme's
// colours.
func (e Explanation) Text(count int, colour bool) string {
	var b strings.Builder
	for i, m := range e {
		if i > 0 {
			b.WriteByte('\n')
		}
		m.write(&b, count, colour)
	}
	return b.String()
}

const (
	red   = "\x1b[31m"
	bold  = "\x1b[1m"
	plain = "\x1b[0m"
)

func (m Mistake) write(b *strings.Builder, count int, colour bool) {
	paint := func(how, text string) string {
		if !colour || text == "" {
			return text
		}
		return how + text + plain
	}
	message, more, _ := strings.Cut(m.Message, "\n")
	// The place of a compiler's message comes first, as compilers print it.
	one := len(m.Places) == 1 && m.Places[0].Column > 0
	if one {
		b.WriteString(paint(bold, m.Places[0].name(count)) + ": ")
	}
	b.WriteString(paint(red, message) + "\n")
	if more != "" {
		b.WriteString(indented(more))
	}
	for _, p := range m.Places {
		if !one {
			fmt.Fprintf(b, "  %s: %s\n", paint(bold, p.name(count)), strings.TrimSpace(strings.ReplaceAll(p.Text, "\t", "    ")))
			continue
		}
		b.WriteString(indented(p.excerpt(paint)))
	}
	if m.Hint != "" {
		b.WriteString(indented("→ " + m.Hint))
	}
}

// Report returns the explanation for a terminal. name returns the name of a place; a Place
// without a line means that the place is not known.
func (e Explanation) Report(name func(Place) string) string {
	var b strings.Builder
	for _, m := range e {
		at := Place{}
		if len(m.Places) > 0 {
			at = m.Places[0]
		}
		message, more, _ := strings.Cut(m.Message, "\n")
		b.WriteString(name(at) + ": " + message + "\n")
		for line := range strings.Lines(more) {
			b.WriteString("\t" + strings.TrimRight(line, "\n") + "\n")
		}
		if at.Line > 0 {
			b.WriteString("\t" + strings.ReplaceAll(at.excerpt(func(_, caret string) string { return caret }), "\n", "\n\t") + "\n")
			for _, from := range m.Places[1:] {
				b.WriteString("\tfrom " + name(from) + ": " + strings.TrimSpace(from.Text) + "\n")
			}
		}
		if m.Hint != "" {
			b.WriteString("\t→ " + m.Hint + "\n")
		}
	}
	return b.String()
}

// excerpt returns the line of a place, and a caret below it if the column is known.
func (p Place) excerpt(paint func(how, text string) string) string {
	text := strings.ReplaceAll(p.Text, "\t", "    ")
	if p.Column == 0 {
		return strings.TrimSpace(text)
	}
	before := strings.ReplaceAll(p.Text[:min(p.Column-1, len(p.Text))], "\t", "    ")
	text, at := window([]rune(text), utf8.RuneCountInString(before))
	return text + "\n" + strings.Repeat(" ", at) + paint(red, "^")
}

// shown is the greatest number of letters of a line to show: about the width of a cell.
const shown = 96

// window returns the part of a long line around letter at, and the place of the letter in it.
func window(line []rune, at int) (string, int) {
	if len(line) <= shown {
		return string(line), at
	}
	from := max(0, min(at-shown/2, len(line)-shown))
	to := min(len(line), from+shown)
	text := string(line[from:to])
	if to < len(line) {
		text += "…"
	}
	if from > 0 {
		return "…" + text, at - from + 1
	}
	return text, at
}

func (p Place) name(count int) string {
	if p.Count == count {
		return fmt.Sprintf("line %d", p.Line)
	}
	return fmt.Sprintf("cell [%d], line %d", p.Count, p.Line)
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("  " + strings.TrimRight(line, "\n") + "\n")
	}
	return b.String()
}
