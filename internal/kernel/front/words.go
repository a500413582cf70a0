//go:build unix

package main

import (
	"go/build"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/mistake"
)

// rawErrors is an environment variable. If it is "raw", for the kernel or by %env in an
// earlier cell, clients get errors as GoNB writes them.
const rawErrors = "MARGINALIA_ERRORS"

// word replaces the traceback of a failed cell, which clients show, by a short explanation.
// The evalue stays GoNB's.
func (f *front) word(r *request, m jupyter.Message) jupyter.Message {
	var c map[string]any
	if r.raw || m.Decode(&c) != nil {
		return m
	}
	evalue, _ := c["evalue"].(string)
	lines, _ := c["traceback"].([]any)
	var traceback []string
	for _, line := range lines {
		text, _ := line.(string)
		traceback = append(traceback, text)
	}
	p := f.session.Clone().Step(strconv.Itoa(r.count), r.cell.Code)
	nb := f.notebook()
	e := mistake.Failure{
		Count:   r.count,
		Cells:   func(count int) (string, bool) { source, ok := f.sources[count]; return source, ok },
		Members: f.packages().Members, Remembered: f.session.Decls(), Waiting: f.neighbours(r, nb),
		Origin: func(file string, line int) (count, cellLine int, ok bool) {
			text, err := os.ReadFile(file)
			if err != nil {
				return 0, 0, false
			}
			at, ok := p.Origin(string(text), line)
			count, err = strconv.Atoi(at.Cell)
			return count, at.Line + 1, ok && err == nil
		},
		EValue: evalue, Traceback: traceback, Stderr: r.held.Text(),
	}.Explain()
	if e == nil {
		return m
	}
	f.tellKernel(e, nb)
	if !mistake.HasStack(r.held.Text()) { // the cell's own words, then
		f.print(r.Message, "stderr", exitStatus.ReplaceAllString(r.held.Release(), "$1"))
	}
	r.held.Release() // the explanation stands for it
	c["traceback"] = strings.Split(strings.TrimSuffix(e.Text(r.count, true), "\n"), "\n")
	if edited, err := m.WithContent(c); err == nil {
		return edited
	}
	return m
}

// exitStatus is the last line of stderr, which GoNB adds; the explanation says the same.
var exitStatus = regexp.MustCompile(`(^|\n)(?:exit status \d+|signal: [a-z ]+)\n$`)

// rawIn reports whether errors come as GoNB writes them.
func rawIn(env []string) bool { return slices.Contains(env, rawErrors+"=raw") }

var gonum = regexp.MustCompile(`(?m)^\s*gonum\.org/v1/(gonum|plot) (v\S+)`)

// packages returns the folders in which hints look up names: the repository, gonum and the
// standard library.
func (f *front) packages() (folders mistake.Packages) {
	for _, arg := range f.spec.Argv {
		root, ok := strings.CutPrefix(arg, "-go_work=")
		if !ok {
			continue
		}
		folders = append(folders, filepath.Join(root, "mlkit"), root)
		mod, _ := os.ReadFile(filepath.Join(root, "go.mod")) // without it nothing of gonum is found
		for _, m := range gonum.FindAllStringSubmatch(string(mod), -1) {
			cache := os.Getenv("GOMODCACHE")
			if cache == "" {
				cache = filepath.Join(filepath.SplitList(build.Default.GOPATH)[0], "pkg", "mod")
			}
			folders = append(folders, filepath.Join(cache, "gonum.org", "v1", m[1]+"@"+m[2]))
		}
	}
	if real := os.Getenv("MARGINALIA_GO"); real != "" {
		folders = append(folders, filepath.Join(filepath.Dir(filepath.Dir(real)), "src"))
	}
	return folders
}
