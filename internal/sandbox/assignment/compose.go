package assignment

import (
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path"
	"strings"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/program"
	"marginalia/internal/sandbox/guest/wire"
)

// prune drops the imports that the text of a program has no use for.
func prune(d *gonb.Decls, text string) {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return // the type checker says so
	}
	used := usesOf(f)
	for key, i := range d.Imports {
		if i.Alias == "_" || i.Alias == "." {
			continue
		}
		if !used[key] && !used[packageName(i)] {
			delete(d.Imports, key)
		}
	}
}

// packageName guesses the name that an import has in the code: its alias, or the last part of
// its path, without the version.
func packageName(i *gonb.Import) string {
	if i.Alias != "" {
		return i.Alias
	}
	base := path.Base(i.Path)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(i.Path))
	}
	return base
}

// origin returns the place in a notebook of a position in a program.
func (a *Assignment) origin(p *program.Program, pos token.Pos) gonb.Origin {
	origins := p.File().Origins
	if line := p.Fset.PositionFor(pos, false).Line; line >= 1 && line <= len(origins) {
		return origins[line-1]
	}
	return gonb.Origin{}
}

func (a *Assignment) problem(p *program.Program, e types.Error) Problem {
	at := a.origin(p, e.Pos)
	if at.Cell == "" {
		return Problem{Text: e.Msg}
	}
	return Problem{at.Cell, at.Line + 1, e.Msg}
}

// lines writes a program with line directives, so that the compiler, panics and tests
// name the cells of the notebook. A text that goes over lines gets none, where GoNB has left out a line of it.
func lines(f gonb.File) []byte {
	var w strings.Builder
	next, text := gonb.Origin{Line: -1}, textLines(f.Text)
	for i, line := range strings.SplitAfter(f.Text, "\n") {
		at := gonb.Origin{}
		if i < len(f.Origins) {
			at = f.Origins[i]
		}
		switch {
		case text[i]:
			at = next
		case at.Cell != "" && at != next:
			fmt.Fprintf(&w, "//line %s%s:%d\n", at.Cell, wire.Suffix, at.Line+1)
		case at.Cell == "" && next.Cell != "":
			fmt.Fprintf(&w, "//line marginalia.go:%d\n", i+1)
		}
		next = gonb.Origin{Cell: at.Cell, Line: at.Line + 1}
		w.WriteString(line)
	}
	return []byte(w.String())
}

// textLines returns the lines, from 0, that begin within a text.
func textLines(source string) map[int]bool {
	all := map[int]bool{}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, []byte(source), func(token.Position, string) {}, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return all
		}
		if tok == token.STRING {
			first := file.PositionFor(pos, false).Line // the line behind it, from 0
			for i := range strings.Count(lit, "\n") {
				all[first+i] = true
			}
		}
	}
}
