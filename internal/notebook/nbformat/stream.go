package nbformat

import (
	"slices"
	"strings"
	"unicode/utf16"
)

// Shown returns what a cell has printed as JupyterLab 4.6.6 shows and stores it
// (jupyterlab/jupyterlab, packages/outputarea/src/model.ts, processText): \r goes back to the
// start of the line, \b takes back a character, and what follows is written over what stands
// there. \n goes to the end of the line first. Text without \r and \b stays as it is.
//
// A stream goes on where its last message ended, until another stream or a display comes
// between: text is all of one output.
func Shown(text string) string {
	if !strings.ContainsAny(text, "\r\b") {
		return text
	}
	var s screen
	for _, unit := range utf16.Encode([]rune(text)) {
		s.write(unit)
	}
	return string(utf16.Decode(append(s.done, s.line...)))
}

// A screen is an output as text is written to it, in UTF-16, as JavaScript counts characters.
type screen struct {
	done []uint16 // whole lines
	line []uint16 // the last line, without an end
	at   int      // where in the line the next character goes
}

func (s *screen) write(unit uint16) {
	switch unit {
	case '\n':
		s.done = append(append(s.done, s.line...), '\n')
		s.line, s.at = s.line[:0], 0
	case '\r':
		s.at = 0
	case '\b':
		// In the middle of a line JupyterLab takes the character behind as well.
		if s.at > 0 {
			s.line = append(s.line[:s.at-1], s.line[min(s.at+1, len(s.line)):]...)
			s.at--
		}
	default:
		if s.at == len(s.line) {
			s.line = append(s.line, unit)
		}
		s.line[s.at] = unit
		s.at++
	}
}

// ShownAs reports whether JupyterLab can have stored what a cell prints on one stream as
// these outputs: whether the text can be cut into pieces that are shown as the outputs are.
// Where the other stream's messages come between differs from run to run.
func ShownAs(text string, outputs []string) bool {
	units := utf16.Encode([]rune(text))
	starts, work := []int{0}, mostWork
	for _, output := range outputs {
		want := utf16.Encode([]rune(output))
		ends := make([]bool, len(units)+1)
		for _, start := range starts {
			var s screen
			for i := start; i < len(units) && work > 0; i++ {
				s.write(units[i])
				if done := len(s.done); units[i] == '\n' && (done > len(want) || !slices.Equal(s.done, want[:done])) {
					break
				}
				if len(s.done)+len(s.line) == len(want) {
					work -= len(s.line)
					ends[i+1] = ends[i+1] || slices.Equal(s.line, want[len(s.done):])
				}
				work--
			}
		}
		starts = nil
		for end, possible := range ends {
			if possible {
				starts = append(starts, end)
			}
		}
	}
	return len(starts) > 0 && starts[len(starts)-1] == len(units)
}

// mostWork bounds how many characters ShownAs compares: about a tenth of a second.
const mostWork = 1 << 25
