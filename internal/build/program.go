package build

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A program is a main package that the compiler builds from Go files alone, or the tests in one.
type program struct {
	files   map[string][]byte // by name
	imports []string          // sorted, each once

	test     *ast.File // with the tests
	testmain string    // the program that runs them
}

// testFile is the only file of a package of tests.
const testFile = "main_test.go"

// special changes how a file is built, or whether, where it begins a comment.
var special = regexp.MustCompile(`//(go:(build|embed|debug|cgo_)|[ \t]*\+build)`)

// plain reports whether a file is Go's, and named so that nothing else follows from its name and no
// other differs by its case alone.
func plain(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return strings.HasSuffix(name, ".go") && unicode.IsLetter(first) && name == strings.ToLower(name) && !strings.ContainsAny(name, " \t")
}

// nowhere is a system that no file is meant for.
var nowhere = build.Context{GOOS: "nowhere", GOARCH: "nothing", Compiler: "gc"}

// readProgram reads the program in a folder, or its tests. It returns an error for all that the go
// command would do more for than compile and link.
func readProgram(dir string, flags []string, tests bool) (*program, error) {
	if !slices.Contains(flags, "-buildvcs=false") && inVersionControl(dir) {
		return nil, errors.New("the go command stamps the program with the state of its repository")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		name := e.Name()
		switch {
		case e.IsDir() || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || !tests && strings.HasSuffix(name, "_test.go"):
			continue
		case !strings.HasSuffix(name, ".go") && name != "default.pgo" && !compiled[filepath.Ext(name)]:
			continue
		case !plain(name) || !e.Type().IsRegular():
			return nil, fmt.Errorf("%s is no plain Go file", name)
		}
		if files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return newProgram(files, tests)
}

var errNone = errors.New("no Go files")

// newProgram returns the program of these files, as readProgram does.
func newProgram(files map[string][]byte, tests bool) (*program, error) {
	if len(files) == 0 {
		return nil, errNone
	}
	if tests && (len(files) > 1 || files[testFile] == nil) {
		return nil, errors.New("there are other files than " + testFile)
	}
	p := &program{files: files}
	for name, text := range files {
		context := nowhere
		context.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
		if matches, err := context.MatchFile("", name); err != nil || !matches || special.Match(text) || !plain(name) {
			return nil, fmt.Errorf("%s depends on the system", name)
		}
		mode := parser.ImportsOnly
		if tests {
			mode = parser.ParseComments | parser.SkipObjectResolution
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, mode)
		if err != nil {
			return nil, err
		}
		if tests {
			p.test = f
		}
		if f.Name.Name != "main" {
			return nil, fmt.Errorf("%s is of package %s", name, f.Name.Name)
		}
		for _, i := range f.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return nil, err
			}
			p.imports = append(p.imports, path)
		}
	}
	slices.Sort(p.imports)
	p.imports = slices.Compact(p.imports)
	return p, nil
}

// compiled are the extensions of other files that the go command compiles or links (go/build).
var compiled = map[string]bool{".c": true, ".cc": true, ".cpp": true, ".cxx": true, ".m": true, ".h": true, ".hh": true, ".hpp": true,
	".hxx": true, ".f": true, ".F": true, ".for": true, ".f90": true, ".s": true, ".S": true, ".sx": true, ".swig": true, ".swigcxx": true, ".syso": true}

// inVersionControl reports whether a folder lies in a working copy of the systems that the go
// command knows.
func inVersionControl(dir string) bool {
	for ; ; dir = filepath.Dir(dir) {
		for _, name := range []string{".git", ".hg", ".svn", ".bzr", ".fslckout", "_FOSSIL_"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return true
			}
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
