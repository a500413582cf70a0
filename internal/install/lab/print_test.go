//go:build browser

package lab

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/testfile"
)

// TestPrint has nbconvert make pages and slides, and prints them on A4: no code, output, error or text is cut at
// the edge of the sheet, however long its lines are. Two lectures stand for all: one has sliders and pictures, the
// other formulas and tables that cells show. Package site looks at what the others say, on its own pages.
func TestPrint(t *testing.T) {
	root, python := nbconvert(t)
	dir := t.TempDir()
	words, word := strings.Repeat("of many words ", 30), strings.Repeat("letters", 60)
	output := func(kind string, fields map[string]any) map[string]any {
		fields["output_type"] = kind
		return fields
	}
	data := func(mime, text string) map[string]any {
		return output("display_data", map[string]any{"metadata": map[string]any{}, "data": map[string]any{mime: text}})
	}
	writeNotebook(t, filepath.Join(dir, "long.ipynb"),
		slide("slide", markdown("# "+words+"\n\n"+words+word+" `"+word+"`\n\n```go\nx := \""+words+"\"\n```\n\n```\n"+word+"\n```\n\n- "+word+"\n\n> "+word)),
		slide("slide", markdown("| a | b |\n| --- | --- |\n| "+words+" | "+word+" |")),
		slide("slide", folded(code("x := 1 // folded "+words))),
		slide("slide", code("x := 1 // "+words+"\n\ty := \""+word+"\"",
			output("stream", map[string]any{"name": "stdout", "text": words + "\n" + word + "\n"}),
			output("stream", map[string]any{"name": "stderr", "text": words + "\n" + word + "\n"}))),
		slide("slide", code("z := 1", data("text/plain", word+words), data("text/html", "<pre>"+words+word+"</pre>"))),
		slide("slide", code("w := 1", output("error", map[string]any{"ename": "ERROR", "evalue": "", "traceback": []any{"\x1b[31m" + words + "\x1b[0m", word}}))),
		slide("slide", code(strings.Repeat("line()\n", 200))))
	// Slides whose heights are just below and just above a sheet's, each with a line a little
	// longer than the slide is wide.
	var full []map[string]any
	for high := 560; high < 720; high += 7 {
		full = append(full, slide("slide", markdown(fmt.Sprintf("<div style=\"height: %dpx\"></div><div>%s</div>", high,
			strings.Repeat("<i style=\"display: inline-block; width: 300px\">a quarter</i>", 4)))))
	}
	writeNotebook(t, filepath.Join(dir, "full.ipynb"), full...)
	for _, lecture := range []string{"01-perceptron.ipynb", "02-least-squares.ipynb"} {
		testfile.Write(t, filepath.Join(dir, lecture), testfile.Read(t, filepath.Join(root, "notebooks", lecture)))
	}
	// nbconvert takes a pattern, and one start of Python does for all.
	pages, slides := convert(t, python, "html", filepath.Join(dir, "*.ipynb")), convert(t, python, "slides", filepath.Join(dir, "*.ipynb"))
	browser := labtest.Chromium(t)
	for _, name := range []string{"long", "full", "01-perceptron", "02-least-squares"} {
		for _, print := range []struct {
			name, address, ready string
			width                int64
		}{
			{"page", pages, `document.readyState === "complete" && [...document.querySelectorAll("details.marginalia-code")].every((e) => e.open = true)`, labtest.A4},
			{"slides", slides, `window.Reveal?.isReady()`, labtest.A4},
			{"slides, a sheet each", slides + "?print-pdf", `document.querySelector(".pdf-page") !== null`, 1248}, // reveal.js gives sheets the size of slides, with 2 % beside them
		} {
			t.Run(name+" "+print.name, func(t *testing.T) {
				ctx := labtest.Window(t, browser)
				if err := chromedp.Do(ctx, chromedp.Navigate("file://"+strings.Replace(print.address, "*", name, 1))); err != nil {
					t.Fatal(err)
				}
				labtest.Wait(ctx, t, "the page", print.ready)
				if cut := labtest.Cut(ctx, t, print.width); len(cut) > 0 {
					t.Errorf("%d texts are cut on paper: %.60q%s", len(cut), cut, labtest.Picture(ctx, "print-"+print.name))
				}
			})
		}
	}
}
