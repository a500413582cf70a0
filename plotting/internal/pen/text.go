package pen

import (
	"strings"
	"sync"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"marginalia/plotting/internal/canvas"
)

// Font sizes in points.
const (
	TitleSize  = 11
	LabelSize  = 10
	TickSize   = 9
	LegendSize = 9
)

// Sans returns the text handler of all figures. It parses the font once, and leaves
// gonum/plot's defaults alone.
var Sans = sync.OnceValue(func() text.Handler {
	face, err := opentype.Parse(dejavusans.TTF)
	if err != nil {
		panic("plotting: DejaVu Sans, embedded: " + err.Error())
	}
	return markup{font.NewCache(append(font.Collection{{Font: sansFont, Face: face}}, liberation.Collection()...)), new(measured)}
})

// Style returns the style of text of a size in points, centred.
func Style(size float64) text.Style {
	return text.Style{
		Color:   Ink,
		Font:    font.Font{Typeface: canvas.Typeface, Size: vg.Points(size)},
		XAlign:  text.XCenter,
		YAlign:  text.YCenter,
		Handler: Sans(),
	}
}

// markup lays out Unicode text with subscripts _{…} and superscripts ^{…}. It places
// text by ascent and descent: text.YBottom puts the descent on the point, text.YTop the
// ascent.
type markup struct {
	fonts    *font.Cache
	measured *measured
}

var _ text.Handler = markup{}

func (m markup) Cache() *font.Cache { return m.fonts }

func (m markup) Extents(f font.Font) font.Extents {
	face := m.fonts.Lookup(f, f.Size)
	return face.Extents()
}

func (m markup) Lines(txt string) []string {
	return strings.Split(strings.TrimRight(txt, "\n"), "\n")
}

func (m markup) Box(line string, f font.Font) (width, height, depth vg.Length) {
	e := m.Extents(f)
	return m.measured.width(sized{line, f}, m.measure), e.Ascent, e.Descent
}

func (m markup) measure(t sized) (width vg.Length) {
	for _, r := range split(t.line) {
		for _, p := range m.pieces(r.text) {
			width += m.width(p, r.size(t.font.Size))
		}
	}
	return width
}

// sized is a line of text in a font.
type sized struct {
	line string
	font font.Font
}

// measured keeps the widths of texts: a figure asks for each many times while it looks for a layout, and the frames of
// a slider for most of them again.
type measured struct {
	mu     sync.Mutex
	widths map[sized]vg.Length
}

// mostMeasured bounds the memory to about 1 MB. A figure has tens of texts.
const mostMeasured = 8192

func (k *measured) width(t sized, measure func(sized) vg.Length) vg.Length {
	k.mu.Lock()
	w, known := k.widths[t]
	k.mu.Unlock()
	if known {
		return w
	}
	w = measure(t)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.widths == nil || len(k.widths) >= mostMeasured {
		k.widths = map[sized]vg.Length{}
	}
	k.widths[t] = w
	return w
}

func (m markup) Draw(c vg.Canvas, txt string, sty text.Style, at vg.Point) {
	lines := m.Lines(txt)
	e := m.Extents(sty.Font)
	step := e.Ascent + e.Descent
	c.SetColor(sty.Color)
	c.Push()
	defer c.Pop()
	c.Translate(at)
	if sty.Rotation != 0 {
		c.Rotate(sty.Rotation)
	}
	top := vg.Length(len(lines)) * step * vg.Length(1+sty.YAlign)
	for i, line := range lines {
		w, _, _ := m.Box(line, sty.Font)
		pen := vg.Point{X: w * vg.Length(sty.XAlign), Y: top - vg.Length(i)*step - e.Ascent}
		for _, r := range split(line) {
			size := r.size(sty.Font.Size)
			for _, p := range m.pieces(r.text) {
				m.fill(c, p, size, vg.Point{X: pen.X, Y: pen.Y + r.rise(sty.Font.Size)})
				pen.X += m.width(p, size)
			}
		}
	}
}

// wrap breaks a text into lines no wider than width and about equally long, at spaces
// outside _{…} and ^{…}. A wider word stays whole. A width of 0 or less means no limit.
func wrap(txt string, size float64, width vg.Length) string {
	sty := Style(size)
	all := sty.Width(txt)
	if width <= 0 || all <= width {
		return txt
	}
	lines := broken(txt, sty, width)
	for narrow := all / vg.Length(len(lines)); narrow < width; narrow += 2 {
		if even := broken(txt, sty, narrow); len(even) == len(lines) && sty.Width(strings.Join(even, "\n")) <= width {
			lines = even
			break
		}
	}
	return strings.Join(lines, "\n")
}

// broken fills each line with as many words as the width allows.
func broken(txt string, sty text.Style, width vg.Length) (lines []string) {
	for _, line := range strings.Split(txt, "\n") {
		words := strings.Split(line, " ")
		line = words[0]
		for _, word := range words[1:] {
			longer := line + " " + word
			whole := strings.Count(line, "{") == strings.Count(line, "}")
			switch {
			case line == "":
				line = word // no spaces at the start of a line
			case whole && sty.Width(longer) > width:
				lines, line = append(lines, strings.TrimRight(line, " ")), word
			default:
				line = longer
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// run is a piece of a line on one level: -1 subscript, 0 normal, +1 superscript.
type run struct {
	text  string
	level int
}

func (r run) size(full vg.Length) vg.Length {
	if r.level == 0 {
		return full
	}
	return 0.7 * full
}

func (r run) rise(full vg.Length) vg.Length {
	switch r.level {
	case -1:
		return -0.16 * full
	case 1:
		return 0.38 * full
	}
	return 0
}

// withMinus returns a line in which a hyphen before a number, and after nothing, a space, a
// bracket or an operator, is a minus sign. Package regexp would make a page's program 150 kB
// larger.
func withMinus(line string) string {
	var b strings.Builder
	after := true // the beginning, a space, a bracket or an operator
	for i, r := range line {
		if number := strings.TrimPrefix(line[i:], "-"); r == '-' && after && isDigit(strings.TrimPrefix(number, ".")) {
			r = '−'
		}
		b.WriteRune(r)
		after = strings.ContainsRune(" \t\n\f\r([{|,;:=<>≤≥≈±·×/^+", r)
	}
	return b.String()
}

// isDigit reports whether a text begins with a digit.
func isDigit(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }

// split cuts a line at its _{…} and ^{…}. An unclosed brace is ordinary text. A hyphen
// before a negative number, as package fmt writes it, becomes a minus sign.
func split(line string) []run {
	var runs []run
	line = canvas.Legible(line)
	if strings.Contains(line, "-") {
		line = withMinus(line)
	}
	for line != "" {
		i := strings.Index(line, "_{")
		if j := strings.Index(line, "^{"); i < 0 || j >= 0 && j < i {
			i = j
		}
		n := -1
		if i >= 0 {
			n = strings.IndexByte(line[i:], '}')
		}
		if n < 0 {
			return append(runs, run{line, 0})
		}
		if i > 0 {
			runs = append(runs, run{line[:i], 0})
		}
		level := 1
		if line[i] == '_' {
			level = -1
		}
		runs = append(runs, run{line[i+2 : i+n], level})
		line = line[i+n+1:]
	}
	return runs
}

// Spoken returns a label without its markup, for text alternatives.
func Spoken(s string) string {
	var b strings.Builder
	for _, r := range split(strings.ReplaceAll(s, "\n", " ")) {
		if r.level == 1 {
			b.WriteByte('^')
		}
		b.WriteString(r.text)
	}
	return b.String()
}
