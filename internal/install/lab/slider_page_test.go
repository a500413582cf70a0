//go:build browser

package lab

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/cell/display"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
)

// still is the picture beside the frames: one white pixel, shown as 300×150.
const still = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEANl9ngAAAAABJRU5ErkJggg=="

func drawnOutput(mime, packed string) map[string]any {
	return map[string]any{
		"output_type": "display_data",
		"data":        map[string]any{"image/png": still, "text/plain": "the still", mime: packed},
		"metadata":    map[string]any{"alt": "the still", "image/png": map[string]any{"width": 300, "height": 150}},
	}
}

// evil is a hostile frame. If any of its tricks works, the page fetches something from
// evil.example or changes its title.
const evil = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:h="http://www.w3.org/1999/xhtml"
 width="300" height="150" viewBox="0 0 300 150" onload="document.title = 'evil'" style="background: url(https://evil.example/style)" class="jp-Dialog" id="jp-main" transform="translate(-500,-500) scale(9)">
<script>document.title = 'evil'</script><script href="https://evil.example/script"/><h:script>document.title = 'evil'</h:script>
<h:img src="https://evil.example/img" onerror="document.title = 'evil'"/><h:iframe src="https://evil.example/iframe"/>
<style>@import url(https://evil.example/import); body { background: url(https://evil.example/body) }</style>
<image href="https://evil.example/href" width="9" height="9"/><image xlink:href="https://evil.example/xlink" width="9" height="9"/>
<image xlink:href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E" width="9" height="9"/>
<foreignObject width="300" height="150"><h:body onload="document.title = 'evil'"><h:img src="https://evil.example/foreign"/></h:body></foreignObject>
<use href="https://evil.example/use#a"/><a href="https://evil.example/a"><rect width="300" height="150"/></a>
<animate attributeName="href" values="https://evil.example/animate"/><set attributeName="onload" to="document.title = 'evil'"/>
<circle r="50" fill="url(https://evil.example/fill#a)" onmouseover="document.title = 'evil'"/>
<circle r="50" fill="u\72l(https://evil.example/escape#a)" filter="url(https://evil.example/filter#a)" mask="url(https://evil.example/mask#a)"/>
<path d="M-9e4-9e4H9e4V9e4H-9e4Z"/>
<text y="50">&lt;img src="https://evil.example/text" onerror="document.title = 'evil'"&gt; of %s</text></svg>`

// drawnOutputs returns three sliders and three figures: one of each is good, one hostile, and one
// cannot be unpacked.
func drawnOutputs(t *testing.T) (outputs []any) {
	t.Helper()
	good := display.Frames{Name: "good", Label: "slope", Min: -2, Max: 2, Step: 0.1, Start: 1}
	for _, v := range []float64{-2, -1, -1. / 3, 1, 2} {
		good.Add(v, fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"225pt\" height=\"112.5pt\" viewBox=\"0 0 300 150\" role=\"img\" aria-label=\"A point\">\n"+
			"<path d=\"M0 0H300V150H0Z\" fill=\"#ffffff\"/><circle cx=\"%g\" cy=\"75\" r=\"20\" fill=\"#0072b2\"><title>x = %g</title></circle>\n<text x=\"9\" y=\"20\">at %g</text></svg>", 150+40*v, v, v))
	}
	bad := display.Frames{Name: "bad", Label: `<img src="https://evil.example/label">`, Min: 0, Max: 4, Step: 1}
	for i, svg := range []string{evil, evil, "<html xmlns=\"http://www.w3.org/1999/xhtml\"><script>document.title = 'evil'</script></html>", "<svg", evil} {
		bad.Add(float64(i), strings.ReplaceAll(svg, "%s", strconv.Itoa(i)))
	}
	for _, f := range []*display.Frames{&good, &bad} {
		packed := must.Get(f.Pack()).Or(t)
		outputs = append(outputs, drawnOutput(display.SliderType, packed))
	}
	const script = "</script><script>document.title = 'evil'</script>"
	outputs = append(outputs, drawnOutput(display.SliderType, script))
	for _, packed := range []string{display.Pack([]byte(good.SVG(0))), display.Pack([]byte(evil)), script} {
		outputs = append(outputs, drawnOutput(display.FigureType, packed))
	}
	return outputs
}

// checkDrawn checks [drawnOutputs] in a page, in slides, or in JupyterLab. A figure tells its
// values under the mouse. The slider moves by mouse and keyboard, and the stored figures follow.
// What is hostile only draws. Print shows the value without the slider.
func checkDrawn(ctx context.Context, t *testing.T) {
	t.Helper()
	evaluate := func(js string) string {
		t.Helper()
		return labtest.Value[string](ctx, t, `String(`+js+`)`)
	}
	check := func(what, js, want string) {
		t.Helper()
		if got := evaluate(js); got != want {
			t.Errorf("%s: %s is %q, want %q", what, js, got, want)
		}
	}
	const rows, pictures = `document.querySelectorAll('.marginalia-slider')`, `document.querySelectorAll('.marginalia-figure')`
	labtest.Wait(ctx, t, "the sliders and figures", rows+`.length === 2 && `+pictures+`.length === 4`)
	check("the value of a figure's point", pictures+`[2].querySelector('circle > title').textContent`, "x = -2")
	check("the name of a figure for screen readers", pictures+`[2].querySelector('svg').ariaLabel`, "the still")
	check("the name of a slider's figures", pictures+`[0].ariaLabel`, "the still")
	check("the name of a frame", pictures+`[0].querySelector('svg').ariaLabel`, "A point")
	const place = `JSON.stringify([document.title, window.Reveal?.getIndices(), document.querySelector('.jp-mod-active')?.dataset.windowedListIndex])`
	at := func(what, value, words string) {
		t.Helper()
		check(what, rows+`[0].querySelector('output').innerText`, value)
		check(what, rows+`[0].querySelector('input').ariaValueText`, value)
		check(what, pictures+`[0].querySelector('text').textContent`, "at "+words)
		check(what, pictures+`[0].querySelector('circle > title').textContent`, "x = "+words)
	}
	check("its label", rows+`[0].querySelector('span').innerText`, "slope")
	at("at first", "1", "1")
	check("the name for screen readers", rows+`[0].querySelector('input').ariaLabel`, "slope")
	grab(ctx, t, rows+`[0].querySelector('input')`, 0.75, 0.26)
	at("dragged", "-1", "-1")
	there := evaluate(place)
	for _, press := range []struct{ key, value, words string }{
		{kb.ArrowRight, "-0.333", "-0.3333333333333333"}, {kb.End, "2", "2"}, {kb.ArrowLeft, "1", "1"}, {kb.ArrowUp, "2", "2"}, {kb.Home, "-2", "-2"},
	} {
		must.Do(t, chromedp.Do(ctx, labtest.Keys(press.key)))
		at(fmt.Sprintf("key %q", press.key), press.value, press.words)
	}

	// Each hostile frame is shown in turn. One that is not SVG leaves the previous one.
	for range 5 {
		if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](rows+`[1].querySelector('input').focus()`), labtest.Keys(kb.ArrowRight)); err != nil {
			t.Fatal(err)
		}
	}
	check("the last hostile figure", pictures+`[1].querySelector('text').textContent`, `<img src="https://evil.example/text" onerror="document.title = 'evil'"> of 4`)
	for k, named := range map[string]string{"1": "", "3": "aria-label,"} { // a figure has the still's text alternative
		check("its elements", `[...new Set([...`+pictures+`[`+k+`].querySelectorAll('*')].map(e => e.localName))].sort()`, "circle,image,path,svg,text")
		check("its attributes", `[...new Set([...`+pictures+`[`+k+`].querySelectorAll('*')].flatMap(e => e.getAttributeNames()))].sort()`, named+"d,height,r,transform,viewBox,width,y")
	}
	check("its label", rows+`[1].querySelector('span').children.length`, "0")
	check("what is over the first slider", `((e, b = e.getBoundingClientRect()) => document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2) === e)(`+rows+`[0].querySelector('input'))`, "true")
	check("the page's title, slide and cell after all", place, there)
	check("the stills where nothing can be unpacked", `[...document.querySelectorAll('.jp-RenderedImage img')].map(e => e.alt)`, "the still,the still")

	media := func(name string) {
		must.Get(chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name})).Or(t)
	}
	media("print")
	check("on paper", `[...`+rows+`].slice(0, 1).map(e => e.innerText.replace(/\s+/g, ' ') + getComputedStyle(e.querySelector('input')).display)`, "slope -2none")
	media("")
}

// grab drags the thumb of a slider with the mouse between two parts of its width.
func grab(ctx context.Context, t *testing.T, slider string, from, to float64) {
	t.Helper()
	box := labtest.Value[[4]float64](ctx, t, `(e => { e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })(`+slider+`)`)
	y := box[1] + box[3]/2
	x := func(part float64) float64 { return box[0] + 8 + (box[2]-16)*part } // a thumb is 16 pixels wide
	steps := []chromedp.Action[chromedp.Void]{
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x(from), y),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x(from), y, chromedp.ButtonLeft, chromedp.ClickCount(1)),
	}
	for i := 1.0; i <= 4; i++ {
		steps = append(steps, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x(from+(to-from)*i/4), y, chromedp.ButtonLeft))
	}
	steps = append(steps, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x(to), y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	must.Do(t, chromedp.Do(ctx, steps...))
}
