package site

import (
	"bytes"
	"fmt"
	"html"
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
		fmt.Fprintf(&b, "\n## %s\n\n<div class=\"gallery\">\n", l.title)
		for _, f := range l.pictures {
			cell := html.EscapeString(relative(page, pageOf(f.Page)) + "#" + cellAnchor + f.Cell)
			file := html.EscapeString(relative(page, f.File))
			fmt.Fprintf(&b, "<figure><a href=\"%s\"><img class=\"plot\" src=\"%s\" alt=\"%s\" loading=\"lazy\" decoding=\"async\"></a>", cell, file, html.EscapeString(strings.ReplaceAll(f.Alt, "\n", " ")))
			fmt.Fprintf(&b, "<figcaption><a href=\"%s\">%s</a> <a href=\"%s\" download>%s</a></figcaption></figure>\n", cell, html.EscapeString(f.Name), file, strings.ToUpper(f.File[strings.LastIndex(f.File, ".")+1:]))
		}
		b.WriteString("</div>\n")
	}
	return s.write(page, b.Bytes())
}
