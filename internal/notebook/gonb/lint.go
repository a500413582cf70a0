package gonb

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A Problem is a place where GoNB does something else than the code says.
type Problem struct {
	Cell   string
	Line   int    // 0-based
	Fatal  bool   // GoNB's kernel dies of it
	Random bool   // the kernel does it another way each time
	What   string // what happens, and what to write instead
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.Cell, p.Line+1, p.What) }

// Problems returns the hazards of a cell, in order of lines.
func (c *Source) Problems() []Problem {
	l := &linter{cell: c, inside: InsideToken(c.Source)}
	if c.Magic {
		return nil
	}
	l.mains()
	for _, cmd := range c.Commands {
		if cmd.Text == "" { // GoNB looks past the end of the text
			l.add(cmd.Line, true, "a command without a name: a %% or ! with nothing after it kills GoNB's kernel; remove the line")
		}
	}
	l.column0()
	l.declarations()
	return l.found
}

type linter struct {
	cell   *Source
	inside map[int]bool // lines that start within a raw string or a comment
	found  []Problem
}

func (l *linter) add(line int, fatal bool, format string, args ...any) {
	l.found = append(l.found, Problem{Cell: l.cell.ID, Line: line, Fatal: fatal, What: fmt.Sprintf(format, args...)})
}

// mains finds a second %%, %main or %exec: GoNB reserves room for one.
func (l *linter) mains() {
	first := -1
	for i, raw := range l.cell.lines {
		line := trimPrefix(raw)
		if !opensMain(line) && !strings.HasPrefix(line, "%exec") {
			continue
		}
		switch {
		case first >= 0 && (l.inside[first] || l.inside[i]):
			if !l.inside[i] {
				i = first
			}
			l.add(i, true, "a second main: GoNB takes this line for one, even within a comment or string, and two in a cell kill its kernel; indent it")
			return
		case first >= 0:
			l.add(i, true, "a second main: line %d has %q already, and two in a cell kill GoNB's kernel; move this part to a cell of its own",
				first+1, strings.Fields(trimPrefix(l.cell.lines[first]))[0])
			continue
		}
		first = i
		if strings.HasPrefix(line, "%exec") && len(strings.Split(line, " ")) < 2 && len(splitWords(line)) > 1 {
			l.add(i, true, "anything but one space between %%exec and the function kills GoNB's kernel; write `%%exec name`")
		} else if strings.HasPrefix(line, "%exec") && !l.cell.HasGo() {
			l.add(i, false, "GoNB runs no function of a cell that has only commands; write %%%% and, in the line below, the call")
		}
	}
}

var packageClause = regexp.MustCompile(`^package\s+\w+\s*(//.*)?$`)

// column0 finds lines that GoNB takes for something else than they are.
func (l *linter) column0() {
	for i, line := range l.cell.lines {
		switch {
		case strings.HasPrefix(line, "package") && (l.inside[i] || !packageClause.MatchString(strings.TrimSpace(line))):
			l.add(i, false, "GoNB drops every line that starts with \"package\", this one too; indent it")
		case l.inside[i] && len(line) > 1 && (line[0] == '%' || line[0] == '!'):
			l.add(i, false, "GoNB runs this line as a command because it starts with %q, though it is within a string or comment; indent it or write the string another way", line[:1])
		}
	}
}

// InsideToken tells which lines (0-based) of Go source start within a raw
// string or a comment.
func InsideToken(text string) map[int]bool {
	inside := map[int]bool{}
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(text))
	s.Init(file, []byte(text), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return inside
		}
		if tok != token.STRING && tok != token.COMMENT {
			continue
		}
		line := file.Line(pos) - 1
		for i := range strings.Count(strings.TrimSuffix(lit, "\n"), "\n") {
			inside[line+1+i] = true
		}
	}
}

// declarations finds declarations that GoNB loses or changes on the way.
func (l *linter) declarations() {
	file := l.cell.File()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "main.go", file.Text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return // reported as a syntax error when the cell runs
	}
	line := func(n ast.Node) int { return file.Origins[lineOf(fset, n.Pos())-1].Line }
	// GoNB takes the lines that directives name for lines of the cell.
	for _, group := range f.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "/*line ") || strings.HasPrefix(c.Text, "//line ") && fset.PositionFor(c.Pos(), false).Column == 1 {
				l.add(line(c), true, "a line directive: one that names lines which the cell does not have kills GoNB's kernel; remove it, or put a space before the word line")
			}
		}
	}
	l.parent(f, line)
	blank := false
	methods := map[string]bool{}
	first := map[string]int{} // line of each declaration
	declare := func(name *ast.Ident, key, what string) {
		at := line(name)
		if before, ok := first[key]; ok && name.Name != "_" {
			l.add(at, false, "%s is declared in line %d too, and GoNB keeps the last one only; %s", key, before+1, what)
		}
		first[key] = at
	}
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || len(d.Recv.List) == 0 {
				what := "give one of them another name"
				if d.Name.Name == "init" {
					what = "name them init_a and init_b: GoNB runs all functions whose names begin so"
				}
				declare(d.Name, d.Name.Name, what)
				continue
			}
			switch d.Recv.List[0].Type.(type) {
			case *ast.Ident, *ast.StarExpr:
			default:
				if methods[d.Name.Name] {
					l.add(line(d), false, "GoNB keeps only one method %s for all generic types with value receivers; use a pointer receiver", d.Name.Name)
				}
				methods[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.ImportSpec:
					if s.Path.Value == `"C"` {
						l.add(line(s), false, "GoNB drops the comment above import \"C\", which is the C code: put it into a package beside the notebook and import that")
					}
					if s.Name == nil || s.Name.Name != "_" {
						continue
					}
					if blank {
						l.add(line(s), false, "GoNB keeps the last `_` import only; import %s under a name and use it, or from a package", s.Path.Value)
					}
					blank = true
				case *ast.TypeSpec:
					declare(s.Name, s.Name.Name, "give one of them another name")
				case *ast.ValueSpec:
					for _, name := range s.Names {
						declare(name, name.Name, "give one of them another name")
					}
					l.valueSpec(d, s, line(s))
				}
			}
		}
	}
}

// parent finds a cell that ends its parent, which is GoNB's kernel, or the program that tests it.
func (l *linter) parent(f *ast.File, line func(ast.Node) int) {
	calls := map[string]*ast.SelectorExpr{}
	for n := range ast.Preorder(f) {
		if s, ok := n.(*ast.SelectorExpr); ok {
			calls[s.Sel.Name] = s
		}
	}
	ends := calls["Kill"] != nil || calls["Signal"] != nil || calls["Tgkill"] != nil
	if of := calls["Getppid"]; of != nil && ends {
		l.add(line(of), true, "it sends a signal to its parent, which is GoNB's kernel and dies of it; remove that")
	}
}

func (l *linter) valueSpec(d *ast.GenDecl, s *ast.ValueSpec, line int) {
	if d.Tok == token.CONST {
		if len(s.Names) > 1 && usesIota(s) {
			l.add(line, false, "GoNB puts each constant of this line on a line of its own, which changes iota; declare one per line")
		}
		return
	}
	if d.Doc != nil {
		for _, c := range d.Doc.List {
			if strings.HasPrefix(c.Text, "//go:embed") {
				l.add(line, false, "GoNB drops //go:embed and leaves the variable empty; read the file when the cell runs")
			}
		}
	}
}

func usesIota(s *ast.ValueSpec) bool {
	for _, v := range s.Values {
		for n := range ast.Preorder(v) {
			if id, ok := n.(*ast.Ident); ok && id.Name == "iota" {
				return true
			}
		}
	}
	return len(s.Values) == 0 // repeats the line above
}

// Hazards returns the problems that show only in what is remembered over
// several cells: generic methods and `_` imports that push out one another.
func Hazards(remembered, newer *Decls) []Problem {
	var found []Problem
	for _, key := range slices.Sorted(maps.Keys(newer.Funcs)) {
		f := newer.Funcs[key]
		if old := remembered.Funcs[key]; old != nil && strings.HasPrefix(key, "unknown~") && receiver(old.Text) != receiver(f.Text) {
			found = append(found, Problem{Cell: f.At[0].Cell, Line: f.At[0].Line, What: fmt.Sprintf(
				"GoNB keeps only one method %s for all generic types with value receivers: this one replaces that of cell %s; use a pointer receiver",
				strings.TrimPrefix(key, "unknown~"), old.At[0].Cell)})
		}
	}
	if f, old := newer.Funcs["init"], remembered.Funcs["init"]; f != nil && old != nil && f.Text != old.Text {
		found = append(found, Problem{Cell: f.At[0].Cell, Line: f.At[0].Line, What: fmt.Sprintf(
			"GoNB keeps the last func init only: this one replaces that of cell %s; name them init_a and init_b, and GoNB runs both", old.At[0].Cell)})
	}
	if i, old := newer.Imports["_"], remembered.Imports["_"]; i != nil && old != nil && i.Path != old.Path {
		found = append(found, Problem{Cell: i.At[0].Cell, Line: i.At[0].Line, What: fmt.Sprintf(
			"GoNB keeps the last `_` import only: this one replaces %q of cell %s", old.Path, old.At[0].Cell)})
	}
	return found
}

var receiverType = regexp.MustCompile(`^func\s*\(\s*(?:\w+\s+)?(\w+)`)

func receiver(text string) string {
	if m := receiverType.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
