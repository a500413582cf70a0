package site

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// authored begins an address that an author has written, as the site's extension of Sphinx marks it:
// cell:N:ADDRESS, with the number of its cell.
const authored = "cell:"

// A cellOf is a cell of an author's notebook: what an address in it may lead to, and what a fault is
// reported with.
type cellOf struct {
	name        string
	attachments map[string]any
}

// resolver puts into Sphinx's page of a source what the addresses of its author lead to: the page is
// read as browsers read it, so that all forms of Markdown and HTML are one.
type resolver struct {
	*stage
	rel   string
	out   bytes.Buffer
	links []open
	fault error
}

// An open link is one whose end has not been read.
type open struct {
	tag     html.Token
	address string
	cell    int
	at      int // where its text begins
	text    strings.Builder
}

// resolved is the page of a source with its addresses.
func (s *stage) resolved(rel string, page []byte) ([]byte, error) {
	if !bytes.Contains(page, []byte(authored)) {
		return page, nil
	}
	r := &resolver{stage: s, rel: rel}
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		kind := z.Next()
		raw := bytes.Clone(z.Raw())
		switch {
		case kind == html.ErrorToken:
			for len(r.links) > 0 {
				r.end()
			}
			return r.out.Bytes(), r.fault
		case (kind == html.StartTagToken || kind == html.SelfClosingTagToken) && bytes.Contains(raw, []byte(authored)):
			r.start(z.Token())
		case kind == html.EndTagToken && bytes.EqualFold(raw, []byte("</a>")) && len(r.links) > 0:
			r.end()
		default:
			if n := len(r.links); n > 0 && kind == html.TextToken {
				r.links[n-1].text.WriteString(html.UnescapeString(string(raw)))
			}
			r.out.Write(raw)
		}
	}
}

// start writes a tag that has addresses. That of a link waits for its text. JupyterLab gives a picture
// without an alternative text the text Image.
func (r *resolver) start(tag html.Token) {
	if tag.Data == "img" && attribute(tag, "alt") == "" {
		tag.Attr = slices.DeleteFunc(tag.Attr, func(a html.Attribute) bool { return a.Key == "alt" })
		tag.Attr = append(tag.Attr, html.Attribute{Key: "alt", Val: "Image"})
	}
	for i := 0; i < len(tag.Attr); i++ {
		a := &tag.Attr[i]
		rest, ok := strings.CutPrefix(a.Val, authored)
		if !ok {
			continue
		}
		number, address, _ := strings.Cut(rest, ":")
		cell, err := strconv.Atoi(number)
		if err != nil {
			continue
		}
		if tag.Data == "a" {
			r.links = append(r.links, open{tag: tag, address: address, cell: cell, at: r.out.Len()})
			return
		}
		to := r.to(cell, "", a.Key != "href", address)
		if to.address == "" {
			if tag.Data == "img" { // what is said in its place
				r.out.WriteString(html.EscapeString(attribute(tag, "alt")))
				return
			}
			tag.Attr = slices.Delete(tag.Attr, i, i+1)
			i--
			continue
		}
		a.Val = to.address
		if tag.Data == "img" {
			tag.Attr = append(tag.Attr, r.look(to.address, tag)...)
		}
	}
	r.out.WriteString(tag.String())
}

// end writes the last link that is open, around its text or without it.
func (r *resolver) end() {
	l := &r.links[len(r.links)-1]
	text := string(r.out.Bytes()[l.at:])
	r.out.Truncate(l.at)
	to := r.to(l.cell, l.text.String(), false, l.address)
	r.links = r.links[:len(r.links)-1]
	switch {
	case to.instead != "":
		r.out.WriteString(html.EscapeString(to.instead))
	case to.address == "":
		r.out.WriteString(text)
	default:
		for i, a := range l.tag.Attr {
			if strings.HasPrefix(a.Val, authored) {
				l.tag.Attr[i].Val = to.address
			}
		}
		r.out.WriteString(l.tag.String() + text + "</a>")
	}
}

// to is what an address leads to. A fault is reported with its cell.
func (r *resolver) to(cell int, text string, shown bool, address string) link {
	var to link
	var err error
	if name, ok := strings.CutPrefix(address, "attachment:"); ok {
		to.address, err = r.attachment(cell, name)
	} else {
		to, err = r.link(r.rel, text, shown, address)
	}
	if err != nil {
		r.fault = errors.Join(r.fault, r.book.fault(fmt.Errorf("%s: %w", r.where(r.rel, cell), err)))
	}
	return to
}

// attachment gives the site an attachment of a cell, as a file that its content names.
func (r *resolver) attachment(cell int, name string) (string, error) {
	attachments := r.cells[r.rel][cell].attachments
	bundle, ok := attachments[name].(map[string]any)
	if plain, err := url.PathUnescape(name); !ok && err == nil {
		name = plain
		bundle, ok = attachments[name].(map[string]any)
	}
	if !ok {
		return "", fmt.Errorf("there is no attachment %s", name)
	}
	kind, data, err := pictureOf(bundle)
	if err != nil {
		return "", fmt.Errorf("attachment %s: %w", name, err)
	}
	file := sumName(data, kind)
	r.file(file, data)
	return relative(r.rel, file), nil
}

// look is how a picture of the site is shown: its size, which keeps its place free, and if it stands
// for a figure the class that has it follow the page's theme.
func (r *resolver) look(address string, tag html.Token) (more []html.Attribute) {
	name, err := url.PathUnescape(address)
	if err != nil {
		return nil
	}
	name = path.Join(path.Dir(r.rel), name)
	data := r.files[name]
	sized := slices.ContainsFunc(tag.Attr, func(a html.Attribute) bool { return slices.Contains([]string{"width", "height", "style"}, a.Key) })
	if c, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && !sized {
		more = append(more, html.Attribute{Key: "width", Val: strconv.Itoa(c.Width)}, html.Attribute{Key: "height", Val: strconv.Itoa(c.Height)})
	}
	if attribute(tag, "class") == "" && strings.HasPrefix(name, "figures/") && drawn(path.Ext(name)) {
		more = append(more, html.Attribute{Key: "class", Val: "plot"})
	}
	if attribute(tag, "loading") == "" {
		more = append(more, html.Attribute{Key: "loading", Val: "lazy"})
	}
	return more
}

func attribute(tag html.Token, key string) string {
	for _, a := range tag.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// where names a cell of a source, or the source.
func (s *stage) where(rel string, cell int) string {
	if name := s.cells[rel][cell].name; name != "" {
		return rel + ", " + name
	}
	return rel
}

// ids are those of a page that Sphinx has made.
func (s *stage) ids(page string) map[string]bool {
	if ids, ok := s.places[page]; ok {
		return ids
	}
	ids := map[string]bool{}
	s.places[page] = ids
	text, err := os.ReadFile(filepath.Join(s.pages, filepath.FromSlash(page)))
	if err != nil {
		return ids
	}
	z := html.NewTokenizer(bytes.NewReader(text))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			if id := attribute(z.Token(), "id"); id != "" {
				ids[id] = true
			}
		}
	}
	return ids
}
