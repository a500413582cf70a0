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

// wake runs everything in the page that moves, opens what is folded, and shows the values of
// figures. It returns what does not come alive.
const wake = `(await (async () => {
	const until = async (done) => { for (let i = 0; i < 6000; i++) { if (done()) return true; await new Promise((next) => setTimeout(next, 100)); } return false; };
	const dead = [];
	for (const [part, alive] of [["[data-playground]", ".marginalia-figure svg"], ["[data-slider]", ".marginalia-slider input"]]) {
		for (const host of document.querySelectorAll(part)) {
			host.scrollIntoView();
			if (!await until(() => host.querySelector(alive))) dead.push(host.dataset.playground ?? host.dataset.figure);
		}
	}
	for (const e of document.querySelectorAll("details")) e.open = true;
	for (const a of document.getAnimations()) a.finish(); // MyST-NB fades in what opens, and pale text has little contrast
	for (const e of document.querySelectorAll("[data-packed]")) e.dispatchEvent(new PointerEvent("pointerenter"));
	scrollTo(0, 0);
	await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); // the page's ResizeObserver runs in the next frame
	return dead.join(", ");
})())`

// checkAxe runs axe-core on every page from the server, with its playgrounds and sliders running. Pages
// alternate between the light theme on a desktop and the dark theme on a phone: all have one style.
func checkAxe(t *testing.T, browser context.Context, address, tools string, pages []string) {
	axe := read(t, tools, "node_modules", "axe-core", "axe.min.js")
	w := watch(labtest.Window(t, browser), t, nil)
	views := []struct {
		theme         string
		width, height int64
	}{{"light", 1280, 900}, {"dark", 390, 844}}
	for i, page := range pages {
		v := views[i%len(views)]
		w.view(v.width, v.theme)
		w.open(address + page)
		if dead := w.evaluate(wake); dead != "" {
			t.Errorf("%s: %s does not move", page, dead)
		}
		found := w.evaluate(`(await (async () => { ` + axe + `;
			const { violations } = await axe.run(document, { resultTypes: ["violations"] });
			return violations.map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + " " + n.failureSummary).join(" | ")).join("\n");
		})())`)
		if found != "" {
			t.Errorf("%s, %s, %d pixels wide: axe-core finds\n%s", page, v.theme, v.width, found)
		}
		w.quiet(page)
	}
}

// checkKeys goes through a playground and a slider with the Tab key: each thing that a reader can
// change gets the focus, and shows it.
func checkKeys(t *testing.T, browser context.Context, address string) {
	for page, want := range map[string]string{
		"playgrounds.html":          "select input select div button button button a summary",
		"notebooks/04-margins.html": "input",
	} {
		w := watch(labtest.Window(t, browser), t, nil)
		w.view(1280, "light")
		w.open(address + page)
		if dead := w.evaluate(wake); dead != "" {
			t.Errorf("%s: %s does not move", page, dead)
		}
		// The focus begins at what stands before the first part that moves.
		w.evaluate(`(() => {
			const host = document.querySelector(".playground, [data-slider]"), start = document.createElement("button");
			host.before(start);
			start.focus();
		})()`)
		var got []string
		for {
			must.Do(t, chromedp.Do(w.ctx, chromedp.KeyEvent(kb.Tab)))
			at := w.evaluate(`(() => {
				const e = document.activeElement, s = getComputedStyle(e);
				if (!document.querySelector(".playground, [data-slider]").contains(e)) return "";
				const seen = e.matches(":focus-visible") && (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== "none");
				return e.localName + (seen ? "" : " without a sign of the focus");
			})()`)
			if at == "" || len(got) > 20 {
				break
			}
			got = append(got, at)
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s: the Tab key goes through %q, want %q", page, g, want)
		}
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
			if n := w.evaluate(stills); n != "10" {
				t.Errorf("%s of 10 playgrounds are stills", n)
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
