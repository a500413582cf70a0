package site

import (
	"fmt"
	"html"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"marginalia/internal/browser/lab"
	installed "marginalia/internal/install/lab"
)

// The lab is a JupyterLab in the browser, in the folder lab of a site whose cells run. Its files are those of
// the folder notebooks, and the library beside it, as those that "go run . lab" shows; or those of a course.

// labFiles adds the lab to the site.
func (s *stage) labFiles() error {
	if s.run.lite == "" {
		return nil
	}
	contents, err := s.labContents()
	if s.book.course() {
		contents, err = s.courseContents()
	}
	if err != nil {
		return err
	}
	files, err := lab.Files(lab.Options{Archive: s.run.lite, Contents: contents, Figures: installed.Extension(), Given: s.run.mnist})
	for name, data := range files {
		s.file(path.Join("lab", name), data)
	}
	return err
}

// labContents are the files that a reader finds in the lab: the notebooks, and the files that they link to. JupyterLab
// leaves out the .. of a link that leads above its root, and the library then lies in it.
func (s *stage) labContents() (map[string][]byte, error) {
	contents := map[string][]byte{}
	for _, folder := range []string{"", "exercises/", "solutions/"} {
		notebooks, err := filepath.Glob(s.book.at("notebooks/" + folder + "*.ipynb"))
		if err != nil {
			return nil, err
		}
		for _, file := range notebooks {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			contents[folder+filepath.Base(file)] = text
			for _, link := range toLibrary.FindAllSubmatch(text, -1) {
				name := string(link[1])
				if contents[name] != nil {
					continue
				}
				if contents[name], err = os.ReadFile(s.book.at(name)); err != nil {
					return nil, err
				}
			}
		}
	}
	return contents, nil
}

// courseContents are those of a course: its notebooks, the files that their cells may read, and those that they link to
// and show.
func (s *stage) courseContents() (map[string][]byte, error) {
	contents := map[string][]byte{}
	add := func(rel string) (err error) {
		if contents[rel] == nil {
			contents[rel], err = os.ReadFile(s.book.at(rel))
		}
		return err
	}
	for _, rel := range s.book.readable {
		if err := add(rel); err != nil {
			return nil, err
		}
	}
	for _, file := range s.book.goNotebooks() {
		rel := s.book.rel(file)
		if !s.runs(rel) {
			continue
		}
		if err := add(rel); err != nil {
			return nil, err
		}
		for _, link := range toFile.FindAllSubmatch(contents[rel], -1) {
			address, err := url.PathUnescape(string(link[1]))
			to := path.Join(path.Dir(rel), address)
			if info, missing := os.Stat(s.book.at(to)); err != nil || missing != nil || !info.Mode().IsRegular() || !s.book.holds(to) || path.Ext(to) == ".ipynb" {
				continue
			}
			if err := add(to); err != nil {
				return nil, err
			}
		}
	}
	return contents, nil
}

// toFile is a link of a notebook's text, up to its fragment.
var toFile = regexp.MustCompile(`\]\(([^()\s:#?\\"]+)`)

// toLibrary is a link of a notebook to a file of the library.
var toLibrary = regexp.MustCompile(`\]\(\.\./((?:datasets|mlkit|plotting)/[a-z0-9_/]+\.go)\)`)

// labLink is a link that opens a notebook in the lab, as a sentence; "" if there is no lab.
func (s *stage) labLink(rel string) string {
	if s.run.lite == "" || !s.runs(rel) {
		return ""
	}
	name := rel
	if !s.book.course() {
		name = strings.TrimPrefix(rel, "notebooks/")
	}
	address := relative(rel, "lab/") + lab.Link(name)
	return fmt.Sprintf("<span class=\"lab-link\"><a href=\"%s\">Open in the lab</a>: it is JupyterLab in this browser, and there is nothing to install.</span> ", html.EscapeString(address))
}
