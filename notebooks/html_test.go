//go:build browser

package notebooks

import (
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/base/repo"
	"marginalia/internal/base/setup"
	"marginalia/internal/install/lab"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/tier"
)

// The lectures as web pages, made by the nbconvert that comes with JupyterLab:
// each page has every figure of its notebook, with its text alternative, and every
// code cell as Go in colours, and shows no error but those that are meant. The
// notebooks are as JupyterLab saves them: with the language as the kernel reports it,
// which names no lexer. In a browser that reaches nothing, every formula is set.
func TestHTML(t *testing.T) {
	tier.Browser(t)
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	python, err := lab.JupyterPython(t.Context(), root, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	args := []string{"-m", "nbconvert", "--to", "html", "--output-dir", dir}
	for _, file := range lectures(t) {
		args = append(args, saved(t, file, dir))
	}
	if out, err := exec.CommandContext(t.Context(), python, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, file := range lectures(t) {
		name := strings.TrimSuffix(file, ".ipynb")
		t.Run(name, func(t *testing.T) {
			nb, err := nbformat.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			page, err := os.ReadFile(filepath.Join(dir, name+".html"))
			if err != nil {
				t.Fatal(err)
			}
			checkPage(t, nb, string(page))
		})
	}
	t.Run("formulas", func(t *testing.T) { checkFormulas(t, dir) })
}

// saved copies a lecture into a folder with the language that GoNB reports.
func saved(t *testing.T, file, dir string) (path string) {
	t.Helper()
	nb, err := nbformat.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	language, ok := nb.Metadata["language_info"].(map[string]any)
	if !ok {
		t.Fatalf("%s does not say its language", file)
	}
	language["pygments_lexer"] = ""
	path = filepath.Join(dir, file)
	if err := nb.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// checkFormulas opens the pages of the lectures in a browser with no network.
func checkFormulas(t *testing.T, dir string) {
	chromium, ok := setup.Chromium()
	if !ok {
		t.Fatal("there is no Chromium in PATH")
	}
	browser := labtest.Browse(t, chromium)
	for _, file := range lectures(t) {
		name := strings.TrimSuffix(file, ".ipynb")
		t.Run(name, func(t *testing.T) {
			nb, err := nbformat.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			want := 0 // a formula stands between single dollars, or double ones
			count := func(text string) { want += (strings.Count(text, "$") - strings.Count(text, "$$")) / 2 }
			for _, c := range nb.Cells {
				if c.Type == "markdown" {
					count(c.Source)
				}
				for _, o := range c.Outputs {
					if text, ok := o.Data["text/markdown"].(string); ok {
						count(text)
					}
				}
			}
			ctx := labtest.Window(t, browser)
			asked := labtest.Offline(ctx, t)
			if err := chromedp.Do(ctx, chromedp.Navigate("file://"+filepath.Join(dir, name+".html"))); err != nil {
				t.Fatal(err)
			}
			formulas, faults := labtest.Typeset(ctx, t)
			if formulas != want || len(faults) > 0 {
				t.Errorf("%d formulas are shown, want %d; faults %q", formulas, want, faults)
			}
			if addresses := asked(); len(addresses) > 0 {
				t.Errorf("the page asks for %q", addresses)
			}
		})
	}
}

// What nbconvert's template lab writes. Pygments wraps every token of a
// language it knows in a span with the token's class, and other text in none.
var (
	goInColours = regexp.MustCompile(`<div class="highlight hl-go"><pre><span></span>\s*<span class="[a-z]`)
	anyCode     = regexp.MustCompile(`<div class="highlight hl-`)
	onStderr    = regexp.MustCompile(`data-mime-type="application/vnd\.jupyter\.stderr"`)
)

func checkPage(t *testing.T, nb *nbformat.Notebook, page string) {
	told := html.UnescapeString(page)
	code, failures, pictures := 0, 0, []string{}
	for _, c := range nb.Cells {
		for file, bundle := range c.Attachments {
			data, _ := bundle.(map[string]any)["image/png"].(string)
			if data == "" {
				t.Errorf("cell %s: the attachment %s is no PNG", c.ID, file)
			}
			pictures = append(pictures, data)
		}
		if c.Type == "code" && strings.TrimSpace(c.Source) != "" {
			code++
		}
		for _, o := range c.Outputs {
			if o.Type == "error" || o.Name == "stderr" {
				failures++
				if !c.HasTag("raises-exception") {
					t.Errorf("cell %s has an error stored: %s%s", c.ID, o.EValue, o.Text)
				}
			}
			if data, ok := o.Data["image/png"].(string); ok {
				pictures = append(pictures, data)
				if alt, _ := o.Metadata["alt"].(string); alt == "" {
					t.Errorf("cell %s: a figure without a text alternative", c.ID)
				} else if !strings.Contains(told, `<img alt="`+alt+`"`) {
					t.Errorf("cell %s: the page leaves out the text alternative %q", c.ID, alt)
				}
			}
		}
	}
	if got := len(goInColours.FindAllString(page, -1)); got != code {
		t.Errorf("%d code cells are Go in colours, the notebook has %d (of all languages, the page has %d)",
			got, code, len(anyCode.FindAllString(page, -1)))
	}
	if got := len(onStderr.FindAllString(page, -1)); got != failures {
		t.Errorf("the page shows %d errors, %d are meant", got, failures)
	}
	for i, data := range pictures {
		if !strings.Contains(page, strings.TrimSpace(data)) {
			t.Errorf("picture %d of %d is missing", i+1, len(pictures))
		}
	}
	if got := strings.Count(page, "<img "); got != len(pictures) {
		t.Errorf("the page has %d images, the notebook %d pictures", got, len(pictures))
	}
	if heading, _, _ := strings.Cut(strings.TrimPrefix(nb.Cells[0].Source, "# "), "\n"); !strings.Contains(page, `<h1 id="`) ||
		!strings.Contains(page, heading) {
		t.Errorf("the heading %q is missing", heading)
	}
}
