//go:build browser

package live_test

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"

	"marginalia/internal/cell/display"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/site/live"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
	"marginalia/plotting"
)

// A saver is a window with figures and their menus.
type saver struct{ *visit }

// newSaver opens a page with figures under the policy of the site's pages. What it saves it keeps, too, since a
// browser without a head saves nothing.
func newSaver(t *testing.T, figures ...plotting.Drawing) saver {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, live.Scripts(t.Context(), dir))
	page := head("Figures") + "<main>"
	for _, f := range figures {
		page += fmt.Sprintf("<div data-packed=%q><img alt=\"\"></div>\n", display.Pack(f.(interface{ SVG() []byte }).SVG()))
	}
	testfile.Write(t, filepath.Join(dir, "figures.html"), page+`</main><script type="module" src="figures.js"></script>`)
	testfile.Write(t, filepath.Join(dir, "figures.js"), `import { show } from "./figure.js";
globalThis.saved = [];
const url = URL.createObjectURL;
URL.createObjectURL = (blob) => (saved.push({ blob }), url.call(URL, blob));
HTMLAnchorElement.prototype.click = function () { saved.at(-1).name = this.download; };
globalThis.print = () => { globalThis.printed = document.title; };
[...document.querySelectorAll("[data-packed]")].forEach((host, i) => show(host, host.dataset.packed, "figure-" + (i + 1)));
`)
	address := site(t, dir)
	v := window(t, labtest.Chromium(t), address)
	v.do("opening the page", chromedp.Navigate(address+"/figures.html"))
	v.wait("the menus", fmt.Sprintf(`document.querySelectorAll('.marginalia-tools + .marginalia-figure svg').length === %d`, len(figures)))
	return saver{v}
}

// choose opens the menu of figure k and chooses, by keys alone.
func (s saver) choose(k int, item string) {
	s.t.Helper()
	s.do("opening the menu", chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelectorAll('.marginalia-tools > button')[%d].focus()`, k)), labtest.Keys(kb.Enter))
	s.wait("the menu", `document.activeElement.role === 'menuitem'`)
	for range 6 {
		if value[string](s.visit, `document.activeElement.textContent`) == item {
			s.do("choosing", labtest.Keys(kb.Enter))
			s.wait("the menu to close", `!document.querySelector('.marginalia-menu')`)
			return
		}
		s.do("the next", labtest.Keys(kb.ArrowDown))
	}
	s.t.Fatalf("the menu has no %q", item)
}

// save returns the file that an item of the menu saves, and its name.
func (s saver) save(k int, item string) (name string, file []byte) {
	s.t.Helper()
	value[bool](s.visit, `(saved.length = 0, true)`)
	s.choose(k, item)
	s.wait("the file", `saved[0]?.name`)
	got := value[[2]string](s.visit, `(async () => [saved[0].name, btoa(String.fromCharCode(...new Uint8Array(await saved[0].blob.arrayBuffer())))])()`)
	return got[0], must.Get(base64.StdEncoding.DecodeString(got[1])).Or(s.t)
}

// A figure is copied and saved from its menu, in a dark theme too, as it is on white.
func TestFigureMenu(t *testing.T) {
	tier.Browser(t)
	fig := plotting.New("a line, and its points", plotting.Line([]float64{0, 1, 2}, []float64{0, 1, 4}, plotting.Size(4), plotting.Name("x²"))).Size(5*vg.Inch, 4*vg.Inch)
	s := newSaver(t, fig)
	const items = `[...document.querySelectorAll('.marginalia-menu button')].map((e) => e.textContent).join()`
	s.do("opening the menu", chromedp.Evaluate[chromedp.Void](`document.body.dataset.jpThemeLight = "false"; document.querySelector('.marginalia-tools > button').focus()`), labtest.Keys(kb.Enter))
	s.wait("the menu", items+` === 'Copy as PNG,Save as PNG,Save as SVG,Print or save as PDF,Save the data as CSV'`)
	labtest.Picture(s, t.Name()+"-open")
	s.do("closing the menu", labtest.Keys(kb.Escape))
	s.wait("the focus where it was", `!document.querySelector('.marginalia-menu') && document.activeElement === document.querySelector('.marginalia-tools > button')`)

	name, file := s.save(0, "Save as PNG")
	picture := must.Get(png.Decode(bytes.NewReader(file))).Or(t)
	if size := picture.Bounds().Size(); name != "figure-1.png" || size.X != 5*288 || size.Y != 4*288 {
		t.Errorf("%s has %v pixels, want those of 5×4 inches with 288 pixels per inch", name, size)
	}
	own := must.Get(png.Decode(bytes.NewReader(fig.PNG(288)))).Or(t)
	differ := 0 // the browser has its own rules for the edges of lines, and may have other letters
	for y := range 4 * 288 {
		for x := range 5 * 288 {
			a, b := color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y, color.GrayModel.Convert(own.At(x, y)).(color.Gray).Y
			if max(a, b)-min(a, b) > 64 {
				differ++
			}
		}
	}
	if r, g, b, a := picture.At(2, 2).RGBA(); r&g&b&a != 0xFFFF || differ > 5*288*4*288/50 {
		t.Errorf("its corner is %v, and %d pixels are unlike those of plotting", picture.At(2, 2), differ)
	}

	name, file = s.save(0, "Save as SVG")
	if name != "figure-1.svg" || !bytes.Contains(file, []byte(`font-family="'DejaVu Sans', Verdana, sans-serif"`)) || bytes.Contains(file, []byte("var(")) {
		t.Errorf("%s begins %.400s", name, file)
	}
	if got, want := words(t, file), words(t, fig.SVG()); got != want {
		t.Errorf("the SVG has the elements and texts\n%s, want\n%s", got, want)
	}

	s.choose(0, "Print or save as PDF")
	s.wait("the print", `globalThis.printed === 'figure-1'`)
	pdf := must.Get(chromedp.Run(s, chromedp.PrintToPDF(chromedp.PDFPrintBackground(), chromedp.PDFPreferCSSPageSize()))).Or(t)
	boxes := regexp.MustCompile(`/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]`).FindAllSubmatch(pdf, -1)
	if len(boxes) != 1 || math.Abs(float(t, boxes[0][1])-360) > 1 || math.Abs(float(t, boxes[0][2])-288) > 1 || !bytes.Contains(pdf, []byte("/FontFile2")) || bytes.Contains(pdf, []byte("/Subtype /Image")) {
		t.Errorf("the PDF has %d sheets, %s, want one of 360×288 points, with fonts and without pictures", len(boxes), boxes)
	}
	if got := value[string](s.visit, `(dispatchEvent(new Event('afterprint')), document.title + document.querySelectorAll('.marginalia-sheet').length)`); got != "Figures0" {
		t.Errorf("after the print: %s", got)
	}

	must.Get(chromedp.Call(s, browser.SetPermission, browser.SetPermissionParams{Permission: &browser.PermissionDescriptor{Name: "clipboard-write"}, Setting: browser.PermissionSettingGranted})).Or(t)
	must.Get(chromedp.Call(s, browser.SetPermission, browser.SetPermissionParams{Permission: &browser.PermissionDescriptor{Name: "clipboard-read"}, Setting: browser.PermissionSettingGranted})).Or(t)
	s.choose(0, "Copy as PNG")
	s.wait("the word for it", `document.querySelector('.marginalia-tools > span').textContent === 'Copied'`)
	if got := value[string](s.visit, `(async () => (await navigator.clipboard.read())[0].types.join())()`); got != "image/png" {
		t.Errorf("the clipboard has %q", got)
	}
	s.clean()
}

// words are the elements of an SVG document with their texts, without its style.
func words(t *testing.T, svg []byte) string {
	t.Helper()
	var b strings.Builder
	d := xml.NewDecoder(bytes.NewReader(svg))
	for skip := false; ; {
		token, err := d.Token()
		if err == io.EOF {
			return b.String()
		}
		must.Do(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			if skip = e.Name.Local == "style"; !skip {
				b.WriteString(" " + e.Name.Local + " ")
			}
		case xml.CharData:
			if !skip {
				b.WriteString(strings.TrimSpace(string(e)))
			}
		}
	}
}

func float(t *testing.T, text []byte) float64 {
	t.Helper()
	return must.Get(strconv.ParseFloat(string(text), 64)).Or(t)
}

// A row is what a figure's table has of one place: panel, series, kind of mark, x and y. What is no number is
// the name of a place on an axis.
type row [5]any

// The data of a figure are what it was drawn of, as far as a drawing tells a hundredth of a point from the next. The
// axes below are 200 points long or longer, so that x and y are right to 1e-4 of the axis, or of their logarithm.
func TestFigureData(t *testing.T) {
	tier.Browser(t)
	line := func(panel int, series string, n int, xs, ys []float64) (rows []row) {
		for i := range xs {
			rows = append(rows, row{panel, series, fmt.Sprint("line ", n), xs[i], ys[i]})
		}
		return rows
	}
	xs := []float64{1, 2, 5, 9}
	squares, times, powers := []float64{1, 4, 25, 81}, []float64{1_700_000_000, 1_700_000_900, 1_700_002_000, 1_700_003_600}, []float64{1e-9, 0.5, 4e3, 7e11}
	cases := []struct {
		name string
		fig  plotting.Drawing
		want []row
	}{
		{"a line and points", plotting.New("", plotting.Line(xs, squares, plotting.Name("line, “x”")), plotting.Points([]float64{0.5}, []float64{30}, plotting.Name("p"))),
			append(line(1, "line, “x”", 1, xs, squares), row{1, "p", "point", 0.5, 30.})},
		{"series without names", plotting.New("", plotting.Line(xs, squares), plotting.Line(xs, xs)), append(line(1, "1", 1, xs, squares), line(1, "2", 2, xs, xs)...)},
		{"far from 0", plotting.New("", plotting.Line(times, xs)), line(1, "1", 1, times, xs)},
		{"powers of ten", plotting.New("", plotting.Line(xs, powers)).LogY(), line(1, "1", 1, xs, powers)},
		{"less than two decades", plotting.New("", plotting.Line(xs, squares)).LogX().LogY(), line(1, "1", 1, xs, squares)},
		{"small numbers", plotting.New("", plotting.Line([]float64{1e-7, 3e-7}, []float64{-2e9, 5e9})), line(1, "1", 1, []float64{1e-7, 3e-7}, []float64{-2e9, 5e9})},
		{"panels", plotting.Tile(2, plotting.New("left", plotting.Line(xs, squares, plotting.Name("a"))), plotting.New("right", plotting.Line(xs, xs, plotting.Name("b")))),
			append(line(1, "a", 1, xs, squares), line(2, "b", 1, xs, xs)...)},
		{"squares and triangles", plotting.New("", plotting.Classes(mat.NewDense(3, 2, []float64{0, 1, 2, 3, 4, 0.5}), []int{0, 1, 2})),
			[]row{{1, "y = 0", "point", 0., 1.}, {1, "y = 1", "point", 2., 3.}, {1, "y = 2", "point", 4., 0.5}}},
		{"bars", plotting.New("", plotting.Bars([]string{"before", "after"}, [][]float64{{3, 7}})), []row{
			{1, "1", "area 1", "before", 0.}, {1, "1", "area 1", "before", 0.}, {1, "1", "area 1", "before", 3.}, {1, "1", "area 1", "before", 3.},
			{1, "1", "area 2", "after", 0.}, {1, "1", "area 2", "after", 0.}, {1, "1", "area 2", "after", 7.}, {1, "1", "area 2", "after", 7.}}},
	}
	var figures []plotting.Drawing
	for _, c := range cases {
		figures = append(figures, c.fig)
	}
	s := newSaver(t, figures...)
	for k, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s.t = t
			name, file := s.save(k, "Save the data as CSV")
			got := must.Get(csv.NewReader(bytes.NewReader(file)).ReadAll()).Or(t)
			if name != fmt.Sprintf("figure-%d.csv", k+1) || strings.Join(got[0], ",") != "panel,series,mark,x,y" || len(got) != 1+len(c.want) {
				t.Fatalf("%s is\n%s", name, file)
			}
			for i, want := range c.want {
				for k := range want {
					v, isNumber := want[k].(float64)
					if !isNumber {
						if got[i+1][k] != fmt.Sprint(want[k]) {
							t.Errorf("row %d is %q, want %v", i+1, got[i+1], want)
						}
						continue
					}
					has, length := float(t, []byte(got[i+1][k])), 0.0
					for _, other := range c.want {
						length = max(length, math.Abs(other[k].(float64)-v))
					}
					if logarithmic := c.name == "powers of ten" && k == 4 || c.name == "less than two decades"; logarithmic {
						length = v * 50 // at most 21 decades, which is e⁴⁸
					}
					if math.Abs(has-v) > 2e-4*length {
						t.Errorf("row %d is %q, want %v", i+1, got[i+1], want)
					}
				}
			}
		})
	}
	s.t = t
	s.clean()
}

// A figure without axes has no data to save.
func TestFigureWithoutData(t *testing.T) {
	tier.Browser(t)
	s := newSaver(t, plotting.New("", plotting.Image([]float64{0, 1, 1, 0}, 2)))
	s.do("opening the menu", chromedp.Click(chromedp.CSS(".marginalia-tools > button")))
	s.wait("the menu", `document.querySelector('.marginalia-menu')?.textContent === 'Copy as PNGSave as PNGSave as SVGPrint or save as PDF'`)
	s.clean()
}
