package similar

import (
	"go/scanner"
	"go/token"
	"go/types"
	"strings"
)

// A tok is one token of a submission.
type tok struct {
	code uint64 // equal for tokens that count as the same
	cell int32  // place of its cell
	line int32  // in the cell, from 1
}

const (
	codeName    = 1 << 32 // any name but those that the language gives
	codeLiteral = 2 << 32 // and the kind of literal
	codeGiven   = 3 << 32 // and which of the names that the language gives
)

// words are the names that the language gives, numbered.
var words = func() map[string]uint64 {
	m := map[string]uint64{}
	for i, name := range types.Universe.Names() {
		m[name] = codeGiven + uint64(i)
	}
	return m
}()

// tokens returns the tokens of cells, at most maxTokens.
func tokens(cells []Solution) (all []tok) {
	for i, c := range cells {
		fset := token.NewFileSet()
		source := []byte(forKernel(c.Source))
		var s scanner.Scanner
		s.Init(fset.AddFile("", -1, len(source)), source, func(token.Position, string) {}, 0) // what is no Go is scanned as well
		for len(all) < maxTokens {
			pos, kind, literal := s.Scan()
			if kind == token.EOF {
				break
			}
			if kind == token.SEMICOLON {
				continue // a newline, as a rule
			}
			t := tok{code: uint64(kind), cell: int32(i), line: int32(fset.PositionFor(pos, false).Line)}
			switch {
			case kind == token.IDENT:
				t.code = codeName
				if code, given := words[literal]; given {
					t.code = code
				}
			case kind.IsLiteral():
				t.code = codeLiteral + uint64(kind)
			}
			all = append(all, t)
		}
	}
	return all
}

// forKernel empties the lines that the kernel takes for itself, as %% and !ls.
func forKernel(source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
			line = "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}
