// Package stays makes the program of a cell one that can stay after its main function, to serve its
// sliders. GoNB builds cells so, and this file is built into the kernel, too (see
// internal/kernel/patches.go).
package stays

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// Add has main defer a call of the function in Source, on the line that opens it. It returns nil if
// there is no main, or if the line has other code, whose columns in errors would be wrong.
func Add(source []byte) []byte {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	isMain := func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Recv == nil && f.Name.Name == "main" && f.Body != nil
	}
	i := slices.IndexFunc(file.Decls, isMain)
	if i < 0 {
		return nil
	}
	at := files.Position(file.Decls[i].(*ast.FuncDecl).Body.Lbrace).Offset + 1
	rest, _, _ := bytes.Cut(source[at:], []byte("\n"))
	if len(bytes.TrimSpace(rest)) > 0 {
		return nil
	}
	return slices.Concat(source[:at], []byte(" defer marginaliaStays()"), source[at:])
}

// File is the name of the file with the function, and Source its text. Package
// marginalia/internal/cell/display sets the environment variable in a program with sliders, to the
// descriptor that it wants closed when main has returned. The program ends when display ends it.
const (
	File   = "marginalia_stays.go"
	Source = `package main

import (
	"os"
	"runtime"
	"strconv"
)

func marginaliaStays() {
	file, err := strconv.Atoi(os.Getenv("MARGINALIA_MAIN"))
	pc, _, _, _ := runtime.Caller(1)
	if caller := runtime.FuncForPC(pc); err != nil || caller == nil || caller.Name() != "main.main" {
		return // no sliders, or main panics
	}
	os.NewFile(uintptr(file), "").Close()
	select {}
}
`
)
