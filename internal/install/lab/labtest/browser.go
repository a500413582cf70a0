//go:build browser

package labtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"marginalia/internal/base/setup"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A Server is a JupyterLab that answers.
type Server struct {
	URL   string // http://127.0.0.1:port
	Token string
}

// Page is the address of a page or of a call, with the token.
func (s Server) Page(path string) string { return s.URL + path + "?token=" + s.Token }

// Port returns a port of this computer that was free a moment ago.
func Port(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// OneProcess has all windows of a browser share one process: what V8 has compiled for one of them, and made
// fast, the others have too.
var OneProcess = chromedp.Flag("renderer-process-limit", "1")

// Chromium starts the Chromium of this computer, as [Browse] does.
func Chromium(t testing.TB, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	chromium, ok := setup.Chromium()
	if !ok {
		t.Fatal("there is no Chromium in PATH")
	}
	return Browse(t, chromium, more...)
}

// Browse starts a browser that knows no other host than this computer.
func Browse(t testing.TB, chromium string, more ...chromedp.ExecAllocatorOption) context.Context {
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
	}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, cancelAllocator := chromedp.NewExecAllocator(t.Context(), append(options, more...)...)
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

// Workspace begins the names of the workspaces that tests leave among the settings of
// JupyterLab: had they none of their own, two windows would share one layout, and a
// lecturer's JupyterLab would open with that of the last test.
const Workspace = "labtest-"

// Patience is how long a window is open. It is the one limit of time in a test: what the
// page does is waited for as long as this, since on a busy computer each step may be slow,
// and only what never happens reaches it.
const Patience = 20 * time.Minute

// Window opens a window of its own in a browser that runs, for [Patience] at most.
// Windows of one browser can be used at the same time.
func Window(t testing.TB, browser context.Context) context.Context {
	t.Helper()
	limited, cancelTime := context.WithTimeout(browser, Patience)
	ctx, cancel := chromedp.NewContext(limited)
	t.Cleanup(func() { cancel(); cancelTime() })
	return ctx
}

// Open opens a notebook of the server's folder and waits until its kernel is ready.
func Open(ctx context.Context, t *testing.T, server Server, file string) {
	t.Helper()
	workspace := Workspace + strings.TrimSuffix(path.Base(file), ".ipynb")
	if err := chromedp.Do(ctx, chromedp.Steps(
		chromedp.Navigate(server.Page("/lab/workspaces/"+workspace+"/tree/"+file)),
		chromedp.WaitVisible(chromedp.CSS(`.jp-Notebook .jp-Cell`)),
	)); err != nil {
		t.Fatalf("opening the notebook and waiting for its cells: %v%s", err, Picture(ctx, t.Name()+"-failed"))
	}
	// Before the kernel is started the page says "idle", too, so the server is asked.
	Wait(ctx, t, "the kernel", fmt.Sprintf(`(await (await fetch(%q)).json()).some(s => s.path === %q && s.kernel.execution_state === 'idle')`,
		server.Page("/api/sessions"), file))
	// JupyterLab asks a kernel for its state once, and if that is lost because the kernel
	// was only just starting, it says "Unknown" until a cell runs: its source says so
	// where it calls requestKernelInfo (packages/services/src/kernel/default.ts).
	// By then the kernel has said to the server that it is idle, so a page that does not
	// show that within a while has lost it.
	const idle = `document.querySelector('.jp-NotebookPanel-toolbar .jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'`
	for {
		err := Until(ctx, 20*time.Second, idle)
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("waiting for the page to say that the kernel is ready: %v%s", err, Picture(ctx, t.Name()+"-failed"))
		}
		t.Logf("%s: the kernel is ready and the page does not say so: it is loaded anew", file)
		if err := chromedp.Do(ctx, chromedp.Reload()); err != nil {
			t.Fatalf("loading the page anew: %v", err)
		}
	}
}

// Keys presses keys, as a hand does where the cursor is. The browser makes the letter of the Enter key, which
// it does unless a script takes the key: chromedp (v0.22.1) would send it in any case, and an editor of a busy
// page may take it for a second line.
func Keys(keys string, modifiers ...chromedp.Modifier) chromedp.Action[chromedp.Void] {
	return chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...), func(k *input.DispatchKeyEventParams) {
		switch {
		case k.Key == "Enter" && k.Type == kb.KeyDown:
			k.Text = "\r"
		case k.Key == "Enter" && k.Type == kb.KeyChar:
			k.Type = kb.KeyUp
		}
	})
}

// Choose chooses a command from the menu bar, as a hand does: the menu runs the
// command over which the mouse was last moved, not the one that is clicked.
func Choose(ctx context.Context, t *testing.T, menu, command string) {
	t.Helper()
	item := chromedp.CSS(`.lm-Menu-item[data-command="` + command + `"]`)
	if err := chromedp.Do(ctx, chromedp.Steps(openMenu(menu, item), pick(item), chromedp.WaitNotPresent(item))); err != nil {
		t.Fatalf("choosing %s in the menu %s: %v%s", command, menu, err, Picture(ctx, t.Name()+"-failed"))
	}
}

// Wait waits for a condition in JavaScript, which may await.
func Wait(ctx context.Context, t testing.TB, what, condition string) {
	t.Helper()
	if err := Until(ctx, Patience, condition); err != nil {
		t.Fatalf("waiting for %s: %v%s", what, err, Picture(ctx, t.Name()+"-failed"))
	}
}

// Until waits for a condition in JavaScript, which may await, as long as patience lasts.
func Until(ctx context.Context, patience time.Duration, condition string) error {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		ok, err := Evaluate[bool](limited, "!!("+condition+")")
		if ok || err != nil && !left(err) {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// left reports whether an evaluation ended because the page went to another.
func left(err error) bool {
	e, ok := errors.AsType[*cdproto.Error](err)
	return ok && e.Message == "Inspected target navigated or closed"
}

// ErrStuck is the error of a page that has stopped. Chromium 156 lets a script that scrolls wait for
// a frame of the compositor, and on a busy machine that frame never comes, once in some hundred pages.
var ErrStuck = errors.New("the page has not answered for three minutes")

// Evaluate returns the value of an expression in JavaScript, which may await.
func Evaluate[T any](ctx context.Context, js string) (T, error) {
	limited, cancel := context.WithTimeoutCause(ctx, 3*time.Minute, ErrStuck)
	defer cancel()
	got, err := chromedp.Run(limited, chromedp.Evaluate[T]("(async () => ("+js+"))()", chromedp.EvalAwaitPromise))
	if err != nil && context.Cause(limited) == ErrStuck {
		err = ErrStuck
	}
	return got, err
}

// Value is [Evaluate] for a test that ends without the value.
func Value[T any](ctx context.Context, t testing.TB, js string) T {
	t.Helper()
	got, err := Evaluate[T](ctx, js)
	if err != nil {
		t.Fatalf("%s: %v", js, err)
	}
	return got
}
