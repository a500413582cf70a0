package export

import (
	"bytes"
	"fmt"
	"go/format"
	"go/types"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// cells writes the list of the group's cells as Go.
func (g *generator) cells(name string) []byte {
	var list bytes.Buffer
	testing := false
	for _, p := range g.programs {
		fmt.Fprintf(&list, "\t{\nID: %q,\n", p.ID)
		strs(&list, "Args", p.Args)
		strs(&list, "Env", p.Env)
		text(&list, "Dir", p.Dir)
		if len(p.Prints) > 0 {
			list.WriteString("Prints: []celltest.Print{\n")
			for _, pr := range p.Prints {
				fmt.Fprintf(&list, "{Stream: %q, Text: %q", pr.Stream, pr.Text)
				if pr.Dir != "" {
					fmt.Fprintf(&list, ", Dir: %q", pr.Dir)
				}
				list.WriteString("},\n")
			}
			list.WriteString("},\n")
		}
		text(&list, "Fails", p.Fails)
		text(&list, "Skip", p.Skip)
		var problems []string
		for _, problem := range p.Problems {
			problems = append(problems, fmt.Sprintf("line %d: %s", problem.Line+1, problem.What))
		}
		strs(&list, "Problems", problems)
		strs(&list, "Missing", p.Missing)
		text(&list, "Program", p.folder)
		if p.folder != "" {
			strs(&list, "Build", p.Flags)
		}
		flag(&list, "Test", p.Test)
		flag(&list, "NoGo", p.NoGo)
		if main := g.mains[p.ID]; main != "" {
			if fns := g.inits(p); len(fns) > 0 {
				fmt.Fprintf(&list, "Init: []func(){%s},\n", strings.Join(fns, ", "))
			}
			fmt.Fprintf(&list, "Main: %s,\n", main)
			if p.Test {
				testing = true
				g.tests(&list, p)
			}
		}
		list.WriteString("},\n")
	}
	var b bytes.Buffer
	b.WriteString(g.header())
	b.WriteString("package main\n\nimport (\n")
	if testing {
		b.WriteString("\t\"testing\"\n\n")
	}
	fmt.Fprintf(&b, "\t\"marginalia/internal/celltest\"\n)\n\n// The programs of the notebook's cells, in its order.\nvar %s = []celltest.Cell{\n", name)
	b.Write(list.Bytes())
	b.WriteString("}\n")
	if out, err := format.Source(b.Bytes()); err == nil {
		return out
	}
	return b.Bytes()
}

func strs(b *bytes.Buffer, field string, list []string) {
	if len(list) > 0 {
		fmt.Fprintf(b, "%s: %#v,\n", field, list)
	}
}

func text(b *bytes.Buffer, field, s string) {
	if s != "" {
		fmt.Fprintf(b, "%s: %q,\n", field, s)
	}
}

func flag(b *bytes.Buffer, field string, on bool) {
	if on {
		fmt.Fprintf(b, "%s: true,\n", field)
	}
}

// inits returns the functions that set up a cell's program: package variables
// in the order of its initialisation, then init functions by name.
func (g *generator) inits(p *unit) []string {
	var fns []string
	seen := map[string]bool{}
	for _, i := range p.Info.InitOrder {
		for _, v := range i.Lhs {
			if fn := g.initVar[v.Name()]; fn != "" && v.Name() != "_" && !seen[fn] {
				seen[fn] = true
				fns = append(fns, fn)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.Decls.Funcs)) {
		if name := g.initFn[key]; name != "" {
			fns = append(fns, name)
		}
	}
	return fns
}

// tests lists the functions that `go test` would take for tests and benchmarks.
func (g *generator) tests(b *bytes.Buffer, p *unit) {
	var tests, benchmarks []string
	for _, name := range slices.Sorted(maps.Keys(p.Decls.Funcs)) {
		switch obj := p.Pkg.Scope().Lookup(name); {
		case isTest(name, "Test", obj, "*testing.T"):
			tests = append(tests, name)
		case isTest(name, "Benchmark", obj, "*testing.B"):
			benchmarks = append(benchmarks, name)
		}
	}
	for _, l := range []struct {
		field, typ, what string
		names            []string
	}{{"Tests", "InternalTest", "F", tests}, {"Benchmarks", "InternalBenchmark", "F", benchmarks}} {
		if len(l.names) == 0 {
			continue
		}
		fmt.Fprintf(b, "%s: []testing.%s{\n", l.field, l.typ)
		for _, name := range l.names {
			fmt.Fprintf(b, "{Name: %q, %s: %s},\n", name, l.what, name)
		}
		b.WriteString("},\n")
	}
}

// isTest follows cmd/go: the prefix, then no lower-case letter, and one argument of the type.
func isTest(name, prefix string, obj types.Object, arg string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	if r, _ := utf8.DecodeRuneInString(rest); !ok || rest != "" && unicode.IsLower(r) {
		return false
	}
	fn, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	params := fn.Signature().Params()
	return params.Len() == 1 && types.TypeString(params.At(0).Type(), nil) == arg
}
