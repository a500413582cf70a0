package labtest

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
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
	if err := Do(ctx); err != nil { // a window can only be opened in a browser that runs
		t.Fatalf("starting the browser: %v", err)
	}
	return ctx
}

// Do is chromedp.Do with an end to its patience.
func Do(ctx context.Context, steps ...chromedp.Action[chromedp.Void]) error {
	if _, err := chromedp.Run(ctx, chromedp.Sleep(0)); err != nil { // the first one starts the browser, and takes no timeout
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return chromedp.Do(ctx, steps...)
}

// Menu chooses a command from the menu bar, as a hand does: the menu runs the
// command over which the mouse was last moved, not the one that is clicked.
func Menu(name, command string) chromedp.Action[chromedp.Void] {
	title := chromedp.Search(`//li[contains(@class,"lm-MenuBar-item")][.//div[text()="` + name + `"]]`)
	item := chromedp.CSS(`.lm-Menu-item[data-command="` + command + `"]`)
	return chromedp.Steps(
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			for { // a click while the page is still being laid out can miss
				if _, err := chromedp.Click(title)(ctx, t); err != nil {
					return err
				}
				short, cancel := context.WithTimeout(ctx, 3*time.Second)
				_, err := chromedp.WaitVisible(item)(short, t)
				cancel()
				if err == nil || ctx.Err() != nil {
					return err
				}
			}
		}),
		chromedp.Sleep(300*time.Millisecond), // it is moved to its place after it has appeared
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			box, err := chromedp.Dimensions(item)(ctx, t)
			if err != nil {
				return err
			}
			x, y := (box.Content[0]+box.Content[4])/2, (box.Content[1]+box.Content[5])/2
			_, err = chromedp.Steps(
				chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x-3, y),
				chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y),
				chromedp.MouseClickXY(x, y),
				chromedp.WaitNotPresent(item),
			)(ctx, t)
			return err
		}),
	)
}
