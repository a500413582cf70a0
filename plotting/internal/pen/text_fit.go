package pen

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/canvas"
)

// Fitted returns a text in lines no wider than width and together no higher than height, at least
// one. It breaks lines as wrap does and words that are wider than a line anywhere. What doesn't fit
// becomes an ellipsis. A width of 0 or less means no limit, and so does such a height.
func Fitted(txt string, size float64, width, height vg.Length) string {
	if width <= 0 || txt == "" {
		return txt
	}
	txt = page(txt)
	sty := Style(size)
	var lines []string
	for _, line := range strings.Split(wrap(txt, size, width), "\n") {
		lines = append(lines, chopped(line, size, width)...)
	}
	if most := max(1, int(height/sty.Height("0")+1e-6)); height > 0 && len(lines) > most {
		lines = append(lines[:most-1], Cut(lines[most-1], size, width))
	}
	return strings.Join(lines, "\n")
}

// Shorten returns a text on one line no wider than width, with an ellipsis in place of its end if
// it is longer. A width of 0 or less means no limit.
func Shorten(txt string, size float64, width vg.Length) string {
	txt = strings.ReplaceAll(strings.TrimRight(page(txt), "\n"), "\n", " ")
	if width <= 0 || Style(size).Width(txt) <= width {
		return txt
	}
	return Cut(txt, size, width)
}

// longestText is the most that a figure lays out of a text, in bytes: more than a page. Breaking
// lines evenly takes a while.
const longestText = 2000

// page returns the beginning of a text that is longer than a figure can hold.
func page(txt string) string {
	if len(txt) <= longestText {
		return txt
	}
	n := longestText
	for n > 0 && !utf8.RuneStart(txt[n]) {
		n--
	}
	return txt[:n] + "…"
}

// Cut returns as much of the beginning of a line as the width allows beside an ellipsis.
func Cut(line string, size float64, width vg.Length) string {
	sty, head := Style(size), ""
	room := width - sty.Width("…")
	for _, a := range atoms(line) {
		if room -= sty.Width(a); room < 0 {
			break
		}
		head += a
	}
	return strings.TrimRight(head, " ") + "…"
}

// CutFront is cut that keeps the end of the line.
func CutFront(line string, size float64, width vg.Length) string {
	sty, tail := Style(size), ""
	room := width - sty.Width("…")
	for _, a := range slices.Backward(atoms(line)) {
		if room -= sty.Width(a); room < 0 {
			break
		}
		tail = a + tail
	}
	return "…" + strings.TrimLeft(tail, " ")
}

// chopped breaks a line anywhere into pieces no wider than width; one character may be wider.
func chopped(line string, size float64, width vg.Length) (pieces []string) {
	sty, piece, room := Style(size), "", width
	if sty.Width(line) <= width {
		return []string{line}
	}
	for _, a := range atoms(line) {
		w := sty.Width(a)
		if room -= w; piece != "" && room < 0 {
			pieces, piece, room = append(pieces, piece), "", width-w
		}
		piece += a
	}
	return append(pieces, piece)
}

// atoms splits a line into the parts at which it may be broken: characters with the marks that
// follow them, and whole _{…} and ^{…}.
func atoms(line string) (all []string) {
	line = canvas.Legible(line)
	for line != "" {
		n := 0
		if strings.HasPrefix(line, "_{") || strings.HasPrefix(line, "^{") {
			n = strings.IndexByte(line, '}') + 1
		}
		if n > 0 {
			all, line = append(all, line[:n]), line[n:]
			continue
		}
		for i, r := range line {
			if i > 0 && !unicode.In(r, unicode.Mn, unicode.Cf) {
				break
			}
			n = i + len(string(r))
		}
		all, line = append(all, line[:n]), line[n:]
	}
	return all
}
