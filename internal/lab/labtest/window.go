package labtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

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
func Window(t *testing.T, browser context.Context) context.Context {
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
	for _, step := range []struct {
		name string
		do   chromedp.Action[chromedp.Void]
	}{
		{"opening the notebook", chromedp.Navigate(server.Page("/lab/workspaces/" + workspace + "/tree/" + file))},
		{"waiting for its cells", chromedp.WaitVisible(chromedp.CSS(`.jp-Notebook .jp-Cell`))},
		{"waiting for the kernel", server.kernelReady(file)},
	} {
		if err := chromedp.Do(ctx, step.do); err != nil {
			t.Fatalf("%s: %v%s", step.name, err, Picture(ctx, t.Name()+"-failed"))
		}
	}
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

// Choose chooses a command from the menu bar, as a hand does: the menu runs the
// command over which the mouse was last moved, not the one that is clicked.
func Choose(ctx context.Context, t *testing.T, menu, command string) {
	t.Helper()
	item := chromedp.CSS(`.lm-Menu-item[data-command="` + command + `"]`)
	if err := chromedp.Do(ctx, chromedp.Steps(openMenu(menu, item), pick(item), chromedp.WaitNotPresent(item))); err != nil {
		t.Fatalf("choosing %s in the menu %s: %v%s", command, menu, err, Picture(ctx, t.Name()+"-failed"))
	}
}

// Wait waits for a condition in JavaScript.
func Wait(ctx context.Context, t *testing.T, what, condition string) {
	t.Helper()
	if err := Until(ctx, Patience, condition); err != nil {
		t.Fatalf("waiting for %s: %v%s", what, err, Picture(ctx, t.Name()+"-failed"))
	}
}

// Until waits for a condition in JavaScript as long as patience lasts.
func Until(ctx context.Context, patience time.Duration, condition string) error {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		ok, err := chromedp.Run(limited, chromedp.Evaluate[bool]("!!("+condition+")"))
		if ok || err != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// kernelReady waits until the notebook's kernel answers: before it is started
// the page says "idle", too.
func (s Server) kernelReady(file string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		for {
			var sessions []struct {
				Path   string `json:"path"`
				Kernel struct {
					State string `json:"execution_state"`
				} `json:"kernel"`
			}
			r, err := http.Get(s.Page("/api/sessions"))
			if err != nil {
				return err
			}
			err = json.NewDecoder(r.Body).Decode(&sessions)
			r.Body.Close()
			if err != nil {
				return err
			}
			for _, one := range sessions {
				if one.Path == file && one.Kernel.State == "idle" {
					return nil
				}
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("waiting for the kernel: %+v: %w", sessions, ctx.Err())
			case <-time.After(200 * time.Millisecond):
			}
		}
	})
}
