package site

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// styleName is the one stylesheet of all pages.
const styleName = "_static/site.css"

// A style is the stylesheets of a page as one: a browser asks for each before it shows anything.
type style struct {
	css     []byte
	version string // which a browser may keep for ever
}

// oneStyle joins the stylesheets that the first page names, in their order.
func oneStyle(pages string) (style, error) {
	index, err := os.ReadFile(filepath.Join(pages, "index.html"))
	if err != nil {
		return style{}, fmt.Errorf("site: %w", err)
	}
	var b bytes.Buffer
	for _, m := range stylesheet.FindAllSubmatch(index, -1) {
		name := string(m[1])
		if name == "styles/furo-extensions.css" { // of extensions that the site does not use
			continue
		}
		css, err := os.ReadFile(filepath.Join(pages, "_static", filepath.FromSlash(name)))
		if err != nil {
			return style{}, fmt.Errorf("site: %w", err)
		}
		if strings.HasPrefix(name, "mystnb.") {
			css, _, _ = bytes.Cut(css, []byte("/* Font colors for translated ANSI")) // 37 kB; Go prints no colours
		}
		b.Write(css)
		b.WriteByte('\n')
	}
	if b.Len() == 0 {
		return style{}, fmt.Errorf("site: Sphinx's pages name no stylesheet")
	}
	return style{b.Bytes(), fmt.Sprintf("%.4x", sha256.Sum256(b.Bytes()))}, nil
}

// in has a page name the one stylesheet in the place of its own.
func (s style) in(page []byte) []byte {
	return stylesheets.ReplaceAll(page, []byte(`<link rel="stylesheet" href="${1}`+styleName+`?v=`+s.version+`">`))
}

var (
	stylesheet  = regexp.MustCompile(`<link rel="stylesheet" type="text/css" href="(?:\.\./)*_static/([^"?]+)[^"]*" />`)
	stylesheets = regexp.MustCompile(`<link rel="stylesheet" type="text/css" href="((?:\.\./)*)_static/[^>]*>(?:\s*` + stylesheet.String() + `)*`)
)
