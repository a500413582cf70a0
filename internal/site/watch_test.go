package site

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// A source that is written, replaced as editors do it, renamed or deleted is told, in a folder that is new, too. Other files
// are not.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	w := &rebuilder{built: &built{stage: &stage{book: &book{root: t.TempDir(), dir: dir}}}}
	saved := must.Get(w.watch(t.Context())).Or(t)
	var seen []string
	want := func(names ...string) {
		t.Helper()
		for _, name := range names {
			for !slices.Contains(seen, filepath.Join(dir, name)) {
				seen = append(seen, <-saved...) // a test that fails waits here until it is killed
			}
		}
		seen = nil
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	testfile.Write(t, at("data.csv"), "1")
	testfile.Write(t, at(".~a.ipynb"), "{}")
	testfile.Write(t, at("a.ipynb"), "{}")
	if got := <-saved; !slices.Equal(got, []string{at("a.ipynb")}) {
		t.Errorf("told are %q, want the notebook alone", got)
	}
	testfile.Write(t, at("swap"), "{} ")
	must.Do(t, os.Rename(at("swap"), at("a.ipynb")))
	want("a.ipynb")
	must.Do(t, os.Rename(at("a.ipynb"), at("b.ipynb")))
	want("a.ipynb", "b.ipynb")
	must.Do(t, os.Remove(at("b.ipynb")))
	want("b.ipynb")
}

// What belongs to the lectures' site is made anew; the drafts beside it and what students do not see change nothing.
func TestBelongs(t *testing.T) {
	s := staged(t, "")
	for _, file := range slices.Concat(s.book.lectures, s.book.exercises, s.book.documents) {
		s.sources[s.book.rel(file)] = true
	}
	w := &rebuilder{built: &built{stage: s}}
	for rel, want := range map[string]string{
		"notebooks/04-margins.ipynb":           "notebooks/04-margins.ipynb",
		"notebooks/solutions/04-margins.ipynb": "notebooks/exercises/04-margins.ipynb",
		"docs/site.md":                         "docs/site.md",
		"notebooks/10-new.ipynb":               "",
		"docs/assignments/svm.md":              "",
	} {
		if got := w.pageFor(s.book.at(rel)); got != want {
			t.Errorf("%s changes the page of %q, want %q", rel, got, want)
		}
	}
	for rel, want := range map[string]bool{"notebooks/10-new.ipynb": true, "docs/new.md": true, "own/x.ipynb": false, "NOTES.md": false, "mlkit/x.md": false} {
		if got := w.belongs(s.book.at(rel)); got != want {
			t.Errorf("%s belongs to the site: %v, want %v", rel, got, want)
		}
	}
}

// A page that is served live has the script that hears of news; other files are as they are. News come to a page that is open,
// with the fault that it found when it opened.
func TestNews(t *testing.T) {
	n := newNews()
	n.tell(nil, os.ErrInvalid)
	server := httptest.NewServer(n.handler(fstest.MapFS{"index.html": {Data: []byte("<body>x</body>")}, "a.txt": {Data: []byte("</body>")}}))
	defer server.Close()
	body := func(path string) string {
		t.Helper()
		r := must.Get(http.Get(server.URL + path)).Or(t)
		defer r.Body.Close()
		var b strings.Builder
		must.Get(bufio.NewReader(r.Body).WriteTo(&b)).Or(t)
		return b.String()
	}
	for path, want := range map[string]string{"/": `<body>x<script defer src="/_reload.js"></script></body>`, "/a.txt": "</body>", "/_reload.js": string(reloadScript)} {
		if got := body(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	r := must.Get(http.Get(server.URL + newsName)).Or(t)
	defer r.Body.Close()
	lines := bufio.NewScanner(r.Body)
	next := func() string {
		for lines.Scan() {
			if lines.Text() != "" {
				return lines.Text()
			}
		}
		return ""
	}
	if got, want := next(), `data: {"pages":null,"fault":"invalid argument","told":1}`; got != want {
		t.Errorf("a page hears %s, want %s", got, want)
	}
	n.tell([]string{"a.html"}, nil)
	if got, want := next(), `data: {"pages":["a.html"],"fault":"","told":2}`; got != want {
		t.Errorf("a page hears %s, want %s", got, want)
	}
}
