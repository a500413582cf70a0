package site

import (
	"bytes"
	"fmt"
	"html"
	"strings"
)

// A picture is a figure of a notebook as files of the site.
type picture struct {
	Name, Page, Cell, Alt string
	File, Packed          string // SVG or PNG; the script with the figure's values or frames, "" for a PNG
	Slider                bool
	Thumbnail             bool // it stands for its lecture

	width, height int // in pixels of a page, 0 if they are not known
}

// lecture is the pictures of one notebook.
type lecture struct {
	title, page string
	pictures    []picture
}

// picture adds a figure to the site and its gallery.
func (s *stage) picture(f picture, data []byte, title string) error {
	if old, taken := s.files[f.File]; taken && !bytes.Equal(old, data) {
		return fmt.Errorf("two figures are called %q: give one of them another name", f.Name)
	}
	s.file(f.File, data)
	if n := len(s.gallery); n == 0 || s.gallery[n-1].page != f.Page {
		s.gallery = append(s.gallery, lecture{title: title, page: f.Page})
	}
	l := &s.gallery[len(s.gallery)-1]
	l.pictures = append(l.pictures, f)
	return nil
}

// html shows the picture in a page. Without scripts it stays a still. The page's script puts
// a slider above it, or draws it anew with its values once the mouse is over it.
func (f picture) html(page string) string {
	var b strings.Builder
	b.WriteString(`<div class="figure"`)
	if f.Packed != "" {
		fmt.Fprintf(&b, ` data-figure="%s" data-packed="%s"`, f.Name, html.EscapeString(relative(page, f.Packed)))
	}
	if f.Slider {
		b.WriteString(` data-slider`)
	}
	fmt.Fprintf(&b, `><img class="plot" src="%s" alt="%s"`, html.EscapeString(relative(page, f.File)), html.EscapeString(f.Alt))
	if f.width > 0 && f.height > 0 {
		fmt.Fprintf(&b, ` width="%d" height="%d"`, f.width, f.height)
	}
	b.WriteString(` loading="lazy" decoding="async"></div>`)
	return b.String()
}

// galleryPage writes the page with all figures, each with its cell and file.
func (s *stage) galleryPage() error {
	const page = "gallery.md"
	var b bytes.Buffer
	b.WriteString("# Figures\n\nAll figures of the lectures. Each leads to the cell that draws it.\n")
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
