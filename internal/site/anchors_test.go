//go:build browser

package site

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
)

// A gate is a site whose server holds back some files until it is opened.
type gate struct {
	url    string
	suffix string        // of the files' paths
	opened chan struct{} // closed when they may pass
}

func gated(t *testing.T, dir, suffix string) *gate {
	t.Helper()
	g, site := &gate{suffix: suffix, opened: make(chan struct{})}, files(os.DirFS(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.suffix != "" && strings.HasSuffix(r.URL.Path, g.suffix) {
			select {
			case <-g.opened:
			case <-r.Context().Done():
				return
			}
		}
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	g.url = server.URL + "/"
	return g
}

// screen sets the size of the window: a desktop's, or a phone's.
func (w *watcher) screen(width, height int64) {
	w.t.Helper()
	must.Get(chromedp.Call(w.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 600,
	})).Or(w.t)
}

var screens = map[string][2]int64{"desktop": {1300, 900}, "phone": {390, 844}}

// settled is JavaScript: the address names a playground, its program and those of all near the window have
// drawn, and the page stands still.
const settled = `((id, state) => {
	const there = (host) => { const r = host.getBoundingClientRect(); return r.bottom > -200 && r.top < innerHeight + 200; };
	const hosts = [...document.querySelectorAll("[data-playground]")].filter((host) => host.dataset.playground === id || there(host));
	const same = window.was === scrollY;
	window.was = scrollY;
	return same && document.readyState === "complete" && location.hash === (state || "#play-" + id) && hosts.length > 0 && hosts.every((host) => host.querySelector("svg"))
		&& (!state || document.querySelector("[data-playground=" + id + "] .playground-buttons a").hash === state);
})`

// arrives waits until a playground lives, with a state if there is one, and checks that its heading is in the
// upper half of the window.
func (w *watcher) arrives(how, id, state string) {
	w.t.Helper()
	w.wait(how+": the playground "+id, fmt.Sprintf(`%s(%q, %q)`, settled, id, state))
	if top := w.evaluate(above(id)); top != "true" {
		w.t.Errorf("%s: the heading of %s stands at %s in the window%s", how, id, top, labtest.Picture(w.ctx, "site-anchor-"+id))
	}
}

// above is JavaScript: true if the heading of a playground is in the upper half of the window, or else where it is.
func above(id string) string {
	return fmt.Sprintf(`((top) => top >= 0 && top < innerHeight / 2 || top)(document.querySelector("#play-%s h2").getBoundingClientRect().top)`, id)
}

// changes changes the page's address and waits until the playground that this names is in view, as arrives
// has it. The scrolling may begin later than the event.
func (w *watcher) changes(how string, change func(hash string), id, state string) {
	w.t.Helper()
	change(cmp.Or(state, "#play-"+id))
	w.wait(how+": the playground "+id, fmt.Sprintf(`%s(%q, %q) && %s === true`, settled, id, state, above(id)))
}

// fresh opens an address as a new tab does.
func (w *watcher) fresh(address string) {
	w.t.Helper()
	w.open("about:blank")
	w.open(address)
}

// playLinks are the addresses to which pages link, by the playground.
func playLinks(t *testing.T, dir string, pages []string) map[string]string {
	t.Helper()
	links := map[string]string{}
	for _, name := range pages {
		for _, address := range parse(t, read(t, dir, filepath.FromSlash(name))).addresses {
			file, anchor, _ := strings.Cut(address, "#")
			if id, ok := strings.CutPrefix(anchor, playAnchor); ok && name != "playgrounds.html" && path.Base(file) == "playgrounds.html" {
				links[id] = path.Join(path.Dir(name), file) + "#" + anchor
			}
		}
	}
	return links
}

// checkAnchors opens links to places in pages whose parts begin to move later: all playgrounds by hash
// changes and by the history, some in new tabs by the links of the lectures and by links to states, with late scripts. What
// they lead to is in the window when all programs there have drawn.
func checkAnchors(t *testing.T, browser context.Context, dir string, pages []string) {
	links := playLinks(t, dir, pages)
	for name, size := range screens {
		t.Run(name, func(t *testing.T) {
			g := gated(t, dir, "")
			var states map[string]string
			inWindow(t, browser, size, func(w *watcher) { states = w.states(g.url, len(links)) })
			ids := slices.Sorted(maps.Keys(states))
			for _, id := range ids {
				if links[id] == "" {
					t.Errorf("no lecture links to the playground %s", id)
				}
			}
			for _, id := range []string{ids[0], ids[len(ids)/2]} { // slow has the last
				inWindow(t, browser, size, func(w *watcher) {
					w.fresh(g.url + links[id])
					w.arrives("the link "+links[id], id, "")
					w.fresh(g.url + "playgrounds.html" + states[id])
					w.arrives("a new tab", id, states[id])
				})
			}
			inWindow(t, browser, size, func(w *watcher) { w.walk(g.url, ids, states) })
			inWindow(t, browser, size, func(w *watcher) { w.slow(dir, ids, states) })
		})
	}
}

// inWindow does something in a window of its own, whose console has to stay quiet. If Chromium's page is
// stuck, it is done again.
func inWindow(t *testing.T, browser context.Context, size [2]int64, do func(w *watcher)) {
	t.Helper()
	for tries := range 3 {
		w := watch(labtest.Window(t, browser), t, nil)
		w.again = tries < 2
		w.screen(size[0], size[1])
		stuck := func() (stuck bool) {
			defer func() {
				if why := recover(); why == labtest.ErrStuck {
					stuck = true
				} else if why != nil {
					panic(why)
				}
			}()
			do(w)
			return false
		}()
		if !stuck {
			w.quiet(t.Name())
			return
		}
		t.Logf("%v: again in a new window", labtest.ErrStuck)
	}
}

// hash changes the fragment of the page's address.
func (w *watcher) hash(hash string) {
	w.t.Helper()
	w.evaluate(fmt.Sprintf(`(location.hash = %q)`, hash))
}

// past goes to the page of the window's history whose address ends with a fragment. Steps by history.go count from
// where the browser thinks that the window is, which may be late by one.
func (w *watcher) past(hash string) {
	w.t.Helper()
	all := must.Get(chromedp.Run(w.ctx, chromedp.NavigationEntries())).Or(w.t)
	at := slices.IndexFunc(all.Entries, func(e *page.NavigationEntry) bool { return strings.HasSuffix(e.URL, hash) })
	if at < 0 {
		w.t.Fatalf("the history has no %s", hash)
	}
	if _, err := chromedp.Call(w.ctx, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: all.Entries[at].ID}); err != nil {
		w.t.Fatal(err)
	}
}

// walk goes from playground to playground by hash changes, back and forward again, and back from another page.
func (w *watcher) walk(url string, ids []string, states map[string]string) {
	w.t.Helper()
	w.open(url + "playgrounds.html")
	for _, id := range ids {
		w.changes("a hash change", w.hash, id, "")
		w.changes("a state by a hash change", w.hash, id, states[id])
	}
	for _, id := range slices.Backward(ids[:len(ids)-1]) {
		w.changes("back", w.past, id, states[id])
	}
	last := ids[len(ids)-1]
	w.changes("forward", w.past, last, states[last])
	w.open(url + "index.html")
	w.changes("back from another page", w.past, last, states[last])
}

// states checks that no playground changes its height when its program begins or is wider than its window, and
// returns a link to another state than the first for each.
func (w *watcher) states(url string, want int) map[string]string {
	w.t.Helper()
	w.open(url + "playgrounds.html")
	const heights = `JSON.stringify([...document.querySelectorAll("[data-playground]")].map((host) => Math.round(host.getBoundingClientRect().height)))`
	was := w.evaluate(heights)
	states := map[string]string{}
	for i := range want {
		host := fmt.Sprintf(`document.querySelectorAll("[data-playground]")[%d]`, i)
		w.evaluate(`(` + host + `.scrollIntoView({ behavior: "instant" }))`)
		w.wait("the program of a playground", host+`?.querySelector("svg")`)
	}
	if is := w.evaluate(heights); is != was {
		w.t.Errorf("before their programs run, the playgrounds are %s pixels high, and then %s", was, is)
	}
	if wide := w.evaluate(`Math.max(document.documentElement.scrollWidth - innerWidth, 0)`); wide != "0" {
		w.t.Errorf("the playgrounds are %s pixels wider than their window", wide)
	}
	for i := range want {
		host := fmt.Sprintf(`document.querySelectorAll("[data-playground]")[%d]`, i)
		first := w.evaluate(`(() => {
			const host = ` + host + `, select = host.querySelector("select"), first = host.querySelector(".playground-buttons a").hash;
			select.selectedIndex = select.options.length - 1;
			select.dispatchEvent(new Event("change"));
			return first;
		})()`)
		w.wait("another state", fmt.Sprintf(`%s.querySelector(".playground-buttons a").hash !== %q`, host, first))
		states[w.evaluate(host+`.dataset.playground`)] = w.evaluate(host + `.querySelector(".playground-buttons a").hash`)
	}
	return states
}

// slow opens the last playground and its state where the scripts, then the programs come only when the page
// is there.
func (w *watcher) slow(dir string, ids []string, states map[string]string) {
	w.t.Helper()
	last := ids[len(ids)-1]
	for _, state := range []string{"", states[last]} {
		hash := cmp.Or(state, "#play-"+last)
		for _, late := range []string{"/play.js", ".wasmz"} {
			g := gated(w.t, dir, late)
			w.fresh(g.url + "playgrounds.html" + hash)
			w.wait("the page", `document.readyState === "complete"`)
			close(g.opened)
			w.arrives("late "+late, last, state)
		}
	}
}
