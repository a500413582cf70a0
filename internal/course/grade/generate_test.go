package grade_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"

	"marginalia/internal/notebook/nbformat"
)

// A handIn is a generated submission: the solution's notebook, mutated.
type handIn struct {
	r     *rand.Rand
	cells []*nbformat.Cell
	stubs map[string]string // released sources, by cell
}

// mutations are what students do to a right answer. What comes out need not compile: a mark depends on nothing but the
// submission in any case.
var mutations = []struct {
	name   string
	mutate func(h *handIn)
}{
	{"breaks a line", func(h *handIn) {
		h.line(h.any("undefined++", "s += v + w", "return", "var unused int", "}", "{", `x := "text`, "1 = 2"))
	}},
	{"breaks two lines", func(h *handIn) {
		h.line("missing += 1")
		h.line("gone(1, 2)")
	}},
	{"changes an operator", func(h *handIn) {
		h.token(func(tok token.Token, lit string) string {
			return map[token.Token]string{token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*", token.LSS: "<=", token.GTR: ">=", token.EQL: "!=", token.ADD_ASSIGN: "-="}[tok]
		})
	}},
	{"changes a number", func(h *handIn) {
		h.token(func(tok token.Token, lit string) string {
			if tok != token.INT && tok != token.FLOAT {
				return ""
			}
			return h.any("0", "1", "2", "7", "-1")
		})
	}},
	{"renames", func(h *handIn) {
		from, to := h.any("total", "dot", "halve", "limit", "Mean", "m", "s"), h.helper()
		for _, c := range h.answers() {
			c.Source = replaced(c.Source, from, to)
		}
	}},
	{"adds a helper", func(h *handIn) { h.declare(h.somewhere(), h.function()) }},
	{"calls a helper", func(h *handIn) {
		name := h.helper()
		h.declare(h.somewhere(), fmt.Sprintf("func %s(x float64) float64 { return %s * x }", name, h.any("1", "2", "-1")))
		h.line("_ = " + name + "(3)")
	}},
	{"moves a declaration", func(h *handIn) {
		if text := h.cut(); text != "" {
			h.declare(h.somewhere(), text)
		}
	}},
	{"writes it twice", func(h *handIn) {
		c := h.answer()
		if all := declarations(c.Source); len(all) > 0 {
			h.declare(h.somewhere(), all[h.r.IntN(len(all))])
		}
	}},
	{"writes on one line", func(h *handIn) {
		c := h.answer()
		c.Source = strings.Join(declarations(c.Source), "; ")
	}},
	{"writes another on the same line", func(h *handIn) {
		c := h.answer()
		c.Source = strings.TrimSpace(c.Source) + "; " + h.any("func unfinished() int { return undefined }", "var spare = nothing", "type odd struct { x unknown }", h.function())
	}},
	{"splits a cell", func(h *handIn) {
		c := h.answer()
		lines := strings.Split(c.Source, "\n")
		at := h.r.IntN(len(lines) + 1)
		second := h.own(strings.Join(lines[at:], "\n"), c)
		if c.Source = strings.Join(lines[:at], "\n"); h.r.IntN(2) == 0 {
			second.Metadata = c.Metadata
		}
	}},
	{"copies a cell", func(h *handIn) {
		c := h.answer()
		h.own(c.Source, c).Metadata = c.Metadata
		if h.r.IntN(2) == 0 {
			c.Source = h.stubs[c.ID]
		}
	}},
	{"leaves a stub", func(h *handIn) { c := h.answer(); c.Source = h.stubs[c.ID] }},
	{"deletes a cell", func(h *handIn) {
		c := h.answer()
		h.cells = slices.DeleteFunc(h.cells, func(o *nbformat.Cell) bool { return o == c })
	}},
	{"answers with another question", func(h *handIn) {
		for _, c := range h.cells {
			switch {
			case c.ID == "loop" && h.r.IntN(3) > 0:
				c.Source = "func PowerLoop(x float64, n int) float64 { return " + h.any("PowerFast(x, n)", "bridge(x, n)", "x * PowerFast(x, n-1)") + " }"
			case c.ID == "fast" && h.r.IntN(3) > 0:
				c.Source = "func PowerFast(x float64, n int) float64 { return " + h.any("PowerLoop(x, n)", "PowerLoop(x, n/2) * PowerLoop(x, n-n/2)", "hook(x, n)") + " }"
			}
		}
		h.own("var hook func(float64, int) float64 = PowerLoop\n\nfunc bridge(x float64, n int) float64 { return PowerFast(x, n) }", nil)
	}},
	{"keeps state", func(h *handIn) {
		h.declare(h.somewhere(), "var state = "+h.any("1", "int(PowerLoop(2, 3))", "len(readings)", `func() int { panic("left") }()`))
		h.line("state++")
	}},
	{"changes what is given", func(h *handIn) { h.line(h.any("readings[0] = 7", "ErrEmpty = nil", "readings = nil")) }},
	{"panics", func(h *handIn) { h.line(`panic("left")`) }},
	{"prints", func(h *handIn) { h.line(`println("x")`) }},
	{"starts a goroutine", func(h *handIn) { h.line("go func() { readings = nil }()") }},
	{"imports", func(h *handIn) {
		c := h.answer()
		c.Source = h.any("import \"strings\"\n\nvar long = strings.Repeat(\"x\", 3)", "import \"os\"", "import m \"math\"\n\nvar pi = m.Pi", "import \"unsafe\"", "import (\"fmt\"; \"sort\")") + "\n\n" + c.Source
	}},
	{"orders cells anew", func(h *handIn) {
		h.r.Shuffle(len(h.cells), func(i, j int) { h.cells[i], h.cells[j] = h.cells[j], h.cells[i] })
	}},
	{"loses metadata", func(h *handIn) { h.answer().Metadata = map[string]any{} }},
	{"turns it into Markdown", func(h *handIn) { h.answer().Type = "markdown" }},
	{"declares a test", func(h *handIn) {
		h.own(h.any("func TestMean(t *testing.T) {}", "func near(a, b float64) bool { return true }", "func average(x ...float64) float64 { return 4 }"), nil)
	}},
	{"does nothing new", func(*handIn) {}},
}

// generate returns submission i of those with a seed, and what was done to it.
func generate(solution, release *nbformat.Notebook, seed, i uint64) (nb *nbformat.Notebook, did []string) {
	h := &handIn{r: rand.New(rand.NewPCG(seed, i)), stubs: map[string]string{}}
	for _, c := range release.Cells {
		h.stubs[c.ID] = c.Source
	}
	for _, c := range solution.Cells {
		own := *c
		own.Source = strings.NewReplacer("// BEGIN SOLUTION\n", "", "\n// END SOLUTION", "").Replace(c.Source)
		h.cells = append(h.cells, &own)
	}
	for range 1 + h.r.IntN(4) {
		m := mutations[h.r.IntN(len(mutations))]
		m.mutate(h)
		did = append(did, m.name)
	}
	return &nbformat.Notebook{Minor: 5, Metadata: solution.Metadata, Cells: h.cells}, did
}

func (h *handIn) any(all ...string) string { return all[h.r.IntN(len(all))] }

// helper is a name that students give, or one that stands in the solution or in a test already.
func (h *handIn) helper() string {
	return h.any("helper", "total", "dot", "average", "near", "halve", "scale", "limit", "sum", "Step", "min", "x")
}

func (h *handIn) function() string {
	return fmt.Sprintf("func %s(%s) float64 { return %s }", h.helper(), h.any("x float64", "x ...float64", "x, y []float64"), h.any("1", "total(nil)", "PowerLoop(2, 2)", "none"))
}

// answers are the cells with answers that are left.
func (h *handIn) answers() (all []*nbformat.Cell) {
	for _, c := range h.cells {
		if strings.Contains(h.stubs[c.ID], "YOUR CODE HERE") {
			all = append(all, c)
		}
	}
	return all
}

func (h *handIn) answer() *nbformat.Cell {
	if all := h.answers(); len(all) > 0 {
		return all[h.r.IntN(len(all))]
	}
	return h.own("", nil)
}

// own adds a cell of the student's behind another, or at the end.
func (h *handIn) own(source string, behind *nbformat.Cell) *nbformat.Cell {
	c := &nbformat.Cell{ID: fmt.Sprint("own", len(h.cells)), Type: "code", Source: source, Metadata: map[string]any{}}
	at := slices.Index(h.cells, behind) + 1
	if at == 0 {
		at = len(h.cells)
	}
	h.cells = slices.Insert(h.cells, at, c)
	return c
}

// somewhere is an answer or a new cell.
func (h *handIn) somewhere() *nbformat.Cell {
	if h.r.IntN(2) == 0 {
		return h.own("", nil)
	}
	return h.answer()
}

func (h *handIn) declare(c *nbformat.Cell, text string) { c.Source += "\n\n" + text }

// line puts a line into the body of a function of an answer.
func (h *handIn) line(text string) {
	c := h.answer()
	lines := strings.Split(c.Source, "\n")
	var heads []int
	for i, l := range lines {
		if strings.HasPrefix(l, "func ") && strings.HasSuffix(l, "{") {
			heads = append(heads, i+1)
		}
	}
	if heads == nil {
		c.Source += "\n" + text
		return
	}
	at := heads[h.r.IntN(len(heads))]
	c.Source = strings.Join(slices.Insert(lines, at, "\t"+text), "\n")
}

// token replaces one token of an answer, among those for which with returns another.
func (h *handIn) token(with func(tok token.Token, lit string) string) {
	c := h.answer()
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(c.Source))
	s.Init(file, []byte(c.Source), func(token.Position, string) {}, 0)
	var at [][2]int
	var texts []string
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if text := with(tok, lit); text != "" {
			length := len(tok.String())
			if lit != "" {
				length = len(lit)
			}
			at, texts = append(at, [2]int{file.Offset(pos), length}), append(texts, text)
		}
	}
	if at == nil {
		return
	}
	i := h.r.IntN(len(at))
	c.Source = c.Source[:at[i][0]] + texts[i] + c.Source[at[i][0]+at[i][1]:]
}

// cut takes a declaration out of an answer.
func (h *handIn) cut() string {
	c := h.answer()
	all := declarations(c.Source)
	if len(all) == 0 {
		return ""
	}
	text := all[h.r.IntN(len(all))]
	c.Source = strings.Replace(c.Source, text, "", 1)
	return text
}

// declarations are the texts of what a cell declares, none if it has a syntax error.
func declarations(source string) (all []string) {
	const head = "package p;"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", head+source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			all = append(all, (head + source)[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset])
		}
	}
	return all
}

// replaced returns a source with another name in the place of one.
func replaced(source, from, to string) string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, []byte(source), func(token.Position, string) {}, 0)
	var b strings.Builder
	end := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return b.String() + source[end:]
		}
		if at := file.Offset(pos); tok == token.IDENT && lit == from {
			b.WriteString(source[end:at] + to)
			end = at + len(from)
		}
	}
}
