package site

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// document stages a page in Markdown.
func (s *stage) document(rel string) error {
	staged, err := s.markdown(rel)
	if err != nil {
		return err
	}
	if rel == "README.md" && !s.book.course() { // whose heading is the site's name
		staged = strings.Replace(staged, "# marginalia\n", "# About marginalia\n", 1)
	}
	s.frame[rel] = headingLine.FindString(staged)
	return s.write(rel, []byte(staged))
}

// markdown is the text of a page in Markdown with its links, and with its name as its heading if it
// has none.
func (s *stage) markdown(rel string) (string, error) {
	text, err := os.ReadFile(s.book.at(rel))
	if err != nil {
		return "", fmt.Errorf("site: %w", err)
	}
	staged, err := s.links(rel, string(text))
	if err != nil {
		return "", fmt.Errorf("site: %s: %w", rel, err)
	}
	if !headingLine.MatchString(staged) {
		staged = "# " + s.book.name(rel) + "\n\n" + staged
	}
	return staged, nil
}

// links rewrites the links of a page in Markdown. A link to a source of the site is left to
// Sphinx, which finds the page; a link to a cell is one to its anchor, which
// Sphinx does not know. A link to another
// file of the repository leads to [Options].Source, or to the file's copy; to a folder only
// with Source, and its text stands alone otherwise. Pictures are staged.
func (s *stage) links(rel, text string) (string, error) {
	var fault error
	code := codeSpans(text)
	var b strings.Builder
	at := 0
	for _, m := range markdownLink.FindAllStringSubmatchIndex(text, -1) {
		if m[0] < at || within(code, m[0]) || within(code, m[1]-1) {
			continue
		}
		image, label, target := text[m[2]:m[3]] != "", text[m[4]:m[5]], text[m[6]:m[7]]
		rewritten, err := s.link(rel, image, label, target)
		if err != nil {
			rewritten = label
			if s.book.course() {
				err = s.book.fault(fmt.Errorf("%s: %w", rel, err))
			}
			fault = errors.Join(fault, err)
		}
		b.WriteString(text[at:m[0]])
		b.WriteString(rewritten)
		at = m[1]
	}
	b.WriteString(text[at:])
	return b.String(), fault
}

// markdownLink is a link or a picture. A label may have a picture in it.
var markdownLink = regexp.MustCompile(`(!?)\[((?:[^\[\]]|!\[[^\]]*\]\([^()]*\))*)\]\(([^()\s]+)\)`)

func (s *stage) link(rel string, image bool, label, target string) (string, error) {
	as := func(target string) string {
		mark := ""
		if image {
			mark = "!"
		}
		return fmt.Sprintf("%s[%s](%s)", mark, label, target)
	}
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" { // elsewhere, or on this page
		return as(target), nil
	}
	to := path.Join(path.Dir(rel), u.Path)
	if solved := strings.Replace(to, "/solutions/", "/exercises/", 1); solved != to && s.sources[solved] { // they stand in the page of the exercises
		if solved == rel {
			return "below each answer", nil
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
	if s.sources[to] {
		if strings.HasPrefix(u.Fragment, cellAnchor) {
			return fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(relative(rel, pageOf(to))+"#"+u.Fragment), label), nil
		}
		address := relative(rel, to)
		if u.Fragment != "" {
			address += "#" + slug(u.Fragment)
		}
		return as(address), nil
	}
	if address := s.documentation(rel, label, to); address != "" {
		return fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(address), label), nil
	}
	if s.files[to] != nil {
		return fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(relative(rel, to)), label), nil
	}
	if !s.book.course() && lecturersOnly(to) {
		return label, nil
	}
	if !s.book.holds(to) {
		return "", fmt.Errorf("a link leads to %s, which the site leaves out", target)
	}
	info, err := os.Stat(s.book.at(to))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("a link leads to %s, which is not there", target)
	case err != nil:
		return "", err
	case image:
		data, err := os.ReadFile(s.book.at(to))
		if err != nil {
			return "", err
		}
		return as(relative(rel, to)), s.write(to, data)
	case info.IsDir() && s.source == "":
		return label, nil
	}
	address := s.source + "/" + to
	if !info.IsDir() {
		if address, err = s.sourceOf(rel, to); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(address), label), nil
}

// documentation is the address of what a link to a file of Go is about, if its label is a name that
// this file's package documents, such as svm.KKT or Model.Score, as in the lists of calls; or else "".
func (s *stage) documentation(rel, label, to string) string {
	if s.library == nil || path.Ext(to) != ".go" {
		return ""
	}
	pkg := s.library.in[filepath.Dir(s.book.at(to))]
	name := strings.TrimPrefix(label, path.Base(pkg)+".")
	if !s.library.documents(pkg, name) {
		return ""
	}
	return s.library.addressOf(rel, pkg, name)
}

// slug is the anchor that MyST gives a heading, from the one that JupyterLab does: in small letters,
// without punctuation.
func slug(anchor string) string { return punctuation.ReplaceAllString(strings.ToLower(anchor), "") }

var punctuation = regexp.MustCompile(`[^\p{L}\p{N}_-]`)

// codeSpans finds the code of a page in Markdown: fenced blocks, and spans within a line.
func codeSpans(text string) (spans [][2]int) {
	fence, start, at := "", 0, 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(line, " \t>")
		switch m := fenceLine.FindString(trimmed); {
		case fence != "":
			if strings.HasPrefix(m, fence) && strings.TrimSpace(trimmed) == m {
				spans, fence = append(spans, [2]int{start, at + len(line)}), ""
			}
		case m != "":
			fence, start = m, at
		default:
			for _, span := range codeSpan.FindAllStringIndex(line, -1) {
				spans = append(spans, [2]int{at + span[0], at + span[1]})
			}
		}
		at += len(line)
	}
	if fence != "" {
		spans = append(spans, [2]int{start, at})
	}
	return spans
}

var (
	fenceLine = regexp.MustCompile("^(?:`{3,}|~{3,})")
	codeSpan  = regexp.MustCompile("``[^`].*?``|`[^`]+`")
)

func within(spans [][2]int, at int) bool {
	for _, s := range spans {
		if s[0] <= at && at < s[1] {
			return true
		}
	}
	return false
}
