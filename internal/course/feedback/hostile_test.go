package feedback

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"marginalia/internal/course/grade"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/verdict"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/property"
)

// attacks are texts that become something else where they are not escaped: HTML, scripts,
// attributes, styles, Markdown, formulas, commands of terminals, other directions of writing.
var attacks = []string{
	"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", `"><svg onload=alert(1)>`, `' onmouseover='alert(1)`,
	"</style><script src=//evil.example/x.js></script>", "</title><base href=https://evil.example/>", "<!--", "]]>", "<![CDATA[", "</pre></code></article></main>",
	"<iframe srcdoc='<script>alert(1)</script>'>", "<meta http-equiv=refresh content='0;url=https://evil.example'>", "<form action=https://evil.example><input name=a><button>",
	"<math><mi xlink:href=javascript:alert(1)>", "<a href=javascript:alert(1)>x</a>", "<link rel=stylesheet href=https://evil.example/x.css>", "<style>body{display:none}</style>",
	"[x](javascript:alert(1))", "[x](https://evil.example/a?b=c)", "![x](https://evil.example/x.png)", "![x](data:image/svg+xml;base64,PHN2Zz4=)", "<https://evil.example>", "<javascript:alert(1)>",
	"[x]: https://evil.example\n\n[x]", "![a\"onerror=alert(1)](attachment:p.png)", "![y](attachment:page.html)", "[x](<javascript:alert(1)> \"t\")", "[x](JaVaScRiPt&#58;alert&#40;1&#41;)",
	"https://evil.example/ www.evil.example me@evil.example", "$<img src=x onerror=alert(1)>$", "$$\n\\href{javascript:alert(1)}{x}\n$$", "`<b>`", "```html\n<script>\n```", "~~~\n<b>", "```\n<script>alert(1)</script>\n\n[x](https://evil.example)", "``````\n",
	"# h\n===\n- a\n  1. b\n> c", "| a | b |\n| --- | :-: |\n| <b> | [x](https://evil.example) |", "{.class #id onclick=alert(1)}", "&lt;script&gt; &#x202e; &#0; &#8238;", "\u202eevil\u2066 \u200f",
	"\x1b[31mred\x1b]0;title\x07\x1b]8;;https://evil.example\x07link", "\x00\x08\x7f\u0085\u2028", "{{.Page}} {{template \"cell\"}} ${x} #{x}", "\r\r\n", "\xff\xfe", strings.Repeat("a", 3000), strings.Repeat("x\n", 3000),
}

// elements are those that pages have. None of them runs or loads anything.
var elements = strings.Fields("html head meta title style body header main section article footer h1 h2 h3 h4 h5 h6 p div span bdi b strong em del code pre blockquote ul ol li hr br table thead tbody tr th td details summary figure figcaption img a")

// attributes are those that pages have. What stands in href and src is checked.
var attributes = strings.Fields("lang charset http-equiv name content class id href src alt dir tabindex role aria-label aria-labelledby aria-hidden scope start align")

// checkHTML checks that a page has nothing but elements and attributes of these, refers to
// nothing but itself, and shows no character that changes what others look like.
func checkHTML(t testing.TB, page string) {
	t.Helper()
	doc := must.Get(html.Parse(strings.NewReader(page))).Or(t)
	ids, targets := map[string]bool{}, []string{}
	styles := 0
	for n := range doc.Descendants() {
		switch n.Type {
		case html.CommentNode:
			t.Errorf("a comment: %.80q", n.Data)
		case html.TextNode:
			if i := strings.IndexFunc(n.Data, strange); i >= 0 {
				t.Errorf("the text has %+q", n.Data[i:min(len(n.Data), i+8)])
			}
			continue
		case html.ElementNode:
			if !slices.Contains(elements, n.Data) || n.Namespace != "" {
				t.Errorf("element <%s>", n.Data)
			}
		}
		if n.Data == "style" {
			if styles++; n.FirstChild == nil || n.FirstChild.Data != Style {
				t.Error("another style sheet")
			}
		}
		policies := n.Data == "meta" && slices.Contains(n.Attr, html.Attribute{Key: "http-equiv", Val: "Content-Security-Policy"})
		for _, a := range n.Attr {
			switch {
			case n.Data == "img" && a.Key == "width":
				if px, err := strconv.Atoi(a.Val); err != nil || px < 1 || px > 10000 {
					t.Errorf("a picture %.80q wide", a.Val)
				}
			case !slices.Contains(attributes, a.Key):
				t.Errorf("<%s %s=%.80q>", n.Data, a.Key, a.Val)
			case a.Key == "href":
				if targets = append(targets, strings.TrimPrefix(a.Val, "#")); !strings.HasPrefix(a.Val, "#") {
					t.Errorf("a link to %.80q", a.Val)
				}
			case a.Key == "src":
				if !strings.HasPrefix(a.Val, "data:image/png;base64,") && !strings.HasPrefix(a.Val, "data:image/jpeg;base64,") && !strings.HasPrefix(a.Val, "data:image/svg+xml;base64,") {
					t.Errorf("a picture of %.80q", a.Val)
				}
			case a.Key == "id":
				if ids[a.Val] {
					t.Errorf("two elements %q", a.Val)
				}
				ids[a.Val] = true
			case a.Key == "http-equiv" && !policies:
				t.Errorf("<meta http-equiv=%.80q>", a.Val)
			case a.Key == "content" && policies && a.Val != Policy():
				t.Errorf("the policy is %q", a.Val)
			}
		}
		if n.Data == "img" && !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "alt" && a.Val != "" }) {
			t.Error("a picture without words")
		}
	}
	for _, id := range targets {
		if !ids[id] {
			t.Errorf("a link to #%s, which is not there", id)
		}
	}
	if styles != 1 || strings.Count(page, "Content-Security-Policy") < 1 {
		t.Errorf("%d style sheets", styles)
	}
}

// strange reports characters that do not show as themselves.
func strange(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}

// checkMarkdown checks that a reader of GitHub's Markdown finds no link, picture or HTML in a page.
func checkMarkdown(t testing.TB, page string) {
	t.Helper()
	if i := strings.IndexFunc(page, strange); i >= 0 {
		t.Errorf("the text has %+q", page[i:min(len(page), i+8)])
	}
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader([]byte(page)))
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.Kind() {
		case ast.KindLink, ast.KindAutoLink, ast.KindImage, ast.KindRawHTML, ast.KindHTMLBlock:
			if entering {
				t.Errorf("%v in\n%.300s", n.Kind(), page)
			}
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
}

// attacked is a page with what draw returns in every field that a student, an assistant or a
// test can write. Names of assignments, notebooks and cells are checked where they come from.
func attacked(m *made, s gradebook.Submission, draw func() string) (html, markdown string) {
	v := judged()
	for i := range v.Tests {
		for j := range v.Tests[i].Checks {
			c := &v.Tests[i].Checks[j]
			c.Words, c.Panic, c.Messages = draw(), draw(), []string{draw(), draw()}
		}
	}
	for i := range v.Notes {
		v.Notes[i].Text = draw()
	}
	v.Notes = append(v.Notes, verdict.Note{Place: verdict.Place{Cell: draw(), Line: 1 << 40}, Text: draw()}, verdict.Note{Place: verdict.Place{Cell: "median", Line: 1}, Text: draw()})
	nb := m.handIn(func(cell map[string]*nbformat.Cell, nb *nbformat.Notebook) {
		for _, c := range nb.Cells {
			c.Source = strings.ToValidUTF8(draw()+"\n\n"+draw(), "")
		}
		valid := func() string { return strings.ToValidUTF8(draw(), "") }
		bundle := map[string]any{"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'>" + valid() + "</svg>", "text/html": valid(), "text/plain": valid(), "image/png": valid(), "image/jpeg": picture()}
		cell["words"].Attachments = map[string]any{"p.png": map[string]any{"image/png": picture()}, "page.html": map[string]any{"text/html": valid()}}
		cell["picture"].Outputs = []nbformat.Output{
			{Type: "stream", Name: "stdout", Text: valid()}, {Type: "stream", Name: "stderr", Text: valid()},
			{Type: "error", EName: valid(), EValue: valid(), Traceback: []string{valid()}}, {Type: "error", EName: valid(), EValue: valid(), Traceback: []string{}},
			{Type: "display_data", Data: bundle, Metadata: map[string]any{"alt": valid(), "image/jpeg": map[string]any{"width": json.Number([]string{"-1", "1e9", "0.2", "320.5"}[len(bundle["text/plain"].(string))%4])}}}, {Type: "display_data", Data: map[string]any{"text/html": valid()}},
			{Type: "display_data", Data: map[string]any{"application/javascript": valid(), strings.ReplaceAll(valid(), "+json", ""): valid()}},
		}
		nb.Cells = append(nb.Cells, &nbformat.Cell{ID: "mine", Type: "markdown", Source: valid(), Metadata: map[string]any{}}, &nbformat.Cell{ID: "raw", Type: "raw", Source: valid(), Metadata: map[string]any{}})
	})
	s.Student.FirstName, s.Student.LastName = draw(), draw()
	s.Notebooks = []gradebook.SubmittedNotebook{{Name: "ps1", Cells: slices.Clone(s.Notebooks[0].Cells)}}
	for i := range s.Notebooks[0].Cells {
		s.Notebooks[0].Cells[i].HandComment, s.Notebooks[0].Cells[i].AutoComment = draw(), draw()
	}
	return m.shown(s, v, nb)
}

// shown returns the pages of a submission without a record on the disk.
func (m *made) shown(s gradebook.Submission, v verdict.Notebook, nb *nbformat.Notebook) (html, markdown string) {
	v.Assignment, v.Notebook = "ps1", "ps1"
	p := newPage(&grade.Record{Submitted: due}, &v, nb, s, time.UTC)
	var texts [2]bytes.Buffer
	must.Do(m.t, errors.Join(p.writeHTML(&texts[0]), p.writeMarkdown(&texts[1])))
	return texts[0].String(), texts[1].String()
}

// A student whose name, text and results are attacks gets a page in which they show as text.
func TestHostile(t *testing.T) {
	m := newCourse(t)
	const id = `<b onclick=alert(1)>"x'`
	m.graded(id, due, judged(), handedIn)
	s := m.submission(id)
	for _, attack := range attacks {
		page, markdown := attacked(m, s, func() string { return attack })
		checkHTML(t, page)
		checkMarkdown(t, markdown)
		if t.Failed() {
			t.Fatalf("by %q", attack)
		}
	}
}

func TestHostileProperty(t *testing.T) {
	m := newCourse(t)
	m.graded("ada", due, judged(), handedIn)
	s := m.submission("ada")
	part := rapid.OneOf(rapid.SampledFrom(attacks), rapid.StringN(0, 8, -1), rapid.SampledFrom([]string{"\n", "\n\n", " ", "    ", "`", "$", "*", "_", "[", "]", "(", ")", "<", ">", "|", "\\", "&", "- ", "> "}))
	property.Check(t, func(r *rapid.T) {
		page, markdown := attacked(m, s, func() string { return strings.Join(rapid.SliceOfN(part, 1, 4).Draw(r, "text"), "") })
		checkHTML(t, page)
		checkMarkdown(t, markdown)
		if t.Failed() {
			r.FailNow()
		}
	})
}

// Whatever a student hands in, the page stays small enough for a phone, and says what it leaves out.
func TestBounds(t *testing.T) {
	m := newCourse(t)
	long := strings.Repeat(strings.Repeat("0123456789", 10)+"\n", 1<<13)
	m.graded("ada", due, judged(), handedIn)
	nb := m.handIn(func(cell map[string]*nbformat.Cell, nb *nbformat.Notebook) {
		cell["mean"].Source, cell["words"].Source = long, long
		for range 3 * maxOutputs {
			cell["picture"].Outputs = append(cell["picture"].Outputs, nbformat.Output{Type: "stream", Name: "stdout", Text: long[:1<<16]}, nbformat.Output{Type: "stream", Name: "stderr", Text: long[:1<<16]}, nbformat.Output{Type: "display_data", Data: map[string]any{"image/png": picture()}})
		}
		for i := range 2 * maxOwn {
			nb.Cells = append(nb.Cells, &nbformat.Cell{ID: fmt.Sprint("own", i), Type: "code", Source: long[:1000], Metadata: map[string]any{}})
		}
	})
	page, markdown := m.shown(m.submission("ada"), judged(), nb)
	checkHTML(t, page)
	// Lines of code take some 70 bytes of HTML each around their text.
	// Markdown adds fences and the verdict.
	if most, more := 3*maxText, maxText*5/4; len(page) > most || len(markdown) > more {
		t.Errorf("pages of %d and %d bytes, want at most %d and %d", len(page), len(markdown), most, more)
	}
	for _, words := range []string{"more are left out", "more outputs are left out", "300 more cells of your own are left out"} {
		if !strings.Contains(page, words) {
			t.Errorf("the page does not say %q", words)
		}
	}
}

// Markdown that is nested deeper than a browser follows, or made to keep a parser busy, is text.
func TestDeepMarkdown(t *testing.T) {
	p := &page{}
	for _, part := range []string{">", "* ", "[", "![", "*a ", "**a _", "`", "$a", "$$", "<a ", "<!--", "[a](", "[a][b]", "|a", "&#1;", "\\", "- \n", "1. ", "[x]: y\n", "\t", "a*_~", "](", "```\n", "#", "~~a", "| - |\n", "<div>\n"} {
		source := strings.Repeat(part, maxProse/len(part))
		text, ok := prose(source, func(string) template.URL { return "" })
		if ok && len(text) > 20*maxProse {
			t.Errorf("%q: %d bytes of HTML", part, len(text))
		}
		p.Cells = append(p.Cells, &cell{Anchor: fmt.Sprint("c", len(p.Cells)), ID: "x", Prose: text})
	}
	var b bytes.Buffer
	must.Do(t, p.writeHTML(&b))
	checkHTML(t, b.String())
}

// Pictures are what they say, and no bombs.
func TestPicture(t *testing.T) {
	for _, c := range []struct {
		mime, data string
		want       bool
	}{
		{"image/png", picture(), true},
		{"image/png", picture()[:40] + "\n" + picture()[40:], true},
		{"image/jpeg", picture(), false},
		{"image/png", "PHNjcmlwdD4=", false},
		{"image/png", "<script>", false},
		{"image/png", picture()[:20], false},
		{"image/gif", picture(), false},
		{"image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><circle r='1'/></svg>", true},
		{"image/svg+xml", "<?xml version='1.0'?>\n<svg></svg>", true},
		{"image/svg+xml", "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>", false},
		{"image/svg+xml", "<svg><g id='a'><use href='#a'/></g></svg>", false},
		{"image/svg+xml", "<svg><x:use href='#a'/></svg>", false},
		{"image/svg+xml", "<html></html>", false},
		{"image/svg+xml", "<svg>" + strings.Repeat("<g/>", maxSVG/4) + "</svg>", false},
	} {
		b := &builder{budget: budget{maxText, maxImages}}
		if got := b.picture(map[string]any{c.mime: c.data}); (got != "") != c.want {
			t.Errorf("%s %.60q: %.60q", c.mime, c.data, got)
		}
		b.images = 10
		if got := b.picture(map[string]any{c.mime: c.data}); got != "" {
			t.Errorf("%s %.60q beyond the budget", c.mime, c.data)
		}
	}
}

// The HTML of any Markdown is within checkHTML's elements and attributes: it runs and loads nothing.
func FuzzProse(f *testing.F) {
	for _, a := range attacks {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, source string) {
		text, _ := prose(clean(source), func(string) template.URL { return "data:image/png;base64,AA==" })
		var b bytes.Buffer
		p := &page{Cells: []*cell{{Anchor: "c1", ID: "x", Prose: text}}}
		must.Do(t, p.writeHTML(&b))
		checkHTML(t, b.String())
	})
}
