//go:build browser

package test

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// A notebook that somebody else made is opened: its text is seen, and neither the
// scripts in its outputs nor the buttons in its text do what they say, which is to
// leave a mark on the page and to open a terminal.
func TestOthersNotebookDoesNothing(t *testing.T) {
	i := testImage(t)
	const mark = `<b>made elsewhere</b><script>window.marked = true</script><img src="x:" onerror="window.marked = true">`
	const button = `<button id="trap" data-commandlinker-command="terminal:create-new" data-commandlinker-args="{}">a button</button>`
	notebook, err := json.Marshal(object{
		"nbformat": 4, "nbformat_minor": 5, "metadata": object{"kernelspec": object{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}},
		"cells": []object{
			{"cell_type": "markdown", "id": "text", "metadata": object{}, "source": "Some text. " + button + mark},
			{"cell_type": "code", "id": "code", "metadata": object{"trusted": true}, "execution_count": 1, "source": "1",
				"outputs": []object{{"output_type": "display_data", "metadata": object{}, "data": object{"text/html": button + mark}}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := i.start(t, options{})
	server := c.jupyterLab(t)
	path := filepath.Join(c.home, "theirs.ipynb")
	testfile.Write(t, path, notebook)
	ctx := labtest.Chromium(t)
	if err := chromedp.Do(ctx, chromedp.Navigate(server.Page("/lab/tree/theirs.ipynb")),
		chromedp.WaitVisible(chromedp.CSS(`.jp-OutputArea-output b`)), chromedp.WaitVisible(chromedp.CSS(`.jp-MarkdownOutput b`))); err != nil {
		t.Fatalf("opening the notebook: %v%s", err, labtest.Picture(ctx, "failed"))
	}
	time.Sleep(2 * time.Second)
	const press = `document.querySelectorAll('.jp-Notebook button').forEach(b => b.click()); String(window.marked)`
	marked := must.Get(chromedp.Run(ctx, chromedp.Evaluate[string](press))).Or(t)
	if marked != "undefined" {
		t.Errorf("a script of the notebook has run: %s", marked)
	}
	time.Sleep(2 * time.Second)
	r := must.Get(http.Get(server.Page("/api/terminals"))).Or(t)
	defer r.Body.Close()
	if body, err := io.ReadAll(r.Body); err != nil || r.StatusCode != http.StatusOK || strings.TrimSpace(string(body)) != "[]" {
		t.Errorf("terminals after a press of the notebook's buttons: %s, %s, %v; want none", r.Status, body, err)
	}
}
