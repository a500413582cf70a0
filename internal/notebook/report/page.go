// Package report writes what differs between stored outputs and new ones as a page: texts line by
// line, and pictures beside one another.
//
//	page := report.Page{Title: "Outputs that differ", Accept: "marginalia test --update a.ipynb", Cells: cells}
//	err := page.Write("report.html")
//
// The page is one file, and nothing in it comes from elsewhere or runs, whatever a cell has printed
// or drawn: its policy admits one script, which copies commands, and pictures that are in the page.
package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"os"
	"path/filepath"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/notebook/outputs"
)

// A Page is cells whose outputs are not those stored.
type Page struct {
	Title  string
	Lead   string // a sentence on what was compared
	Accept string // the command that stores all that is new, "" if nothing is to be stored
	Cells  []Cell
}

// A Cell is a cell, or a figure, with what differs.
type Cell struct {
	Name        string   // "01-perceptron.ipynb#novikoff-bound"
	Heading     string   // of the section that it stands in
	Compared    string   // how exactly
	Accept      string   // the command that stores what is new in this cell alone
	Failures    []string // what else is wrong
	Differences []outputs.Difference
}

//go:embed report.html
var pageText string

//go:embed report.css
var style string

//go:embed report.js
var script string

var page = template.Must(template.New("report").Parse(pageText))

// Write writes the page into a file, whose folder it makes.
func (p Page) Write(file string) error {
	var b bytes.Buffer
	room := maxPage
	cells := make([]cellView, len(p.Cells))
	for i, c := range p.Cells {
		cells[i].Cell = c
		for _, d := range c.Differences {
			cells[i].Views = append(cells[i].Views, viewOf(d, &room))
		}
	}
	if err := page.Execute(&b, map[string]any{
		"Page": p, "Cells": cells, "Policy": policy(), "Style": template.CSS(style), "Script": template.JS(script),
	}); err != nil {
		return fmt.Errorf("report: %s: %w", file, err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return atomicfile.Write(file, b.Bytes())
}

// policy is the page's Content-Security-Policy: its own style and script, and pictures that are in it.
func policy() string {
	sum := func(text string) string {
		s := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(s[:]) + "'"
	}
	return fmt.Sprintf("default-src 'none'; img-src data:; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", sum(style), sum(script))
}
