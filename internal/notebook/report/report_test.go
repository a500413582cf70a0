package report

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"marginalia/internal/notebook/outputs"
	"marginalia/internal/testkit/must"
)

// marked writes a line with its kind's first letter and what is marked in brackets.
func marked(list []line) (text []string) {
	for _, l := range list {
		s := l.Kind[:1] + " "
		for _, p := range l.Parts {
			if p.Marked {
				p.Text = "[" + p.Text + "]"
			}
			s += p.Text
		}
		text = append(text, s)
	}
	return text
}

func TestLines(t *testing.T) {
	for _, tt := range []struct {
		name, want, got string
		shown           []string
	}{
		{"a number of one line", "w = (1, 2)\n", "w = (1, 3)\n", []string{"o w = (1, [2])", "n w = (1, [3])"}},
		{"words between others", "a b c d e", "a x y d f", []string{"o a [b c] d [e]", "n a [x y] d [f]"}},
		{"as many lines", "1 a\n2 a\nend\n", "1 b\n2 b\nend\n", []string{"o 1 [a]", "o 2 [a]", "n 1 [b]", "n 2 [b]", "s end"}},
		{"fewer lines", "a\nb\nc\n", "a\nc\n", []string{"s a", "o b", "s c"}},
		{"nothing before", "", "a\n", []string{"n a"}},
		{"the end of a line", "a\n", "a", []string{"g They differ only in whether the last line ends."}},
		{"equal lines between", "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "c\n1\n2\n3\n4\n5\n6\n7\nd\n",
			[]string{"o [a]", "n [c]", "s 1", "s 2", "s 3", "g ⋯", "s 5", "s 6", "s 7", "o [b]", "n [d]"}},
		{"a terminal's control characters", "a\x1b[2J", "b", []string{"o [a␛[2J]", "n [b]"}},
	} {
		if got := marked(lines(tt.want, tt.got)); !slices.Equal(got, tt.shown) {
			t.Errorf("%s:\n%q, want\n%q", tt.name, got, tt.shown)
		}
	}
	// The page stays readable and small, whatever the texts are: no more words are compared than
	// mostWords, no more lines and bytes shown than mostLines and longestLine.
	got := lines("a "+strings.Repeat("x y ", mostWords/2), "b "+strings.Repeat("u y ", mostWords/2)) // y is in both
	if len(got) != 2 || len(got[0].Parts) != 2 || !got[0].Parts[0].Marked {
		t.Errorf("of lines with many words %.200q", marked(got))
	}
	long := lines(strings.Repeat("a\n", 3*mostLines), strings.Repeat("b", 2*longestLine))
	if last := long[len(long)-1]; len(long) != mostLines+1 || last.Parts[0].Text != "…" {
		t.Errorf("%d lines, the last is %v", len(long), last)
	}
	if n := lines("", strings.Repeat("é", longestLine))[0].size(); n > longestLine+len("…") {
		t.Errorf("a line of %d bytes", n)
	}
}

// gray is the file of a picture.
func gray(t *testing.T, level uint8, size int) []byte {
	m := image.NewGray(image.Rect(0, 0, size, size/2))
	for i := range m.Pix {
		m.Pix[i] = level
	}
	m.SetGray(1, 1, color.Gray{Y: 77})
	var b bytes.Buffer
	must.Do(t, png.Encode(&b, m))
	return b.Bytes()
}

const hostileSVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="parent.hacked=1"><script>parent.hacked=1</script><image href="http://127.0.0.1:1/x.png"/></svg>`

// hostile is a page of outputs that try to run a script, to load something, or to end an element.
func hostile(t *testing.T) Page {
	evil := `</pre></script><script>hacked=1</script><img src=x onerror="hacked=1">` + "\x00\x1b]0;x\a"
	return Page{Title: evil, Lead: evil, Accept: evil, Cells: []Cell{
		{Name: evil, Heading: evil, Compared: evil, Accept: evil, Failures: []string{evil}, Differences: []outputs.Difference{
			{What: "stdout", Want: evil, Got: "other"},
			{What: evil, Note: evil},
			{What: "display 1, text/html", Want: "<b>1</b>", Got: evil},
			{What: "display 2, image/svg+xml", Want: "<svg/>", Got: hostileSVG, Old: []byte("<svg/>"), New: []byte(hostileSVG)},
			{What: "display 3, image/png", Note: "differs", Old: gray(t, 250, 40), New: gray(t, 5, 40)},
		}},
	}}
}

// Whatever outputs hold, the page has the elements of its own template, and pictures from within it.
func TestPageIsInert(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "report.html")
	must.Do(t, hostile(t).Write(file))
	doc := must.Get(html.Parse(must.Get(os.Open(file)).Or(t))).Or(t)
	count := map[string]int{}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		count[n.Data]++
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" && !strings.HasPrefix(a.Val, "data:image/") || a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	// Of the pictures two are SVG and three PNG: stored, new, and where they differ.
	if count["script"] != 1 || count["img"] != 5 || count["svg"] != 0 || count["b"] != 0 {
		t.Errorf("the page has %v", count)
	}
	text := string(must.Get(os.ReadFile(file)).Or(t))
	for _, want := range []string{`content="default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-`, ` width="40" height="20"`, "&lt;script&gt;"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// A page is one file that a browser opens: what it has no room for is named.
func TestPageIsBounded(t *testing.T) {
	big := append(gray(t, 1, 40), make([]byte, maxPage/4)...) // a picture with much behind its end
	page := Page{Title: "t"}
	for i := range 5 {
		page.Cells = append(page.Cells, Cell{Name: fmt.Sprintf("cell%d", i), Differences: []outputs.Difference{{What: "display 1, image/png", Note: "far", Old: big}}})
	}
	file := filepath.Join(t.TempDir(), "report.html")
	must.Do(t, page.Write(file))
	text := must.Get(os.ReadFile(file)).Or(t)
	// Base64 makes a third more of a quarter, so that three would be more than all.
	if pictures, full := bytes.Count(text, []byte("<img ")), bytes.Count(text, []byte("This page is full")); pictures != 2 || full != 3 {
		t.Errorf("%d pictures and %d that are left out, want 2 and 3", pictures, full)
	}
	if len(text) > maxPage+1<<20 {
		t.Errorf("the page has %d bytes", len(text))
	}
}
