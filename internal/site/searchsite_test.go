//go:build browser

package site

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// sought are words that readers look for, some with a slip, and the section of the lectures that explains them: the
// number of the lecture, and a part of the heading.
var soughtSections = [][3]string{
	{"hinge loss", "04", "6. The hinge"}, {"ξ", "04", "lack"}, {"slack", "04", "5. Slack"}, {"overfitting", "04", "generalise"},
	{"margn", "04", "argin"}, {"support vectors", "04", "4. Support vectors"}, {"suport vector", "04", "4. Support vectors"},
	{"Lagrange multipliers", "04", "2. Multipliers"}, {"dual", "04", "3. The dual"},
	{"novikof", "01", "4. Why it stops"}, {"Novikoff", "01", "4. Why it stops"}, {"perceptrn", "01", "erceptron"},
	{"pocket", "01", "pocket"}, {"voted perceptron", "01", "Let them vote"},
	{"bias and variance", "02", "6. Bias and variance"}, {"pseudoinverse", "02", "3. When there is no inverse"}, {"least sqares", "02", "east squares"},
	{"sigmoid", "03", "The sigmoid"}, {"quadratic discriminant", "03", "2. Clouds of different shape"}, {"logistic regression", "03", "ogistic"}, {"generative", "03", "Generative"},
	{"Mercer", "05", "3. What is a kernel?"}, {"kernel perceptron", "05", "4. The perceptron"}, {"kernel ridge", "05", "6. Not only classifiers"}, {"working set", "05", "Working sets"},
	{"spectral clusterng", "06", "pectral"}, {"k-means", "06", "1. Round clusters"}, {"graph cut", "06", "3. Cutting a graph"},
	{"xor", "07", "xor"}, {"polynomial regression", "07", "2. Polynomial regression"}, {"histograms of oriented gradients", "07", "5. Histograms"}, {"nearest neighbours", "07", "4. Ask the neighbours"},
	{"chance", "08", "chance"},
}

// checkSearch searches, from the page of the search and as a reader types in a lecture, where a hit leads to its section and
// there to the first place with what was found.
func checkSearch(t *testing.T, browser context.Context, address string) {
	ctx := labtest.Window(t, browser)
	w := watch(ctx, t, nil)
	w.open(address + "search.html?q=Novikoff")
	labtest.Wait(ctx, t, "lecture 1 first", `document.querySelector('#search-results li a')?.href.includes('/notebooks/01-perceptron.html')`)
	t.Log(labtest.Picture(ctx, "site-search-found"))
	if marked := w.evaluate(`document.querySelector('#search-results li mark').textContent`); marked != "Novikoff" {
		t.Errorf("marked is %q", marked)
	}
	for _, s := range soughtSections {
		got := w.evaluate(fmt.Sprintf(`(([hit]) => hit.page + "#" + hit.heading)(marginaliaFinder.find(%q))`, s[0]))
		if page, heading, _ := strings.Cut(got, "#"); !strings.HasPrefix(page, "notebooks/"+s[1]) || !strings.Contains(heading, s[2]) {
			t.Errorf("%q finds %s first, want %q of lecture %s", s[0], got, s[2], s[1])
		}
	}
	if got := w.evaluate(`marginaliaFinder.find("FitWith")[0].page`); !strings.HasPrefix(got, "library/") && !strings.HasPrefix(got, "notebooks/") {
		t.Errorf("the name of a method is found in %s", got)
	}
	w.evaluate(`(() => { document.querySelector(".words input").value = ""; })()`)
	must.Do(t, chromedp.Do(ctx, chromedp.SendKeys(".words input", "zzqxv")))
	labtest.Wait(ctx, t, "that nothing is found", `document.querySelector('#search-results p').textContent.startsWith("Nothing")`)

	w.screen(screens["desktop"][0], screens["desktop"][1])
	w.open(address + "notebooks/01-perceptron.html")
	must.Do(t, chromedp.Do(ctx, chromedp.SendKeys(".sidebar-search", "hinge loss")))
	labtest.Wait(ctx, t, "hits as they are typed", `document.querySelector(".found:not([hidden]) li a")?.textContent.includes("The hinge")`)
	t.Log(labtest.Picture(ctx, "site-search-typed"))
	must.Do(t, chromedp.Do(ctx, labtest.Keys(kb.ArrowDown), labtest.Keys(kb.Enter)))
	const seen = `(() => {
		const found = CSS.highlights.get("found"), [first] = found ?? [];
		if (!first) return "nothing is marked";
		const { top, bottom } = first.getBoundingClientRect(), section = document.getElementById(decodeURIComponent(location.hash.slice(1))).closest("section");
		return top >= 0 && bottom <= innerHeight && section.contains(first.startContainer) ? "" : "the first match is at " + top;
	})()`
	labtest.Wait(ctx, t, "lecture 4", `location.pathname.endsWith("/notebooks/04-margins.html") && CSS.highlights.has("found")`)
	labtest.Wait(ctx, t, "the first match in view", `(`+seen+`) === ""`)
	t.Log(labtest.Picture(ctx, "site-search-led"))
	w.quiet("search")
}

// checkFromDisk searches in a page that was opened as a file.
func checkFromDisk(t *testing.T, browser context.Context, dir string) {
	ctx := labtest.Window(t, browser)
	w := watch(ctx, t, labtest.Offline(ctx, t))
	w.open("file://" + filepath.ToSlash(filepath.Join(dir, "library", "mlkit", "svm.html")))
	must.Do(t, chromedp.Do(ctx, chromedp.SendKeys(".sidebar-search", "Mercer")))
	labtest.Wait(ctx, t, "a hit with its excerpt", `document.querySelector(".found:not([hidden]) li a mark")?.textContent === "Mercer"`)
	must.Do(t, chromedp.Do(ctx, labtest.Keys(kb.ArrowDown), labtest.Keys(kb.Enter)))
	labtest.Wait(ctx, t, "lecture 5", `location.pathname.endsWith("/notebooks/05-kernels.html")`)
	w.quiet("search from the disk")
}

// page/reading/minisearch.js is what its first lines say: npm's package with the hash of testdata/minisearch, minified by esbuild, below
// its licence.
func TestMiniSearch(t *testing.T) {
	tier.Browser(t)
	dir := labtest.NPM(t, filepath.Join("testdata", "minisearch"))
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join("node_modules", "esbuild", "bin", "esbuild"), filepath.Join("node_modules", "minisearch", "dist", "umd", "index.js"), "--minify", "--charset=utf8", "--legal-comments=none")
	cmd.Dir = dir
	made := must.Get(cmd.Output()).Or(t)
	licence := strings.TrimSpace(read(t, dir, "node_modules", "minisearch", "LICENSE.txt"))
	if want := "/*! MiniSearch 7.2.0, https://lucaong.github.io/minisearch\n\n" + licence + "\n*/\n" + string(made); read(t, "page", "reading", "minisearch.js") != want {
		t.Error("page/reading/minisearch.js is another")
	}
}
