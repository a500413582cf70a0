package feedback

import (
	"bytes"
	"html/template"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

const (
	maxProse = 16 << 10 // bytes of a Markdown cell that is rendered; a longer one is shown as text
	maxDepth = 40       // of its elements: browsers give up at 512
)

// prose renders a clean Markdown text. HTML in it shows as text, addresses show behind what
// links to them, and pictures are those that image returns for attachments. It reports
// whether that was possible.
func prose(source string, image func(name string) template.URL) (html template.HTML, ok bool) {
	// A text that makes the renderer fail costs its author the rendering, and nobody else a page.
	defer func() {
		if recover() != nil {
			html, ok = "", false
		}
	}()
	if len(source) > maxProse {
		return "", false
	}
	md := goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Strikethrough),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(formulas{}, 50))),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(&safe{image}, 1))),
	)
	doc := md.Parser().Parse(text.NewReader([]byte(source)))
	depth, deepest := 0, 0
	ast.Walk(doc, func(_ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			depth++
			deepest = max(deepest, depth)
		} else {
			depth--
		}
		return ast.WalkContinue, nil
	})
	var b bytes.Buffer
	if deepest > maxDepth || md.Renderer().Render(&b, []byte(source), doc) != nil || b.Len() > 20*maxProse {
		return "", false
	}
	return template.HTML(clean(b.String())), true // entities may have made what clean removes
}

// pointsComment is the comment by which a notebook says the points of a Markdown cell, and which Jupyter does not show.
var pointsComment = regexp.MustCompile(`^<!--\s*POINTS:[^<>]*-->$`)

// safe renders what could lead out of the page.
type safe struct {
	image func(name string) template.URL
}

func (s *safe) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			escaped(w, string(n.(*ast.RawHTML).Segments.Value(source)))
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if b := n.(*ast.HTMLBlock); entering && !pointsComment.Match(bytes.TrimSpace(b.Lines().Value(source))) {
			w.WriteString("<pre>")
			escaped(w, string(b.Lines().Value(source)))
			if b.HasClosure() {
				escaped(w, string(b.ClosureLine.Value(source)))
			}
			w.WriteString("</pre>\n")
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindHeading, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		tag := "h" + strconv.Itoa(min(6, n.(*ast.Heading).Level+2)) + ">" // below the page's own
		if entering {
			w.WriteString("<" + tag)
		} else {
			w.WriteString("</" + tag + "\n")
		}
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			address(w, string(n.(*ast.Link).Destination))
		}
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindAutoLink, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			escaped(w, string(n.(*ast.AutoLink).URL(source)))
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindImage, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		to := string(n.(*ast.Image).Destination)
		alt := words(n, source)
		if name, ok := strings.CutPrefix(to, "attachment:"); ok {
			if url := s.image(name); url != "" {
				w.WriteString(`<img src="` + string(url) + `" alt="`)
				escaped(w, alt)
				w.WriteString(`">`)
				return ast.WalkSkipChildren, nil
			}
		}
		escaped(w, "[picture: "+alt+"]")
		address(w, to)
		return ast.WalkSkipChildren, nil
	})
	r.Register(kindFormula, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString(`<code class="tex">`)
			escaped(w, string(n.(*formula).text.Value(source)))
			w.WriteString("</code>")
		}
		return ast.WalkSkipChildren, nil
	})
}

func escaped(w util.BufWriter, s string) { w.WriteString(template.HTMLEscapeString(s)) }

// address writes where a link leads.
func address(w util.BufWriter, to string) {
	w.WriteString(` <span class="address">(`)
	escaped(w, Line(to, 300))
	w.WriteString(")</span>")
}

// words returns the text below a node.
func words(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return Line(b.String(), 300)
}

// A formula is TeX between dollar signs. It is left as it stands: a page without scripts has
// nothing that sets it, and Markdown must not take its _ and * for emphasis.
type formula struct {
	ast.BaseInline
	text text.Segment
}

var kindFormula = ast.NewNodeKind("Formula")

func (f *formula) Kind() ast.NodeKind            { return kindFormula }
func (f *formula) Dump(source []byte, level int) { ast.DumpHelper(f, source, level, nil, nil) }

type formulas struct{}

func (formulas) Trigger() []byte { return []byte{'$'} }

// maxFormula bounds how far the end of a formula is looked for, in bytes.
const maxFormula = 2000

// Parse reads $…$ or $$…$$. A dollar sign before a space begins no formula, as in Pandoc's Markdown.
func (formulas) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	first, segment := block.PeekLine()
	mark := "$"
	if bytes.HasPrefix(first, []byte("$$")) {
		mark = "$$"
	}
	if rest := first[len(mark):]; mark == "$" && (len(rest) == 0 || unicode.IsSpace(rune(rest[0]))) {
		return nil
	}
	l, pos := block.Position()
	block.Advance(len(mark))
	for seen := 0; seen < maxFormula; {
		row, at := block.PeekLine()
		if row == nil {
			break
		}
		if end := bytes.Index(row, []byte(mark)); end >= 0 && at.Start+end > segment.Start+len(mark) {
			block.Advance(end + len(mark))
			return &formula{text: text.NewSegment(segment.Start, at.Start+end+len(mark))}
		}
		seen += len(row)
		block.AdvanceLine()
	}
	block.SetPosition(l, pos)
	return nil
}
