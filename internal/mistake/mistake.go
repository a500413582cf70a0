// Package mistake says in few words what is wrong with a cell that failed: the line with a
// caret under the place, the compiler's message, and a hint where one helps. Of a panic it
// says the message and the lines of cells on the stack.
//
//	e := mistake.Failure{Count: 3, Cells: sources, EValue: evalue, Traceback: traceback, Stderr: stderr}.Explain()
//	fmt.Print(e.Text(false))
//
// It reads what GoNB v0.11.4 says with -raw_error, executes nothing, and returns no
// explanation for text of another form.
package mistake

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Failure is a cell that failed, and what GoNB said of it.
type Failure struct {
	Count int                                      // the number of the cell
	Cells func(count int) (source string, ok bool) // the cells executed so far, by number

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

// Text returns the explanation for people, of a cell that is in view: only of other cells
// it says the number. With colour it has the escape sequences that Jupyter shows in its
// theme's colours.
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
	// A mistake of the compiler has one place, and it comes first, as in all compilers.
	one := len(m.Places) == 1 && m.Places[0].Column > 0
	if one {
		b.WriteString(paint(bold, m.Places[0].name(count)) + ": ")
	}
	b.WriteString(paint(red, message) + "\n")
	if more != "" {
		b.WriteString(indented(more))
	}
	for _, p := range m.Places {
		text := strings.ReplaceAll(p.Text, "\t", "    ")
		if !one {
			fmt.Fprintf(b, "  %s: %s\n", paint(bold, p.name(count)), strings.TrimSpace(text))
			continue
		}
		before := utf8.RuneCountInString(strings.ReplaceAll(p.Text[:min(p.Column-1, len(p.Text))], "\t", "    "))
		fmt.Fprintf(b, "  %s\n  %s%s\n", text, strings.Repeat(" ", before), paint(red, "^"))
	}
	if m.Hint != "" {
		b.WriteString(indented("→ " + m.Hint))
	}
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
