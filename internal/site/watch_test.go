package site

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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

// A fault stands while its file has it, whatever else is saved, and goes when the file becomes what its page shows: then
// no page changes, and undoing an edit would leave the fault in all open pages.
func TestFaultStands(t *testing.T) {
	n, saved := newNews(), make(chan []string)
	var said []string
	w := &rebuilder{news: n, said: func(line string) { said = append(said, line) }}
	saving := filepath.Join(t.TempDir(), "c.ipynb")
	broken, pages := errors.New("a.ipynb is broken"), map[string][]string{"b.ipynb": {"b.html"}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.run(t.Context(), saved, func(_ context.Context, files []string) (made []string, err error) {
			for _, file := range files {
				made = append(made, pages[file]...)
				if file == "a.ipynb" || file == saving && !begun(file) {
					err = broken
				}
			}
			return made, err
		})
	}()
	heard := make(chan event, 1)
	n.open[heard] = true
	save := func(want event, file string) {
		t.Helper()
		saved <- []string{file}
		if got := <-heard; got.Fault != want.Fault || !slices.Equal(got.Pages, want.Pages) {
			t.Errorf("after %s a page hears %+v, want %+v", file, got, want)
		}
	}
	save(event{nil, broken.Error()}, "a.ipynb")
	save(event{[]string{"b.html"}, broken.Error()}, "b.ipynb")
	broken = nil
	delete(pages, "b.ipynb")
	save(event{nil, ""}, "a.ipynb")
	if len(said) != 4 || !strings.HasPrefix(said[3], "mended") {
		t.Errorf("the terminal says %q, want in the end that the fault is mended", said)
	}
	broken = errors.New("c.ipynb is broken")
	testfile.Write(t, saving, "{")
	save(event{nil, broken.Error()}, saving)
	testfile.Write(t, saving, "") // as programs begin to write it
	save(event{nil, broken.Error()}, saving)
}

// A Sphinx that has ended is no fault of a page: the site is made as a whole, which begins with another.
func TestSphinxHasEnded(t *testing.T) {
	gone, asked := io.Pipe()
	reading, heard := io.Pipe()
	must.Do(t, gone.Close())
	go io.Copy(io.Discard, reading)
	for name, in := range map[string]io.WriteCloser{"before it is asked": asked, "before it answers": heard} {
		r := &resident{in: in, out: bufio.NewReader(strings.NewReader(""))}
		if _, err := r.build(nil); !errors.Is(err, errWhole) {
			t.Errorf("%s: %v, want %v", name, err, errWhole)
		}
	}
}

// A cell whose program is as before is not checked again when its page is made anew: without a checker it is known.
func TestCalled(t *testing.T) {
	s := staged(t, "")
	const source = "%%\nfmt.Println(strings.ToUpper(\"a\"))"
	before := must.Get(newCalls(s, "notebooks/01.ipynb").step(t.Context(), "a", source)).Or(t)
	c := newCalls(s, "notebooks/01.ipynb")
	checker := c.types
	c.types = nil
	if again := must.Get(c.step(t.Context(), "a", source)).Or(t); len(before) == 0 || !slices.Equal(again, before) {
		t.Errorf("the names of a cell are %v, then %v", before, again)
	}
	c.types = checker
	if got := must.Get(c.step(t.Context(), "a", "%%\nfmt.Print()")).Or(t); len(got) != 1 || got[0][3] != "https://pkg.go.dev/fmt#Print" {
		t.Errorf("the names of the changed cell are %v", got)
	}
	// The same text on another page has other addresses, which are relative.
	here, there := "import \"marginalia/mlkit\"\nvar h mlkit.Hyperplane", "notebooks/exercises/01.ipynb"
	must.Get(newCalls(s, "notebooks/01.ipynb").step(t.Context(), "b", here)).Or(t)
	if got := must.Get(newCalls(s, there).step(t.Context(), "b", here)).Or(t); len(got) == 0 || got[0][3] != "../../library/mlkit.html#Hyperplane" {
		t.Errorf("on %s the names are %v", there, got)
	}
}

// A port that is taken is said at once, and not after a build of minutes.
func TestPortTaken(t *testing.T) {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0")).Or(t)
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	err := Live(t.Context(), "no such folder, which a build would miss first", Options{Out: t.TempDir()}, port, nil, nil, nil, nil)
	if err == nil || !strings.Contains(err.Error(), strconv.Itoa(port)+" is taken: name another with --port") {
		t.Errorf("Live at a port that is taken says %v", err)
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
	for path, want := range map[string]string{"/": `<body>x<script defer src="/_reload.js" data-told="1"></script></body>`, "/a.txt": "</body>", "/_reload.js": string(reloadScript)} {
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
