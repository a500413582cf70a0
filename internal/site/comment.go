package site

import (
	"fmt"
	"go/doc/comment"
	"go/format"
	"html"
	"regexp"
	"strings"
)

// comment writes a doc comment as Markdown for MyST, with headings of a level; level 0 has them
// in bold, so that they are in no table of contents.
func (w *packagePage) comment(text string, level int) {
	for _, b := range w.p.Parser().Parse(text).Content {
		w.block(b, level)
	}
}

func (w *packagePage) block(b comment.Block, level int) {
	switch b := b.(type) {
	case *comment.Heading:
		if level == 0 {
			w.printf("**%s**\n\n", w.text(b.Text))
		} else {
			w.printf("%s %s\n\n", strings.Repeat("#", level), w.text(b.Text))
		}
	case *comment.Paragraph:
		w.printf("%s\n\n", w.text(b.Text))
	case *comment.Code:
		code := strings.TrimRight(b.Text, "\n")
		if _, err := format.Source([]byte(code)); err == nil {
			w.code(code, nil)
			return
		}
		fence := fenceFor(code)
		w.printf("%stext\n%s\n%s\n\n", fence, code, fence)
	case *comment.List:
		for _, item := range b.Items {
			mark := "-"
			if item.Number != "" {
				mark = item.Number + "."
			}
			indent := strings.Repeat(" ", len(mark)+1)
			var lines []string
			for _, inner := range item.Content {
				if p, ok := inner.(*comment.Paragraph); ok {
					lines = append(lines, w.text(p.Text))
				}
			}
			w.printf("%s %s\n", mark, strings.Join(lines, "\n\n"+indent))
		}
		w.printf("\n")
	}
}

// text is the text of a paragraph, in one line.
func (w *packagePage) text(parts []comment.Text) string {
	var b strings.Builder
	for _, part := range parts {
		switch t := part.(type) {
		case comment.Plain:
			b.WriteString(escapeMarkdown(string(t)))
		case comment.Italic:
			fmt.Fprintf(&b, "*%s*", escapeMarkdown(string(t)))
		case *comment.Link:
			fmt.Fprintf(&b, `<a href="%s">%s</a>`, html.EscapeString(t.URL), w.text(t.Text))
		case *comment.DocLink:
			pkg, name := t.ImportPath, t.Name
			if pkg == "" {
				pkg = w.p.ImportPath
			}
			if t.Recv != "" {
				name = strings.TrimPrefix(t.Recv, "*") + "." + t.Name
			}
			if address := w.s.library.addressOf(w.p.page, pkg, name); address != "" {
				fmt.Fprintf(&b, `<a href="%s"><code>%s</code></a>`, html.EscapeString(address), w.text(t.Text))
			} else {
				fmt.Fprintf(&b, "%s", w.text(t.Text))
			}
		}
	}
	return listMark.ReplaceAllString(strings.ReplaceAll(b.String(), "\n", " "), `$1\$2`)
}

// escapeMarkdown has every letter stand for itself.
func escapeMarkdown(text string) string { return markdownLetter.ReplaceAllString(text, `\$0`) }

var (
	markdownLetter = regexp.MustCompile("[\\\\`*_{}\\[\\]<>#$~|!&%^@]")
	// A paragraph that begins with one of these would be a list.
	listMark = regexp.MustCompile(`^([0-9]*)([-+.)=:])`)
)
