package labtest

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A Server is a JupyterLab that answers.
type Server struct {
	URL   string // http://127.0.0.1:port
	Token string
}

// Page is the address of a page or of a call, with the token.
func (s Server) Page(path string) string { return s.URL + path + "?token=" + s.Token }

// Browse starts a browser that knows no other host than this computer.
func Browse(t *testing.T, chromium string) context.Context {
	t.Helper()
	profile, err := os.MkdirTemp("", "marginalia-browser-")
	if err != nil {
		t.Fatal(err)
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(chromium), chromedp.UserDataDir(profile), chromedp.Headless, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.WindowSize(1400, 1000),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"),
	}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, cancelAllocator := chromedp.NewExecAllocator(t.Context(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the browser's end
		cancel()
		cancelAllocator()
		// The crash handler outlives the browser for a moment, and writes.
		for range 50 {
			if os.RemoveAll(profile) == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	if _, err := chromedp.Run(ctx, chromedp.Sleep(0)); err != nil { // a window can only be opened in a browser that runs
		t.Fatalf("starting the browser: %v", err)
	}
	return ctx
}
