package toolchain

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// unused are functions of the compiler and the linker that they never call in a page: they read and
// write formats of other systems, profile the tool itself, or write reports that nobody asks for. They
// are named F, or T.F for a method, by file below GOROOT/src/cmd.
var unused = map[string][]string{
	"compile/internal/base/flag.go":              {"readCoverageCfg", "readEmbedCfg"},
	"compile/internal/devirtualize/pgo.go":       {"ProfileGuided"},
	"compile/internal/inline/inlheur/analyze.go": {"DumpFuncProps", "emitDumpToFile", "captureFuncDumpEntry", "dumpFnPreamble"},
	"compile/internal/logopt/log_opts.go":        {"LogJsonOption"},
	"compile/internal/pgoir/irgraph.go":          {"New", "Profile.PrintWeightedCallGraphDOT"},
	"compile/internal/ssa/html.go":               {"NewHTMLWriter", "HTMLWriter.start", "HTMLWriter.flushPhases", "Func.HTML", "dotWriter.writeFuncSVG", "newDotWriter"},
	"link/internal/ld/data.go":                   {"compressSyms"},
	"link/internal/ld/elf.go":                    {"asmbElf", "Link.doelf", "elfrelocsect", "elfEmitReloc"},
	"link/internal/ld/fips140.go":                {"newFipsObj", "hostlinkfips", "elffips"},
	"link/internal/ld/lib.go":                    {"readelfsymboldata"},
	"link/internal/ld/macho.go":                  {"asmbMacho", "Link.domacho", "machoCodeSign"},
	"link/internal/ld/pe.go":                     {"asmbPe", "Link.dope", "Peinit"},
	"link/internal/ld/xcoff.go":                  {"asmbXcoff", "Link.doxcoff"},
	"link/internal/loadelf/ldelf.go":             {"Load"},
	"link/internal/loadmacho/ldmacho.go":         {"Load"},
	"link/internal/loadpe/ldpe.go":               {"Load"},
	"link/internal/loadxcoff/ldxcoff.go":         {"Load"},
}

// idle are functions that the tools call, and that then do nothing unless a flag asks for it, or for
// another processor alone.
var idle = map[string][]string{
	"compile/internal/gc/util.go":               {"startProfile"},
	"compile/internal/logopt/log_opts.go":       {"FlushLoggedOpts"},
	"compile/internal/ssa/html.go":              {"HTMLWriter.WritePhase", "HTMLWriter.WriteSources", "HTMLWriter.WriteAST"},
	"compile/internal/ssagen/simdintrinsics.go": {"simdIntrinsics"},
	"link/internal/benchmark/bench.go":          {"Metrics.Report", "Metrics.Start", "Metrics.closeMark"},
	"link/internal/ld/dwarf.go":                 {"dwarfGenerateDebugInfo", "dwarfGenerateDebugSyms"},
	"link/internal/ld/fips140.go":               {"asmbfips"},
	"link/internal/ld/go.go":                    {"loadcgo"},
	"link/internal/ld/lib.go":                   {"Link.hostlink"},
	"link/internal/ld/main.go":                  {"startProfile"},
}

// processors are the packages of the assembler for other processors. The compiler needs their constants,
// which files of these names declare. It calls functions of others, too.
var (
	processors = []string{"arm", "arm64", "loong64", "mips", "ppc64", "riscv", "s390x", "x86"}
	declare    = []string{"a.out.go", "aenum.go", "asm9_gtables.go", "cpu.go"}
	called     = []string{"condition_code.go", "rotate.go"}
)

// constants returns a Go file without its functions and variables.
func constants(name string, source []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		return !ok || g.Tok == token.VAR
	})
	return printed(fset, f)
}

// withoutBodies returns a Go file in which some functions do nothing, others do nothing but panic,
// without the imports that only they used.
func withoutBodies(name string, source []byte, panics, nothing []string) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	left := slices.Concat(panics, nothing)
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if i := slices.Index(left, nameOf(fn)); i >= 0 {
			left = slices.Delete(left, i, i+1)
			fn.Body = &ast.BlockStmt{}
			if slices.Contains(nothing, nameOf(fn)) {
				continue
			}
			fn.Body = &ast.BlockStmt{List: []ast.Stmt{&ast.ExprStmt{X: &ast.CallExpr{Fun: ast.NewIdent("panic"),
				Args: []ast.Expr{&ast.BasicLit{Kind: token.STRING, Value: strconv.Quote("left out: " + nameOf(fn))}}}}}}
		}
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("%s has no function %q", name, left)
	}
	return printed(fset, f)
}

// printed returns the text of a file, without the imports that it does not use.
func printed(fset *token.FileSet, f *ast.File) ([]byte, error) {
	dropImports(f)
	var b bytes.Buffer
	err := format.Node(&b, fset, f)
	return b.Bytes(), err
}

// nameOf is the name of a function, with that of its receiver's type before it.
func nameOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// dropImports removes the imports that a file does not use. A package has the last part of its path
// as its name, unless the file says otherwise.
func dropImports(f *ast.File) {
	f.Comments = nil // they would land elsewhere
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool {
			i := s.(*ast.ImportSpec)
			name := path.Base(strings.Trim(i.Path.Value, `"`))
			if i.Name != nil {
				name = i.Name.Name
			}
			return name != "_" && !used[name]
		})
	}
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		return ok && g.Tok == token.IMPORT && len(g.Specs) == 0
	})
}
