//go:build browser

package browser_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/browser/page"
	"marginalia/internal/cell/display"
	"marginalia/internal/install/lab"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// bundle is a display as the kernel sends it.
func bundle(id string, metadata, data map[string]any) map[string]any {
	return map[string]any{"output_type": "display_data", "data": data, "metadata": metadata, "transient": map[string]any{"display_id": id}}
}

func stream(name, text string) map[string]any {
	return map[string]any{"output_type": "stream", "name": name, "text": text}
}

// An outputsPage shows outputs that no cell has made.
type outputsPage struct{ *kernel }

// show shows outputs below a heading, and returns JavaScript for the element that has them.
func (p *outputsPage) show(name string, outputs ...map[string]any) (js string) {
	p.t.Helper()
	labtest.Value[bool](p, p.t, fmt.Sprintf(`Promise.all([import("/outputs.js"), import("/element.js")]).then(async ([{ Outputs }, { element }]) => {
		const place = element("div", { class: "go-outputs", id: %[1]q });
		document.querySelector("main").append(element("h2", {}, %[1]q), place);
		const outputs = new Outputs(place);
		for (const o of %[2]s) outputs.add(o);
		await outputs.end();
		return true;
	})`, name, must.Get(json.Marshal(outputs)).Or(p.t)))
	return fmt.Sprintf(`document.getElementById(%q)`, name)
}

// is compares what JavaScript says with what it should.
func (p *outputsPage) is(js, want string) {
	p.t.Helper()
	if got := labtest.Value[string](p, p.t, "String("+js+")"); got != want {
		p.t.Errorf("%s is %q, want %q", js, got, want)
	}
}

// svg is a small figure that plotting could have drawn, with more in it.
func svg(more string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" width="120pt" height="60pt" viewBox="0 0 120 60" role="img" aria-label="Figure “two points”"><style>circle{fill:url(https://example.org/x)}</style>` +
		`<circle cx="20" cy="30" r="8" fill="#1f77b4"><title>a: 1</title></circle><circle cx="90" cy="20" r="8" fill="#d62728"><title>b: 2</title></circle>` + more + `</svg>`
}

// pixel is a PNG of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// TestOutputs shows every kind of output: what is to be seen, and that nothing in it runs, asks another host,
// or reaches beyond its place. With MARGINALIA_SCREENSHOTS set to a folder it leaves pictures there.
func TestOutputs(t *testing.T) {
	tier.Browser(t)
	dir := t.TempDir()
	must.Do(t, page.Write(t.Context(), dir))
	testfile.Write(t, filepath.Join(dir, "figure.js"), lab.FigureScript())
	testfile.Write(t, filepath.Join(dir, "offline.js"), string(page.Offline))
	for name, body := range map[string]string{"index.html": "", "outputs.html": `<link rel="stylesheet" href="cells.css"><link rel="stylesheet" href="page.css"><main><h1>Outputs</h1></main>`} {
		testfile.Write(t, filepath.Join(dir, name), `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="`+policy+
			`"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Outputs</title>`+body)
	}
	testfile.Write(t, filepath.Join(dir, "page.css"), ":root { color-scheme: light dark; }")
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	p := &outputsPage{open(t, server.URL)}
	must.Do(t, chromedp.Do(p, chromedp.Navigate(server.URL+"/outputs.html")))
	for _, test := range []struct {
		name string
		run  func()
	}{{"text", p.text}, {"colours", p.colours}, {"flood", p.flood}, {"figures", p.figures}, {"slider", p.slider}, {"html", p.html}, {"asked", p.asked}, {"others", p.others}} {
		p.run(t, test.name, test.run)
	}
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{390, 1200} {
			must.Get(chromedp.Call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})).Or(t)
			must.Do(t, chromedp.Do(p, chromedp.EmulateViewport(width, 2600)))
			labtest.Picture(p, fmt.Sprintf("outputs %s %d", theme, width))
			if wide := labtest.Value[int](p, t, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
				t.Errorf("at %d pixels the page is %d pixels wider", width, wide)
			}
		}
	}
}

// text writes random text with what moves the place where terminals write, in random pieces. It shows what
// JupyterLab shows, as Shown of package nbformat has it.
func (p *outputsPage) text() {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		var pieces []map[string]any
		text := ""
		for range 1 + random.IntN(6) {
			piece := ""
			for range random.IntN(30) {
				piece += []string{"\n", "\r", "\b", "a", "b", "€", "𝕏", " ", "<i>"}[random.IntN(9)]
			}
			text += piece
			pieces = append(pieces, stream("stdout", piece))
		}
		p.is(p.show(fmt.Sprint("text ", n), pieces...)+".textContent", nbformat.Shown(text))
	}
	p.is(p.show("progress", stream("stdout", "  0%"), stream("stdout", "\r 50%"), stream("stdout", "\r100%\ndone\n"))+".textContent", "100%\ndone\n")
	two := p.show("two streams", stream("stdout", "a"), stream("stderr", "b"), stream("stdout", "c"), stream("stdout", "d"))
	p.is(`[...`+two+`.children].map((e) => e.dataset.stream + " " + e.textContent)`, "stdout a,stderr b,stdout cd")
}

// colours has the classes of Jupyter's pages. The codes are those of ECMA-48, section 8.3.117; the 256 colours are
// xterm's: 196 is the corner of the cube that is red, 244 the thirteenth grey, 8+12·10.
func (p *outputsPage) colours() {
	spans := func(out string) string {
		return `[...` + out + `.querySelectorAll("span[class^=ansi], span[style]")].map((e) => e.textContent + ":" + e.className + e.style.cssText)`
	}
	out := p.show("colours", stream("stdout", "plain \x1b[31mred\x1b[0m \x1b[1;92mbold\x1b[22m thin\x1b[m \x1b[38;5;196ma\x1b[48;5;244mb\x1b[0m \x1b[38;2;1;2;3mc\x1b[39m \x1b[4;44md\x1b[0m \x1b[7me\x1b[27m."),
		stream("stdout", "\x1b[3"), stream("stdout", "2mgreen"), stream("stdout", "\x1b[0m \x1b[2Jend\n"))
	p.is(out+".textContent", "plain red bold thin ab c d e.green end\n")
	p.is(spans(out), "red:ansi-red-fg,bold:ansi-bold ansi-green-intense-fg, thin:ansi-green-intense-fg,a:color: rgb(255, 0, 0);,"+
		"b:color: rgb(255, 0, 0); background-color: rgb(128, 128, 128);,c:color: rgb(1, 2, 3);,d:ansi-underline ansi-blue-bg,e:ansi-inverse-fg ansi-inverse-bg,green:ansi-green-fg")
	all := ""
	for _, base := range []int{30, 90, 40, 100} {
		for c := range 8 {
			all += fmt.Sprintf("\x1b[%dm %3d \x1b[0m", base+c, base+c)
		}
		all += "\n"
	}
	p.show("all colours", stream("stdout", all), stream("stderr", all), map[string]any{"output_type": "error", "traceback": []string{"\x1b[31m\x1b[1mline 1: wrong\x1b[0m", "  f(1)"}})
	p.is(`document.querySelector("#all\\ colours .error").textContent`, "line 1: wrong\n  f(1)")
}

// flood prints 100,000 lines. A page lays out blocks of them when they come near the window: there is a block
// for 200 lines, and one for what follows.
func (p *outputsPage) flood() {
	var pieces []map[string]any
	text := ""
	for i := 0; i < 100_000; i += 500 {
		piece := ""
		for k := range 500 {
			piece += fmt.Sprintf("%d\n", i+k)
		}
		text += piece
		pieces = append(pieces, stream("stdout", piece))
	}
	out := p.show("flood", pieces...)
	p.is(out+`.querySelectorAll(".go-lines").length`, "501")
	if got := labtest.Value[string](p, p.t, out+".textContent"); got != text {
		p.t.Errorf("it has %d bytes, want %d", len(got), len(text))
	}
	p.is(out+`.querySelector("pre").tabIndex`, "0") // it scrolls, also by keys
	p.is(out+`.querySelectorAll("*").length < 1100`, "true")
}

// figures shows what plotting draws as the site's pages do: inline, with the values under the mouse and the words
// of its author. What else stands in it is left out, and what is no figure leaves the still.
func (p *outputsPage) figures() {
	alt := map[string]any{"alt": "Two points, by hand.", "image/png": map[string]any{"width": 160, "height": 80}}
	figure := func(more string) map[string]any {
		return map[string]any{display.FigureType: display.Pack([]byte(svg(more))), "image/png": pixel, "text/plain": "two points"}
	}
	out := p.show("figure", bundle("", alt, figure(`<script>globalThis.hit = 1</script><image xlink:href="https://example.org/a.png"/><g><a href="javascript:hit()"><text>t</text></a></g><foreignObject><b>x</b></foreignObject>`)))
	p.is(out+`.querySelector(".figure > .marginalia-figure > svg").ariaLabel`, "Two points, by hand.")
	p.is(`[...`+out+`.querySelectorAll("title")].map((e) => e.textContent)`, "a: 1,b: 2")
	p.is(out+`.querySelectorAll("img, script, style, a, foreignObject, [onclick], image[href]").length`, "0")
	p.is(p.show("no figure", bundle("", alt, map[string]any{display.FigureType: "AAAA", "image/png": pixel, "text/plain": "two points"}))+`.querySelector("img").alt`, "Two points, by hand.")
	still := p.show("a still alone", bundle("", map[string]any{"alt": "Many points.", "figure": "many"}, map[string]any{"image/png": pixel}))
	p.is(still+`.querySelector(".marginalia-tools + img").alt`, "Many points.")
	p.is(p.show("a picture", bundle("", alt, map[string]any{"image/png": pixel}))+`.querySelector(".marginalia-tools")`, "null")
	wide := p.show("wide", bundle("", map[string]any{"image/png": map[string]any{"width": 900, "height": 80}}, figure("")))
	p.is(wide+`.firstElementChild.className`, "figure wide")
	updated := p.show("updated", bundle("live", alt, figure("")), stream("stdout", "between\n"), bundle("live", alt, map[string]any{"text/plain": "the second"}), bundle("other", nil, map[string]any{"text/plain": "another"}))
	p.is(`[...`+updated+`.children].map((e) => e.localName + " " + e.textContent.trim())`, "pre the second,pre between,pre another")
	p.show("a later cell", bundle("other", nil, map[string]any{"text/plain": "replaced"}))
	p.is(updated+`.lastElementChild.textContent`, "replaced")
}

// slider moves a slider by its keys, from stored frame to frame.
func (p *outputsPage) slider() {
	frames := &display.Frames{Name: "s", Label: "width", Min: 0, Max: 2, Step: 1, Start: 1}
	for i := range 3 {
		frames.Add(float64(i), strings.Replace(svg(""), "two points", fmt.Sprint("frame ", i), 1))
	}
	packed := must.Get(frames.Pack()).Or(p.t)
	out := p.show("slider", bundle("", map[string]any{"alt": "A slider."}, map[string]any{display.SliderType: packed, "image/png": pixel, "text/plain": "A slider."}))
	p.is(out+`.querySelector("input").ariaLabel`, "width")
	p.is(out+`.querySelector("svg").ariaLabel`, "Figure “frame 1”")
	must.Do(p.t, chromedp.Do(p, chromedp.SendKeys(chromedp.CSS("#slider input"), kb.ArrowRight)))
	p.is(out+`.querySelector("svg").ariaLabel`, "Figure “frame 2”")
	p.is(out+`.querySelector("output").textContent`, "2")
}

// html shows tables and pictures, and none of what would run, load, hide the page, or go by another's name.
func (p *outputsPage) html() {
	table := `<table style="border: 1px solid red; position: fixed; background-image: url(https://example.org/b.png)"><tr><th scope="col">d</th><td colspan="2" onclick="hit()">1</td></tr></table>`
	out := p.show("html", bundle("", nil, map[string]any{"text/plain": "words", "text/html": table + `<p id="main" class="go-buttons" name="x" style="color: #b3261e; margin: -500px">red</p>` +
		`<script>globalThis.hit = 1</script><img src=x onerror="globalThis.hit = 1"><img alt="dot" src="data:image/png;base64,` + pixel + `"><iframe src="https://example.org"></iframe>` +
		`<a href="javascript:globalThis.hit=1">bad</a><a href="https://go.dev">good</a><form action="/"><input name="q"><button>b</button></form><svg onload="globalThis.hit=1" width="20" height="20"><title>disc</title><circle r="9"/></svg>` +
		`<style>body{display:none}</style><base href="https://example.org"><math><mi//xlink:href="data:x,<script>globalThis.hit=1</script>"></math><unknown>kept</unknown><noscript><p title="</noscript><img src=x onerror=globalThis.hit=1>">`}))
	p.is(`globalThis.hit`, "undefined")
	p.is(out+`.querySelector("td").colSpan + " " + `+out+`.querySelector("table").style.cssText`, `2 border-width: 1px; border-style: solid; border-color: red;`)
	p.is(out+`.querySelector("p").outerHTML`, `<p style="color: rgb(179, 38, 30);">red</p>`)
	p.is(`[...`+out+`.querySelectorAll("a")].map((a) => a.textContent + " " + (a.getAttribute("href") ?? "") + " " + a.rel)`, "bad  ,good https://go.dev noopener noreferrer nofollow")
	p.is(`[...`+out+`.querySelectorAll("img")].map((i) => i.alt + " " + i.src.slice(0, 15) + " " + i.naturalWidth)`, "  0,dot data:image/png; 1,disc data:image/svg+ 20")
	p.is(out+`.querySelectorAll("script, iframe, form, input, button, style, base, math, svg, [id], .go-html [class]:not(.plot), [name], [onclick], [onerror], [onload]").length`, "0")
	p.is(out+`.textContent.includes("kept")`, "true")
}

// asked asks for a line. Enter sends it, and what was typed stands among the outputs.
func (p *outputsPage) asked() {
	labtest.Value[bool](p, p.t, `Promise.all([import("/outputs.js"), import("/element.js")]).then(([{ Outputs }, { element }]) => {
		const place = element("div", { class: "go-outputs", id: "asked" });
		document.querySelector("main").append(place);
		globalThis.lines = [];
		globalThis.asking = new Outputs(place, (line) => lines.push(line));
		asking.add({ output_type: "input_request", prompt: "", password: false });
		return true;
	})`)
	labtest.Wait(p, p.t, "the box", `document.activeElement === document.querySelector("#asked input")`)
	must.Do(p.t, chromedp.Do(p, chromedp.SendKeys(chromedp.CSS("#asked input"), "Ada"+kb.Enter)))
	labtest.Wait(p, p.t, "the line", `lines.length > 0`)
	p.is(`JSON.stringify(lines)`, `["Ada"]`)
	p.is(`document.getElementById("asked").textContent`, "Ada\n")
}

// others are the forms that the site's pages show, in their order, and what no page shows.
func (p *outputsPage) others() {
	plain := map[string]any{"text/plain": "words"}
	with := func(kind string, value any) map[string]any { return map[string]any{"text/plain": "words", kind: value} }
	p.is(p.show("plain", bundle("", nil, plain))+`.innerHTML`, "<pre>words</pre>")
	p.is(p.show("markdown", bundle("", nil, with("text/markdown", "# $x$ <b>")))+`.textContent`, "# $x$ <b>")
	p.is(p.show("latex", bundle("", nil, with("text/latex", "$x$")))+`.textContent`, "$x$")
	p.is(p.show("json", bundle("", nil, with("application/json", map[string]any{"a": []int{1}})))+`.textContent`, "{\n  \"a\": [\n    1\n  ]\n}")
	p.is(p.show("svg", bundle("", nil, with("image/svg+xml", `<svg width="30" height="10"><script>globalThis.hit=1</script></svg>`)))+`.querySelector("img").alt`, "words")
	for _, kind := range []string{"image/png", "image/jpeg", "image/gif", "image/webp"} {
		p.is(p.show(kind, bundle("", nil, with(kind, pixel)))+`.querySelector("img").src`, "data:"+kind+";base64,"+pixel)
	}
	p.is(p.show("unknown", bundle("", nil, with("application/x-other", "y")))+`.textContent`, "words")
	p.is(p.show("only unknown", bundle("", nil, map[string]any{"application/x-other": "y"}))+`.textContent`, "This page does not show application/x-other.")
	if _, err := base64.StdEncoding.DecodeString(pixel); err != nil {
		p.t.Error(err)
	}
	p.is(`globalThis.hit`, "undefined")
}
