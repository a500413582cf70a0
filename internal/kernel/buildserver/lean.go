//go:build unix

package buildserver

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/build"
	"marginalia/internal/cell/display"
)

// With the tag minimal, gonum/plot leaves out what writes files, and marginalia/plotting PDF: the
// linker, which takes most of the time of a cell with a figure, then takes 0.82 of it. Cells that
// draw with plotting alone cannot tell, unless they want PDF.

// minimal is the flag.
const minimal = "-tags=minimal"

// lean returns the command with the flag if the program with these files cannot tell.
func (s *Server) lean(c build.Command, files map[string][]byte) (build.Command, bool) {
	lean := c
	lean.Args = append(slices.Clip(c.Args), minimal)
	packages := s.Builder.Packages(lean)
	if packages == nil || !cannotTell(c, files, packages) {
		return c, false
	}
	return lean, true
}

// cannotTell reports whether a program draws, with plotting alone, and names PDF nowhere. A command
// with the user's own flags stays as it is.
func cannotTell(c build.Command, files map[string][]byte, packages func(path string) (build.Package, bool)) bool {
	for _, v := range c.Env {
		name, value, _ := strings.Cut(v, "=")
		if name == display.FormatsEnv && pdf.MatchString(value) || name == "GOFLAGS" && strings.Contains(value, "-tags") {
			return false
		}
	}
	if len(c.Args) > 3 || !draws(files) {
		return false
	}
	for _, text := range files {
		f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
		if err != nil || pdf.Match(text) {
			return false
		}
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value) // the parser has accepted it
			p, known := packages(path)
			writesNone := strings.HasPrefix(path, "marginalia/") || strings.HasPrefix(path, "gonum.org/v1/gonum/") || path == "gonum.org/v1/plot/vg"
			if !known || !p.Standard && !writesNone {
				return false // it may write files with gonum/plot
			}
		}
	}
	return true
}

// draws reports whether a program imports plotting.
func draws(files map[string][]byte) bool {
	for _, text := range files {
		if bytes.Contains(text, []byte(`"marginalia/plotting`)) {
			return true
		}
	}
	return false
}

var pdf = regexp.MustCompile(`(?i)pdf`)

// programFiles are the Go files in a folder.
func programFiles(dir string) map[string][]byte {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go")) // the pattern is well-formed
	files := map[string][]byte{}
	for _, name := range names {
		files[name], _ = os.ReadFile(name) // else the builder is not sure
	}
	return files
}
