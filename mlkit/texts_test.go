package mlkit_test

import (
	"bytes"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// Somebody who looks for a name of scikit-learn finds it in the comment of the package. The four
// others have nothing that is in scikit-learn.
func TestCommentsNameScikitLearn(t *testing.T) {
	others := []string{"derive", "mlkittest", "modelfile", "unit", "internal"}
	dirs := testkit.Try(filepath.Glob("*/doc.go")).Or(t)
	for _, file := range append(dirs, "eval/eval.go", "feature/feature.go") {
		if dir := filepath.Dir(file); !slices.Contains(others, dir) && !bytes.Contains(testkit.Try(os.ReadFile(file)).Or(t), []byte("\n// In scikit-learn, ")) {
			t.Errorf("the comment of package %s has no sentence \"In scikit-learn, …\"", dir)
		}
	}
}

// The comment of a package of many files says in its section "The files" what each is for, and
// names none that is not there. Internal packages may have the section.
func TestCommentsNameFiles(t *testing.T) {
	const many = 8                 // files that a reader can do without a map of
	files := map[string][]string{} // by folder
	for _, pattern := range []string{"*/*.go", "internal/*/*.go", "*/internal/*/*.go"} {
		sources, err := filepath.Glob(pattern)
		if err != nil || len(sources) == 0 {
			t.Fatalf("%s: %q, %v", pattern, sources, err)
		}
		for _, f := range sources {
			if !strings.HasSuffix(f, "_test.go") {
				files[filepath.Dir(f)] = append(files[filepath.Dir(f)], filepath.Base(f))
			}
		}
	}
	for dir, names := range files {
		var comment string
		var home string // the file that the comment stands in
		for _, name := range names {
			source := testkit.Try(os.ReadFile(filepath.Join(dir, name))).Or(t)
			if head, _, _ := bytes.Cut(source, []byte("\npackage ")); bytes.Contains(head, []byte("// Package ")) {
				comment, home = string(head), name
			}
		}
		_, section, ok := strings.Cut(comment, "# The files\n")
		if !ok {
			if len(names) > many && !strings.Contains(dir, "internal") {
				t.Errorf("the comment of package %s has no section \"The files\": there are %d", dir, len(names))
			}
			continue
		}
		section, _, _ = strings.Cut(section, "\n// # ")
		named := map[string]bool{home: true}
		for _, pattern := range regexp.MustCompile(`[\w/*]+\.go\b`).FindAllString(section, -1) {
			found, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil || len(found) == 0 {
				t.Errorf("the comment of package %s names %s, which is not there", dir, pattern)
			}
			for _, f := range found {
				named[filepath.Base(f)] = true
			}
		}
		for _, name := range names {
			if !named[name] {
				t.Errorf("the comment of package %s does not name %s under \"The files\"", dir, name)
			}
		}
	}
}

// advised matches a name that a message tells its reader to change.
var advised = regexp.MustCompile(`\b(?:raise|lower|larger|smaller|use|set|allow more|another|fewer|them by) \(?(?:a )?([A-Z][A-Za-z0-9]*)\b`)

// What the messages of a package tell their reader to change is there: a field, a method, a
// function or a constant of the package, or of a public one that its file imports. Messages of
// internal packages come to the reader by others, who know other names, so they name none.
func TestAdvice(t *testing.T) {
	skipShort(t)
	readTree(t)
	l := listPackages()
	if l.err != nil {
		t.Fatalf("go list: %v", l.err)
	}
	names := map[string][]string{} // by folder
	for _, p := range l.packages {
		names[p.dir] = namesOf(p.inside.pkg)
	}
	root := testkit.Try(filepath.Abs(".")).Or(t)
	found := 0
	err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "mlkittest") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		known := slices.Clone(names[filepath.Dir(path)])
		for _, i := range file.Imports {
			if folder, ok := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), "marginalia/mlkit"); ok && !strings.Contains(path, "/internal/") {
				known = append(known, names[root+folder]...)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				for _, m := range advised.FindAllStringSubmatch(literal.Value, -1) {
					if found++; !slices.Contains(known, m[1]) {
						t.Errorf("%s: %s names %s, which the package does not have", path, literal.Value, m[1])
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 20 {
		t.Errorf("%d pieces of advice, want the 20 and more that there are", found)
	}
}

// namesOf returns the exported names of a package, and of the fields and methods of its types.
func namesOf(pkg *types.Package) []string {
	names := pkg.Scope().Names()
	for _, name := range names {
		object, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if s, ok := object.Type().Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				names = append(names, f.Name())
			}
		}
		methods := types.NewMethodSet(types.NewPointer(object.Type()))
		for m := range methods.Methods() {
			names = append(names, m.Obj().Name())
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return !token.IsExported(name) || strings.HasPrefix(name, "Test") })
}

// A package comment fits two screens: 100 lines of go doc, which is 80 wide. What belongs to one
// type stands in its comment.
func TestCommentsAreShort(t *testing.T) {
	read := 0
	for _, pattern := range []string{"*.go", "*/*.go", "../plotting/*.go", "../plotting/*/*.go", "../datasets/*.go"} {
		for _, file := range testkit.Try(filepath.Glob(pattern)).Or(t) {
			f := testkit.Try(parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)).Or(t)
			if f.Doc == nil {
				continue
			}
			read++
			text := (&comment.Printer{TextWidth: 80}).Text(new(comment.Parser).Parse(f.Doc.Text()))
			if lines := bytes.Count(text, []byte("\n")); lines > 100 {
				t.Errorf("%s: the package comment has %d lines, want at most 100", file, lines)
			}
		}
	}
	if read < 20 { // mlkit had 20 packages when this was written
		t.Errorf("%d package comments found", read)
	}
}
