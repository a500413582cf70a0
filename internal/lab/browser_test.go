package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// needBrowser skips a test that JupyterLab or Chromium is missing for, or fails it
// in CI.
func needBrowser(t *testing.T, root string) {
	t.Helper()
	ci := os.Getenv("CI") == "true"
	findChromium(t, ci)
	if s, _ := venvOf(root).state(t.Context()); s != venvWhole && !ci {
		t.Skip("JupyterLab is not set up here; go run . lab does it, and CI=true makes this test do it")
	}
}

// runAll opens a notebook of dir in JupyterLab and chooses Run All Cells.
func runAll(t *testing.T, root, dir, file string) (context.Context, *server) {
	t.Helper()
	server := startLab(t, root, dir)
	ctx := browse(t, findChromium(t, true))
	for _, step := range []struct {
		name string
		do   chromedp.Action[chromedp.Void]
	}{
		{"opening the notebook", chromedp.Navigate(server.page("/lab/tree/" + file))},
		{"waiting for its cells", chromedp.WaitVisible(chromedp.CSS(`.jp-Notebook .jp-Cell`))},
		{"waiting for the kernel", server.kernelReady()},
		{"waiting for the page to say so", chromedp.WaitVisible(chromedp.CSS(`.jp-NotebookPanel-toolbar .jp-Notebook-ExecutionIndicator[data-status="idle"]`))},
		{"choosing Run All Cells", menu("Run", "runmenu:run-all")},
	} {
		if err := do(ctx, step.do); err != nil {
			t.Fatalf("%s: %v%s", step.name, err, picture(ctx, "failed"))
		}
	}
	return ctx, server
}

func findChromium(t *testing.T, must bool) string {
	t.Helper()
	for _, name := range Browsers {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if must {
		t.Fatal("CI=true and there is no Chromium in PATH")
	}
	t.Skip("there is no Chromium in PATH")
	return ""
}

// A notebook is what this test reads of one.
type notebook struct {
	Cells []struct {
		ID      string   `json:"id"`
		Type    string   `json:"cell_type"`
		Source  any      `json:"source"`
		Count   *int     `json:"execution_count"`
		Outputs []output `json:"outputs"`
	} `json:"cells"`
}

type output struct {
	Type   string         `json:"output_type"`
	EValue string         `json:"evalue"`
	Data   map[string]any `json:"data"`
	Text   any            `json:"text"`
}

// copyUnrun copies a notebook without its outputs and counts, so that those
// found later are this run's, and returns the number of its code cells.
func copyUnrun(t *testing.T, from, to string) (code int) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	var nb map[string]any
	if err := json.Unmarshal(b, &nb); err != nil {
		t.Fatal(err)
	}
	for _, c := range nb["cells"].([]any) {
		if c := c.(map[string]any); c["cell_type"] == "code" {
			c["outputs"], c["execution_count"] = []any{}, nil
			code++
		}
	}
	if b, err = json.Marshal(nb); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return code
}

// browse starts a browser that knows no other host than this computer.
func browse(t *testing.T, chromium string) context.Context {
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
	limited, cancelTime := context.WithTimeout(t.Context(), 10*time.Minute)
	allocator, cancelAllocator := chromedp.NewExecAllocator(limited, options...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the browser's end
		cancel()
		cancelAllocator()
		cancelTime()
		// The crash handler outlives the browser for a moment, and writes.
		for range 50 {
			if os.RemoveAll(profile) == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	return ctx
}

// do is chromedp.Do with an end to its patience.
func do(ctx context.Context, steps ...chromedp.Action[chromedp.Void]) error {
	if _, err := chromedp.Run(ctx, chromedp.Sleep(0)); err != nil { // the first one starts the browser, and takes no timeout
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return chromedp.Do(ctx, steps...)
}

// menu chooses a command from the menu bar, as a hand does: the menu runs the
// command over which the mouse was last moved, not the one that is clicked.
func menu(name, command string) chromedp.Action[chromedp.Void] {
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

// waitUntilRun waits until no cell runs or waits any more, saves the notebook
// from the menu, and returns it as it is on disk then. Meanwhile it does what it is
// given every half second.
func waitUntilRun(ctx context.Context, t *testing.T, path string, code int, meanwhile func()) notebook {
	t.Helper()
	const done = `document.querySelector('.jp-NotebookPanel-toolbar .jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle' &&
		![...document.querySelectorAll('.jp-InputPrompt')].some(p => p.textContent.includes('*'))`
	for {
		time.Sleep(500 * time.Millisecond)
		meanwhile()
		idle, err := chromedp.Run(ctx, chromedp.Evaluate[bool](done))
		if err != nil {
			t.Fatalf("waiting for the cells: %v", err)
		}
		if !idle {
			continue
		}
		if err := do(ctx, menu("File", "docmanager:save"), chromedp.Sleep(time.Second)); err != nil {
			t.Fatalf("saving: %v%s", err, picture(ctx, "failed"))
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var nb notebook
		if err := json.Unmarshal(b, &nb); err != nil {
			t.Fatal(err)
		}
		run, failed := 0, false
		for _, c := range nb.Cells {
			if c.Type == "code" && c.Count != nil {
				run++
			}
			for _, o := range c.Outputs {
				failed = failed || o.Type == "error"
			}
		}
		if run == code || failed {
			return nb
		}
		t.Logf("%d of %d code cells have been run", run, code)
	}
}

// lookThrough scrolls through the notebook and returns the natural size of
// each image in an output, by the cell's place and the image's place in it.
// It takes pictures on the way.
func lookThrough(ctx context.Context, t *testing.T, name string) map[string][2]int {
	t.Helper()
	const top = `(() => { const w = document.querySelector('.jp-Notebook .jp-WindowedPanel-outer') ?? document.querySelector('.jp-Notebook');
		w.scrollTop = %d; return [w.clientHeight, w.scrollHeight]; })()`
	const look = `(() => { const seen = {};
		document.querySelectorAll('.jp-Notebook .jp-Cell').forEach((cell, n) => {
			const place = cell.dataset.windowedListIndex ?? n;
			cell.querySelectorAll('.jp-OutputArea-output img').forEach((img, i) => { seen[place + ':' + i] = [img.naturalWidth, img.naturalHeight]; });
		});
		return seen; })()`
	all := map[string][2]int{}
	for at, n := 0, 0; ; n++ {
		extent, err := chromedp.Run(ctx, chromedp.Evaluate[[2]int](fmt.Sprintf(top, at)))
		if err != nil {
			t.Fatalf("scrolling: %v", err)
		}
		time.Sleep(300 * time.Millisecond)
		seen, err := chromedp.Run(ctx, chromedp.Evaluate[map[string][2]int](look))
		if err != nil {
			t.Fatalf("looking at the figures: %v", err)
		}
		for where, size := range seen {
			all[where] = size
		}
		t.Log(picture(ctx, fmt.Sprintf("%s-%02d", name, n)))
		at += max(extent[0]-40, 100)
		if at >= extent[1] || n > 200 {
			return all
		}
	}
}

// picture writes a picture of the page into MARGINALIA_SCREENSHOTS, and returns what to say of it.
func picture(ctx context.Context, name string) string {
	dir := os.Getenv("MARGINALIA_SCREENSHOTS")
	if dir == "" {
		return ""
	}
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return " (no picture: " + err.Error() + ")"
	}
	path := filepath.Join(dir, name+".png")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return " (no picture: " + err.Error() + ")"
	}
	if err := os.WriteFile(path, png, 0o644); err != nil {
		return " (no picture: " + err.Error() + ")"
	}
	return " (picture: " + path + ")"
}
