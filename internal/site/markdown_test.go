//go:build browser

package site

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// A notebook's Markdown reads on the site as it does in JupyterLab: testdata/markdown.txt is what
// labtest.Reading says of testdata/markdown.ipynb in JupyterLab 4.6.6, to which internal/install/lab's TestJupyterLab holds
// it. Its cells are a kind of Markdown each, and those that broke pages: comments and targets of MyST, formulas in
// tables and environments, prices, pictures in HTML, HTML that would end outside of its cell.
//
// Beside it lie what may be faulty without keeping a page from being made: a notebook with the marks of a
// merge, an output whose picture is not base64, and an attachment that is not there. Cells that tags
// leave out are left out.
func TestMarkdown(t *testing.T) {
	tier.Browser(t)
	browser := labtest.Chromium(t)
	root := repotest.Root(t)
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "site")
	s := linked(t)
	for _, name := range []string{"img/plain.png", "img/my pic.png"} {
		testfile.Write(t, filepath.Join(dir, filepath.FromSlash(name)), read(t, s.book.dir, "docs", "my pic.png"))
	}
	testfile.Write(t, filepath.Join(dir, "markdown.ipynb"), read(t, "testdata", "markdown.ipynb"))
	testfile.Write(t, filepath.Join(dir, "README.md"), "# Course\n\n%5 in a README\n\n<a href=\"faults.ipynb#Two\">two</a> <img src=\"img/my%20pic.png\" alt=\"p\">\n")
	testfile.Write(t, filepath.Join(dir, "merge.ipynb"), "{\n \"cells\": [\n<<<<<<< HEAD\n")
	testfile.Write(t, filepath.Join(dir, "faults.ipynb"), `{"cells": [
{"cell_type": "markdown", "id": "title", "metadata": {}, "source": "# Faults\n\n![gone](attachment:gone.png) and `+"`![a](attachment:a.png)`"+`\n\n$a & b$"},
{"cell_type": "markdown", "id": "one", "metadata": {}, "attachments": {"image.png": {"image/png": "`+redDot+`"}}, "source": "![red][r]\n\n[r]: attachment:image.png \"title\""},
{"cell_type": "markdown", "id": "two", "metadata": {}, "attachments": {"image.png": {"image/png": "`+greenDot+`"}}, "source": "## Two\n\n<img alt=\"green\" src=\"attachment:image.png\">"},
{"cell_type": "raw", "id": "raw", "metadata": {}, "source": "RAW <b>"},
{"cell_type": "raw", "id": "raw-html", "metadata": {"raw_mimetype": "text/html"}, "source": "<b>RAWHTML</b>"},
{"cell_type": "raw", "id": "raw-latex", "metadata": {"raw_mimetype": "text/latex"}, "source": "RAWLATEX"},
{"cell_type": "code", "id": "bad", "metadata": {}, "execution_count": 1, "source": "%%\nbad()", "outputs": [{"output_type": "display_data", "metadata": {}, "data": {"image/jpeg": "%"}},
 {"output_type": "display_data", "metadata": {"alt": "A circle"}, "data": {"image/svg+xml": "<svg width=\"5\" height=\"5\"></svg>"}}]},
{"cell_type": "code", "id": "removed", "metadata": {"tags": ["remove-cell"]}, "execution_count": 1, "source": "%%\nREMOVEDCELL()", "outputs": []},
{"cell_type": "code", "id": "hidden", "metadata": {"jupyter": {"outputs_hidden": true}}, "execution_count": 1, "source": "%%\nshown()", "outputs": [{"output_type": "stream", "name": "stdout", "text": "FOLDED\n"}]},
{"cell_type": "code", "id": "output", "metadata": {"tags": ["remove_output"]}, "execution_count": 1, "source": "%%\nwithout()", "outputs": [{"output_type": "stream", "name": "stdout", "text": "REMOVEDOUTPUT\n"}]},
{"cell_type": "code", "id": "stray", "metadata": {}, "execution_count": 1, "source": "%%\nstray()", "outputs": [{"output_type": "display_data", "metadata": {}, "data": {"text/html": "<style>b {}</style></div></section></article><table><tr><td>OPEN"}}]},
{"cell_type": "markdown", "id": "after", "metadata": {}, "source": "AFTER"}
], "metadata": {"kernelspec": {"name": "gonb", "display_name": "Go", "language": "go"}}, "nbformat": 4, "nbformat_minor": 5}`)
	r := must.Get(Build(t.Context(), root, Options{Out: out, Course: dir}, nil)).Or(t)
	var said []string
	for _, fault := range r.Faults {
		said = append(said, fault.Error())
	}
	for _, want := range []string{"merge.ipynb: ", "faults.ipynb, cell 1 (title): there is no attachment gone.png", "faults.ipynb, cell 1 (title): formula: Misplaced &",
		"faults.ipynb, cell 7 (bad): output 1: its image/jpeg is not base64", "markdown.ipynb, cell 6 (dollars): formula: Misplaced &"} {
		if !strings.Contains(strings.Join(said, "\n"), want) {
			t.Errorf("the faults are %q, want %q", said, want)
		}
	}
	if len(said) != 5 {
		t.Errorf("there are %d faults %q, want 5", len(said), said)
	}
	pages := pagesOf(t, out)
	checkLinks(t, out, pages)
	all := contents(t, out)
	for page, want := range map[string][]string{
		"merge.html":  {"This notebook can't be read", "git could not merge two versions"},
		"index.html":  {"%5 in a README", `href="faults.html#Two"`, `src="files/img/my%20pic.png"`},
		"faults.html": {`alt="A circle"`, "<b>RAWHTML</b>", "RAW &lt;b&gt;", "attachment:a.png", "This output can't be shown", "Show the output", "FOLDED", "without"},
	} {
		for _, w := range want {
			if !strings.Contains(all[page], w) {
				t.Errorf("%s has no %s", page, w)
			}
		}
	}
	for _, gone := range []string{"REMOVEDCELL", "REMOVEDOUTPUT", "RAWLATEX", `"cell:`} {
		if strings.Contains(all["faults.html"], gone) {
			t.Errorf("faults.html has %s", gone)
		}
	}
	if _, rest, _ := strings.Cut(all["faults.html"], "</article>"); !strings.Contains(all["faults.html"], "OPEN</table>") || strings.Contains(rest, "AFTER") {
		t.Error("an output ends outside of its cell")
	}
	pictures := regexp.MustCompile(`alt="(?:red|green)" src="([^"]*)"`).FindAllStringSubmatch(all["faults.html"], -1)
	if len(pictures) != 2 || pictures[0][1] == pictures[1][1] {
		t.Errorf("two attachments of one name are %q", pictures)
	}
	ctx := labtest.Window(t, browser)
	must.Do(t, chromedp.Do(ctx, chromedp.Navigate("file://"+filepath.ToSlash(filepath.Join(out, "markdown.html")))))
	t.Log(labtest.Picture(ctx, "site-markdown"))
	got := strings.Split(labtest.Reading(ctx, t, `[document.querySelector('article')]`), "\n")
	want := strings.Split(strings.TrimSpace(read(t, "testdata", "markdown.txt")), "\n")
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("line %d of %d is %q, want %q of %d as in JupyterLab", i+1, len(got), got[min(i, len(got)-1)], want[min(i, len(want)-1)], len(want))
		}
	}
}
