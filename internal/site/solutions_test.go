//go:build browser

package site

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	grading "marginalia/internal/course"
	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
)

// checkSolutions looks in the pages and files of a site for what students do not get of the
// repository's assignments: three lines on end that no lecture and no exercise has.
func checkSolutions(t *testing.T, root, dir string) {
	t.Helper()
	c := must.Get(grading.Open(filepath.Join(root, filepath.FromSlash(courseFolder)))).Or(t)
	names, err := c.Assignments()
	if err != nil || len(names) != 4 {
		t.Fatalf("the assignments are %q, %v; want four", names, err)
	}
	known := ""
	for _, pattern := range []string{"*.ipynb", "exercises/*.ipynb"} {
		files, err := filepath.Glob(filepath.Join(root, "notebooks", filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("there are no notebooks %s: %v", pattern, err)
		}
		for _, file := range files {
			known += notebookText(t, file)
		}
	}
	of := map[string]string{} // where three lines stand
	for _, name := range names {
		a := must.Get(release.Make(c, name)).Or(t)
		for _, nb := range a.Notebooks {
			given := known + sourcesOf(nb.Release)
			for _, r := range nb.Removed {
				lines := strings.FieldsFunc(r.Text, func(r rune) bool { return r == '\n' })
				for i := range max(0, len(lines)-2) {
					three := words(strings.Join(lines[i:i+3], " "))
					if len(three) >= 60 && !strings.Contains(given, three) {
						of[three] = name + ", cell " + r.ID
					}
				}
			}
		}
	}
	if len(of) < 300 {
		t.Errorf("the assignments have %d places that students do not get, too few to look for", len(of))
	}
	for name, text := range contents(t, dir) {
		switch path.Ext(name) {
		case ".html":
			text = words(textOf(t, text))
		case ".ipynb":
			text = notebookText(t, filepath.Join(dir, filepath.FromSlash(name)))
		case ".txt":
			text = words(text)
		default:
			continue
		}
		for three, from := range of {
			if strings.Contains(text, three) {
				t.Errorf("%s has lines of %s: %s", name, from, three)
			}
		}
	}
}

func notebookText(t *testing.T, file string) string {
	t.Helper()
	nb := nbtest.Read(t, file)
	return sourcesOf(nb)
}

// sourcesOf is the text of all cells, and words a text with single spaces.
func sourcesOf(nb *nbformat.Notebook) string {
	var b strings.Builder
	for _, c := range nb.Cells {
		b.WriteString(c.Source + "\n")
	}
	return words(b.String())
}

func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// textOf is the text of a page without its elements.
func textOf(t *testing.T, page string) string {
	t.Helper()
	root := must.Get(html.Parse(strings.NewReader(page))).Or(t)
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	return b.String()
}
