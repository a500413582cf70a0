//go:build browser

// Package labtest drives JupyterLab in Chromium as a hand does, for tests.
package labtest

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"marginalia/internal/notebook/nbformat"
)

// Read reads a notebook.
func Read(t *testing.T, path string) *nbformat.Notebook {
	t.Helper()
	nb, err := nbformat.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// CopyUnrun copies a notebook without its outputs and counts, so that those
// found later are this run's, and returns the number of its code cells.
func CopyUnrun(t *testing.T, from, to string) (code int) {
	t.Helper()
	nb := Read(t, from)
	for _, c := range nb.Cells {
		if c.Type == "code" {
			c.Outputs, c.ExecutionCount = nil, nil
			code++
		}
	}
	if err := nb.WriteFile(to); err != nil {
		t.Fatal(err)
	}
	return code
}

// WaitUntilRun waits until no cell runs or waits any more, saves the notebook
// from the menu, and returns it as saved.
func WaitUntilRun(ctx context.Context, t *testing.T, path string, code int) *nbformat.Notebook {
	t.Helper()
	const done = `document.querySelector('.jp-NotebookPanel-toolbar .jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle' &&
		![...document.querySelectorAll('.jp-InputPrompt')].some(p => p.textContent.includes('*'))`
	for torn := 0; ; {
		time.Sleep(300 * time.Millisecond)
		idle, err := chromedp.Run(ctx, chromedp.Evaluate[bool](done))
		if err != nil {
			t.Fatalf("waiting for the cells: %v", err)
		}
		if !idle {
			continue
		}
		Save(ctx, t)
		nb, err := nbformat.Read(path)
		if err != nil {
			// JupyterLab saves by itself every two minutes, too, and empties the file before it writes it.
			if torn++; torn == 10 {
				t.Fatal(err)
			}
			continue
		}
		run, failed := 0, false
		for _, c := range nb.Cells {
			if c.Type == "code" && c.ExecutionCount != nil {
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

// Save saves the notebook from the menu, and waits until it has been written. That the page
// has no changes to save says nothing: a notebook without changes is written, too, and
// JupyterLab empties a file before it writes it.
func Save(ctx context.Context, t *testing.T) {
	t.Helper()
	listening, cancel := context.WithCancel(ctx)
	defer cancel()
	written := make(chan int64, 1)
	var put network.RequestID
	if err := chromedp.Listen(listening, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if put == "" && e.Request.Method == http.MethodPut && strings.Contains(e.Request.URL, "/api/contents/") {
				put = e.RequestID
			}
		case *network.EventResponseReceived:
			if e.RequestID == put {
				written <- e.Response.Status
				put = "done"
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	Choose(ctx, t, "File", "docmanager:save")
	select {
	case status := <-written:
		if status != http.StatusOK {
			t.Fatalf("saving the notebook: the server answers %d%s", status, Picture(ctx, t.Name()+"-failed"))
		}
	case <-ctx.Done():
		t.Fatalf("waiting for the notebook to be saved: %v", ctx.Err())
	}
	Wait(ctx, t, "the page to know that it is saved", `!document.querySelector('.jp-mod-current.jp-mod-dirty')`)
}

// Check reports cells that ended in an error, and figures that the page does not
// display, and returns the number of figures.
func Check(ctx context.Context, t *testing.T, saved *nbformat.Notebook) (figures int) {
	t.Helper()
	for i, c := range saved.Cells {
		printed := ""
		for _, o := range c.Outputs {
			printed += o.Text
			if o.Type == "error" {
				t.Errorf("cell %s (%d) ended in an error: %s\n%s", c.ID, i, o.EValue, printed)
			}
			for mime := range o.Data {
				if strings.HasPrefix(mime, "image/") {
					figures++
					break
				}
			}
		}
	}
	seen := lookThrough(ctx, t, saved)
	if len(seen) < figures {
		t.Errorf("%d figures are displayed, the notebook has %d", len(seen), figures)
	}
	for where, size := range seen {
		if size[0] == 0 || size[1] == 0 {
			t.Errorf("the image at cell:number %s is %v pixels, so it is broken", where, size)
		}
	}
	return figures
}

// lookThrough scrolls through the notebook and takes pictures. It returns the sizes of all
// figures in outputs, by the index of the cell and of the figure in it: the natural size of an
// image, or the size of an SVG on the page.
func lookThrough(ctx context.Context, t *testing.T, nb *nbformat.Notebook) map[string][2]int {
	t.Helper()
	const look = `(async () => {
		await Promise.all([...document.querySelectorAll('.jp-Notebook .jp-OutputArea-output img')].map(img => img.decode().catch(() => {})));
		const seen = {};
		document.querySelectorAll('.jp-Notebook .jp-Cell').forEach((cell, n) => {
			const place = cell.dataset.windowedListIndex ?? n;
			cell.querySelectorAll('` + drawnFigures + `').forEach((figure, i) => {
				const box = figure.getBoundingClientRect();
				seen[place + ':' + i] = [figure.naturalWidth ?? Math.round(box.width), figure.naturalHeight ?? Math.round(box.height)];
			});
		});
		return seen;
	})()`
	all := map[string][2]int{}
	for n := range Views(ctx, t, nb) {
		maps.Copy(all, Value[map[string][2]int](ctx, t, look))
		if said := Picture(ctx, fmt.Sprintf("%s-%02d", t.Name(), n)); said != "" {
			t.Log(said)
		}
	}
	return all
}

// drawnFigures matches figures in the outputs of a cell.
const drawnFigures = `.jp-OutputArea-output img, .marginalia-figure > svg`

// Views scrolls through the notebook, and yields the number of each view once its cells are drawn,
// with as many figures as the notebook has: JupyterLab draws what comes into view.
func Views(ctx context.Context, t *testing.T, nb *nbformat.Notebook) iter.Seq[int] {
	t.Helper()
	has := make([]int, len(nb.Cells))
	for i, c := range nb.Cells {
		for _, o := range c.Outputs {
			if o.Data["image/png"] != nil {
				has[i]++
			}
		}
	}
	numbers, err := json.Marshal(has)
	if err != nil {
		t.Fatal(err)
	}
	const scroll = `(async () => {
		const has = %s;
		const w = document.querySelector('.jp-Notebook .jp-WindowedPanel-outer') ?? document.querySelector('.jp-Notebook');
		w.scrollTop = %d;
		const { top, bottom } = w.getBoundingClientRect();
		const drawn = () => {
			const cells = [...document.querySelectorAll('.jp-Notebook .jp-Cell')].map((cell, n) => ({ cell, at: Number(cell.dataset.windowedListIndex ?? n), box: cell.getBoundingClientRect() }));
			return cells.some(({ at, box }) => at === 0 || box.top <= top) && cells.some(({ at, box }) => at === has.length - 1 || box.bottom >= bottom) &&
				cells.every(({ cell, at, box }) => box.bottom <= top || box.top >= bottom || cell.querySelectorAll('` + drawnFigures + `').length >= has[at]);
		};
		while (!drawn()) await new Promise(done => setTimeout(done, 50)); // a window that nobody sees draws no frames
		return [w.clientHeight, w.scrollHeight];
	})()`
	return func(yield func(int) bool) {
		for at, n := 0, 0; ; n++ {
			size := Value[[2]int](ctx, t, fmt.Sprintf(scroll, numbers, at))
			if !yield(n) {
				return
			}
			if at += max(size[0]-40, 100); at >= size[1] {
				return
			}
		}
	}
}

// Picture writes a picture of the page into MARGINALIA_SCREENSHOTS, and returns what to say of it.
func Picture(ctx context.Context, name string) string {
	dir := os.Getenv("MARGINALIA_SCREENSHOTS")
	if dir == "" {
		return ""
	}
	path := filepath.Join(dir, strings.ReplaceAll(name, "/", "-")+".png")
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, png, 0o644)
	}
	if err != nil {
		return " (no picture: " + err.Error() + ")"
	}
	return " (picture: " + path + ")"
}
