// Package excerpt shortens what a cell prints where it is more than a page in a browser can
// show: to its beginning, its end, and how much was left out between them.
//
// The kernel shortens the text of each stream while a cell runs (Text), and the program that runs a
// notebook shortens what it collected (Outputs). Both keep the same text, in whatever pieces
// it came, so that a notebook saved in JupyterLab is the one that "run" saves, and "test"
// can compare it.
package excerpt

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"marginalia/internal/notebook/nbformat"
)

// What is kept of a text, in bytes. A page takes seconds to show one MiB.
const (
	Head = 896 << 10
	Tail = 128 << 10

	// line is how far a cut moves to fall between two lines.
	line = 4 << 10
)

// begin is said where the gap begins, and end, with the size of the gap, where it ends: whoever
// watches the cell knows why no more text comes, and on the page other output may lie between.
const (
	begin = "[More than 1 MiB of text: the rest is left out, except for its end.]\n"
	end   = "[Left out: %d bytes, %d lines.]\n"
)

// A Text shortens a text that comes in pieces of whole characters.
type Text struct {
	size  int    // of the head until now, in bytes
	full  bool   // the head is complete
	torn  bool   // it ends inside of a line
	rest  []byte // the end of what came after the head
	came  int    // bytes after the head
	lines int    // that end after the head
}

// Add takes the next piece and returns what to show now.
func (t *Text) Add(piece string) (now string) {
	if !t.full {
		n := t.room(piece)
		t.size += n
		now, piece = piece[:n], piece[n:]
	}
	gap := t.gap()
	t.came += len(piece)
	t.lines += strings.Count(piece, "\n")
	t.rest = append(t.rest, piece...)
	if len(t.rest) > 8*Tail {
		t.rest = append(t.rest[:0], t.rest[len(t.rest)-Tail:]...)
	}
	if t.gap() && !gap {
		if t.torn {
			now += "\n"
		}
		now += begin
	}
	return now
}

// gap reports whether something is left out. The notes about it and the tail make no gap, so an
// excerpt is its own excerpt.
func (t *Text) gap() bool { return t.came > Tail+line }

// room returns how many bytes of a piece belong to the head. The head ends with the first line
// that reaches Head, or inside of one that is too long.
func (t *Text) room(piece string) int {
	if t.size+len(piece) < Head {
		return len(piece)
	}
	from, most := max(0, Head-1-t.size), Head+line-t.size
	if i := strings.IndexByte(piece[from:], '\n'); i >= 0 && from+i < most {
		t.full = true
		return from + i + 1
	}
	if len(piece) < most {
		return len(piece)
	}
	for most < len(piece) && !utf8.RuneStart(piece[most]) {
		most--
	}
	t.full, t.torn = true, true
	return most
}

// End returns what is to be shown after all that was shown, and forgets everything: what is
// added later is another text.
func (t *Text) End() (rest string) {
	tail := t.rest
	if t.gap() {
		tail = tail[len(tail)-Tail:]
		for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		if i := bytes.IndexByte(tail[:line], '\n'); i >= 0 {
			tail = tail[i+1:]
		}
		rest = fmt.Sprintf(end, t.came-len(tail), t.lines-bytes.Count(tail, []byte("\n")))
	}
	*t = Text{}
	return rest + string(tail)
}

// Of returns the excerpt of a text. An excerpt is its own.
func Of(text string) string {
	var t Text
	return t.Add(text) + t.End()
}

// Outputs returns the outputs of a cell with excerpts of its stdout and its stderr. Each end
// follows the other outputs, but for errors.
func Outputs(outputs []nbformat.Output) []nbformat.Output {
	var kept []nbformat.Output
	var texts [2]Text
	ends := func() {
		for i, name := range []string{"stdout", "stderr"} {
			if rest := texts[i].End(); rest != "" {
				kept = append(kept, nbformat.Output{Type: "stream", Name: name, Text: rest})
			}
		}
	}
	for _, o := range outputs {
		switch {
		case o.Type == "error":
			ends()
		case o.Type == "stream" && o.Name == "stderr":
			o.Text = texts[1].Add(o.Text)
		case o.Type == "stream":
			o.Text = texts[0].Add(o.Text)
		}
		if o.Type != "stream" || o.Text != "" {
			kept = append(kept, o)
		}
	}
	ends()
	return nbformat.MergeStreams(kept)
}
