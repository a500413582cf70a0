package site

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/cell/display"
	"marginalia/internal/notebook/nbformat"
)

// A picture is a figure of a notebook as files of the site.
type picture struct {
	Name, Page, Cell, Alt string
	File, Packed          string // the picture; the script with the figure's values or frames, "" if it has none
	Slider                bool
	label, start, player  string // of the slider; the player's place, if its values are steps
	Thumbnail             bool   // it stands for its lecture

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

// pictured reports whether a page has a figure of a name.
func (s *stage) pictured(page, name string) bool {
	n := len(s.gallery)
	return n > 0 && s.gallery[n-1].page == page && slices.ContainsFunc(s.gallery[n-1].pictures, func(f picture) bool { return f.Name == fileName(name) })
}

// html shows the picture in a page. Without scripts it stays a still. The page's script puts
// a slider above it, or draws it anew with its values once the mouse is over it.
func (f picture) html(page string) string {
	var b strings.Builder
	b.WriteString(`<div data-site class="figure`)
	if f.width > 640 { // more than one panel, or as wide
		b.WriteString(` wide`)
	}
	b.WriteString(`"`)
	class := ""
	if drawn(path.Ext(f.File)) {
		class = ` class="plot"`
	}
	if f.Packed != "" {
		fmt.Fprintf(&b, ` data-figure="%s" data-packed="%s"`, f.Name, html.EscapeString(relative(page, f.Packed)))
	}
	if f.Slider {
		fmt.Fprintf(&b, ` data-slider><div class="slider-room" aria-hidden="true"><span>%s</span><i></i><output>%s</output>%s<small></small></div`, html.EscapeString(f.label), f.start, f.player)
	}
	fmt.Fprintf(&b, `><img%s src="%s" alt="%s"`, class, html.EscapeString(relative(page, f.File)), html.EscapeString(f.Alt))
	if f.width > 0 && f.height > 0 {
		fmt.Fprintf(&b, ` width="%d" height="%d"`, f.width, f.height)
	}
	b.WriteString(` loading="lazy" decoding="async"></div>`)
	return b.String()
}

// figure writes the files of an output that is a picture, and returns the HTML that shows it;
// "" for other outputs, and for those that have another form, which JupyterLab prefers.
func (s *stage) figure(rel, title string, c *nbformat.Cell, i int, o nbformat.Output) (string, error) {
	own := o.Data[display.FigureType] != nil || o.Data[display.SliderType] != nil
	if !own && (o.Data["text/html"] != nil || o.Data["text/markdown"] != nil || o.Data["text/latex"] != nil) {
		return "", nil
	}
	ext, still, err := pictureOf(o.Data)
	if errors.Is(err, errNoPicture) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	name, _ := o.Metadata["figure"].(string)
	place := s.book.name(rel) + "-" + c.ID + "-" + strconv.Itoa(i)
	if s.book.course() && name != "" { // where other notebooks, or cells, may have figures of this name
		name = s.book.name(rel) + "-" + name
		if s.pictured(rel, name) {
			name = place
		}
	}
	name = fileName(cmp.Or(name, place))
	for k, plain := 2, name; s.book.course() && s.named[strings.ToLower(name)]; k++ { // by letters that fileName takes for one
		name = fmt.Sprintf("%s-%d", plain, k)
	}
	s.named[strings.ToLower(name)] = true
	f := picture{Name: name, Page: rel, Cell: c.ID}
	thumbnail, _ := c.Setting("thumbnail")
	f.Thumbnail = thumbnail == true
	size := map[string]any{}
	for _, k := range kinds {
		if of, ok := o.Metadata[k.mime].(map[string]any); ok && k.ext == ext {
			size = of
		}
	}
	for _, alt := range []any{o.Metadata["alt"], size["alt"]} {
		if text, ok := alt.(string); ok && f.Alt == "" {
			f.Alt = text
		}
	}
	f.width, f.height = pixels(fmt.Sprint(size["width"]), 1), pixels(fmt.Sprint(size["height"]), 1)

	packed := text64(o.Data[display.FigureType])
	var svg []byte
	switch slider := text64(o.Data[display.SliderType]); {
	case packed != "":
		if svg, err = display.Unpack(packed); err == nil {
			svg = ownTheme.ReplaceAll(svg, nil)
			packed = display.Pack(svg)
		}
	case slider != "":
		var frames *display.Frames
		if frames, err = display.UnpackFrames(slider); err == nil && len(frames.Values) > 0 {
			for k, line := range frames.Lines {
				frames.Lines[k] = ownTheme.ReplaceAllString(line, "")
			}
			f.Slider, f.label, f.start = true, frames.Label, strconv.FormatFloat(frames.Start, 'g', 3, 64)
			if frames.Step == math.Trunc(frames.Step) && frames.Min == math.Trunc(frames.Min) { // as figure.js has it
				f.player = "<b></b>"
			}
			svg = []byte(frames.SVG(slices.Index(frames.Values, frames.Start)))
			packed, err = frames.Pack()
		}
	}
	if err != nil {
		return "", fmt.Errorf("figure %s: %w", name, err)
	}
	if svg == nil {
		f.File = "figures/" + name + ext
		return f.html(rel), s.picture(f, still, title)
	}
	f.File, f.Packed = "figures/"+name+".svg", "figures/"+name+".js"
	if m := pointSize.FindSubmatch(svg); m != nil {
		f.width, f.height = pixels(string(m[1]), 4./3), pixels(string(m[2]), 4./3)
	}
	if err := s.picture(f, svg, title); err != nil {
		return "", err
	}
	s.file(f.Packed, fmt.Appendf(nil, "marginaliaFigure(%q, %q);\n", name, packed))
	return f.html(rel), nil
}

// ownTheme is the style in plotting's SVG that makes it follow the system's theme. In a page the
// figure follows the page's, whose content security policy would not admit the style either.
var ownTheme = regexp.MustCompile(`<style>@media \(prefers-color-scheme:dark\)[^<]*</style>\n?`)

// pixels converts a length to CSS pixels. unit is how many pixels 1 stands for. What is no number is 0.
func pixels(length string, unit float64) int {
	v, err := strconv.ParseFloat(length, 64)
	if err != nil {
		return 0
	}
	return int(math.Round(v * unit))
}

// pointSize is the size that plotting writes in an SVG: in points, 4/3 of a pixel.
var pointSize = regexp.MustCompile(`<svg [^>]*\bwidth="([0-9]+(?:\.[0-9]+)?)pt" height="([0-9]+(?:\.[0-9]+)?)pt"`)

// fileName is a figure's name with no letter in it that a file or an address may not have.
func fileName(name string) string { return odd.ReplaceAllString(name, "_") }

var odd = regexp.MustCompile(`[^A-Za-z0-9._-]+`)
