package toolchain

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// The compiler and the linker have back ends for all processors, and a page needs that of WebAssembly
// alone. Their main functions are replaced by ones that import no other. The other processors' rewrite
// rules of the compiler, most of its code, become functions that do nothing: its table of back ends
// refers to them, and nothing calls them. lean.go has what else is left out. A test compiles and links
// programs with these tools and with Go's own, and compares all bytes.

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

// noCounter is what the tools count their use with where there is no telemetry, as Go's own
// counter_bootstrap.go.
const noCounter = `package counter

import "flag"

type none struct{}

func (none) Inc() {}

func Open()                                        {}
func Inc(string)                                   {}
func New(string) none                              { return none{} }
func NewStack(string, int) none                    { return none{} }
func CountFlags(string, flag.FlagSet)              {}
func CountFlagValue(string, flag.FlagSet, string)  {}
`

// rules matches the functions of rewrite rules that the table of back ends refers to.
var rules = regexp.MustCompile(`(?m)^func (rewrite(?:Block|Value)[A-Za-z0-9]+)\((\w) \*(\w+)\) bool \{`)

// An overlay gives files of Go's sources another text.
type overlay struct {
	goroot, dir string
	replace     map[string]string // files of Go by those that replace them
	text        []byte            // of all: it says what the tools are built from
}

// writeOverlay writes the replacements into a folder. The error says that this Go is not one whose tools
// can be made smaller so.
func writeOverlay(goroot, dir string) (*overlay, error) {
	o := &overlay{goroot: goroot, dir: dir, replace: map[string]string{}}
	if err := errors.Join(
		o.put("compile/main.go", compileMain), o.put("link/main.go", linkMain), o.put("internal/telemetry/counter/counter.go", noCounter),
		o.dropRules(), o.dropProcessors(), o.dropOperations(), o.dropBodies(), o.quicken(), o.addRests(),
	); err != nil {
		return nil, fmt.Errorf("toolchain: %s is a Go whose tools can't be made smaller so: %w", goroot, err)
	}
	list, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		return nil, fmt.Errorf("toolchain: %w", err)
	}
	return o, os.WriteFile(o.file(), list, 0o644)
}

// file is the file that names the replacements to the go command.
func (o *overlay) file() string { return filepath.Join(o.dir, "overlay.json") }

// original is the place of a file below GOROOT/src/cmd.
func (o *overlay) original(path string) string {
	return filepath.Join(o.goroot, "src", "cmd", filepath.FromSlash(path))
}

// put replaces a file.
func (o *overlay) put(path, content string) error {
	name := filepath.Join(o.dir, strings.ReplaceAll(path, "/", "-"))
	o.replace[o.original(path)] = name
	o.text = append(o.text, content...)
	return os.WriteFile(name, []byte(content), 0o644)
}

// dropRules replaces the rewrite rules of other processors.
func (o *overlay) dropRules() error {
	const ssa = "compile/internal/ssa"
	files, err := filepath.Glob(o.original(ssa + "/rewrite[A-Z0-9]*.go"))
	if err != nil || len(files) < 5 {
		return fmt.Errorf("%s has %d files of rewrite rules, want some for each processor (%w)", ssa, len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if name == "rewriteWasm.go" {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		stub := "package ssa\n"
		for _, m := range rules.FindAllSubmatch(source, -1) {
			stub += fmt.Sprintf("\nfunc %s(%s *%s) bool { return false }\n", m[1], m[2], m[3])
		}
		if err := o.put(ssa+"/"+name, stub); err != nil {
			return err
		}
	}
	return nil
}

// dropProcessors leaves the assemblers of other processors their constants.
func (o *overlay) dropProcessors() error {
	for _, processor := range processors {
		files, err := filepath.Glob(o.original("internal/obj/" + processor + "/*.go"))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("internal/obj/%s has no files (%w)", processor, err)
		}
		for _, file := range files {
			name := filepath.Base(file)
			if slices.Contains(called, name) || strings.HasSuffix(name, "_test.go") {
				continue
			}
			text := []byte("package " + processor + "\n")
			if slices.Contains(declare, name) {
				source, err := os.ReadFile(file)
				if err != nil {
					return err
				}
				if text, err = constants(name, source); err != nil {
					return err
				}
			}
			if err := o.put("internal/obj/"+processor+"/"+name, string(text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropBodies replaces the functions that lean.go names.
func (o *overlay) dropBodies() error {
	for _, path := range slices.Sorted(maps.Keys(union(unused, idle))) {
		source, err := os.ReadFile(o.original(path))
		if err != nil {
			return err
		}
		text, err := withoutBodies(path, source, unused[path], idle[path])
		if err != nil {
			return err
		}
		if err := o.put(path, string(text)); err != nil {
			return err
		}
	}
	return nil
}

func union(a, b map[string][]string) map[string][]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// dropOperations empties the entries of other processors' operations in the compiler's table.
func (o *overlay) dropOperations() error {
	const path = "compile/internal/ssa/opGen.go"
	source, err := os.ReadFile(o.original(path))
	if err != nil {
		return err
	}
	head, rest, ok1 := strings.Cut(string(source), "var opcodeTable = [...]opInfo{\n")
	table, tail, ok2 := strings.Cut(rest, "\n}\n")
	names := operation.FindAllStringSubmatch(head, -1)
	entries := strings.Split(strings.TrimPrefix(table, "\t{name: \"OpInvalid\"},\n"), "\n\t},\n")
	if !ok1 || !ok2 || len(names) != len(entries) {
		return fmt.Errorf("%s has %d operations and %d entries for them", path, len(names), len(entries))
	}
	var b strings.Builder
	b.WriteString(head + "var opcodeTable = [...]opInfo{\n\t{name: \"OpInvalid\"},\n")
	for i, entry := range entries {
		if foreign.MatchString(names[i][1]) && strings.Contains(entry, "reg: regInfo{") && !strings.Contains(entry, "generic:") {
			b.WriteString("\t{},\n")
			continue
		}
		b.WriteString(strings.TrimSuffix(entry, "\n\t},") + "\n\t},\n")
	}
	text, err := withoutBodies(path, []byte(b.String()+"}\n"+tail), nil, nil)
	if err != nil {
		return err
	}
	return o.put(path, string(text))
}

var (
	operation = regexp.MustCompile(`(?m)^\t(Op\w+)$`)
	foreign   = regexp.MustCompile(`^Op(386|AMD64|ARM|ARM64|LOONG64|MIPS|MIPS64|PPC64|RISCV64|S390X)[A-Z]`)
)
