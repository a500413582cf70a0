package assignment

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strings"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
)

// What a submission may have. A page of a book has 3 kB, and nobody writes so much by hand. Code that reads
// the text before a bounded process does takes fractions of a second within these limits.
const (
	maxCell    = 256 << 10 // bytes of a cell
	maxLines   = 10_000    // of a cell
	maxNesting = 200       // of brackets
	maxChain   = 5000      // operators, and brackets that open, of one expression
	maxNumber  = 1000      // bytes of a literal number
	maxOwn     = 300       // cells of the student's own
	maxOwnText = 1 << 20   // bytes of all of these
	maxArray   = 8 << 20   // elements of an array, with those of arrays in it
	maxText    = 1000      // bytes of what a note says
	maxNotes   = 200
)

// tooMuch says which limit a cell's source exceeds, and in which line, from 1; 0 is the whole cell. what is empty
// if it exceeds none.
func tooMuch(source string) (line int, what string) {
	if len(source) > maxCell {
		return 0, fmt.Sprintf("it has %d bytes, at most %d are read", len(source), maxCell)
	}
	if n := strings.Count(source, "\n"); n >= maxLines {
		return 0, fmt.Sprintf("it has %d lines, at most %d are read", n+1, maxLines)
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, []byte(source), func(token.Position, string) {}, 0)
	depth, chain := 0, 0
	for {
		pos, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return 0, ""
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
			chain++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.SEMICOLON, token.COMMA:
			chain = 0
		case token.INT, token.FLOAT, token.IMAG:
			if len(lit) > maxNumber {
				return file.PositionFor(pos, false).Line, fmt.Sprintf("a number has %d digits, at most %d are read", len(lit), maxNumber)
			}
		default:
			if tok.IsOperator() || tok.IsKeyword() {
				chain++
			}
		}
		if depth > maxNesting {
			return file.PositionFor(pos, false).Line, fmt.Sprintf("brackets are nested more than %d deep", maxNesting)
		}
		if chain > maxChain {
			return file.PositionFor(pos, false).Line, fmt.Sprintf("an expression has more than %d operators", maxChain)
		}
	}
}

// A submitted is a student's code cell that may be part of the guest.
type submitted struct {
	*nbformat.Cell
	id    string // the ID of the lecturer's cell that it is, or nbgrader.Own
	owner *Cell  // the lecturer's cell, or nil
}

// submitted returns a student's code cells: the first that is each of the lecturer's cells, and the student's own
// up to the limits. A cell is the lecturer's by its grade_id. One without is the lecturer's as long as its source is:
// students may change it, and nbgrader's release may give it another id.
func (a *Assignment) submitted(nb *nbformat.Notebook) (all []submitted, refused []Problem) {
	byID, plain := map[string]*Cell{}, map[string]*Cell{}
	for _, c := range a.Cells {
		if c.Meta.ID != "" {
			byID[c.ID] = c
		} else {
			plain[strings.TrimSpace(c.Source)] = c
		}
	}
	seen := map[string]bool{}
	own, text := 0, 0
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		meta, _ := nbgrader.Read(c)
		owner := byID[meta.ID]
		if meta.ID == "" {
			owner = plain[strings.TrimSpace(c.Source)]
		}
		if owner != nil {
			if !seen[owner.ID] {
				seen[owner.ID] = true
				all = append(all, submitted{c, owner.ID, owner})
			}
			continue // a copy does not count
		}
		own++
		if text += len(c.Source); own > maxOwn || text > maxOwnText {
			if refused == nil {
				refused = []Problem{{nbgrader.Own(c.ID), 0, fmt.Sprintf("the notebook has more than %d cells or %d bytes of code besides its answers: the rest is not read", maxOwn, maxOwnText)}}
			}
			continue
		}
		all = append(all, submitted{c, nbgrader.Own(c.ID), nil})
	}
	return all, refused
}

// short cuts a text that quotes a student to maxText bytes.
func short(text string) string {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + " …"
	}
	return text
}

// Units returns the cells of a submission that may be left out of it: its answers, and those that are the
// student's own.
func (a *Assignment) Units(nb *nbformat.Notebook) (answers, own []string) {
	cells, _ := a.submitted(nb)
	for _, c := range cells {
		switch {
		case c.owner == nil:
			own = append(own, c.id)
		case c.owner.answer():
			answers = append(answers, c.id)
		}
	}
	return answers, own
}
