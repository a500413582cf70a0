package toolchain

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The compiler and the linker have back ends for all processors, and a page needs that of WebAssembly
// alone. Their main functions are replaced by ones that import no other. The other processors' rewrite
// rules of the compiler, most of its code, become functions that do nothing: its table of back ends
// refers to them, and nothing calls them.

const compileMain = `package main

import (
	"cmd/compile/internal/base"
	"cmd/compile/internal/gc"
	"cmd/compile/internal/wasm"
	"internal/buildcfg"
	"log"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("compile: ")
	buildcfg.Check()
	gc.Main(wasm.Init)
	base.Exit(0)
}
`

const linkMain = `package main

import (
	"cmd/link/internal/ld"
	"cmd/link/internal/wasm"
	"internal/buildcfg"
)

func main() {
	buildcfg.Check()
	ld.Main(wasm.Init())
}
`

// rules matches the functions of rewrite rules that the table of back ends refers to.
var rules = regexp.MustCompile(`(?m)^func (rewrite(?:Block|Value)[A-Za-z0-9]+)\((\w) \*(\w+)\) bool \{`)

// overlay writes the replacements into a folder, and the file that names them to the go command. It
// returns that file, and all of the text, which says what the tools are built from.
func overlay(goroot, dir string) (file string, text []byte, err error) {
	replace := map[string]string{}
	put := func(path, content string) {
		name := filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(path, "cmd/"), "/", "-"))
		replace[filepath.Join(goroot, "src", filepath.FromSlash(path))] = name
		text = append(text, content...)
		if err == nil {
			err = os.WriteFile(name, []byte(content), 0o644)
		}
	}
	put("cmd/compile/main.go", compileMain)
	put("cmd/link/main.go", linkMain)
	const ssa = "cmd/compile/internal/ssa"
	files, globErr := filepath.Glob(filepath.Join(goroot, "src", filepath.FromSlash(ssa), "rewrite[A-Z0-9]*.go"))
	if globErr != nil {
		return "", nil, globErr
	}
	if len(files) < 5 {
		return "", nil, fmt.Errorf("toolchain: %s has %d files of rewrite rules: this Go is not one that can be made smaller so", ssa, len(files))
	}
	for _, path := range files {
		name := filepath.Base(path)
		if name == "rewriteWasm.go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return "", nil, err
		}
		stub := "package ssa\n"
		for _, m := range rules.FindAllSubmatch(source, -1) {
			stub += fmt.Sprintf("\nfunc %s(%s *%s) bool { return false }\n", m[1], m[2], m[3])
		}
		put(ssa+"/"+name, stub)
	}
	if err != nil {
		return "", nil, err
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", nil, err
	}
	file = filepath.Join(dir, "overlay.json")
	return file, text, os.WriteFile(file, list, 0o644)
}
