//go:build browser

package lab

import (
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/base/repo"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// formulas is text with five formulas. \cancel and \mathclap are in extensions of
// TeX that MathJax fetches when they are first used, unless it has them with it.
const formulas = `Inline $w^\top x + b$ and \\(\boldsymbol{\theta} \in \mathbb{R}^d\\), displayed
$$\begin{aligned} \hat y &= \operatorname{sign}(w^\top x + b) \\ \cancel{x} &= 0 \end{aligned}$$
and
\begin{equation} L = \sum_{\mathclap{1 \le i \le n}} \xi_i \end{equation}
and $|x| = \begin{cases} x & x \ge 0 \\ -x \end{cases}$.`

// writeNotebook writes a notebook as JupyterLab stores it: with the information on its
// language that GoNB reports, which names no lexer.
func writeNotebook(t *testing.T, path string, cells ...map[string]any) {
	t.Helper()
	for i, c := range cells {
		c["id"] = "cell-" + string(rune('a'+i))
		if c["metadata"] == nil {
			c["metadata"] = map[string]any{}
		}
		if c["cell_type"] == "code" {
			c["execution_count"] = nil
		}
	}
	b, err := json.Marshal(map[string]any{
		"cells": cells, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{
			"kernelspec": map[string]any{"name": "gonb", "display_name": "Go (gonb)", "language": "go"},
			"language_info": map[string]any{"name": "go", "version": "go1.26.8", "mimetype": "text/x-go", "file_extension": ".go",
				"pygments_lexer": "", "codemirror_mode": "", "nbconvert_exporter": ""},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, path, b)
}

func markdown(source string) map[string]any {
	return map[string]any{"cell_type": "markdown", "source": source}
}

func code(source string, outputs ...any) map[string]any {
	return map[string]any{"cell_type": "code", "source": source, "outputs": append([]any{}, outputs...)}
}

func slide(kind string, cell map[string]any) map[string]any {
	cell["metadata"] = map[string]any{"slideshow": map[string]any{"slide_type": kind}}
	return cell
}

// folded is a code cell whose code JupyterLab folds.
func folded(cell map[string]any) map[string]any {
	cell["metadata"] = map[string]any{"jupyter": map[string]any{"source_hidden": true}}
	return cell
}

// nbconvert returns the repository, and its environment's Python, which has nbconvert.
func nbconvert(t *testing.T) (root, python string) {
	t.Helper()
	tier.Browser(t)
	root, err := repo.Root()
	if err == nil {
		python, err = JupyterPython(t.Context(), root, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return root, python
}

// convert has the environment's nbconvert make a page of a notebook.
func convert(t *testing.T, python, format, notebook string, options ...string) (page string) {
	t.Helper()
	out := filepath.Dir(notebook)
	if said, err := exec.CommandContext(t.Context(), python, append([]string{"-m", "nbconvert", "--to", format, "--output-dir", out, notebook}, options...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return filepath.Join(out, strings.TrimSuffix(filepath.Base(notebook), ".ipynb")+map[string]string{"html": ".html", "slides": ".slides.html"}[format])
}

// TestPagesOffline has nbconvert make a page and slides of notebooks, and opens both in
// a browser that reaches nothing: the formulas are set, the slides are slides, code is
// Go in colours and folded as in JupyterLab, and nothing has been asked of another computer.
func TestPagesOffline(t *testing.T) {
	_, python := nbconvert(t)
	browser := labtest.Chromium(t)
	dir := t.TempDir()
	latex := map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": map[string]any{"text/latex": `$\alpha$`}}
	plain, slides := filepath.Join(dir, "plain.ipynb"), filepath.Join(dir, "slides.ipynb")
	// The dollars in code are no formula.
	writeNotebook(t, plain,
		markdown("# A title\n\n"+formulas), markdown("and more"), code("%%\nfmt.Println(\"± → $x$\")", append(drawnOutputs(t), latex)...),
		markdown("a thought"), folded(code("x := 1")),
		markdown("## A heading"), code("x := 2"), markdown("the end"))
	writeNotebook(t, slides,
		slide("slide", markdown("# One")), slide("subslide", markdown("below\n\n"+formulas)), slide("fragment", code("x := 1 // "+strings.Repeat("long ", 100))),
		slide("notes", markdown("for the speaker")), slide("skip", markdown("for nobody")), slide("slide", markdown("# Two")), markdown("on the same slide"))
	for _, test := range []struct {
		name, notebook, format string
		formulas, code, folded int
		slides                 []int // vertical ones, for each horizontal
	}{
		{"page", plain, "html", 6, 3, 1, nil},
		// Without slide types: a title with a thought, another thought; a heading, the end.
		// The code of a figure is folded, too.
		{"plain slides", plain, "slides", 6, 3, 2, []int{2, 2}},
		{"slides", slides, "slides", 5, 1, 0, []int{2, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			page := convert(t, python, test.format, test.notebook)
			b := testfile.Read(t, page)
			checkColours(t, b, test.code)
			if got := strings.Count(b, "<summary>Code</summary>"); got != test.folded {
				t.Errorf("the code of %d cells is folded, want %d", got, test.folded)
			}
			ctx := labtest.Window(t, browser)
			asked := labtest.Offline(ctx, t)
			must.Do(t, chromedp.Do(ctx, chromedp.Navigate("file://"+page)))
			got, faults := labtest.Typeset(ctx, t)
			if got != test.formulas || len(faults) > 0 {
				t.Errorf("%d formulas are shown, want %d; faults %q", got, test.formulas, faults)
			}
			if test.notebook == plain {
				checkDrawn(ctx, t)
			}
			t.Log(labtest.Picture(ctx, t.Name()))
			if test.slides != nil {
				checkSlides(ctx, t, test.slides)
			}
			if addresses := asked(); len(addresses) > 0 {
				t.Errorf("the page asks for %q", addresses)
			}
		})
	}
}

// Pygments gives what it cannot read the class err, as ± and → in a program that it
// takes for Python.
var (
	coloured = regexp.MustCompile(`<div class="highlight hl-([a-z0-9]+)"`)
	unread   = regexp.MustCompile(`<span class="err">`)
)

// checkColours checks that a page has the wanted number of pieces of code, all Go.
func checkColours(t *testing.T, page string, want int) {
	t.Helper()
	languages := coloured.FindAllStringSubmatch(page, -1)
	for _, language := range languages {
		if language[1] != "go" {
			t.Errorf("code is coloured as %s", language[1])
		}
	}
	if len(languages) != want || unread.MatchString(page) {
		t.Errorf("%d pieces of code are in colours, want %d; %q", len(languages), want, unread.FindAllString(page, -1))
	}
}

// checkSlides checks that reveal.js runs with these slides, shows the first one, and
// goes to the last.
func checkSlides(ctx context.Context, t *testing.T, want []int) {
	t.Helper()
	evaluate := func(js string) string {
		return labtest.Value[string](ctx, t, `JSON.stringify(`+js+`)`)
	}
	if evaluate(`!!window.Reveal`) != "true" {
		t.Fatal("there is no reveal.js in the page")
	}
	labtest.Wait(ctx, t, "reveal.js", `Reveal.isReady()`)
	counts := must.Get(json.Marshal(want)).Or(t)
	if got := evaluate(`Reveal.getHorizontalSlides().map(s => s.querySelectorAll('section').length)`); got != string(counts) {
		t.Errorf("the slides are %s, want %s", got, counts)
	}
	const seen = `[...document.querySelectorAll('.slides section:not(.stack)')].filter(s => {
		const box = s.getBoundingClientRect();
		return getComputedStyle(s).visibility === 'visible' && s.checkVisibility({opacityProperty: true}) && box.width > 100 && box.right > 0 && box.left < innerWidth;
	}).map(s => s === Reveal.getCurrentSlide())`
	labtest.Wait(ctx, t, "the first slide alone", `JSON.stringify(`+seen+`) === '[true]'`)
	if got := evaluate(`Reveal.getIndices()`); !strings.HasPrefix(got, `{"h":0,"v":0`) {
		t.Errorf("the slide shown first is %s", got)
	}
	if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](`while (Reveal.availableRoutes().right || Reveal.availableRoutes().down) Reveal.next()`)); err != nil {
		t.Fatal(err)
	}
	last := evaluate(`[Reveal.getHorizontalSlides().length - 1, Reveal.getHorizontalSlides().at(-1).querySelectorAll('section').length - 1]`)
	if got := evaluate(`[Reveal.getIndices().h, Reveal.getIndices().v]`); got != last {
		t.Errorf("the last slide that is reached is %s, want %s", got, last)
	}
	labtest.Wait(ctx, t, "the last slide alone", `JSON.stringify(`+seen+`) === '[true]'`)
	t.Log(labtest.Picture(ctx, t.Name()+"-last"))
	// A line of code that is longer than the slide is wide can be scrolled to its end.
	const cut = `[...document.querySelectorAll('.slides pre')].filter(pre => {
		const box = pre.closest('div.highlight');
		box.scrollLeft = 1e6;
		return Math.max(pre.scrollWidth, box.scrollWidth) > box.clientWidth + 1 && box.scrollLeft === 0 && pre.closest('section').checkVisibility();
	}).length`
	if got := evaluate(`(Reveal.slide(0, 1), ` + cut + `)`); got != "0" {
		t.Errorf("%s cells have code that is cut off", got)
	}
	if got := evaluate(`document.querySelector('.reveal').innerText.includes('for nobody')`); got != "false" {
		t.Error("a skipped cell is shown")
	}
}
