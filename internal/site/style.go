package site

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	gopage "marginalia/internal/browser/page"
	"marginalia/internal/install/lab"
)

// styleName is the one stylesheet of all pages.
const styleName = "_static/site.css"

// scriptName is the script of all pages.
const scriptName = "_static/marginalia.js"

//go:embed page
var pageFiles embed.FS

// A frame is what pages have beside Sphinx's: their stylesheets as one, since a browser asks for each
// before it shows anything, and the site's script. Pages name the versions of both, which a browser may keep for ever.
type frame struct{ style, script []byte }

// newFrame joins the stylesheets that the first page names, in their order, and the site's own.
func newFrame(pages string, cells bool) (f frame, err error) {
	if f.style, err = themeStyle(pages); err != nil {
		return f, err
	}
	own, err := pageFiles.ReadFile("page/marginalia.css")
	if err != nil {
		return f, err
	}
	f.style = append(f.style, own...)
	if cells {
		f.style = append(f.style, gopage.OfferStyle...)
	}
	f.script, err = siteScript(cells)
	return f, err
}

// siteScript is the script of all pages: figure.js of the lab without the word export, since a
// page that was opened as a file may not load modules, and the page's own parts after it. With cells come
// the buttons of those that run, beside which the button Copy stands.
func siteScript(cells bool) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("\"use strict\";\n(() => {\n")
	b.WriteString(strings.ReplaceAll(lab.FigureScript(), "\nexport ", "\n"))
	for _, name := range []string{"marginalia.js", "reading/ways.js", "reading/search.js", "reading/hero.js", "reading/code.js"} {
		if name == "reading/code.js" && cells {
			b.Write(gopage.Offer)
		}
		own, err := pageFiles.ReadFile("page/" + name)
		if err != nil {
			return nil, err
		}
		b.Write(own)
	}
	b.WriteString("})();\n")
	return b.Bytes(), nil
}

// themeStyle joins the stylesheets that the first page names.
func themeStyle(pages string) ([]byte, error) {
	index, err := os.ReadFile(filepath.Join(pages, "index.html"))
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	var b bytes.Buffer
	for _, m := range stylesheet.FindAllSubmatch(index, -1) {
		name := string(m[1])
		if name == "styles/furo-extensions.css" { // of extensions that the site does not use
			continue
		}
		css, err := os.ReadFile(filepath.Join(pages, "_static", filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("site: %w", err)
		}
		if strings.HasPrefix(name, "mystnb.") {
			css, _, _ = bytes.Cut(css, []byte("/* Font colors for translated ANSI")) // 37 kB; Go prints no colours
		}
		b.Write(css)
		b.WriteByte('\n')
	}
	if b.Len() == 0 {
		return nil, fmt.Errorf("site: Sphinx's pages name no stylesheet")
	}
	return b.Bytes(), nil
}

// in has a page name the one stylesheet in the place of its own, and the script.
func (f frame) in(page []byte) []byte {
	page = stylesheets.ReplaceAll(page, []byte(`<link rel="stylesheet" href="${1}`+versioned(styleName, f.style)+`">`))
	root := ""
	if m := contentRoot.FindSubmatch(page); m != nil {
		root = strings.TrimPrefix(string(m[1]), "./")
	}
	return bytes.Replace(page, []byte("</body>"), fmt.Appendf(nil, `<script defer src="%s"></script></body>`, root+versioned(scriptName, f.script)), 1)
}

// versioned is the address of a file with the version that it has by its content.
func versioned(name string, data []byte) string {
	return fmt.Sprintf("%s?v=%.4x", name, sha256.Sum256(data))
}

var (
	stylesheet  = regexp.MustCompile(`<link rel="stylesheet" type="text/css" href="(?:\.\./)*_static/([^"?]+)[^"]*" />`)
	contentRoot = regexp.MustCompile(`<html [^>]*data-content_root="([^"]*)"`)
	stylesheets = regexp.MustCompile(`<link rel="stylesheet" type="text/css" href="((?:\.\./)*)_static/[^>]*>(?:\s*` + stylesheet.String() + `)*`)
)
