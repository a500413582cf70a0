package notebooks

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mutantEnv is the variable with the number of the mutation that a program has.
const mutantEnv = "MARGINALIA_MUTANT"

// overlay writes a file for the go command's -overlay into dir. The packages of the
// repository at root that are built with it have all the mutations at once: each mutated
// function begins with a jump to its copy with the fault, for the number in mutantEnv. So
// all mutations together are compiled and linked once.
func overlay(root, dir string, mutations map[int]mutation) (string, error) {
	byFile := map[string]map[int]mutation{}
	for k, m := range mutations {
		if byFile[m.file] == nil {
			byFile[m.file] = map[int]mutation{}
		}
		byFile[m.file][k] = m
	}
	replace := map[string]string{}
	write := func(file, text string) error {
		own := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		replace[filepath.Join(root, file)] = own
		return os.WriteFile(own, []byte(text), 0o644)
	}
	switches := map[string]string{} // the file with the variable mutant of each package, and its text
	for file, some := range byFile {
		source, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return "", err
		}
		text, name, err := mutate(string(source), some)
		if err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
		if err := write(file, text); err != nil {
			return "", err
		}
		switches[filepath.Join(filepath.Dir(file), "mutant.go")] = fmt.Sprintf("package %s\n\nimport \"os\"\n\nvar mutant = os.Getenv(%q)\n", name, mutantEnv)
	}
	for file, text := range switches {
		if err := write(file, text); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, data, 0o644)
}

// mutate returns a source file with mutations, by number, and the name of its package.
func mutate(source string, mutations map[int]mutation) (text, pkg string, err error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return "", "", err
	}
	offset := func(p token.Pos) int { return files.Position(p).Offset }
	inserted := map[int]string{} // by offset
	var copies strings.Builder
	for _, k := range slices.Sorted(maps.Keys(mutations)) {
		m := mutations[k]
		at := strings.Index(source, m.old)
		i := slices.IndexFunc(parsed.Decls, func(d ast.Decl) bool {
			f, ok := d.(*ast.FuncDecl)
			return ok && f.Body != nil && offset(f.Body.Lbrace) < at && at+len(m.old) <= offset(f.Body.Rbrace)
		})
		if at < 0 || i < 0 {
			return "", "", fmt.Errorf("line %d of the table: the old text is not in the body of a function", m.line)
		}
		f := parsed.Decls[i].(*ast.FuncDecl)
		name := fmt.Sprintf("%sMutant%d", f.Name.Name, k)
		if f.Recv != nil && len(f.Recv.List[0].Names) == 0 {
			inserted[offset(f.Recv.List[0].Type.Pos())] = receiver + " "
		}
		call, err := callTo(f, name)
		if err != nil {
			return "", "", fmt.Errorf("line %d of the table: %w", m.line, err)
		}
		inserted[offset(f.Body.Lbrace)+1] += fmt.Sprintf(" if mutant == \"%d\" { %s }; ", k, call)
		copies.WriteString("\n" + source[offset(f.Pos()):offset(f.Name.Pos())] + name +
			source[offset(f.Name.End()):at] + m.new + source[at+len(m.old):offset(f.End())] + "\n")
	}
	for _, at := range slices.Backward(slices.Sorted(maps.Keys(inserted))) {
		source = source[:at] + inserted[at] + source[at:]
	}
	text = source + copies.String()
	_, err = parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	return text, parsed.Name.Name, err
}

// receiver is the name that a receiver without one gets.
const receiver = "mutated"

// callTo returns the statements that end function f with a call of its copy with another
// name.
func callTo(f *ast.FuncDecl, name string) (string, error) {
	if f.Recv != nil {
		of := receiver
		if names := f.Recv.List[0].Names; len(names) > 0 {
			of = names[0].Name
		}
		name = of + "." + name
	}
	if f.Type.TypeParams != nil {
		var types []string
		for _, field := range f.Type.TypeParams.List {
			for _, name := range field.Names {
				types = append(types, name.Name)
			}
		}
		name += "[" + strings.Join(types, ", ") + "]"
	}
	var args []string
	for _, field := range f.Type.Params.List {
		if len(field.Names) == 0 {
			return "", fmt.Errorf("a parameter of %s has no name", f.Name.Name)
		}
		for _, name := range field.Names {
			if name.Name == "_" {
				return "", fmt.Errorf("a parameter of %s has no name", f.Name.Name)
			}
			args = append(args, name.Name)
		}
		if _, variadic := field.Type.(*ast.Ellipsis); variadic {
			args[len(args)-1] += "..."
		}
	}
	call := name + "(" + strings.Join(args, ", ") + ")"
	if f.Type.Results == nil {
		return call + "; return", nil
	}
	return "return " + call, nil
}
