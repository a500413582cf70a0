//go:build browser

package browser_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/browser/page"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// TestProgramBesideServiceWorker compiles a program that the browser keeps in a worker that the service worker does not
// control yet, although the page says so: the site then answers with the compressed file. On a slow network the first
// cell of a visit ended with an error so.
func TestProgramBesideServiceWorker(t *testing.T) {
	tier.Browser(t)
	dir := t.TempDir()
	must.Do(t, page.Write(t.Context(), dir))
	testfile.Write(t, filepath.Join(dir, "index.html"), "<!DOCTYPE html><title>Store</title>")
	testfile.Write(t, filepath.Join(dir, "empty.lzma"), "compressed")
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	ctx := labtest.Window(t, labtest.Chromium(t))
	must.Do(t, chromedp.Do(ctx, chromedp.Navigate(server.URL+"/index.html")))
	// A module is eight bytes at least: its magic number and its version (WebAssembly 2.0, section 5.5.16).
	if !labtest.Value[bool](ctx, t, `import("/store.js").then(async ({ program, service }) => {
		const empty = new Response(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]), { headers: { "Content-Type": "application/wasm" } });
		await (await caches.open("marginalia-go")).put("/empty.lzma", empty);
		service.controls = true;
		return await program(location.origin + "/", "empty.lzma") instanceof WebAssembly.Module;
	})`) {
		t.Error("the program is not compiled")
	}
}
