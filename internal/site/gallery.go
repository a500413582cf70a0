package site

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"
)

// galleryPage writes the page with all figures, each with its cell and file.
func (s *stage) galleryPage() error {
	const page = "gallery.md"
	if len(s.gallery) == 0 {
		return nil
	}
	var b bytes.Buffer
	b.WriteString("# Figures\n\nAll figures. Each leads to the cell that draws it.\n")
	for _, l := range s.gallery {
		title := l.title
		if kind, n := s.book.number(l.page); n > 0 {
			title = numbered(kind, n, title)
		}
		fmt.Fprintf(&b, "\n## %s\n\n<div class=\"gallery\">\n", title)
		for _, f := range l.pictures {
			cell := html.EscapeString(relative(page, pageOf(f.Page)) + "#" + cellAnchor + f.Cell)
			file := html.EscapeString(relative(page, f.File))
			fmt.Fprintf(&b, "<figure><a href=\"%s\"><img class=\"plot\" src=\"%s\" alt=\"%s\" loading=\"lazy\" decoding=\"async\"></a>", cell, file, html.EscapeString(strings.ReplaceAll(f.Alt, "\n", " ")))
			fmt.Fprintf(&b, "<figcaption><a href=\"%s\">%s</a> <a href=\"%s\" download>%s</a></figcaption></figure>\n", cell, html.EscapeString(f.caption()), file, strings.ToUpper(f.File[strings.LastIndex(f.File, ".")+1:]))
		}
		b.WriteString("</div>\n")
	}
	return s.write(page, b.Bytes())
}

// caption says in words what a figure shows: its own title, or the first words of its alternative text.
func (f picture) caption() string {
	alt := strings.Join(strings.Fields(f.Alt), " ")
	if m := figureTitle.FindStringSubmatch(alt); m != nil {
		return m[1]
	}
	if alt == "" {
		return strings.NewReplacer("-", " ", "_", " ").Replace(f.Name)
	}
	const most = 90
	first := firstSentence.FindString(alt)
	if letters := []rune(first); len(letters) > most {
		cut := string(letters[:most])
		return cut[:strings.LastIndexByte(cut, ' ')] + " …"
	}
	return strings.TrimRight(first, ".; ")
}

var (
	// As plotting begins the alternative text of a figure that its author has given none.
	figureTitle   = regexp.MustCompile(`^(?:Panel 1 of [0-9]+\. )?Figure “([^”]+)”`)
	firstSentence = regexp.MustCompile(`^.+?(?:[.;](?: |$)|$)`)
)
