package plotting_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	. "marginalia/plotting"

	"marginalia/internal/testkit/property"
	"marginalia/internal/testkit/tier"
	"marginalia/plotting/space"
)

// odd are texts that a format can't hold, a font lacks, or a library can't write.
var odd = []string{
	"𝐰·𝐱 + b", "𝒩(𝜇, 𝝈²) ∈ 𝔽", "😀 🦊 👩\u200d🔬", "日本語 한국어", "العربية עברית", "e\u0301 x\u20d7 \u20dd", "\xe9t\xe9", "\xff\xfe\xed\xa0\x80", "a\u200bb\ufeff",
	"\U0010ffff \ufffe \ue000", "\x00\x1b[1m\x7f\u0085\t\r\n\u2028", "<&\"'>]]>", "_{𝐰}^{日}", "_{", "^{}", "\xe9_{\xe9}", "%s\\(()", "-1 -\xe9", strings.Repeat("W日", 300),
}

// everywhere returns drawings that contain a text wherever a text can be.
func everywhere(s string) []figure {
	x := mat.NewDense(3, 2, []float64{0, 0, 1, 2, 2, 1})
	line := func() Layer { return Line(nil, []float64{1, 3, 2}, Name(s)) }
	return []figure{
		New(s, Classes(x, []int{0, 1, 1}, Name(s, s+"2")), Note(1, 1, s), Arrow(0, 0, 1, 1, s), Segment(0, 1, 2, 1, s)).Labels(s, s),
		New("", line(), line()).EndLabels(),
		New(s, Confusion([][]int{{3, 1}, {0, 2}}, []string{s, "b"}, Bar(s))),
		New("", Bars([]string{s, "b"}, [][]float64{{1, 2}, {3, 1}}, Name(s, "c"))),
		New("", Digits(mat.NewDense(2, 4, []float64{0, 1, 1, 0, 1, 0, 0, 1}), 2, 2, 2, Captions(s, "b"))),
		New("", space.New(space.View{Azimuth: 30, Elevation: 20, Labels: [3]string{s, s, s}}, space.Points(mat.NewDense(2, 3, []float64{0, 0, 0, 1, 1, 1}), Name(s)))),
		Tile(2, New(s, line()), New(s, line())),
	}
}

// checkText fails unless the drawings of a text are well-formed in all formats.
func checkText(t interface {
	Helper()
	Errorf(string, ...any)
}, s string, all ...figure) {
	t.Helper()
	for i, d := range all {
		if err := wellFormed(d.SVG()); err != nil {
			t.Errorf("drawing %d with %q: SVG: %v", i, s, err)
		}
		if _, err := png.Decode(bytes.NewReader(d.PNG(40))); err != nil {
			t.Errorf("drawing %d with %q: PNG: %v", i, s, err)
		}
		if file := d.PDF(); !bytes.HasPrefix(file, []byte("%PDF-")) {
			t.Errorf("drawing %d with %q: PDF begins with %q", i, s, file[:min(8, len(file))])
		}
		if alt := d.Alt(); !utf8.ValidString(alt) || strings.ContainsRune(alt, 0) {
			t.Errorf("drawing %d with %q: the alternative is %q", i, s, alt)
		}
	}
}

func wellFormed(doc []byte) error {
	for d := xml.NewDecoder(bytes.NewReader(doc)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestOddText(t *testing.T) {
	tier.NoRace(t)
	for i, s := range odd {
		all := everywhere(s)
		for k := range tier.Size(t, 2, len(all)) {
			checkText(t, s, all[(i+k)%len(all)])
		}
	}
}

func TestTextProperty(t *testing.T) {
	tier.NoRace(t)
	property.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		checkText(t, s, everywhere(s)...)
	})
}

func TestShowOddText(t *testing.T) {
	tier.NoRace(t)
	folder := t.TempDir()
	t.Setenv(FiguresEnv, folder)
	t.Setenv(FormatsEnv, "png,svg,pdf")
	for _, s := range odd {
		err := ShowErr("odd", Tile(1, New(s), New("b", Points(nil, []float64{1}, Name(s)))), s)
		var svg []byte
		if err == nil {
			svg, err = os.ReadFile(filepath.Join(folder, "odd.svg"))
		}
		if err == nil {
			err = wellFormed(svg)
		}
		if err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
}
