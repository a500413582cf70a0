// Package reads keeps the list short of what tests have read.
//
// The go command has a test list each file and folder that it opens or looks at. To find out whether
// a result still holds it goes through the list, and for each line of what lies outside of the module,
// which does not count, it follows all links on the way there. Tests that work in temporary folders
// or read the module cache list ten thousand lines, which cost a second at every "go test ./...".
package reads

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Short returns the tests of a package. When they have run, it leaves in their list what the go command
// would look at, once:
//
//	func TestMain(m *testing.M) { os.Exit(reads.Short(m).Run()) }
func Short(m *testing.M) interface{ Run() int } { return short{m} }

type short struct{ *testing.M }

func (s short) Run() int {
	code := s.M.Run()
	list := flag.Lookup("test.testlogfile").Value.String()
	if list == "" {
		return code
	}
	if err := shortenFile(list); err != nil {
		fmt.Fprintln(os.Stderr, "reads: the list stays long:", err)
	}
	return code
}

func shortenFile(list string) error {
	text, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	root, err := os.Getwd()
	for err == nil {
		if _, err = os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return os.WriteFile(list, shorten(text, root), 0o666)
		}
		if up := filepath.Dir(root); up != root {
			root, err = up, nil
		}
	}
	return err
}

// shorten leaves out of a list what lies outside of the module at root, and what the list says twice.
func shorten(list []byte, root string) []byte {
	m := module{root: root, outside: map[string]bool{}}
	m.real, _ = filepath.EvalSymlinks(root)
	said := map[string]bool{}
	var kept bytes.Buffer
	for line := range strings.Lines(string(list)) {
		op, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case op == "chdir":
			clear(said) // the same relative name is another file now
		case said[line], (op == "open" || op == "stat") && !m.counts(name):
			continue
		default:
			said[line] = true
		}
		kept.WriteString(line)
	}
	return kept.Bytes()
}

// A module is a folder, by its name and without links in that.
type module struct {
	root, real string
	outside    map[string]bool // folders
}

// counts reports whether a file may lie in the module, if only by a link.
func (m module) counts(name string) bool {
	if !filepath.IsAbs(name) || m.has(name) {
		return true
	}
	dir := filepath.Dir(name)
	outside, known := m.outside[dir]
	if !known {
		real, err := filepath.EvalSymlinks(dir)
		outside = err != nil || !m.has(real)
		m.outside[dir] = outside
	}
	if !outside {
		return true
	}
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

func (m module) has(name string) bool {
	for _, root := range []string{m.root, m.real} {
		if rel, err := filepath.Rel(root, name); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}
