package plotting_test

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
	. "marginalia/plotting"
)

var update = flag.Bool("update", false, "rewrite the golden figures in testdata")

// figure is the interface that figures and panels share.
type figure interface {
	Drawing
	PNG(dpi int) []byte
	SVG() []byte
	PDF() []byte
	Extent() (w, h vg.Length)
	Alt() string
}

// resized returns the figure for a column of width w.
func resized(d figure, w vg.Length) figure {
	if f, ok := d.(*Figure); ok {
		return f.Resized(w)
	}
	return d.(*Panels).Resized(w)
}

var figures = []struct {
	name string
	draw func() figure
}{
	{"cmu", cmu},
	{"theodoridis", theodoridis},
	{"epochs", epochs},
	{"distance", distance},
	{"weights", weightImage},
	{"digits", digitSheet},
	{"losses", losses},
	{"crowd", crowd},
	{"annulus", annulus},
	{"regions", threeRegions},
	{"posterior", posterior},
	{"confusions", confusions},
	{"grams", grams},
	{"margins", margins},
	{"crowded-margin", crowdedMargin},
	{"feature-map", featureMap},
	{"projection", projection},
	{"helix", helix},
	{"bars", barCharts},
	{"histograms", histograms},
	{"bands", bands},
	{"end-labels", endLabels},
	{"hog", hog},
	{"validations", validations},
	{"searches", searches},
	{"rankings", rankings},
	{"surfaces", surfaces},
}

// The figures match the golden pictures. On up to a thousandth of the pixels, colours may
// differ by more than 2 of 255, because rounding errors differ between processors.
func TestGolden(t *testing.T) {
	tier.Long(t)
	for _, f := range figures {
		t.Run(f.name, func(t *testing.T) {
			got := f.draw().PNG(72)
			path := filepath.Join("testdata", f.name+".png")
			if *update {
				must.Do(t, os.WriteFile(path, got, 0o644))
			}
			want := must.Get(os.ReadFile(path)).Or(t)
			compare(t, f.name, got, want)
		})
	}
}

func compare(t *testing.T, name string, got, want []byte) {
	t.Helper()
	a := must.Get(png.Decode(bytes.NewReader(got))).Or(t)
	b := must.Get(png.Decode(bytes.NewReader(want))).Or(t)
	bad := 0
	diff := image.NewGray(a.Bounds())
	if a.Bounds() == b.Bounds() {
		for y := range a.Bounds().Dy() {
			for x := range a.Bounds().Dx() {
				if d := apart(a.At(x, y), b.At(x, y)); d > 2 {
					bad++
					diff.SetGray(x, y, color.Gray{Y: uint8(min(255, 50+4*d))})
				}
			}
		}
		if bad*1000 <= a.Bounds().Dx()*a.Bounds().Dy() {
			return
		}
	}
	dir := must.Get(os.MkdirTemp("", "marginalia-figure-")).Or(t)
	var d bytes.Buffer
	must.Do(t, png.Encode(&d, diff))
	for file, data := range map[string][]byte{"got": got, "want": want, "diff": d.Bytes()} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name+"-"+file+".png"), data, 0o644))
	}
	t.Errorf("%s: size %v, want %v; %d pixels differ: see %s; go test -update accepts the new picture",
		name, a.Bounds().Size(), b.Bounds().Size(), bad, dir)
}

func apart(a, b color.Color) int {
	r, g, bl, _ := a.RGBA()
	r2, g2, bl2, _ := b.RGBA()
	d := func(x, y uint32) int { return max(int(x>>8)-int(y>>8), int(y>>8)-int(x>>8)) }
	return max(d(r, r2), d(g, g2), d(bl, bl2))
}

// Drawing must not change the figure or globals, and must not depend on the order of a map
// or on the number of processors.
func TestSameBytes(t *testing.T) {
	tier.Long(t) // TestParallel draws what goroutines share
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, f := range figures {
		once := f.draw()
		svg, file := once.SVG(), once.PNG(30)
		runs := []int{2} // a new drawing on one processor
		if tier.IsLong(t) {
			runs = slices.Repeat([]int{0, 1, 2, 3}, 5)
		}
		for _, run := range runs {
			runtime.GOMAXPROCS(1 + run%2)
			d := once
			if run > 1 {
				d = f.draw()
			}
			if !bytes.Equal(d.SVG(), svg) {
				t.Fatalf("%s: SVG differs from one drawing to the next", f.name)
			}
			if !bytes.Equal(d.PNG(30), file) {
				t.Fatalf("%s: PNG differs from one drawing to the next", f.name)
			}
		}
	}
}

// Every golden figure has the pixels that gonum/plot's own canvas gives it, at the
// resolutions of a small picture and of screens. The race detector covers these figures in
// TestGolden.
func TestPixelsOfVgimg(t *testing.T) {
	tier.Long(t)
	for i, f := range figures {
		t.Run(f.name, func(t *testing.T) {
			resolutions := []int{31, 72, 192}
			if !tier.IsLong(t) {
				resolutions = resolutions[i%2:][:1]
			}
			for _, dpi := range resolutions {
				d := f.draw()
				w, h := d.Extent()
				cv := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))
				d.Draw(draw.New(cv))
				got := must.Get(png.Decode(bytes.NewReader(d.PNG(dpi)))).Or(t)
				differ, worst := 0, 0
				if got.Bounds() != cv.Image().Bounds() {
					t.Fatalf("%d dpi: size %v, want %v", dpi, got.Bounds(), cv.Image().Bounds())
				}
				// Equal bytes mean equal colours; comparing colours is slow.
				same := image.NewRGBA(got.Bounds())
				imagedraw.Draw(same, same.Rect, got, got.Bounds().Min, imagedraw.Src)
				if want, ok := cv.Image().(*image.RGBA); ok && bytes.Equal(same.Pix, want.Pix) {
					continue
				}
				for y := range got.Bounds().Dy() {
					for x := range got.Bounds().Dx() {
						if d := apart(got.At(x, y), cv.Image().At(x, y)); d > 0 {
							differ, worst = differ+1, max(worst, d)
						}
					}
				}
				if differ > 0 {
					t.Errorf("%d dpi: %d pixels differ, by up to %d of 255", dpi, differ, worst)
				}
			}
		})
	}
}
