package site

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A link is what an address of an author leads to. Without an address its text stands alone; instead
// stands in the place of its text.
type link struct{ address, instead string }

// link finds what an address in a page's source leads to: a page of the site, a cell or a heading of
// one, what go doc says of a name, or another file of the repository, by [Options].Source or as a copy.
// A folder is an address with Source alone. text is that of the link, shown whether the file itself is
// shown, as a picture is.
func (s *stage) link(rel, text string, shown bool, address string) (link, error) {
	u, err := url.Parse(address)
	if err != nil { // a % that is one
		u = &url.URL{Path: address}
	}
	switch {
	case u.Scheme == "data" && shown:
		return link{address: address}, nil
	case (u.Scheme != "" || u.Host != "") && shown:
		return link{}, fmt.Errorf("the picture %s is on another host, and pages load nothing from there: save it beside the page", address)
	case u.Scheme != "" && !slices.Contains(schemes, u.Scheme):
		return link{}, nil
	case u.Scheme != "" || u.Host != "":
		return link{address: address}, nil
	case u.Path == "" && u.Fragment == "":
		return link{address: address}, nil
	}
	to := rel
	switch {
	case strings.HasPrefix(u.Path, "/"): // JupyterLab's folder is the course
		to = path.Clean(u.Path[1:])
	case u.Path != "":
		to = path.Join(path.Dir(rel), u.Path)
	}
	if solved := strings.Replace(to, "/solutions/", "/exercises/", 1); solved != to && s.sources[solved] { // they stand in the page of the exercises
		if solved == rel {
			return link{instead: "below each answer"}, nil
		}
		to, u.Fragment = solved, ""
	}
	if to == "notebooks/README.md" && !s.book.course() { // the index says the same
		to, u.Fragment = "notebooks/00-index.ipynb", ""
	}
	if s.book.front != "" && to == s.book.front {
		to = frontPage
	}
	if dir, name := path.Split(strings.TrimSuffix(to, ".md")); dir == "docs/assignments/" && !s.book.course() { // for lecturers; the site has what students get
		to = path.Join("assignments", name, name+".ipynb")
	}
	switch {
	case s.sources[to] && !shown:
		return s.place(rel, to, u.Fragment, address)
	case s.files[to] != nil:
		return link{address: relative(rel, to)}, nil
	}
	if address := s.documentation(rel, text, to); address != "" {
		return link{address: address}, nil
	}
	if !s.book.course() && lecturersOnly(to) {
		return link{}, nil
	}
	if !s.book.holds(to) {
		return link{}, fmt.Errorf("a link leads to %s, which the site leaves out", address)
	}
	info, err := os.Stat(s.book.at(to))
	switch {
	case errors.Is(err, fs.ErrNotExist) && path.Ext(to) == ".html" && (s.sources[asSource(to, ".ipynb")] || s.sources[asSource(to, ".md")]):
		return s.place(rel, to, u.Fragment, address)
	case err != nil && u.RawQuery == "" && u.Path != "" && strings.Contains(address, "%") && s.book.holds(path.Join(path.Dir(rel), address)):
		if _, plain := os.Stat(s.book.at(path.Join(path.Dir(rel), address))); plain == nil {
			return s.link(rel, text, shown, (&url.URL{Path: address}).EscapedPath())
		}
		fallthrough
	case errors.Is(err, fs.ErrNotExist):
		return link{}, fmt.Errorf("a link leads to %s, which does not exist", address)
	case err != nil:
		return link{}, err
	case info.IsDir():
		if s.source == "" || shown {
			return link{}, nil
		}
		return link{address: s.source + "/" + to}, nil
	case shown:
		name, err := s.copied(to)
		return link{address: relative(rel, name)}, err
	}
	where, err := s.sourceOf(rel, to)
	return link{address: where}, err
}

// schemes are those of addresses elsewhere that JupyterLab leaves in a page.
var schemes = []string{"http", "https", "mailto", "tel", "ftp"}

func asSource(page, ext string) string { return strings.TrimSuffix(page, path.Ext(page)) + ext }

// place is a page of the site, or a place in one.
func (s *stage) place(rel, to, fragment, address string) (link, error) {
	where := link{address: relative(rel, pageOf(to))}
	if fragment == "" {
		return where, nil
	}
	id := s.id(pageOf(to), fragment)
	if id == "" {
		return where, fmt.Errorf("a link leads to %s, and that page has no such heading", address)
	}
	if to == rel {
		where.address = ""
	}
	where.address += "#" + url.PathEscape(id)
	return where, nil
}

// id is that of a page which a link means: its own, or that of a heading as MyST or JupyterLab name it.
func (s *stage) id(page, fragment string) string {
	ids := s.ids(page)
	for _, id := range []string{fragment, slug(fragment)} {
		if ids[id] {
			return id
		}
	}
	return ""
}

// slug is the anchor that MyST gives a heading, from the one that JupyterLab does: in small letters,
// without punctuation.
func slug(anchor string) string { return punctuation.ReplaceAllString(strings.ToLower(anchor), "") }

var punctuation = regexp.MustCompile(`[^\p{L}\p{N}_-]`)

// documentation is the address of what a link to a file of Go is about, if its text is a name that
// this file's package documents, such as svm.KKT or Model.Score, as in the lists of calls; or else "".
func (s *stage) documentation(rel, text, to string) string {
	if s.library == nil || path.Ext(to) != ".go" {
		return ""
	}
	pkg := s.library.in[filepath.Dir(s.book.at(to))]
	name := strings.TrimPrefix(text, path.Base(pkg)+".")
	if !s.library.documents(pkg, name) {
		return ""
	}
	return s.library.addressOf(rel, pkg, name)
}
