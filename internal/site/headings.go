package site

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"marginalia/internal/nbformat"
)

// cellAnchor begins the anchor of a cell, as in JupyterLab's links.
const cellAnchor = "cell-id="

// anchored gives a cell of text its anchor: before the text, or after its heading, which has to come
// first.
func anchored(id, text string) string {
	anchor := fmt.Sprintf("<a class=\"cell-anchor\" id=\"%s\"></a>\n\n", html.EscapeString(cellAnchor+id))
	if at := firstHeading.FindStringIndex(text); at != nil {
		return text[:at[1]] + "\n\n" + anchor + strings.TrimLeft(text[at[1]:], "\n")
	}
	return anchor + text
}

var firstHeading = regexp.MustCompile(`^#+[ \t][^\n]*`)

// below has a page's headings stand below its title, the first heading of the first level. titles
// counts those of the first level: if there are several, all after the first are a level lower.
func below(text string, titles *int) string {
	code, at := codeSpans(text), 0
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !within(code, at) && headingLine.MatchString(line) {
			if strings.HasPrefix(line, "# ") {
				*titles++
			}
			if *titles > 1 && !strings.HasPrefix(line, "######") {
				b.WriteByte('#')
			}
		}
		b.WriteString(line)
		at += len(line)
	}
	return b.String()
}

var headingLine = regexp.MustCompile(`(?m)^#+[ \t]+(.*)$`)

// heading is the text of a notebook's first heading.
func heading(nb *nbformat.Notebook) string {
	for _, c := range nb.Cells {
		if c.Type == "markdown" {
			if m := headingLine.FindStringSubmatch(c.Source); m != nil {
				return m[1]
			}
		}
	}
	return ""
}
