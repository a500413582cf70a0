package assignment

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"marginalia/internal/gotest/export"
	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/program"
	"marginalia/internal/sandbox/guest/wire"
)

// judgePath is what the tests import instead of package testing.
const judgePath = "marginalia/internal/sandbox/host"

// Judge returns the files of the judge's program: given cells and tests, stubs for the
// answers, and main.
func (a *Assignment) Judge(ctx context.Context) (map[string][]byte, error) {
	d := gonb.NewDecls()
	var tests []string
	for _, c := range a.Cells {
		switch {
		case c.Decls == nil:
		case c.answer(): // its imports alone
			d.Merge(&gonb.Decls{Imports: c.Decls.Imports})
		default:
			d.Merge(c.Decls)
		}
	}
	a.withoutBenchmarks(d)
	a.importAll(d)
	for _, t := range a.Tests {
		tests = append(tests, t.Funcs...)
	}
	a.individual(d)
	for key, i := range d.Imports {
		if i.Path == "testing" {
			d.Imports[key] = &gonb.Import{Path: judgePath, Alias: packageName(i), At: i.At}
		}
	}
	a.checkValues(d)
	variables := a.renew(d)
	p := program.Of(d, noMain())
	prune(d, p.File().Text)
	stubs, err := a.bridge.Stubs()
	if err != nil {
		return nil, err
	}
	var main strings.Builder
	fmt.Fprintf(&main, "package main\n\nimport marginalia_judge %q\n\nvar marginalia_student, marginalia_after = marginalia_judge.Student, marginalia_judge.After\n\nfunc marginalia_main() {\n\tmarginalia_judge.Given(%s", judgePath, renewal)
	for _, name := range variables {
		main.WriteString(", &" + name)
	}
	main.WriteString(")\n")
	if _, concurrent := a.clock(); concurrent {
		main.WriteString("\tmarginalia_judge.Concurrent = true\n")
	}
	main.WriteString("\tmarginalia_judge.Main(map[string]func(*marginalia_judge.T){\n")
	for _, name := range tests {
		fmt.Fprintf(&main, "\t\t%q: %s,\n", name, name)
	}
	main.WriteString("\t})\n}\n")
	return map[string][]byte{"cells.go": lines(program.Of(d, noMain()).File()), "stubs.go": stubs, "main.go": []byte(main.String())}, nil
}

// checkValues replaces the answers' variables and constants, where given cells and tests use them, by calls
// that ask the guest.
func (a *Assignment) checkValues(d *gonb.Decls) {
	text, offset := a.whole.File().Text, func(pos token.Pos) int { return a.whole.Fset.PositionFor(pos, false).Offset }
	changed := map[string]string{}
	change := func(n ast.Node) { changed[text[offset(n.Pos()):offset(n.End())]] = a.ofGuest(n) }
	for _, decl := range a.whole.Syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			change(decl)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && decl.Tok == token.VAR {
					for _, value := range v.Values {
						change(value)
					}
				}
			}
		}
	}
	for key, f := range d.Funcs {
		if text, ok := changed[f.Text]; ok {
			own := *f
			own.Text = text
			d.Funcs[key] = &own
		}
	}
	for key, v := range d.Vars {
		if text, ok := changed[v.Value]; ok && len(v.Tuple) <= 1 {
			own := *v
			own.Value, own.Tuple = text, nil
			d.Vars[key] = &own
		}
	}
}

// BuildJudge writes and compiles the judge's program in dir, which it makes, and returns its file.
func (a *Assignment) BuildJudge(ctx context.Context, dir string) (string, error) {
	files, err := a.Judge(ctx)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "judge")
	return file, a.build(ctx, dir, files, file)
}

// Build writes and compiles the guest in dir, which it makes, and returns its file. What the
// compiler refuses, such as a variable that is too large, is left out.
func (g *Guest) Build(ctx context.Context, dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "guest.wasm")
	for { // each round leaves something out
		err := g.assignment.toolchain.build(ctx, g.assignment.root, dir, g.Files, file)
		refused := new(compileError)
		if !errors.As(err, &refused) {
			return file, err
		}
		left := false
		for _, m := range compilerLine.FindAllStringSubmatch(refused.text, -1) {
			line, _ := strconv.Atoi(m[2])
			left = g.refusedAt(Problem{m[1], line, notCompiled + m[3]}) || left
		}
		if !left {
			return "", &Refused{short("it does not compile: " + refused.text)}
		}
		if err := g.compile(ctx, g.decls); err != nil {
			return "", err
		}
	}
}

// compilerLine is a message of the compiler about a cell.
var compilerLine = regexp.MustCompile(`(?m)^(?:\./)?(?:.*/)?([^/\n:]+)` + regexp.QuoteMeta(wire.Suffix) + `:(\d+)(?::\d+)?: (.*)$`)

// build compiles the files as a program of a module that has what the repository has. It computes as guests do.
func (a *Assignment) build(ctx context.Context, dir string, files map[string][]byte, to string) error {
	if err := export.WriteModule(dir, a.root, nil); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	overlay, err := os.MkdirTemp("", "marginalia-overlay-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(overlay)
	args, env, err := arithmetic(ctx, dir, overlay)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"build", "-buildvcs=false", "-ldflags=-s -w"}, args...), "-o", to, ".")...)
	cmd.Dir = dir
	cmd.Env = append(append([]string{"GOGC=400"}, cmd.Environ()...), env...) // it collects less garbage: see kernel/gocommand
	_, err = output(ctx, cmd)
	return err
}
