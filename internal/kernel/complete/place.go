package complete

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

// A place is where the cursor is in main.go.
type place struct {
	file    string // the cell alone, as GoNB reads it
	line    int    // of file, from 0
	text    []rune // of the line
	at      int    // code points of text before the cursor
	comment bool
	offset  int // of the cursor, bytes of file
}

// place finds the place of the cursor. It returns false in lines that are not Go.
func (q Question) place() (place, bool) {
	all := []rune(q.Cell)
	if q.Cursor < 0 || q.Cursor > len(all) {
		return place{}, false
	}
	before := string(all[:q.Cursor])
	lineOfCell := strings.Count(before, "\n")
	c := gonb.Read("cell", q.Cell)
	if c.Magic {
		return place{}, false
	}
	file := c.File()
	p := place{
		file: file.Text, line: slices.Index(file.Origins, gonb.Origin{Cell: "cell", Line: lineOfCell}),
		text: []rune(strings.Split(q.Cell, "\n")[lineOfCell]), at: len([]rune(before[strings.LastIndexByte(before, '\n')+1:])),
	}
	lines := strings.SplitAfter(file.Text, "\n")
	if p.line < 0 || strings.TrimSuffix(lines[p.line], "\n") != string(p.text) {
		return place{}, false
	}
	p.offset = len(strings.Join(lines[:p.line], "")) + len(string(p.text[:p.at]))
	for t := range tokens(file.Text) {
		// The cursor behind the last character of a line comment is in it.
		if t.kind == token.COMMENT && t.from < p.offset && (p.offset < t.to || p.offset == t.to && strings.HasPrefix(t.text, "//")) {
			p.comment = true
		}
	}
	return p, true
}

// column returns the code points of the line before a position.
func (p *place) column(at position) int {
	n := 0
	for n < len(p.text) && units(p.text[:n]) < at.Character {
		n++
	}
	return n
}

// onName reports whether the cursor is in a name or at its end.
func (p *place) onName() bool {
	name := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	return p.at < len(p.text) && name(p.text[p.at]) || p.at > 0 && name(p.text[p.at-1])
}

// outwards moves the place to the name of the function whose arguments it is in. It returns
// false if there is none.
func (p *place) outwards() bool {
	var open []int // offsets of the names before parentheses that are open; -1 for other brackets
	var last tok
	for t := range tokens(p.file) {
		if t.to > p.offset {
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
func (p *place) move(offset int) {
	before := p.file[:offset]
	begin := strings.LastIndexByte(before, '\n') + 1
	line, _, _ := strings.Cut(p.file[begin:], "\n")
	p.offset, p.line = offset, strings.Count(before, "\n")
	p.text, p.at = []rune(line), len([]rune(before[begin:]))
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

// files returns the two files that gopls sees. Imports stand in line 1 of main.go, so that the
// other lines keep their numbers.
func (q Question) files(p *place, known *packages) (main, earlier string) {
	d := q.Earlier.Clone()
	f, _ := parser.ParseFile(token.NewFileSet(), "", p.file, parser.SkipObjectResolution) // as far as it parses
	imported := map[string]bool{}
	own := map[string]bool{}
	for _, decl := range f.Decls {
		for _, key := range keys(decl) {
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
	for name, members := range qualifiers(p.file) {
		if imported[name] || own[name] || slices.Contains(names, name) {
			continue
		}
		if path := known.find(name, members); path != "" {
			head += "; import " + name + " " + strconv.Quote(path)
		}
	}
	_, rest, _ := strings.Cut(p.file, "\n")
	return head + "\n" + rest, "package main\n\n" + d.Source()
}

// keys returns the keys by which GoNB remembers a declaration.
func keys(decl ast.Decl) (keys []string) {
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
