//go:build browser

package live_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// A played slider is one with a player, and the figure that follows it: both as JavaScript.
type played struct {
	*visit
	input, place, picture string
}

// button is JavaScript for the player's button k: back, play, step.
func (p played) button(k int) string {
	return fmt.Sprintf(`%s.querySelectorAll('button')[%d]`, p.place, k)
}

// through plays the slider from its end, where play begins anew, and checks that each value has its figure, in
// order. It logs how many figures a second that is.
func (p played) through(from, to int) {
	p.t.Helper()
	got := value[[]float64](p.visit, fmt.Sprintf(`(async () => {
		const input = %s, speed = %s.querySelector('select'), values = [];
		input.value = input.max;
		input.dispatchEvent(new Event('input'));
		await new Promise((done) => setTimeout(done, 500)); // what that draws is drawn
		new MutationObserver(() => values.push(input.valueAsNumber)).observe(%s, { childList: true });
		speed.value = '50';
		const begun = performance.now();
		%s.click();
		while (%[4]s.ariaLabel !== 'Play') await new Promise((done) => setTimeout(done, 5));
		const seconds = (performance.now() - begun) / 1000;
		await new Promise((done) => setTimeout(done, 500)); // the last may be refined
		return [seconds, ...new Set(values)];
	})()`, p.input, p.place, p.picture, p.button(1)))
	seconds, values := got[0], got[1:]
	var want []float64
	for v := from; v <= to; v++ {
		want = append(want, float64(v))
	}
	if fmt.Sprint(values) != fmt.Sprint(want) {
		p.t.Errorf("the player goes through %v, want %d to %d", values, from, to)
	}
	p.t.Logf("%d figures in %.1f s, %.0f a second", len(values), seconds, float64(len(values))/seconds)
}

// set moves the slider, and returns when the figure has followed.
func (p played) set(to int) {
	p.t.Helper()
	value[bool](p.visit, fmt.Sprintf(`(async () => {
		const drawn = new Promise((done) => new MutationObserver((_, o) => done(o.disconnect())).observe(%s, { childList: true }));
		%s.value = '%d';
		%[2]s.dispatchEvent(new Event('input'));
		await drawn;
		await new Promise((done) => setTimeout(done, 300)); // as long as it may be refined
		return true;
	})()`, p.picture, p.input, to))
}

// keys pauses and steps with keys from a value, and a hidden window pauses. Nobody has asked for motion before.
func (p played) keys(from int) {
	p.t.Helper()
	at := func(what, name string) {
		p.t.Helper()
		p.wait(what, fmt.Sprintf(`%s.ariaLabel === %q`, p.button(1), name))
	}
	begin := func() {
		p.t.Helper()
		p.set(from)
		value[bool](p.visit, p.place+`.querySelector('select').value = '1', `+p.input+`.focus(), true`)
		p.do("playing", labtest.Keys(" "))
		at("it to play", "Pause")
	}
	number := func(want int) {
		p.t.Helper()
		p.wait(fmt.Sprint("the value ", want), fmt.Sprintf(`%s.valueAsNumber === %d`, p.input, want))
	}
	at("at first", "Play")
	begin()
	p.do("pausing", labtest.Keys(" "))
	at("the pause", "Play")
	begin()
	p.do("moving the slider", labtest.Keys(kb.ArrowRight))
	at("the reader to have the slider", "Play")
	begin()
	value[bool](p.visit, `(Object.defineProperty(document, 'hidden', { get: () => true, configurable: true }), document.dispatchEvent(new Event('visibilitychange')), delete document.hidden)`)
	at("the window to hide", "Play")
	p.set(from)
	value[bool](p.visit, p.button(1)+`.focus(), true`)
	p.do("two steps", labtest.Keys(kb.ArrowRight), labtest.Keys(kb.ArrowRight))
	number(from + 2)
	p.do("one back", labtest.Keys(kb.ArrowLeft))
	number(from + 1)
	p.do("by the buttons", chromedp.Evaluate[chromedp.Void](p.button(2)+`.click()`), chromedp.Evaluate[chromedp.Void](p.button(2)+`.click()`), chromedp.Evaluate[chromedp.Void](p.button(0)+`.click()`))
	number(from + 2)
}

// The players of playgrounds and of a lecture go through the steps of the algorithm, a figure each, also for somebody who
// wants less motion.
func TestPlayer(t *testing.T) {
	tier.Browser(t)
	root := repotest.Root(t)
	dir, _ := build(t, root)
	packed, frames := stored(t, filepath.Join(root, "notebooks", "01-perceptron.ipynb"))
	lecture := head("Sliders")
	for i, p := range packed {
		if f := frames[i]; f.Name == "replay-slider" {
			lecture += fmt.Sprintf("<div data-packed=%q></div>", p)
		}
	}
	testfile.Write(t, filepath.Join(dir, "sliders.html"), lecture+`<script type="module" src="slide.js"></script>`)
	testfile.Write(t, filepath.Join(dir, "slide.js"), `import { slide } from "./figure.js"; const host = document.querySelector("[data-packed]"); slide(host, host.dataset.packed);`)
	url, browser := site(t, dir), labtest.Chromium(t)
	v := window(t, browser, url)
	must.Get(chromedp.Call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})).Or(t)
	v.do("opening the lecture", chromedp.Navigate(url+"/sliders.html"))
	v.wait("the slider", `document.querySelector('.marginalia-player') !== null`)
	p := played{v, `document.querySelector('.marginalia-slider input')`, `document.querySelector('.marginalia-player')`, `document.querySelector('.marginalia-figure')`}
	p.keys(0)
	p.through(0, 23) // frames, of updates 1 to 24
	labtest.Picture(v, t.Name()+"-lecture")
	v.do("opening the playgrounds", chromedp.Navigate(url+"/index.html"))
	for _, id := range []string{"perceptron", "pocket", "descent", "smo", "k-means", "spectral", "degree"} {
		t.Run(id, func(t *testing.T) {
			v.t = t
			v.show(id)
			if id == "perceptron" { // whose first preset has hundreds of steps
				value[bool](v, `(e => (e.value = 'theodoridis', e.dispatchEvent(new Event('change'))))(`+host(id)+`.querySelector('select'))`)
				v.wait("the preset", host(id)+`.querySelector('a').hash.includes('preset=theodoridis')`)
			}
			p := played{v, host(id) + `.querySelector('.playground-knob:has(+ .marginalia-player) input')`, host(id) + `.querySelector('.marginalia-player')`, host(id) + `.querySelector('.marginalia-figure')`}
			ends := strings.Fields(value[string](v, p.input+`.min + " " + `+p.input+`.max`))
			var from, to int
			fmt.Sscan(ends[0], &from)
			fmt.Sscan(ends[1], &to)
			p.keys(from)
			p.through(from, to)
			labtest.Picture(v, t.Name())
		})
	}
	v.t = t
	v.clean()
}
