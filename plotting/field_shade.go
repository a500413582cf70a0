package plotting

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"marginalia/plotting/internal/canvas"
	"marginalia/plotting/internal/pen"
)

// shading paints the values of a field.
type shading struct {
	sampled
	what string
}

// Score shades the plane by a field: blue at -2 and below, white at 0, vermilion at
// 2 and above, the colours of the classes -1 and +1. [Scale] sets other ends and
// puts white in the middle between them. [Bar] adds a colour bar.
func Score(f Field, s ...FieldStyle) Layer { return newShading("Score", -2, 2, f, s) }

// Probability is [Score] for the probability of the upper class: blue at 0, white
// at ½, vermilion at 1.
func Probability(f Field, s ...FieldStyle) Layer { return newShading("Probability", 0, 1, f, s) }

func newShading(what string, lo, hi float64, f Field, s []FieldStyle) *shading {
	l := &shading{sampled{Look: pen.NewLook(what, s), f: f}, what}
	if !l.Scaled {
		l.Lo, l.Hi = lo, hi
	}
	return l
}

func (l *shading) fresh() Layer { return &shading{l.anew(), l.what} }

func (l *shading) Traits() pen.Traits { return pen.Traits{Features: true, Ground: true} }

// shades is the number of shades of a field, light enough for points on top.
// Neighbouring shades differ by less than 2 of 255 in each channel, which no eye
// sees; more shades make larger files.
const shades = 129

func (l *shading) shade(k int) color.NRGBA {
	t := 2*float64(k)/(shades-1) - 1
	const most = 0.42 // share of the darkest colour
	if t < 0 {
		return pen.Ramp(pen.Cold[:], -t*most)
	}
	return pen.Ramp(pen.Warm[:], t*most)
}

// index returns the shade of a value.
func (l *shading) index(v float64) int {
	t := math.Min(1, math.Max(0, (v-l.Lo)/(l.Hi-l.Lo)))
	return int(math.Round(t * (shades - 1)))
}

// samplePixels limits the pixels between two samples of a field in SVG. More show nothing new,
// and a page that redraws a field of few samples while the reader drags waits for each.
const samplePixels = 10

func (l *shading) Plot(c draw.Canvas, p *plot.Plot) {
	g := l.values(p)
	palette := make([]color.NRGBA, shades+1)
	for k := range shades {
		palette[k] = l.shade(k)
	}
	palette[shades] = pen.Mix(pen.Zero, pen.Zero, 0) // where the field is NaN
	nx, ny := len(g.X), len(g.Y)
	// Bilinear interpolation between the nodes: along the columns of the grid once
	// per row of the picture, then along the row.
	between := make([]float64, nx)
	paintRows(c, max(nx, min(400, samplePixels*nx)), palette, func(v float64, us []float64, dst []uint8) {
		j, t := gridCell(v, ny)
		low, high := g.Z[j*nx:(j+1)*nx], g.Z[(j+1)*nx:(j+2)*nx]
		for i := range between {
			between[i] = bound(low[i])*(1-t) + bound(high[i])*t
		}
		scale := (shades - 1) / (l.Hi - l.Lo)
		for x, u := range us {
			i, s := gridCell(u, nx)
			switch z := (between[i]*(1-s) + between[i+1]*s - l.Lo) * scale; {
			case math.IsNaN(z):
				dst[x] = shades
			case z <= 0:
				dst[x] = 0
			case z >= shades-1:
				dst[x] = shades - 1
			default:
				dst[x] = uint8(z + 0.5)
			}
		}
	})
}

// gridCell returns the cell at a fraction of an axis with n nodes, and the position in it.
func gridCell(share float64, n int) (i int, t float64) {
	x := share * float64(n-1)
	i = min(int(x), n-2)
	return i, x - float64(i)
}

// bound limits infinite values, so that interpolation yields no NaN.
func bound(z float64) float64 { return min(max(z, -math.MaxFloat64/4), math.MaxFloat64/4) }

func (l *shading) scaleBar() *colourBar {
	return barOf(&l.Look, func(v float64) color.NRGBA { return l.shade(l.index(v)) })
}

func (l *shading) Alt() string {
	return fmt.Sprintf("%s shaded, from %s (blue) to %s (vermilion)", strings.ToLower(l.what), pen.Short(l.Lo), pen.Short(l.Hi))
}

// paintRows fills the canvas with colours of a palette, row by row. The function row
// gets a fraction v of the height and the fractions us of the width, and sets dst to
// palette indices. A canvas of pixels gets one row per row of pixels, a frame of a slider a
// grid of n/2 × n/2, and any other canvas one of n × n.
func paintRows(c draw.Canvas, n int, palette []color.NRGBA, row func(v float64, us []float64, dst []uint8)) {
	if img, dpi, ok := canvas.PixelsOf(c.Canvas); ok {
		high := img.Bounds().Dy()
		x0, x1 := c.Min.X.Dots(dpi), c.Max.X.Dots(dpi)
		y0, y1 := float64(high)-c.Max.Y.Dots(dpi), float64(high)-c.Min.Y.Dots(dpi)
		r := image.Rect(int(math.Round(x0)), int(math.Round(y0)), int(math.Round(x1)), int(math.Round(y1))).Intersect(img.Bounds())
		us, dst := make([]float64, r.Dx()), make([]uint8, r.Dx())
		for x := range us {
			us[x] = share((float64(r.Min.X+x) + 0.5 - x0) / (x1 - x0))
		}
		for y := r.Min.Y; y < r.Max.Y; y++ {
			row(share((y1-float64(y)-0.5)/(y1-y0)), us, dst)
			pix := img.Pix[img.PixOffset(r.Min.X, y):]
			for x, k := range dst {
				p := palette[k]
				pix[4*x], pix[4*x+1], pix[4*x+2], pix[4*x+3] = p.R, p.G, p.B, 0xFF
			}
		}
		return
	}
	if canvas.IsFrame(c.Canvas) {
		n /= 2
	}
	colours := make(color.Palette, len(palette))
	for k, p := range palette {
		colours[k] = p
	}
	img := image.NewPaletted(image.Rect(0, 0, n, n), colours)
	us := make([]float64, n)
	for x := range us {
		us[x] = (float64(x) + 0.5) / float64(n)
	}
	for y := range n {
		row(us[n-1-y], us, img.Pix[y*img.Stride:y*img.Stride+n])
	}
	c.DrawImage(c.Rectangle, img)
}

func share(t float64) float64 { return math.Min(1, math.Max(0, t)) }
