package mlkit_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

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
			source, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
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
