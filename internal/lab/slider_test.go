package lab

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"marginalia/internal/lab/labtest"
)

// TestSliderInBrowser drags a slider of plotting.Slide in JupyterLab: the figure
// follows, is that of the slider's value, and when nobody touches the slider any more
// the cell ends and the next one runs.
func TestSliderInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	chromium := needBrowser(t, root)
	dir := t.TempDir()
	const cell = `import (
	"fmt"
	"time"

	"marginalia/plotting"
)

%%
plotting.Slide("line", plotting.Slider{Label: "slope", Min: -2, Max: 2, Start: 1, Step: 0.25, Wait: 3 * time.Second}, func(a float64) plotting.Drawing {
	fmt.Println("slope", a)
	return plotting.New("", plotting.Line([]float64{0, 1}, []float64{0, a}))
})
`
	cells := []map[string]any{}
	for id, source := range map[string]string{"slider": cell, "after": "%%\nfmt.Println(\"the next cell\")\n"} {
		cells = append(cells, map[string]any{"cell_type": "code", "id": id, "metadata": map[string]any{}, "execution_count": nil, "outputs": []any{}, "source": source})
	}
	if cells[0]["id"] != "slider" {
		cells[0], cells[1] = cells[1], cells[0]
	}
	b, err := json.Marshal(map[string]any{
		"cells": cells, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "slider.ipynb")
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	server := startLab(t, root, dir)
	ctx := labtest.RunAll(t, chromium, server.Server, "slider.ipynb")
	if err := labtest.Do(ctx, chromedp.WaitVisible(chromedp.CSS(`.jp-OutputArea input[type=range]`))); err != nil {
		t.Fatalf("waiting for the slider: %v%s", err, labtest.Picture(ctx, "failed"))
	}
	const picked = `document.querySelector('.jp-OutputArea img').src`
	before, err := chromedp.Run(ctx, chromedp.Evaluate[string](picked))
	if err != nil {
		t.Fatal(err)
	}
	// As a hand drags it: the browser sets the value and tells of its input.
	const drag = `(() => { const s = document.querySelector('.jp-OutputArea input[type=range]');
		s.value = -1.5; s.dispatchEvent(new Event('input', {bubbles: true})); return s.value; })()`
	after := before
	deadline := time.Now().Add(20 * time.Second)
	for after == before && time.Now().Before(deadline) {
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[string](drag)); err != nil {
			t.Fatalf("dragging: %v", err)
		}
		time.Sleep(500 * time.Millisecond)
		if after, err = chromedp.Run(ctx, chromedp.Evaluate[string](picked)); err != nil {
			t.Fatal(err)
		}
	}
	if after == before {
		t.Fatalf("the figure stays as it was%s", labtest.Picture(ctx, "failed"))
	}
	t.Log(labtest.Picture(ctx, "slider"))
	saved := labtest.WaitUntilRun(ctx, t, path, 2, nil)
	var printed strings.Builder
	for _, c := range saved.Cells {
		for _, o := range c.Outputs {
			if o.Type == "error" {
				t.Errorf("cell %s: %s", c.ID, o.EValue)
			}
			printed.WriteString(labtest.Text(o.Text))
		}
	}
	if got := printed.String(); !strings.HasPrefix(got, "slope 1\nslope -1.5\n") || !strings.HasSuffix(got, "the next cell\n") {
		t.Errorf("the cells printed %q", got)
	}
	server.end(t)
}
