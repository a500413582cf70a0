//go:build browser

package live_test

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/cell/display"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/site/live"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// stored returns the sliders of a notebook, packed, in its order.
func stored(t *testing.T, notebook string) (packed []string, frames []*display.Frames) {
	t.Helper()
	nb := nbtest.Read(t, notebook)
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if text, ok := o.Data[display.SliderType].(string); ok {
				f := must.Get(display.UnpackFrames(text)).Or(t)
				packed, frames = append(packed, text), append(frames, f)
			}
		}
	}
	return packed, frames
}

// lecturePage writes a page with the sliders of a lecture, as the site's pages have them.
func lecturePage(t *testing.T, dir, name string, packed []string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(head(name))
	for _, p := range packed {
		fmt.Fprintf(&b, "<div data-packed=%q><p>the still</p></div>\n", p)
	}
	fmt.Fprintf(&b, `<script type="module" src="%s-page.js"></script>`, name)
	script := fmt.Sprintf(`import { slide } from "./figure.js";
import { enlivener } from "./sliders.js";
const alive = await enlivener(new URL(%q, document.baseURI).href);
for (const host of document.querySelectorAll("[data-packed]")) alive(await slide(host, host.dataset.packed));
`, name+".json")
	for file, text := range map[string]string{name + ".html": b.String(), name + "-page.js": script} {
		testfile.Write(t, filepath.Join(dir, file), text)
	}
}

// The sliders of all lectures live in pages: the program of each draws, for values whose frames the
// notebook stores, what is stored.
func TestLectures(t *testing.T) {
	tier.Browser(t)
	root := repotest.Root(t)
	lectures, err := filepath.Glob(filepath.Join(root, "notebooks", "0*.ipynb"))
	if err != nil || len(lectures) < 9 {
		t.Fatalf("%d lectures, %v", len(lectures), err)
	}
	dir := t.TempDir()
	must.Do(t, live.Scripts(t.Context(), dir))
	url, browser := site(t, dir), labtest.Chromium(t)
	for _, notebook := range lectures {
		packed, frames := stored(t, notebook)
		if len(packed) == 0 {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(notebook), ".ipynb")
		t.Run(name, func(t *testing.T) {
			n, err := live.Lecture(t.Context(), root, notebook, dir, name, nil)
			if err != nil || n != len(packed) {
				t.Fatalf("%d sliders, %v, want %d", n, err, len(packed))
			}
			programs, err := filepath.Glob(filepath.Join(dir, name+"*.wasmz"))
			if err != nil || len(programs) == 0 {
				t.Fatalf("%d programs, %v", len(programs), err)
			}
			for _, program := range programs {
				checkSize(t, program)
			}
			lecturePage(t, dir, name, packed)
			v := window(t, browser, url)
			v.do("opening the page", chromedp.Navigate(url+"/"+name+".html"))
			for i, f := range frames {
				v.slider(i, f)
			}
			labtest.Picture(v, t.Name())
			v.clean()
		})
	}
}

// slider checks slider number i of a page.
func (v *visit) slider(i int, f *display.Frames) {
	t := v.t
	t.Helper()
	input := fmt.Sprintf(`document.querySelectorAll('.marginalia-slider input')[%d]`, i)
	v.wait("the slider "+f.Name, fmt.Sprintf(`document.querySelectorAll('.marginalia-slider').length > %d`, i))
	value[bool](v, fmt.Sprintf(`(document.querySelectorAll('.marginalia-slider')[%d].scrollIntoView({block: 'center'}), true)`, i))
	v.wait("the program of "+f.Name, fmt.Sprintf(`(e => Math.abs(e.step - %g) < 1e-12 && Math.abs(e.max - %g) < 1e-12)(%s)`, f.Step, f.Max, input))
	// Both ends and some of the values between; all in the long tier.
	var values []float64
	var at []int
	for k := 0; k < len(f.Values); k += tier.Size(t, max(1, (len(f.Values)-1)/4), 1) {
		values, at = append(values, f.Values[k]), append(at, k)
	}
	drawn := value[[]string](v, fmt.Sprintf(`(async () => {
		const input = %s, picture = document.querySelectorAll('.marginalia-figure')[%d], all = [];
		input.step = 'any'; // the start need not be a step
		for (const x of %s) {
			const drawn = new Promise(done => { const seen = new MutationObserver(() => { seen.disconnect(); done(); }); seen.observe(picture, {childList: true}); });
			input.value = String(x);
			input.dispatchEvent(new Event('input'));
			await drawn;
			while (picture.ariaBusy === 'true') await new Promise(done => setTimeout(done, 20)); // until it is refined
			all.push(picture.innerHTML);
		}
		return all;
	})()`, input, i, list(values)))
	for k, svg := range drawn {
		if what := differ(svg, f.SVG(at[k])); what != "" {
			t.Errorf("%s at %g: %s", f.Name, values[k], what)
		}
	}
}

func list(values []float64) string {
	text, err := json.Marshal(values)
	if err != nil {
		panic(err) // finite numbers
	}
	return string(text)
}

var (
	texts    = regexp.MustCompile(`(?s)<text[^>]*>(.*?)</text>`)
	paths    = regexp.MustCompile(` d="([^"]*)"`)
	decimals = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?`)
)

// differ says where two figures differ: in a text, in the number of lines and marks, or in where
// one of them is, by more than a tenth of a point. Processors differ by less.
func differ(got, want string) string {
	for _, part := range []*regexp.Regexp{texts, paths} {
		a, b := part.FindAllStringSubmatch(got, -1), part.FindAllStringSubmatch(want, -1)
		if len(a) != len(b) {
			return fmt.Sprintf("%d matches of %s, stored are %d", len(a), part, len(b))
		}
		for i := range a {
			x, y := html.UnescapeString(a[i][1]), html.UnescapeString(b[i][1])
			if x != y && (part == texts || !near(x, y)) {
				return fmt.Sprintf("%.80q, stored is %.80q", x, y)
			}
		}
	}
	return ""
}

// near reports whether two paths have the same form, and places within a tenth of a point.
func near(a, b string) bool {
	if decimals.ReplaceAllString(a, "#") != decimals.ReplaceAllString(b, "#") {
		return false
	}
	x, y := decimals.FindAllString(a, -1), decimals.FindAllString(b, -1)
	for i := range x {
		p, _ := strconv.ParseFloat(x[i], 64) // the pattern is that of a number
		q, _ := strconv.ParseFloat(y[i], 64)
		if math.Abs(p-q) > 0.1 {
			return false
		}
	}
	return true
}
