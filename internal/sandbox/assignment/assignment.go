// Package assignment reads a lecturer's notebook as two programs: the judge, which has
// the tests, and the guest, which has the answers. Given cells are in both.
//
//	a, err := assignment.Read(ctx, notebook, root)
//	…
//	program, err := a.BuildJudge(ctx, dir)          // once for each version of the notebook
//	g, err := a.Assemble(ctx, submission, nil, nil) // a student's answers
//	wasm, err := g.Build(ctx, dir)
//
// A declaration belongs where its cell belongs, and nbgrader's metadata say what a cell is. A
// notebook that declares a name twice is refused, since it would depend on the order of its cells.
package assignment

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"

	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/notebook/program"
	"marginalia/internal/sandbox/guest/bridge"
)

// An Assignment is a lecturer's notebook, taken apart.
type Assignment struct {
	Cells []*Cell
	Tests []*Tests
	// MayImport says which packages answers may import besides those that the lecturer's
	// notebook does. nil is none.
	MayImport func(path string) bool

	guest *Guest // the last that was assembled and not built, for a request (see make)
	asked string

	shown    string // a hash of the submission whose programs are programs (see show)
	programs []*show
	unrun    map[int]unrun

	assembles sync.Mutex
	root      string // of the repository
	notebook  []byte // the lecturer's
	checker   *program.Checker
	toolchain toolchain
	prepared  map[string]bool  // packages, see prepare
	whole     *program.Program // all declarations, solutions and tests
	bridge    *bridge.Bridge
	imports   map[string]*gonb.Import
	names     map[string]*Cell // package-level names and keys of methods, by the cell that declares them
	known     names
	student   string // the variable that holds the student's id, "" if there is none
}

// A Cell is a code cell of the lecturer's notebook.
type Cell struct {
	ID     string // its grade_id, or the id of a cell without one
	Meta   nbgrader.Meta
	Source string
	Decls  *gonb.Decls // nil of a cell that has only commands

	solution *gonb.Decls // of an answer: what stands in for it (see standIns)
}

// answer reports whether students write the cell: it is graded by tests or by a person.
func (c *Cell) answer() bool {
	k := c.Meta.Kind()
	return k == nbgrader.Answer || k == nbgrader.ManualAnswer
}

// Tests are the tests cell of a question.
type Tests struct {
	*Cell
	Funcs    []string           // in the order of the cell
	Subtests bool               // each check has its share of the points
	Points   map[string]float64 // of checks with a share of their own, by name
	Answers  []string           // the answer cells between the previous tests and these
}

// A Problem is why a notebook can't be an assignment.
type Problem struct {
	Cell string
	Line int // from 1; 0 if it is the whole cell
	Text string
}

func (p Problem) String() string {
	switch {
	case p.Line > 0:
		return fmt.Sprintf("cell %s, line %d: %s", p.Cell, p.Line, p.Text)
	case p.Cell != "":
		return fmt.Sprintf("cell %s: %s", p.Cell, p.Text)
	}
	return p.Text
}

// Problems is everything that is wrong with a notebook.
type Problems []Problem

func (p Problems) Error() string {
	var all []string
	for _, p := range p {
		all = append(all, p.String())
	}
	return strings.Join(all, "\n")
}

// Read takes a lecturer's notebook apart. root is the folder of the repository, whose
// packages the notebook may import. The error is a Problems if it lies in the notebook.
func Read(ctx context.Context, nb *nbformat.Notebook, root string) (*Assignment, error) {
	a := &Assignment{root: root, checker: program.NewChecker(root, root), names: map[string]*Cell{}}
	var err error
	if a.notebook, err = nb.Encode(); err != nil {
		return nil, err
	}
	var problems Problems
	var answers []string
	all := gonb.NewDecls()
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		meta, err := nbgrader.Read(c)
		if err != nil {
			return nil, err
		}
		own := &Cell{ID: idOf(meta, c), Meta: meta, Source: c.Source}
		a.Cells = append(a.Cells, own)
		if own.Decls, err = declarations(own.ID, c.Source); err != nil {
			line, text := syntax(err)
			problems = append(problems, Problem{own.ID, line, text})
			continue
		}
		if set, _ := c.Setting("student"); set == true {
			switch name := studentOf(own); {
			case name == "":
				problems = append(problems, Problem{Cell: own.ID, Text: `metadata.marginalia.student: want a cell that declares one variable and is no answer: var student = "your id"`})
			case a.student != "":
				problems = append(problems, Problem{Cell: own.ID, Text: fmt.Sprintf("metadata.marginalia.student: cell %s has the student's id already", a.names[a.student].ID)})
			default:
				a.student = name
			}
		}
		switch meta.Kind() {
		case nbgrader.Answer:
			answers = append(answers, own.ID)
		case nbgrader.Tests:
			t := &Tests{Cell: own, Answers: answers, Funcs: testFuncs(own.Decls)}
			if credit, _ := c.Setting("credit"); credit == "subtests" {
				t.Subtests = true
			}
			if points, ok := c.Setting("points"); ok {
				if t.Points, err = pointsOf(points); err != nil {
					problems = append(problems, Problem{Cell: own.ID, Text: err.Error()})
				}
			}
			if len(t.Funcs) == 0 {
				problems = append(problems, Problem{Cell: own.ID, Text: "it has points and no test: want a func TestX(t *testing.T)"})
			}
			a.Tests, answers = append(a.Tests, t), nil
		}
		if own.Decls == nil {
			continue
		}
		for _, name := range own.Decls.Names() {
			if before := a.names[name]; before != nil && !strings.HasPrefix(name, "_~") {
				problems = append(problems, Problem{Cell: own.ID, Text: fmt.Sprintf("%s is declared in cell %s already", name, before.ID)})
			}
			a.names[name] = own
		}
		all.Merge(own.Decls)
	}
	if problems != nil {
		return nil, a.sorted(problems)
	}
	if err := a.complete(ctx, all); err != nil {
		return nil, err
	}
	a.whole = program.Of(all, noMain())
	if err := a.check(ctx, a.whole); err != nil {
		return nil, err
	}
	if !a.whole.Compiles {
		for _, e := range a.whole.Errors {
			if !e.Soft || !strings.HasPrefix(e.Msg, "declared and not used") {
				e.Msg += hint(e.Msg)
				problems = append(problems, a.problem(a.whole, e))
			}
		}
		return nil, a.sorted(problems)
	}
	var found []bridge.Problem
	a.bridge, found = bridge.New(a.whole.Pkg, a.whole.Info, a.whole.Syntax, a.side)
	problems = a.testing()
	for _, p := range found {
		at := a.origin(a.whole, p.Pos)
		problems = append(problems, Problem{at.Cell, at.Line + 1, p.Text})
	}
	if problems != nil {
		return nil, a.sorted(problems)
	}
	if err := a.readNames(); err != nil {
		return nil, err
	}
	a.standIns()
	return a, nil
}

// pointsOf reads the setting "points" of a tests cell.
func pointsOf(v any) (map[string]float64, error) {
	points := map[string]float64{}
	m, ok := v.(map[string]any)
	for name, v := range m {
		n, _ := v.(json.Number)
		p, err := n.Float64()
		if ok = ok && err == nil && p >= 0 && p <= 1e9; ok {
			points[name] = p
		}
	}
	if !ok {
		return nil, fmt.Errorf(`metadata.marginalia.points: %v, want points of 0 or more by the names of checks: {"TestX/name": 2}`, v)
	}
	return points, nil
}

func idOf(m nbgrader.Meta, c *nbformat.Cell) string {
	if m.ID != "" {
		return m.ID
	}
	return c.ID
}

// declarations returns what a cell declares, nil if it has only commands.
func declarations(id, source string) (*gonb.Decls, error) {
	if line, what := tooMuch(source); what != "" {
		return nil, &limitError{line, what}
	}
	c := gonb.Read(id, source)
	if c.Magic || !c.HasGo() {
		return nil, nil
	}
	d, _, err := c.Parse()
	if err == nil {
		methods(d)
	}
	return d, err
}

// methods gives methods of generic types the keys that other methods have. GoNB's have the names of the type parameters in
// them, which every declaration may choose anew.
func methods(d *gonb.Decls) {
	keys := slices.SortedFunc(maps.Keys(d.Funcs), func(a, b string) int {
		return cmp.Or(d.Funcs[a].At[0].Line-d.Funcs[b].At[0].Line, strings.Compare(a, b))
	})
	for _, key := range keys { // of two methods that are the same, the last counts
		f := d.Funcs[key]
		of, name, method := strings.Cut(key, "~")
		if !method || token.IsIdentifier(of) && of != "unknown" {
			continue
		}
		if of = receiverName(f.Text); of != "" {
			delete(d.Funcs, key)
			own := *f
			own.Key = of + "~" + name
			d.Funcs[own.Key] = &own
		}
	}
}

// A limitError says which limit a cell exceeds.
type limitError struct {
	line int
	what string
}

func (e *limitError) Error() string { return e.what }

// noMain is the main function of a program that the judge or the guest starts otherwise.
func noMain() *gonb.Func { return &gonb.Func{Key: "main", Text: "func main() { marginalia_main() }"} }

// testFuncs returns the test functions of a cell, in the order in which they stand.
func testFuncs(d *gonb.Decls) []string {
	if d == nil {
		return nil
	}
	var all []*gonb.Func
	for _, f := range d.Funcs {
		if rest, ok := strings.CutPrefix(f.Key, "Test"); ok && f.Key != "TestMain" && !strings.Contains(f.Key, "~") && (rest == "" || rest[0] < 'a' || rest[0] > 'z') {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(f, g *gonb.Func) int {
		return cmp.Or(f.At[0].Line-g.At[0].Line, strings.Compare(f.Key, g.Key))
	})
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.Key
	}
	return names
}

// side says where a declaration of the whole notebook belongs.
func (a *Assignment) side(obj types.Object) bridge.Side {
	name := obj.Name()
	if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
		t := f.Signature().Recv().Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := t.(*types.Named); ok {
			name = n.Obj().Name() + "~" + name
		}
	}
	c := a.names[name]
	if c == nil {
		return bridge.Given
	}
	switch {
	case c.Meta.Kind() == nbgrader.Tests:
		return bridge.Test
	case c.answer():
		return bridge.Answer
	}
	return bridge.Given
}

// check removes the imports that a program does not use, and runs the type checker over it. Its main
// function is written elsewhere.
func (a *Assignment) check(ctx context.Context, p *program.Program) error {
	for name, text := range map[string]string{"marginalia_main": "() {}", "marginalia_missing": "(string) {}", "marginalia_student": "(id string) string { return id }"} {
		p.Decls.Funcs[name] = &gonb.Func{Key: name, Text: "func " + name + text}
		defer delete(p.Decls.Funcs, name)
	}
	prune(p.Decls, p.File().Text)
	*p = *program.Of(p.Decls, p.Main)
	return a.checker.Types(ctx, p)
}

// usesOf returns the names before a dot in a file that nothing in it declares.
func usesOf(f *ast.File) map[string]bool {
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	return used
}
