package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/base/atomicfile"
)

// mark is the file that says that a folder is a site of ours, which the next one may replace.
const mark = ".marginalia-site"

// replaceable returns an error unless the site may be put into the place of out.
func replaceable(out string) error {
	info, err := os.Lstat(out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("site: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("site: %s is not a folder: name another with --out", out)
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		return fmt.Errorf("site: %w", err)
	}
	if len(entries) > 0 && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == mark }) {
		return fmt.Errorf("site: %s has files that no site of marginalia has: name a new or empty folder with --out", out)
	}
	return nil
}

// finish makes the site of Sphinx's pages and the files beside them, and puts it in the place of out.
func finish(pages string, s *stage, out string) (Report, error) {
	var r Report
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return r, fmt.Errorf("site: %w", err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(out), ".site-")
	if err != nil {
		return r, fmt.Errorf("site: %w", err)
	}
	defer os.RemoveAll(tmp)
	put := func(name string, data []byte) error {
		file := filepath.Join(tmp, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		r.Files++
		r.Bytes += int64(len(data))
		return os.WriteFile(file, data, 0o644)
	}
	s.pages = pages
	frame, err := newFrame(pages, s.run.dir != "")
	if err != nil {
		return r, err
	}
	err = fs.WalkDir(os.DirFS(pages), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if name == "_sources" {
				return fs.SkipDir
			}
			return nil
		}
		if s.unneeded(name) {
			return nil
		}
		data, err := s.finished(name, frame)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".html" {
			r.Pages++
		}
		return put(name, data)
	})
	search, failed := s.searchScript()
	err = errors.Join(err, failed, put(searchName, search))
	err = errors.Join(err, put(styleName, frame.style), put(scriptName, frame.script))
	for name, data := range s.files {
		err = errors.Join(err, put(name, data))
	}
	// GitHub Pages leaves out folders whose names begin with _ unless this file is there.
	err = errors.Join(err, put(".nojekyll", nil), put(mark, nil), os.Chmod(tmp, 0o755))
	if err != nil {
		return r, fmt.Errorf("site: %w", err)
	}
	r.Files -= 2
	if err := atomicfile.Folder(tmp, out); err != nil {
		return r, fmt.Errorf("site: %w", err)
	}
	return r, nil
}

// finished is a file that Sphinx wrote, as the site has it.
func (s *stage) finished(name string, frame frame) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(s.pages, filepath.FromSlash(name)))
	if err != nil || path.Ext(name) != ".html" {
		return data, err
	}
	if rel := s.sourceOfPage(name); rel != "" {
		if data, err = s.resolved(rel, data); err != nil {
			return nil, err
		}
	}
	if name != "search.html" {
		s.seek(name, data)
	}
	rel := asSource(name, ".ipynb")
	return guarded(folding(measured(optional(s.book.withNumber(rel, mended(frame.in(data))), s.more[rel])))), nil
}

// sourceOfPage is the source from which a page is made, if an author wrote it.
func (s *stage) sourceOfPage(page string) string {
	for _, ext := range []string{".ipynb", ".md"} {
		if rel := asSource(page, ext); s.sources[rel] {
			return rel
		}
	}
	return ""
}

// unneeded reports whether no page asks for a file that Sphinx wrote, or it is the page of a
// source that is gone.
func (s *stage) unneeded(name string) bool {
	if page, ok := strings.CutSuffix(name, ".html"); ok {
		return name != "search.html" && !s.written[page+".md"] && !s.written[page+".ipynb"]
	}
	switch path.Ext(name) {
	case ".css", ".map": // see newFrame
		return true
	}
	return sphinxScripts.MatchString(name) || name == ".buildinfo" || name == "objects.inv"
}

// mended repairs accessibility faults of the theme and of MyST-NB, which axe-core 4.14 reports:
// headings without a level, landmarks without a name, a button whose name is not its text, empty
// column headers, a link in no landmark, and a search page without a first heading. It gives the
// search page a field, since phones hide the sidebar's. It also repairs what Lighthouse reports: a
// search page that keeps search engines away, a second viewport, moving pictures, and a second layout
// of the whole page.
func mended(page []byte) []byte {
	page = emptyHeader.ReplaceAll([]byte(mends.Replace(string(page))), []byte("<td$1><p></p></td>"))
	page = header.ReplaceAllFunc(page, func(table []byte) []byte {
		cells := headerCell.FindAllSubmatch(table, -1)
		if !slices.ContainsFunc(cells, func(c [][]byte) bool { return string(c[1]) == "th" }) {
			return bytes.Replace(table, []byte("<thead>"), []byte("<thead hidden>"), 1)
		}
		if len(cells) > 3 {
			return bytes.Replace(table, []byte("docutils"), []byte("docutils many"), 1)
		}
		return table
	})
	page = headline.ReplaceAllFunc(page, func(h []byte) []byte { return place.ReplaceAll(h, []byte("$1<wbr>$2")) })
	page = toTop.ReplaceAll(page, []byte(`<nav aria-label="Top of the page">$0</nav>`))
	page = film.ReplaceAll(page, []byte(`<details class="film"><summary>$1</summary><img alt="" loading="lazy" src="$2"></details>`))
	return next.ReplaceAll(scriptTag.ReplaceAll(page, nil), nil)
}

var (
	mends = strings.NewReplacer(
		`<p class="caption" role="heading">`, `<p class="caption" role="heading" aria-level="2">`,
		`<aside class="sidebar-drawer">`, `<aside class="sidebar-drawer" aria-label="Site">`,
		`<aside class="toc-drawer`, `<aside aria-label="On this page" class="toc-drawer`,
		`<summary aria-label="Toggle hidden content">`, `<summary>`,
		`<div id="search-results"></div>`, `<h1>Search</h1><form class="words" action="search.html" role="search" aria-label="All pages"><label>Pages with the words <input type="search" name="q" autocomplete="off" required></label> <button>Search</button></form><div id="search-results"></div>`,
		`<meta name="robots" content="noindex" />`, ``,
		`<meta name="viewport" content="width=device-width, initial-scale=1" />`, ``,
		"  <input type=\"hidden\" name=\"check_keywords\" value=\"yes\">\n  <input type=\"hidden\" name=\"area\" value=\"default\">\n", "",
		`<input class="sidebar-search" `, `<input class="sidebar-search" type="search" autocomplete="off" `,
		// The theme's script removes this class, which would lay out the whole page again.
		`<html class="no-js"`, `<html`,
	)
	// A long name may break after dots and slashes. In the Markdown, the tag would show in search
	// results.
	headline = regexp.MustCompile(`<h[1-6]>[^<]+`)
	place    = regexp.MustCompile(`([./])(\pL)`)
	// Firefox loads the next page ahead, which the policy of a page forbids.
	// Sphinx's search, in whose place the site's own is, and its keys.
	sphinxScripts = regexp.MustCompile(`(?:^|/)(?:documentation_options|doctools|sphinx_highlight|searchtools|language_data|searchindex|[a-z]+-stemmer)\.js$`)
	scriptTag     = regexp.MustCompile(`\s*<script src="(?:\.\./)*(?:_static/)?(?:documentation_options|doctools|sphinx_highlight|searchtools|language_data|searchindex)\.js[^>]*></script>`)
	next          = regexp.MustCompile(`<link rel="next" [^>]*>`)
	toTop         = regexp.MustCompile(`(?s)<a [^>]*class="back-to-top[^>]*>.*?</a>`)
	// A GIF moves. It begins when the reader wants it, and loads then (Web Content Accessibility
	// Guidelines 2.2, W3C 2023, success criterion 2.2.2).
	film = regexp.MustCompile(`<p><img alt="([^"]*)" src="([^"]*\.gif)"[^>]*></p>`)
	// A selector :has that counts columns would cost a page of long tables a fifth of its time.
	header      = regexp.MustCompile(`(?s)<table class="docutils[^>]*>\s*<thead>.*?</thead>`)
	headerCell  = regexp.MustCompile(`<(t[hd])[ >]`)
	emptyHeader = regexp.MustCompile(`<th( class="[^"]*")><p></p></th>`)
)

// guarded gives a page a content security policy. Everything comes from the site itself: scripts and
// styles that stand in the page are admitted by their hashes, style attributes, which formulas and
// code have, as they are. Pages with a part that moves may also run WebAssembly.
func guarded(page []byte) []byte {
	policy := "default-src 'none'; base-uri 'none'; form-action 'self'; connect-src 'self'; font-src 'self'; img-src 'self' data:; "
	programs := ""
	if moves.Match(page) {
		policy, programs = policy+"worker-src 'self'; ", " 'wasm-unsafe-eval'"
	}
	policy += "script-src 'self'" + programs + hashes(inlineScript, page) + "; style-src 'self'" + hashes(inlineStyle, page) + "; style-src-attr 'unsafe-inline'"
	// Without an icon browsers ask for /favicon.ico.
	meta := fmt.Appendf(nil, `<meta http-equiv="Content-Security-Policy" content="%s"><link rel="icon" href="data:,">`, policy)
	charset := []byte(`<meta charset="utf-8">`)
	return bytes.Replace(page, charset, append(append(bytes.Clone(charset), "\n    "...), meta...), 1)
}

// hashes are those of the elements in a page that a pattern finds, as a policy names them.
func hashes(element *regexp.Regexp, page []byte) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, m := range element.FindAllSubmatch(page, -1) {
		sum := sha256.Sum256(m[1])
		hash := " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		if !seen[hash] {
			seen[hash] = true
			b.WriteString(hash)
		}
	}
	return b.String()
}

var (
	inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	moves        = regexp.MustCompile(` data-(?:live|playground|go)="`)
	inlineStyle  = regexp.MustCompile(`(?s)<style[^>]*>(.*?)</style>`)
)
