//go:build browser

package site

import (
	"net/http/httptest"
	"testing"
	"testing/fstest"
	"time"

	"marginalia/internal/browser/page"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/tier"
)

// TestNewsAndServiceWorker goes from page to page of a site that is served live, and has a service worker since a cell ran.
// A browser has six connections to a server: a page that has closed or is hidden must leave its own to others. A page that
// was hidden while it was made anew loads again when it is seen.
func TestNewsAndServiceWorker(t *testing.T) {
	tier.Browser(t)
	n := newNews()
	text := []byte("<!DOCTYPE html><html><head><title>News</title><script>if (sessionStorage.hides) Object.defineProperty(document, 'hidden', { configurable: true, get: () => !globalThis.seen })</script></head><body>x</body></html>")
	server := httptest.NewServer(n.handler(fstest.MapFS{"index.html": {Data: text}, "other.html": {Data: text}, "offline.js": {Data: page.Offline}}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	open := func() int {
		n.mu.Lock()
		defer n.mu.Unlock()
		return len(n.open)
	}
	until := func(what string, listening int) {
		t.Helper()
		for open() != listening {
			select {
			case <-t.Context().Done(): // a test that fails waits here until it is killed
				t.Fatalf("%s: %d pages listen", what, open())
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	w := watch(labtest.Window(t, labtest.Chromium(t)), t, nil)
	w.open(server.URL + "/index.html")
	w.evaluate(`(async () => { await navigator.serviceWorker.register("/offline.js"); await navigator.serviceWorker.ready; })()`)
	labtest.Wait(w.ctx, t, "the service worker", `navigator.serviceWorker.controller !== null`)
	for range 5 {
		w.open(server.URL + "/other.html")
		w.open(server.URL + "/index.html")
	}
	until("after ten pages", 1)

	w.evaluate(`(() => {
		globalThis.old = true;
		Object.defineProperty(document, "hidden", { configurable: true, get: () => globalThis.old === "hidden" });
		globalThis.old = "hidden";
		document.dispatchEvent(new Event("visibilitychange"));
	})()`)
	until("a hidden page", 0)
	n.tell([]string{"index.html"}, nil)
	w.evaluate(`(() => { globalThis.old = true; document.dispatchEvent(new Event("visibilitychange")); })()`)
	labtest.Wait(w.ctx, t, "the page made anew", `globalThis.old === undefined`)
	until("a page that is seen", 1)

	// A page that was hidden from the first, and has heard nothing yet.
	w.evaluate(`(() => { sessionStorage.hides = "yes"; })()`)
	w.open(server.URL + "/index.html")
	until("a page opened behind others", 0)
	n.tell([]string{"index.html"}, nil)
	w.evaluate(`(() => { sessionStorage.removeItem("hides"); globalThis.seen = true; document.dispatchEvent(new Event("visibilitychange")); })()`)
	labtest.Wait(w.ctx, t, "the page made anew", `globalThis.seen === undefined`)
	until("a page that is seen", 1)
}
