// Package cursor says what stands around the cursor in a cell, and what a type checker has to see to know its names.
//
//	at, ok := cursor.Find(cell, 12)
//	main, earlier := at.Files(remembered, find)
//
// The checker sees one package of two files: main.go is the cell, line by line as it stands, so that a cell that
// does not parse still has its lines and positions; earlier.go has what earlier cells declared and this one does not.
package cursor

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"marginalia/internal/notebook/gonb"
)

// A Place is where the cursor is in main.go.
type Place struct {
	File    string // the cell alone, as GoNB reads it
	Line    int    // of File, from 0
	Text    []rune // of the line
	At      int    // code points of Text before the cursor
	Comment bool   // it is in one
	Offset  int    // of the cursor, bytes of File
}

// Find finds the place of the cursor in a cell: cursor is the number of code points before it. It returns false in lines
// that are not Go.
func Find(cell string, cursor int) (Place, bool) {
	all := []rune(cell)
	if cursor < 0 || cursor > len(all) {
		return Place{}, false
	}
	before := string(all[:cursor])
	lineOfCell := strings.Count(before, "\n")
	c := gonb.Read("cell", cell)
	if c.Magic {
		return Place{}, false
	}
	file := c.File()
	p := Place{
		File: file.Text, Line: slices.Index(file.Origins, gonb.Origin{Cell: "cell", Line: lineOfCell}),
		Text: []rune(strings.Split(cell, "\n")[lineOfCell]), At: len([]rune(before[strings.LastIndexByte(before, '\n')+1:])),
	}
	lines := strings.SplitAfter(file.Text, "\n")
	if p.Line < 0 || strings.TrimSuffix(lines[p.Line], "\n") != string(p.Text) {
		return Place{}, false
	}
	p.Offset = len(strings.Join(lines[:p.Line], "")) + len(string(p.Text[:p.At]))
	for t := range tokens(file.Text) {
		// The cursor behind the last character of a line comment is in it.
		if t.kind == token.COMMENT && t.from < p.Offset && (p.Offset < t.to || p.Offset == t.to && strings.HasPrefix(t.text, "//")) {
			p.Comment = true
		}
	}
	return p, true
}

// OnName reports whether the cursor is in a name or at its end.
func (p *Place) OnName() bool {
	return p.At < len(p.Text) && InName(p.Text[p.At]) || p.At > 0 && InName(p.Text[p.At-1])
}

// InName reports whether a name may have a character.
func InName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// Outwards moves the place to the name of the function whose arguments it is in. It returns
// false if there is none.
func (p *Place) Outwards() bool {
	var open []int // offsets of the names before parentheses that are open; -1 for other brackets
	var last tok
	for t := range tokens(p.File) {
		if t.to > p.Offset {
			break
		}
		switch {
		case t.kind == token.LPAREN && last.kind == token.IDENT:
			open = append(open, last.from)
		case t.kind == token.LPAREN, t.kind == token.LBRACE:
			open = append(open, -1)
		case (t.kind == token.RPAREN || t.kind == token.RBRACE) && len(open) > 0:
			open = open[:len(open)-1]
		}
		last = t
	}
	if len(open) == 0 || open[len(open)-1] < 0 {
		return false
	}
	p.move(open[len(open)-1])
	return true
}

// move moves the place to an offset of the file.
func (p *Place) move(offset int) {
	before := p.File[:offset]
	begin := strings.LastIndexByte(before, '\n') + 1
	line, _, _ := strings.Cut(p.File[begin:], "\n")
	p.Offset, p.Line = offset, strings.Count(before, "\n")
	p.Text, p.At = []rune(line), len([]rune(before[begin:]))
}

// A tok is a token of Go, from byte from up to byte to.
type tok struct {
	kind     token.Token
	text     string
	from, to int
}

// tokens goes through the tokens of Go, those that are there of a file that does not parse.
func tokens(text string) func(yield func(tok) bool) {
	return func(yield func(tok) bool) {
		var s scanner.Scanner
		file := token.NewFileSet().AddFile("", -1, len(text))
		s.Init(file, []byte(text), func(token.Position, string) {}, scanner.ScanComments)
		for {
			pos, kind, lit := s.Scan()
			if kind == token.EOF {
				return
			}
			from := file.Offset(pos)
			if kind == token.SEMICOLON && lit == "\n" {
				continue // not in the text
			}
			if lit == "" {
				lit = kind.String()
			}
			if !yield(tok{kind, lit, from, from + len(lit)}) {
				return
			}
		}
	}
}

// Files returns the two files. Imports stand in line 1 of main.go, so that the other lines keep their
// numbers. find returns the path of the package that a name with some members means, where nothing imports it; "" if
// none does.
func (p *Place) Files(remembered *gonb.Decls, find func(name string, members []string) string) (main, earlier string) {
	d := remembered.Clone()
	f, _ := parser.ParseFile(token.NewFileSet(), "", p.File, parser.SkipObjectResolution) // as far as it parses
	imported := map[string]bool{}
	own := map[string]bool{}
	for _, decl := range f.Decls {
		for _, key := range Keys(decl) {
			own[key] = true
			d.Remove(key)
		}
	}
	for _, spec := range f.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			name := path[strings.LastIndexByte(path, '/')+1:]
			if spec.Name != nil {
				name = spec.Name.Name
			}
			imported[name] = true
		}
	}
	head := "package main"
	for _, key := range slices.Sorted(maps.Keys(d.Imports)) {
		if i := d.Imports[key]; !imported[key] {
			head += "; import " + i.Alias + " " + strconv.Quote(i.Path)
			imported[key] = true
		}
	}
	names := d.Names()
	for name, members := range qualifiers(p.File) {
		if imported[name] || own[name] || slices.Contains(names, name) {
			continue
		}
		if path := find(name, members); path != "" {
			head += "; import " + name + " " + strconv.Quote(path)
		}
	}
	_, rest, _ := strings.Cut(p.File, "\n")
	return head + "\n" + rest, "package main\n\n" + d.Source()
}

// Keys returns the keys by which GoNB remembers a declaration.
func Keys(decl ast.Decl) (keys []string) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			return []string{decl.Name.Name}
		}
		for _, of := range decl.Recv.List {
			t := of.Type
			if star, ok := t.(*ast.StarExpr); ok {
				t = star.X
			}
			if name, ok := t.(*ast.Ident); ok {
				keys = append(keys, name.Name+"~"+decl.Name.Name)
			}
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				keys = append(keys, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					keys = append(keys, name.Name)
				}
			}
		}
	}
	return keys
}

// qualifiers returns the names that stand before a dot and behind none, with the names behind it.
func qualifiers(text string) map[string][]string {
	found := map[string][]string{}
	var last [3]tok // dot or not, name, dot
	for t := range tokens(text) {
		if last[2].kind == token.PERIOD && last[1].kind == token.IDENT && last[0].kind != token.PERIOD {
			name := last[1].text
			found[name] = append(found[name], "")
			if t.kind == token.IDENT {
				found[name] = append(found[name], t.text)
			}
		}
		last = [3]tok{last[1], last[2], t}
	}
	return found
}
