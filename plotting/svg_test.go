package plotting

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/internal/testkit/must"
	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/pen"
)

// painting is a user's own drawing, with its own description.
type painting func(c draw.Canvas)

func (p painting) Draw(c draw.Canvas) { p(c) }
func (painting) Alt() string          { return "a < b" }

// elements lists what a document of 100×80 points draws, in order: each element with its
// attributes and those of its group.
func elements(t *testing.T, paint func(c draw.Canvas)) []string {
	t.Helper()
	var list []string
	group := ""
	for _, tok := range tokens(t, newOnce(guest{painting(paint), 100, 80}).SVG()) {
		switch tok := tok.(type) {
		case xml.StartElement:
			var s strings.Builder
			for _, a := range tok.Attr {
				fmt.Fprintf(&s, " %s=%s", a.Name.Local, a.Value)
			}
			switch tok.Name.Local {
			case "svg", "style":
			case "g":
				group = s.String()
			default:
				list = append(list, tok.Name.Local+s.String()+group)
			}
		case xml.EndElement:
			if tok.Name.Local == "g" {
				group = ""
			}
		case xml.CharData:
			if s := strings.TrimSpace(string(tok)); s != "" && s != "a < b" && !strings.HasPrefix(s, "@media") {
				list[len(list)-1] += " " + string(tok)
			}
		}
	}
	return list
}

// tokens returns the tokens of a document, which must be well-formed.
func tokens(t *testing.T, doc []byte) (all []xml.Token) {
	t.Helper()
	for dec := xml.NewDecoder(bytes.NewReader(doc)); ; {
		tok, err := dec.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, doc)
		}
		all = append(all, xml.CopyToken(tok))
	}
}

func TestSVGElements(t *testing.T) {
	red := color.NRGBA{R: 0xFF, A: 0x80} // 128/255 = 0.502
	line := func(points ...vg.Point) (p vg.Path) {
		p.Move(points[0])
		for _, q := range points[1:] {
			p.Line(q)
		}
		return p
	}
	for _, c := range []struct {
		name  string
		paint func(c draw.Canvas)
		want  []string
	}{
		{"a mark is one circle, 20 from the bottom", func(c draw.Canvas) { pen.Mark(&c, 0, vg.Point{X: 10, Y: 20}, 3, pen.Blue) },
			[]string{"circle cx=10 cy=60 r=3 fill=#0072b2 stroke=#ffffff stroke-width=0.6"}},
		{"two shapes that differ are two elements", func(c draw.Canvas) {
			c.SetColor(red)
			c.Fill(pen.Disc(vg.Point{X: 1, Y: 80}, 1))
			c.SetLineStyle(draw.LineStyle{Color: pen.Black, Width: 2, Dashes: []vg.Length{3, 1.5}, DashOffs: 1})
			c.Stroke(pen.Disc(vg.Point{X: 2, Y: 80}, 1))
		}, []string{"circle cx=1 cy=0 r=1 fill=#ff0000 fill-opacity=0.502",
			"circle cx=2 cy=0 r=1 fill=none stroke=#000000 stroke-width=2 stroke-dasharray=3 1.5 stroke-dashoffset=1"}},
		{"lines leave out what is not seen", func(c draw.Canvas) {
			c.SetLineStyle(draw.LineStyle{Color: pen.Black, Width: 1})
			c.Stroke(line(vg.Point{}, vg.Point{X: 0.001}, vg.Point{X: 1.004, Y: 1}, vg.Point{X: -1.5, Y: 90}))
			c.Stroke(line(vg.Point{X: 1}, vg.Point{X: 1}))
			c.SetLineStyle(draw.LineStyle{Color: pen.Black})
			c.Stroke(line(vg.Point{X: 1}, vg.Point{X: 2}))
		}, []string{"path d=M0 80 1 79 -1.5 -10 fill=none stroke=#000000 stroke-width=1"}},
		{"closed, and begun again", func(c draw.Canvas) {
			p := vg.Rectangle{Min: vg.Point{X: 1, Y: 1}, Max: vg.Point{X: 3, Y: 2}}.Path()
			p.Move(vg.Point{X: 5, Y: 0})
			p.QuadTo(vg.Point{X: 6, Y: 1}, vg.Point{X: 7, Y: 0})
			p.CubeTo(vg.Point{X: 8, Y: 1}, vg.Point{X: 9, Y: 2}, vg.Point{X: 10, Y: 0})
			c.SetColor(pen.Black)
			c.Fill(p)
		}, []string{"path d=M1 79 3 79 3 78 1 78ZM5 80Q6 79 7 80C8 79 9 78 10 80 fill=#000000"}},
		{"turned by a right angle about (10, 20)", func(c draw.Canvas) {
			c.Push()
			c.Translate(vg.Point{X: 10, Y: 20})
			c.Rotate(math.Pi / 2)
			c.Scale(2, 3)
			c.SetLineStyle(draw.LineStyle{Color: pen.Black, Width: 1})
			c.Stroke(line(vg.Point{}, vg.Point{X: 1}, vg.Point{X: 1, Y: 1})) // up by 2, left by 3
			c.Translate(vg.Point{X: 5, Y: -2})                               // up by 10, right by 6
			c.Stroke(line(vg.Point{}, vg.Point{X: 1}))
			c.Pop()
			c.Stroke(line(vg.Point{}, vg.Point{X: 1}))
		}, []string{"path d=M10 60 10 58 7 58M16 50 16 48M0 80 1 80 fill=none stroke=#000000 stroke-width=1"}},
		{"lines become one path, unless it shows", func(c draw.Canvas) {
			stroke := func(look draw.LineStyle, x vg.Length) {
				c.SetLineStyle(look)
				c.Stroke(line(vg.Point{X: x}, vg.Point{X: x, Y: 1}))
			}
			thin := draw.LineStyle{Color: pen.Black, Width: 1}
			stroke(thin, 1)
			stroke(thin, 2)
			canvas.Hover(&c, func() string { return "three" }, func() { stroke(thin, 3) })
			stroke(thin, 4)
			c.SetColor(pen.Black)
			c.Fill(pen.Disc(vg.Point{X: 5, Y: 80}, 1))
			stroke(thin, 6)
			stroke(draw.LineStyle{Color: red, Width: 1}, 7) // two that cross are darker there
			stroke(draw.LineStyle{Color: red, Width: 1}, 8)
		}, []string{"path d=M1 80 1 79M2 80 2 79 fill=none stroke=#000000 stroke-width=1",
			"path d=M3 80 3 79 fill=none stroke=#000000 stroke-width=1", "title fill=none stroke=#000000 stroke-width=1 three", "path d=M4 80 4 79 fill=none stroke=#000000 stroke-width=1",
			"circle cx=5 cy=0 r=1 fill=#000000", "path d=M6 80 6 79 fill=none stroke=#000000 stroke-width=1",
			"path d=M7 80 7 79 fill=none stroke=#ff0000 stroke-opacity=0.502 stroke-width=1", "path d=M8 80 8 79 fill=none stroke=#ff0000 stroke-opacity=0.502 stroke-width=1"}},
		{"two pieces, of which one is a point, and an arc that goes on", func(c draw.Canvas) {
			var p vg.Path
			p.Move(vg.Point{X: 1})
			p.Move(vg.Point{X: 2})
			p.Line(vg.Point{X: 3})
			p.Arc(vg.Point{X: 3, Y: 1}, 1, 0, math.Pi/2) // from (4, 1)
			c.SetLineStyle(draw.LineStyle{Color: pen.Black, Width: 1})
			c.Stroke(p)
		}, []string{"path d=M1 80M2 80 3 80 4 79C4 78.45 3.55 78 3 78 fill=none stroke=#000000 stroke-width=1"}},
		{"text with its spaces", func(c draw.Canvas) {
			sty := pen.Style(10)
			sty.XAlign, sty.YAlign = draw.XLeft, draw.YBottom
			c.FillText(sty, vg.Point{X: 5, Y: 10}, "x_{<} = 1")
		}, nil},
		// Text that reads from bottom to top: along the text y falls, across it x grows.
		{"text turned by a right angle", func(c draw.Canvas) {
			sty := pen.Style(10)
			sty.XAlign, sty.YAlign, sty.Rotation = draw.XLeft, draw.YBottom, math.Pi/2
			sty.Handler.Draw(c, "v", sty, vg.Point{X: 50, Y: 30})
		}, []string{fmt.Sprintf("text transform=matrix(0 -1 1 0 %s 50) fill=#262626 font-size=10 v", strconv.FormatFloat(math.Round(100*(50-pen.Sans().Extents(pen.Style(10).Font).Descent.Points()))/100, 'g', -1, 64))}},
	} {
		got := elements(t, c.paint)
		if c.want == nil {
			if len(got) != 3 || !strings.HasSuffix(got[0], " x") || !strings.HasSuffix(got[1], " <") ||
				!strings.Contains(got[2], "space=preserve") || !strings.HasSuffix(got[2], "  = 1") || !strings.Contains(got[1], "font-size=7") {
				t.Errorf("%s: %q", c.name, got)
			}
			continue
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// An image is embedded whole: here a part of one with a palette. embedPNG has its own test.
func TestSVGImage(t *testing.T) {
	indexed := image.NewPaletted(image.Rect(0, 0, 3, 2), color.Palette{color.White, color.Black, pen.Blue})
	copy(indexed.Pix, []uint8{0, 1, 2, 2, 0, 1})
	part := indexed.SubImage(image.Rect(1, 0, 3, 2))
	got := elements(t, func(c draw.Canvas) {
		c.DrawImage(vg.Rectangle{Min: vg.Point{X: 10, Y: 20}, Max: vg.Point{X: 40, Y: 60}}, part)
	})
	if len(got) != 1 || !strings.HasPrefix(got[0], "image x=10 y=20 width=30 height=40 preserveAspectRatio=none style=image-rendering:pixelated href=data:image/png;base64,") {
		t.Fatalf("%q", got)
	}
	_, code, _ := strings.Cut(got[0], "base64,")
	file := must.Get(base64.StdEncoding.DecodeString(code)).Or(t)
	back := decoded(t, file)
	if size := back.Bounds().Size(); size != part.Bounds().Size() {
		t.Fatalf("size %v, want %v", size, part.Bounds().Size())
	}
	for k := range 4 {
		x, y := k%2, k/2
		if got, want := color.NRGBAModel.Convert(back.At(x, y)), color.NRGBAModel.Convert(part.At(1+x, y)); got != want {
			t.Errorf("pixel (%d, %d) is %v, want %v", x, y, got, want)
		}
	}
}

// filtered applies the filters of a dark page: invert(.93) and hue-rotate(180deg), with the
// formulas of the Filter Effects Module Level 1 for both (cos = -1, sin = 0).
func filtered(h pen.Hue) color.NRGBA {
	var in, out [3]float64
	for k := range in {
		in[k] = 0.93 - 0.86*float64(h>>(16-8*k)&0xFF)/255
	}
	light := [3]float64{0.213, 0.715, 0.072}
	for k := range out {
		for j := range in {
			out[k] += 2 * light[j] * in[j]
		}
		out[k] = min(max(out[k]-in[k], 0), 1)
	}
	return color.NRGBA{uint8(255*out[0] + 0.5), uint8(255*out[1] + 0.5), uint8(255*out[2] + 0.5), 0xFF}
}

// On a dark page text is as legible as WCAG 2.2 asks for (4.5 to 1, and 3 to 1 for lines and
// glyphs), and the colours that stand out from white stand out from the dark ground, with
// the hue they had.
func TestDark(t *testing.T) {
	const dark = "<style>@media (prefers-color-scheme:dark){svg.figure{filter:invert(.93) hue-rotate(180deg)}}</style>"
	ground := filtered(pen.Paper)
	if got := (color.NRGBA{0x12, 0x12, 0x12, 0xFF}); ground != got {
		t.Errorf("white becomes %v, want %v", ground, got)
	}
	for _, h := range []pen.Hue{pen.Ink, pen.Edge, pen.Black} {
		if c := pen.Contrast(filtered(h), ground); c < 4.5 {
			t.Errorf("%06x: a contrast of %.1f on a dark page", uint32(h), c)
		}
	}
	for k, h := range pen.Hues {
		c := filtered(h)
		if before, after := pen.Contrast(h, pen.Paper), pen.Contrast(c, ground); before >= 3 && after < 3 {
			t.Errorf("%s: a contrast of %.1f on white, and %.1f on a dark page", pen.HueNames[k], before, after)
		}
		order := func(c color.NRGBA) [3]bool { return [3]bool{c.R > c.G, c.G > c.B, c.B > c.R} }
		if was := color.NRGBAModel.Convert(h).(color.NRGBA); h != pen.Black && order(c) != order(was) {
			t.Errorf("%s: %v on a dark page is of another hue", pen.HueNames[k], c)
		}
	}
	if svg := string(New("").SVG()); strings.Count(svg, `<svg class="figure"`) != 1 || strings.Count(svg, dark) != 1 {
		t.Error("the document has no style for dark pages, or one with other filters than this test's")
	}
}

func TestSVG(t *testing.T) {
	svg := New("a < b", Image([]float64{-1, 0, 1, 0}, 2, Bar("γ"))).SVG()
	var texts []string
	for _, tok := range tokens(t, svg) {
		if c, ok := tok.(xml.CharData); ok && strings.TrimSpace(string(c)) != "" {
			texts = append(texts, string(c))
		}
	}
	for _, want := range []string{"a < b", "γ"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no text %q in %q", want, texts)
		}
	}
	for _, want := range []string{`role="img" aria-label="Figure “a &lt; b”: image of 2×2 pixels, values shown from −1 to 1."`, "font-family:'DejaVu Sans',Verdana,sans-serif", "image-rendering:pixelated", "data:image/png;base64,"} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("the SVG has no %s", want)
		}
	}
}
