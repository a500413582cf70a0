//go:build browser

package site

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/net/html"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
)

// checkHeads checks that each page has one title and one description, that no other page has them,
// and that a search engine would show the description: as text, and not cut off.
func checkHeads(t *testing.T, dir string, pages []string) {
	seen := map[string]string{}
	for _, page := range pages {
		root := must.Get(html.Parse(strings.NewReader(read(t, dir, filepath.FromSlash(page))))).Or(t)
		var titles, descriptions []string
		for n := range root.Descendants() {
			switch {
			case n.Data == "title" && n.Parent.Data == "head":
				titles = append(titles, n.FirstChild.Data)
			case n.Data == "meta" && slices.Contains(n.Attr, html.Attribute{Key: "name", Val: "description"}):
				for _, a := range n.Attr {
					if a.Key == "content" {
						descriptions = append(descriptions, a.Val)
					}
				}
			}
		}
		if len(titles) != 1 || len(descriptions) != 1 {
			t.Errorf("%s has the titles %q and the descriptions %q", page, titles, descriptions)
			continue
		}
		if d := descriptions[0]; len([]rune(d)) < 40 || len([]rune(d)) > 160 || strings.ContainsAny(d, "<>\n") {
			t.Errorf("%s: its description is %q", page, d)
		}
		for _, text := range []string{"the title " + titles[0], "the description " + descriptions[0]} {
			if other, taken := seen[text]; taken {
				t.Errorf("%s and %s both have %s", other, page, text)
			}
			seen[text] = page
		}
	}
}

// large is how many elements a page may have that axe-core reads as it is. Most of those of larger pages are the
// glyphs of formulas and the colours of code, which smaller pages have as well.
const large = 3400

// unfolded opens what is folded in a page, and shows the values of figures. It returns the number of formulas, which
// are 0 in a large page: there formulas and code become their texts, as a screen reader has them.
const unfolded = `(await (async (large, width) => {
	while (!matchMedia("(width: " + width + "px)").matches) await new Promise(requestAnimationFrame);
	if (document.querySelectorAll("*").length > large) {
		for (const e of document.querySelectorAll(".formula")) e.textContent = (e.querySelector("math") ?? e).textContent; // a second time as it is
		for (const e of document.querySelectorAll(".highlight .lines")) e.textContent = e.textContent;
	}
	for (const e of document.querySelectorAll("details")) e.open = true;
	for (const a of document.getAnimations()) a.finish(); // MyST-NB fades in what opens, and pale text has little contrast
	for (const e of document.querySelectorAll("[data-packed]")) e.dispatchEvent(new PointerEvent("pointerenter"));
	scrollTo(0, 0);
	await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); // the page's ResizeObserver runs in the next frame
	return document.querySelectorAll(".formula math").length;
})(%d, %d))`

const phone = 1 // of the views

// views are those in which axe-core reads pages, in turn: all have one style.
var views = [2]struct {
	theme string
	width int64
}{{"light", 1280}, {"dark", 390}}

// axeCore is the script of axe-core.
func axeCore(t *testing.T) string {
	t.Helper()
	return read(t, labtest.NPM(t, filepath.Join("testdata", "audit")), "node_modules", "axe-core", "axe.min.js")
}

// audit runs axe-core in one of the views, and returns how many formulas it has read with their glyphs. A page that
// was opened as a file may not read its style, which axe-core would load again.
func (w *watcher) audit(axe, page string, view int) (formulas int) {
	w.t.Helper()
	v := views[view]
	w.view(v.width, v.theme)
	formulas = must.Get(strconv.Atoi(w.evaluate(fmt.Sprintf(unfolded, large, v.width)))).Or(w.t)
	found := w.evaluate(`(await (async () => { ` + axe + `;
		const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: location.protocol !== "file:" });
		return violations.map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + " " + n.failureSummary).join(" | ")).join("\n");
	})())`)
	if found != "" {
		w.t.Errorf("%s, %s, %d pixels wide: axe-core finds\n%s", page, v.theme, v.width, found)
	}
	return formulas
}

// keys goes through the first part of a page that moves with the Tab key: each thing that a reader can change
// gets the focus, and shows it.
func (w *watcher) keys(part, want string) {
	w.t.Helper()
	// The focus begins at what stands before the part.
	w.evaluate(fmt.Sprintf(`(() => {
		const host = document.querySelector(%q), start = document.createElement("button");
		host.before(start);
		start.focus();
	})()`, part))
	var got []string
	for {
		must.Do(w.t, chromedp.Do(w.ctx, labtest.Keys(kb.Tab)))
		at := w.evaluate(fmt.Sprintf(`(() => {
			const e = document.activeElement, s = getComputedStyle(e);
			if (!document.querySelector(%q).contains(e)) return "";
			const seen = e.matches(":focus-visible") && (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== "none");
			return e.localName + (seen ? "" : " without a sign of the focus");
		})()`, part))
		if at == "" || len(got) > 20 {
			break
		}
		got = append(got, at)
	}
	w.evaluate(fmt.Sprintf(`document.querySelector(%q).previousElementSibling.remove()`, part))
	if g := strings.Join(got, " "); g != want {
		w.t.Errorf("%s: the Tab key goes through %q, want %q", part, g, want)
	}
}

// checkHostile opens the playgrounds with states that no link of the site has. None becomes a part of the
// page or an error in the console, and the playground lives.
func checkHostile(t *testing.T, browser context.Context, address string) {
	w := watch(labtest.Window(t, browser), t, nil)
	w.open(address + "playgrounds.html?q=<img src=x onerror=alert(1)>#margin&preset=<svg onload=alert(1)>")
	w.evaluate(`document.querySelector('[data-playground="margin"]').scrollIntoView()`)
	labtest.Wait(w.ctx, t, "the playground", `document.querySelector('[data-playground="margin"] .marginalia-figure svg') !== null`)
	const odd = `[...document.querySelectorAll("[onerror], [onload], img[src='x']")].length + [...document.scripts].filter(s => !s.src).length + ("preset" in {} ? 1 : 0)`
	before := w.evaluate(odd) // the theme's script is the one without an address
	if before != "1" {
		t.Errorf("%s elements come from the address", before)
	}
	for i, state := range []string{
		"<img src=x onerror=alert(1)>",
		`"><script>alert(1)</script>`,
		"margin&preset=overlap&<img src=x onerror=alert(1)>=1",
		"margin&preset=overlap&C=1e400",
		"margin&preset=overlap&C=NaN",
		"margin&preset=overlap&C=-Infinity",
		"margin&preset=overlap&C=0x1p9999999",
		"margin&preset=overlap&keep=99999999999999999999&tail=-1&points=",
		"margin&preset=overlap&keep=0&tail=0&points=1e308,-1e308,1;NaN,NaN,-1",
		"margin&preset=overlap&keep=0&tail=0&points=" + strings.Repeat("1,1,1;", 1_000_000/6),
		"margin&__proto__=1&constructor=1&prototype=1&preset=overlap",
		"margin&preset=__proto__",
		"__proto__&preset=overlap",
		"margin&preset=%00%ff%c3%28&points=%F0%9F%92%A9",
		"margin&preset=AAAA====&state=!!!not/base64",
	} {
		// The state after it, which is one of the playground's, shows that the hostile one has been read.
		after := fmt.Sprintf("margin&preset=overlap&C=%g", 1+float64(i+1)/20)
		for _, s := range []string{state, after} {
			w.evaluate(fmt.Sprintf(`(await new Promise((read) => { addEventListener("hashchange", read, { once: true }); location.hash = %q; }))`, s))
		}
		labtest.Wait(w.ctx, t, fmt.Sprintf("the state after %.60s", state), fmt.Sprintf(`document.querySelector('[data-playground="margin"] a').hash.slice(1) === %q`, after))
		if now := w.evaluate(odd); now != before {
			t.Errorf("%.80s: %s elements come from the address", state, now)
		}
		w.quiet(state[:min(len(state), 80)])
	}
	w.open(address + "search.html?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E%20Novikoff")
	labtest.Wait(w.ctx, t, "the end of the search", `document.querySelector('#search-results p') !== null`)
	if n := w.evaluate(`document.querySelectorAll("[onerror]").length`); n != "0" {
		t.Errorf("%s elements of the search page come from its address", n)
	}
	w.quiet("search.html")
}

// checkFailing opens pages whose programs cannot be loaded or run: playgrounds stay still pictures with their
// descriptions, sliders show their stored frames, and the console has one warning.
func checkFailing(t *testing.T, browser context.Context, dir string) {
	whole, worker := read(t, dir, "live", "play.wasmz"), read(t, dir, "live", "worker.js")
	for name, fails := range map[string]struct {
		file   string
		answer func(w http.ResponseWriter)
	}{
		"404":          {".wasmz", func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) }},
		"500":          {".wasmz", func(w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) }},
		"cut off":      {".wasmz", func(w http.ResponseWriter) { w.Write([]byte(whole[:len(whole)/2])) }},
		"no program":   {".wasmz", func(w http.ResponseWriter) { w.Write([]byte("<html>")) }},
		"an empty one": {".wasmz", func(w http.ResponseWriter) {}},
		"a browser without WebAssembly": {"/worker.js", func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/javascript")
			io.WriteString(w, "delete globalThis.WebAssembly;\n"+worker)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			site := files(os.DirFS(dir))
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, fails.file) {
					fails.answer(w)
				} else {
					site.ServeHTTP(w, r)
				}
			}))
			defer server.Close()
			w := watch(labtest.Window(t, browser), t, nil)
			w.open(server.URL + "/playgrounds.html")
			w.tells(`document.querySelectorAll("[data-playground]").forEach(e => e.scrollIntoView())`)
			const stills = `[...document.querySelectorAll("[data-playground]")].filter(e => e.querySelector("img")?.alt.length > 40 && ![...e.querySelectorAll("button, input, select, svg")].some(c => c.checkVisibility({ visibilityProperty: true }))).length`
			if n := w.evaluate(stills); n != "11" {
				t.Errorf("%s of 11 playgrounds are stills", n)
			}
			w.open(server.URL + "/notebooks/04-margins.html")
			w.tells(`document.querySelector("[data-slider]").scrollIntoView()`)
			moved := w.evaluate(`(() => {
				const host = document.querySelector("[data-slider]"), input = host.querySelector("input"), before = host.querySelector("svg").outerHTML;
				input.value = input.max;
				input.dispatchEvent(new Event("input"));
				return input.step === "1" && host.querySelector("svg").outerHTML !== before;
			})()`)
			if moved != "true" {
				t.Error("a slider whose program is not there does not move by its frames")
			}
		})
	}
}

// tells starts the programs that fail, and waits for the one warning. The browser's own message about a
// program that it cannot load may come with it.
func (w *watcher) tells(begin string) {
	w.t.Helper()
	w.evaluate(begin)
	warnings := func() (n int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, s := range w.said {
			if s == "console.warning" {
				n++
			} else if !ofPrograms.MatchString(s) {
				w.t.Errorf("the console says %s", s)
			}
		}
		return n
	}
	for warnings() == 0 {
		labtest.Wait(w.ctx, w.t, "the next moment", `await new Promise((next) => setTimeout(() => next(true), 100))`)
	}
	if n := warnings(); n != 1 {
		w.t.Errorf("the console tells %d times what fails, want once", n)
	}
	w.mu.Lock()
	w.said = nil
	w.mu.Unlock()
}

var ofPrograms = regexp.MustCompile(`^error: Failed to load resource: .*\.wasmz$`)
