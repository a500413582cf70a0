package site

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// A sought page is what the search has of a page: its sections in their order.
type sought struct {
	Page     string      `json:"page"`
	Title    string      `json:"title"`
	Weight   float64     `json:"weight"`   // of its hits beside those of other pages
	Sections [][5]string `json:"sections"` // heading, id, text, words of the code, what is bold in the text
}

// searchName is what the search loads when a reader begins to use it.
const searchName = "_static/search.js"

// searchScript is MiniSearch, how pages are ranked, and the sections of all pages. It is a script, since a page
// that was opened as a file may read no other files.
func (s *stage) searchScript() ([]byte, error) {
	var pages []sought
	for _, name := range slices.Sorted(maps.Keys(s.found)) {
		pages = append(pages, s.found[name])
	}
	var b bytes.Buffer
	for _, name := range []string{"minisearch.js", "finder.js"} {
		script, err := pageFiles.ReadFile("page/reading/" + name)
		if err != nil {
			return nil, err
		}
		b.Write(script)
	}
	list, err := json.Marshal(pages)
	if err != nil {
		return nil, err
	}
	b.WriteString("marginaliaFinder.ready(")
	b.Write(list)
	b.WriteString(");\n")
	return b.Bytes(), nil
}

// weight is how much a hit in a page counts: readers look for the lectures first.
func (b *book) weight(page string) float64 {
	if b.course() {
		return 1
	}
	dir, _, _ := strings.Cut(page, "/")
	switch kind, n := b.number(asSource(page, ".ipynb")); {
	case kind == "Lecture" && n == lastLecture: // the errata quote all lectures
		return .2
	case kind == "Lecture": // the first that has a word introduces it
		return 1 - .03*float64(n-1)
	case kind == "Exercises" || dir == "notebooks": // their index
		return .15
	case dir == "assignments" || dir == "library" || dir == "findings" || !strings.Contains(page, "/"):
		return .1
	}
	return .15
}

// lastLecture is the number of the errata.
const lastLecture = 9

// sections are those of a page, in the form of Sphinx: each with its heading, its id, its text, the words of its code, and
// what is bold, since that is what a section introduces.
// The outputs of cells are left out. Letters in formulas stand apart, in thin spaces.
func sections(page []byte) (all [][5]string) {
	z := html.NewTokenizer(bytes.NewReader(page))
	var heading, text, code strings.Builder
	id, inside, at := "", false, &text
	skipped, depth, formulas, strong := "", 0, 0, 0
	var bold []string
	end := func() {
		if h := spaced(heading.String()); h != "" {
			words := identifier.FindAllString(code.String(), -1)
			slices.Sort(words)
			all = append(all, [5]string{h, id, spaced(text.String()), strings.Join(slices.Compact(words), " "), spaced(strings.Join(bold, " "))})
		}
		heading.Reset()
		text.Reset()
		code.Reset()
		id, bold = "", nil
	}
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			end()
			return all
		}
		t := z.Token()
		switch {
		case skipped != "":
			if t.Data == skipped && kind == html.StartTagToken {
				depth++
			} else if t.Data == skipped && kind == html.EndTagToken {
				if depth--; depth == 0 {
					skipped = ""
				}
			}
		case t.Data == "article" && kind == html.StartTagToken:
			inside = true
		case t.Data == "article" && kind == html.EndTagToken:
			inside = false
		case !inside:
		case kind == html.StartTagToken && unsought(t):
			if class := attribute(t, "class"); class == "headerlink" {
				id = strings.TrimPrefix(attribute(t, "href"), "#")
			}
			skipped, depth = t.Data, 1
		case kind == html.StartTagToken && sectionTag.MatchString(t.Data):
			end()
			at = &heading
		case kind == html.EndTagToken && sectionTag.MatchString(t.Data):
			at = &text
		case t.Data == "pre" && kind == html.StartTagToken:
			at = &code
		case t.Data == "pre" && kind == html.EndTagToken:
			at = &text
		case t.Data == "strong" && kind == html.StartTagToken:
			strong = at.Len()
		case t.Data == "strong" && kind == html.EndTagToken && at == &text:
			bold = append(bold, text.String()[min(strong, text.Len()):])
		case t.Data == "math" && kind == html.StartTagToken:
			formulas++
		case t.Data == "math" && kind == html.EndTagToken:
			formulas--
		case kind == html.TextToken && formulas > 0:
			at.WriteString(strings.TrimSpace(t.Data) + "\u2009")
		case kind == html.TextToken:
			at.WriteString(t.Data)
		case apart[t.Data]:
			at.WriteByte(' ')
		}
	}
}

// unsought reports whether a search leaves out what an element has. The text of a link to another section
// of the page is that section's.
func unsought(t html.Token) bool {
	class := attribute(t, "class")
	return t.Data == "a" && strings.HasPrefix(attribute(t, "href"), "#") || t.Data == "svg" || t.Data == "script" || t.Data == "style" || t.Data == "nav" || t.Data == "summary" || t.Data == "noscript" ||
		class == "headerlink" || class == "run-box" || class == "play-link" || strings.HasPrefix(class, "cell_output") || strings.HasPrefix(class, "toctree-wrapper")
}

func spaced(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(strings.ReplaceAll(text, "\u2009", "\x00")), " "), "\x00", "\u2009")
}

var (
	sectionTag = regexp.MustCompile(`^h[1-4]$`)
	identifier = regexp.MustCompile(`\pL[\pL\pN]{2,}`)
	apart      = map[string]bool{"p": true, "li": true, "td": true, "th": true, "div": true, "dt": true, "dd": true, "br": true, "a": false}
)

// seek keeps the sections of a page for the search.
func (s *stage) seek(page string, text []byte) {
	of := sections(text)
	if len(of) == 0 {
		return
	}
	title := of[0][0]
	if kind, n := s.book.number(asSource(page, ".ipynb")); kind == "Lecture" {
		title = numbered(kind, n, title)
	}
	if strings.HasPrefix(page, "library/") { // its headings are the names
		for i := range of {
			of[i][3] = ""
		}
	}
	s.found[page] = sought{page, title, s.book.weight(page), of}
}
