package kernel

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"marginalia/internal/notebook/mistake"
)

// located matches a message of the compiler.
var located = regexp.MustCompile(`^\./main(?:_test)?\.go:(\d+):(\d+): (.*)$`)

// notCompiled shows what the compiler said, in the form in which the go command and GoNB say it, unless it
// could not be asked.
func (r *run) notCompiled(said string, err error) {
	if err != nil {
		return
	}
	name := r.p.FileName()
	said = "# gonb\n" + strings.ReplaceAll(said, filepath.Join(r.host.Work(), name), "./"+name)
	lines := strings.Split(r.p.File().Text, "\n")
	var traceback []string
	for line := range strings.Lines(said) {
		entry := strings.TrimSuffix(line, "\n")
		if m := located.FindStringSubmatch(entry); m != nil {
			row, _ := strconv.Atoi(m[1])
			column, _ := strconv.Atoi(m[2])
			if row >= 1 && row <= len(lines) {
				entry = lines[row-1] + "\n" + strings.Repeat(" ", max(column-1, 0)) + "^\n\n" + m[3]
				if count, at, ok := r.origin(row); ok {
					entry = fmt.Sprintf("Cell[%d]: Line %d\n", count, at) + entry
				}
			}
		}
		traceback = append(traceback, entry)
	}
	r.explain(said, append(traceback, ""), "")
}

// origin returns the cell and its line that a line of the program comes from.
func (r *run) origin(line int) (count, cellLine int, ok bool) {
	origins := r.p.File().Origins
	if line < 1 || line > len(origins) || origins[line-1].Cell == "" {
		return 0, 0, false
	}
	count, err := strconv.Atoi(origins[line-1].Cell)
	return count, origins[line-1].Line + 1, err == nil
}

// place says where a line of the program's file is in the notebook, "" if it is nowhere there.
func (r *run) place(_, line string) string {
	n, _ := strconv.Atoi(line)
	count, at, ok := r.origin(n)
	switch {
	case !ok:
		return ""
	case count == r.count:
		return fmt.Sprintf("line %d", at)
	}
	return fmt.Sprintf("cell [%d], line %d", count, at)
}

// explain ends the cell with an error in GoNB's words, and shows few words for it if there are some.
// traceback is GoNB's, stderr what the cell wrote to it.
func (r *run) explain(words string, traceback []string, stderr string) {
	r.explainCell(r.count, words, traceback, stderr)
}

// explainCell is explain with an error of a cell, which may be one above.
func (r *run) explainCell(count int, words string, traceback []string, stderr string) {
	e := mistake.Failure{
		Count:      count,
		Cells:      func(count int) (string, bool) { source, ok := r.sources[count]; return source, ok },
		Members:    r.members,
		Remembered: r.session.Decls(),
		Origin:     func(_ string, line int) (int, int, bool) { return r.origin(line) },
		EValue:     words, Traceback: traceback, Stderr: stderr,
	}.Explain()
	if e != nil {
		traceback = strings.Split(strings.TrimSuffix(e.Text(r.count, true), "\n"), "\n")
	}
	r.fail(words, traceback, marks(e)...)
}

// marks are the places of mistakes: of a panic each line on the stack.
func marks(e mistake.Explanation) (all []Mark) {
	for _, m := range e {
		message, _, _ := strings.Cut(m.Message, "\n")
		for _, p := range m.Places {
			mark := Mark{Cell: p.Count, Line: p.Line, Message: message}
			if p.Column > 0 {
				mark.Column = 1 + len(utf16.Encode([]rune(p.Text[:min(p.Column-1, len(p.Text))])))
			}
			all = append(all, mark)
		}
	}
	return all
}

// members returns the exported names of the package of a name.
func (r *run) members(pkg, typ string) []string {
	if path, ok := r.m.Find(pkg, nil); ok && typ == "" {
		return r.m.Packages[path].Exports
	}
	return nil
}
