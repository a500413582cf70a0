package site

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// Two pictures of one pixel, one red and one green: PNG, as Python's zlib and struct write it.
const (
	redDot   = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
	greenDot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNg+M8AAAICAQB7CYF4AAAAAElFTkSuQmCC"
)

// linked is the stage of a course with pages, files and pictures, and Sphinx's page of notebooks/01.ipynb.
func linked(t *testing.T) *stage {
	t.Helper()
	dir, pages := t.TempDir(), t.TempDir()
	s := newStage(&book{root: t.TempDir(), dir: dir}, t.TempDir(), "", nil)
	s.pages = pages
	for _, source := range []string{"docs/a.md", "docs/page.md", "notebooks/01.ipynb", "notebooks/50%.ipynb"} {
		s.sources[source] = true
	}
	dot := must.Get(base64.StdEncoding.DecodeString(redDot)).Or(t)
	for name, text := range map[string]string{"docs/my pic.png": string(dot), "docs/100%.png": string(dot), "docs/film.gif": "GIF", "x/y.go": "package x\n", "x/x.html": "<p>"} {
		testfile.Write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	testfile.Write(t, filepath.Join(pages, "notebooks", "01.html"), `<section id="lda-or-logistic"><span id="6-lda-or-logistic"></span><span id="6.-LDA-or-logistic?"></span><a id="cell-id=score"></a>`)
	testfile.Write(t, filepath.Join(pages, "docs", "page.html"), `<section id="part"><span id="Ähnliche-Teile"></span>`)
	return s
}

// What an author has written as an address leads to the page, the place, the file or the picture that it
// means, in each form that a browser reads; a fault is said with its cell, and leaves the text.
func TestResolved(t *testing.T) {
	s := linked(t)
	picture := func(alt, src string) string {
		return `<img alt="` + alt + `" src="` + src + `" width="1" height="1" loading="lazy">`
	}
	for _, c := range []struct{ page, want, fault string }{
		{`<a href="cell:0:a.md">a</a> and <a href="cell:0:https://example.org/x.md?a&amp;b">b</a>`, `<a href="../docs/a.html">a</a> and <a href="https://example.org/x.md?a&amp;b">b</a>`, ""},
		{`<a class="x" href="cell:0:#part">here</a>`, `<a class="x" href="#part">here</a>`, ""},
		{`<a href="cell:0:#%C3%84hnliche-Teile">here</a>`, `<a href="#%C3%84hnliche-Teile">here</a>`, ""},
		{`<a href="cell:0:#gone">here</a>`, `<a href="../docs/page.html">here</a>`, "docs/page.md: a link leads to #gone, and that page has no such heading"},
		{`<a href="cell:0:../notebooks/01.ipynb#cell-id=score">cell</a>`, `<a href="../notebooks/01.html#cell-id=score">cell</a>`, ""},
		{`<a href="cell:0:../notebooks/01.ipynb#6.-LDA-or-logistic%3F">section</a>`, `<a href="../notebooks/01.html#6.-LDA-or-logistic%3F">section</a>`, ""},
		{`<a href="cell:0:/notebooks/01.html#6-LDA-or-logistic">page</a>`, `<a href="../notebooks/01.html#6-lda-or-logistic">page</a>`, ""},
		{`<a href="cell:0:../notebooks/50%25.ipynb">50</a> <a href="cell:0:../notebooks/50%.ipynb">50</a>`, `<a href="../notebooks/50%25.html">50</a> <a href="../notebooks/50%25.html">50</a>`, ""},
		{`<a href="cell:0:../x/y.go">code</a>, <a href="cell:0:../x">folder</a>`, `<a href="../files/x/y.go.txt">code</a>, folder`, ""},
		{`<a href="cell:0:gone.md"><b>gone</b></a>`, `<b>gone</b>`, "docs/page.md: a link leads to gone.md, which does not exist"},
		{`<a href="cell:0:javascript:alert(1)">x</a>`, `x`, ""},
		{`<img alt="p" src="cell:0:my%20pic.png">`, picture("p", "../files/docs/my%20pic.png"), ""},
		{`<img alt="p" src="cell:0:my pic.png?raw=true">`, picture("p", "../files/docs/my%20pic.png"), ""},
		{`<img alt="p" src="cell:0:100%.png">`, picture("p", "../files/docs/100%25.png"), ""},
		{`<IMG WIDTH=5 src="cell:0:/docs/my%20pic.png">`, `<img width="5" src="../files/docs/my%20pic.png" alt="Image" loading="lazy">`, ""},
		{`<a href="cell:0:a.md"><img alt="p" src="cell:0:my%20pic.png"></a>`, `<a href="../docs/a.html">` + picture("p", "../files/docs/my%20pic.png") + `</a>`, ""},
		{`<video controls poster="cell:0:gone.png" src="cell:0:film.gif"></video>`, `<video controls="" src="../files/docs/film.gif"></video>`, "docs/page.md: a link leads to gone.png"},
		{`<img alt="a badge" src="cell:0:https://example.org/b.svg">`, `a badge`, "is on another host"},
		{`<p>cell:0:x &amp; <code>href="cell:1:a"</code></p><script>"cell:0:a.md"</script>`, `<p>cell:0:x &amp; <code>href="cell:1:a"</code></p><script>"cell:0:a.md"</script>`, ""},
	} {
		s.book.faults = nil
		got, err := s.resolved("docs/page.md", []byte(c.page))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v; want %s", c.page, got, err, c.want)
		}
		if n := len(s.book.faults); c.fault == "" && n > 0 || c.fault != "" && (n != 1 || !strings.Contains(s.book.faults[0].Error(), c.fault)) {
			t.Errorf("%s: faults %v, want %q", c.page, s.book.faults, c.fault)
		}
	}
	if string(s.files["files/x/y.go.txt"]) != "package x\n" || string(s.files["files/docs/film.gif"]) != "GIF" {
		t.Error("the files that links lead to are not in the site")
	}
	s.source = "https://example.org/blob/main"
	got, err := s.resolved("docs/page.md", []byte(`<a href="cell:0:../x/y.go">code</a>, <a href="cell:0:../x">folder</a>`))
	if want := `<a href="https://example.org/blob/main/x/y.go">code</a>, <a href="https://example.org/blob/main/x">folder</a>`; err != nil || string(got) != want {
		t.Errorf("with an address of the repository: %s, %v; want %s", got, err, want)
	}
}

// Attachments are those of the cell that names them, as files named by their content: two of one name
// are two files.
func TestAttachments(t *testing.T) {
	s := linked(t)
	const rel = "notebooks/01.ipynb"
	dot := func(data string) map[string]any { return map[string]any{"image/png": data} }
	s.cells[rel] = map[int]cellOf{
		1: {"cell 1 (one)", map[string]any{"image.png": dot(redDot), "щенок.png": dot(redDot), "кот.png": dot(greenDot), "a (1).png": dot(redDot + "\n")}},
		2: {"cell 2 (two)", map[string]any{"image.png": dot(greenDot), "my%20pic.png": dot(greenDot), "bad.png": dot("%"), "none.png": map[string]any{}}},
	}
	files := map[string]string{}
	for name, c := range map[string]struct{ src, fault string }{
		"red":   {"1:attachment:image.png", ""},
		"red 2": {"1:attachment:%D1%89%D0%B5%D0%BD%D0%BE%D0%BA.png", ""},
		"red 3": {"1:attachment:a%20(1).png", ""},
		"green": {"2:attachment:image.png", ""},
		"cat":   {"1:attachment:кот.png", ""},
		"enc":   {"2:attachment:my%20pic.png", ""},
		"gone":  {"2:attachment:gone.png", "notebooks/01.ipynb, cell 2 (two): there is no attachment gone.png"},
		"bad":   {"2:attachment:bad.png", "attachment bad.png: its image/png is not base64"},
		"none":  {"2:attachment:none.png", "attachment none.png: it has no picture"},
	} {
		s.book.faults = nil
		got := must.Get(s.resolved(rel, []byte(`<img alt="`+name+`" src="cell:`+c.src+`">`))).Or(t)
		if n := len(s.book.faults); c.fault == "" && n > 0 || c.fault != "" && (n != 1 || !strings.Contains(s.book.faults[0].Error(), c.fault) || string(got) != name) {
			t.Errorf("%s: %s, faults %v, want %q", name, got, s.book.faults, c.fault)
		}
		files[name] = strings.Replace(string(got), name, "", 1)
	}
	if files["red"] != files["red 2"] || files["red"] != files["red 3"] || files["green"] != files["cat"] || files["green"] != files["enc"] || files["red"] == files["green"] {
		t.Errorf("the pictures are %q, want one of red and one of green", files)
	}
	if !strings.Contains(files["red"], `src="../figures/`) || !strings.Contains(files["red"], `class="plot"`) {
		t.Errorf("an attachment is %s, want a figure of the site", files["red"])
	}
	if _, err := os.Stat(s.dir); err != nil || len(s.files) != 2 {
		t.Errorf("%d files, %v; want two", len(s.files), err)
	}
}

// A warning of Sphinx names the cell of the author's notebook, by its number there and its id.
func TestLocated(t *testing.T) {
	s := linked(t)
	s.cells["a b.ipynb"] = map[int]cellOf{7: {name: "cell 7 (seven)"}}
	s.order["a b.ipynb"] = []int{1, 0, 7}
	for warning, want := range map[string]string{
		"a b.ipynb:30004: WARNING: Pygments lexer name 'x' is not known [misc.highlighting_failure]": "a b.ipynb, cell 7 (seven): Pygments lexer name 'x' is not known",
		"a b.ipynb:20001: WARNING: ours [a.b] [a.b]":                                                 "a b.ipynb: ours",
		"a b.ipynb: WARNING: whole":                                                                  "a b.ipynb: whole",
		"docs/a.md:12: WARNING: said":                                                                "docs/a.md, line 12: said",
		"WARNING: of no page":                                                                        "WARNING: of no page",
	} {
		if got := s.located(warning); got != want {
			t.Errorf("%q becomes %q, want %q", warning, got, want)
		}
	}
}
