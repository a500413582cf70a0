package notebooks

import (
	"image"
	"image/color"
	"slices"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"gonum.org/v1/plot/vg/vgimg"
)

// A recording is the steps in which a figure is drawn. Changes of a figure are
// changes of its steps: what they draw is what drawing it so would give.
type recording struct {
	w, h  vg.Length
	steps []recorder.Action
}

func record(d figure) recording {
	w, h := d.Extent()
	var c recorder.Canvas
	d.Draw(draw.NewCanvas(&c, w, h))
	return recording{w, h, c.Actions}
}

// pixel is the unit of a stored picture, which has two for each of the 96 to the inch.
const pixel = vg.Inch / (2 * 96)

// fonts has the typeface of the figures, which the recorder's own replay lacks.
var fonts = func() *font.Cache {
	face, err := opentype.Parse(dejavusans.TTF)
	if err != nil {
		panic(err)
	}
	return font.NewCache(font.Collection{{Font: font.Font{Typeface: "DejaVu Sans"}, Face: face}})
}()

// picture returns the pixels, by the canvas that plotting draws on.
func (r recording) picture() *image.RGBA {
	c := vgimg.NewWith(vgimg.UseWH(r.w, r.h), vgimg.UseDPI(2*96))
	for _, s := range r.steps {
		if text, ok := s.(*recorder.FillString); ok {
			c.FillString(fonts.Lookup(text.Font, text.Size), text.Point, text.String)
			continue
		}
		s.ApplyTo(c)
	}
	return c.Image().(*image.RGBA)
}

// A shape is something to be seen: steps of a recording, and how they draw.
type shape struct {
	kind   string // "mark", with its rim; "area", "line", "text" or "image"
	steps  []int
	text   string
	colour color.NRGBA
}

func (r recording) shapes() (all []shape) {
	var colour color.NRGBA
	for i, step := range r.steps {
		found := shape{steps: []int{i}, colour: colour}
		switch step := step.(type) {
		case *recorder.SetColor:
			colour = color.NRGBAModel.Convert(step.Color).(color.NRGBA)
			continue
		case *recorder.Fill:
			found.kind = "area"
		case *recorder.Stroke:
			found.kind = "line"
			if n := len(all) - 1; n >= 0 && all[n].kind == "area" {
				if fill := r.steps[all[n].steps[0]].(*recorder.Fill); slices.EqualFunc(fill.Path, step.Path, same) {
					all[n].kind, all[n].steps = "mark", append(all[n].steps, i)
					continue
				}
			}
		case *recorder.FillString:
			found.kind, found.text = "text", step.String
		case *recorder.DrawImage:
			found.kind = "image"
		default:
			continue
		}
		all = append(all, found)
	}
	return all
}

func same(a, b vg.PathComp) bool {
	return a.Type == b.Type && a.Pos == b.Pos && slices.Equal(a.Control, b.Control) &&
		a.Radius == b.Radius && a.Start == b.Start && a.Angle == b.Angle
}

// An edit returns what stands in place of a step of a shape.
type edit func(s recorder.Action) []recorder.Action

// edited returns the recording with a shape changed.
func (r recording) edited(s shape, e edit) recording {
	var steps []recorder.Action
	for i, step := range r.steps {
		if slices.Contains(s.steps, i) {
			steps = append(steps, e(step)...)
		} else {
			steps = append(steps, step)
		}
	}
	return recording{r.w, r.h, steps}
}

func drop(recorder.Action) []recorder.Action { return nil }

// moved is a shape some pixels to the right and up.
func moved(right, up vg.Length) edit {
	by := vg.Point{X: right * pixel, Y: up * pixel}
	return func(s recorder.Action) []recorder.Action {
		return []recorder.Action{mapped(s, func(p vg.Point) vg.Point { return p.Add(by) })}
	}
}

// filled is an area or a mark in another colour. The rim of a mark stays white.
func filled(c color.Color) edit {
	return func(s recorder.Action) []recorder.Action {
		if _, rim := s.(*recorder.Stroke); rim {
			return []recorder.Action{s}
		}
		return in(c)(s)
	}
}

// in is a line or a text in another colour.
func in(c color.Color) edit {
	return func(s recorder.Action) []recorder.Action {
		return []recorder.Action{&recorder.Push{}, &recorder.SetColor{Color: c}, s, &recorder.Pop{}}
	}
}

// saying is another text.
func saying(text string) edit {
	return func(s recorder.Action) []recorder.Action {
		other := *s.(*recorder.FillString)
		other.String = text
		return []recorder.Action{&other}
	}
}

// drawnWith is a line of another width, or with other dashes; none: it is plain.
func drawnWith(width vg.Length, dashes ...vg.Length) edit {
	return func(s recorder.Action) []recorder.Action {
		return []recorder.Action{&recorder.Push{}, &recorder.SetLineWidth{Width: width}, &recorder.SetLineDash{Dashes: dashes}, s, &recorder.Pop{}}
	}
}

// mapped returns a step with f of each of its points.
func mapped(s recorder.Action, f func(vg.Point) vg.Point) recorder.Action {
	path := func(p vg.Path) vg.Path {
		p = slices.Clone(p)
		for i := range p {
			p[i].Pos = f(p[i].Pos)
			p[i].Control = slices.Clone(p[i].Control)
			for j := range p[i].Control {
				p[i].Control[j] = f(p[i].Control[j])
			}
		}
		return p
	}
	switch s := s.(type) {
	case *recorder.Fill:
		return &recorder.Fill{Path: path(s.Path)}
	case *recorder.Stroke:
		return &recorder.Stroke{Path: path(s.Path)}
	case *recorder.FillString:
		other := *s
		other.Point = f(s.Point)
		return &other
	case *recorder.DrawImage:
		return &recorder.DrawImage{Rectangle: vg.Rectangle{Min: f(s.Rectangle.Min), Max: f(s.Rectangle.Max)}, Image: s.Image}
	case *recorder.Translate:
		return &recorder.Translate{Point: f(s.Point)}
	}
	return s
}
