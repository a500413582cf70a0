package assignment_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/host"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// Tests see the same of answers in a guest as of answers in their own program. Each file of testdata/crossing
// is a cell: the answers, one file for each kind of thing that crosses, the given cell and the tests. Together they are
// a package whose tests run natively, and both ways have to log the same lines.
func TestCrossing(t *testing.T) {
	tier.Long(t)
	const dir = "testdata/crossing"
	parts := cells(t, dir)
	native := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-count=1", "-v", "./"+dir)
	text, err := native.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want := map[string][]string{}
	test := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if m := running.FindStringSubmatch(line); m != nil {
			test = strings.ReplaceAll(m[1], "_", " ")
		} else if m := logged.FindStringSubmatch(line); m != nil {
			want[test] = append(want[test], m[1])
		} else if rest, ok := strings.CutPrefix(line, "        "); ok && len(want[test]) > 0 {
			want[test][len(want[test])-1] += "\n" + strings.TrimPrefix(rest, "    ")
		}
	}
	a := read(t, parts)
	program, wasm := build(t, a, notebook(t, parts...))
	for _, compiled := range []bool{false, true} {
		lines := 0
		for _, r := range judged(t, program, host.Request{Wasm: wasm, Compiled: compiled}, a, 20) {
			for _, c := range r.Checks {
				var got []string
				for _, m := range c.Messages {
					got = append(got, fmt.Sprintf("%s.go:%d: %s", m.Cell, m.Line, m.Text))
				}
				for i := range max(len(got), len(want[c.Name])) {
					if g, w := at(got, i), inJSON(at(want[c.Name], i)); g != w {
						t.Errorf("%s, compiled %t:\n%s, want\n%s", c.Name, compiled, g, w)
					}
				}
				if c.Panic != "" || !c.Passed && !c.Skipped && c.Name != "TestSubtests" {
					t.Errorf("%s: %s %v", c.Name, c.Panic, c.Frames)
				}
				lines += len(got)
			}
		}
		if lines < 272 { // as many as there were when this was written
			t.Errorf("compiled %t: the tests logged %d lines", compiled, lines)
		}
	}
}

// cells makes a cell of each file of a folder: the given one, the tests, and answers.
func cells(t *testing.T, dir string) (parts []part) {
	t.Helper()
	files := must.Get(filepath.Glob(dir + "/*.go")).Or(t)
	for _, file := range files {
		text := must.Get(os.ReadFile(file)).Or(t)
		p := part{kind: "answer", id: strings.TrimSuffix(filepath.Base(file), ".go")}
		first := ""
		switch {
		case p.id == "given":
			p.kind = "given"
		case strings.HasSuffix(p.id, "_test"):
			p.kind, first = "tests", "%test"
		}
		p.source = strings.Replace(string(text), "package main", first, 1)
		parts = append(parts, p)
	}
	return parts
}

var (
	running = regexp.MustCompile(`^=== RUN +(\S+)$`)
	logged  = regexp.MustCompile(`^ {4}(?:    )?(\w+\.go:\d+: .*)$`)
)

func at(lines []string, i int) string {
	if i >= len(lines) {
		return "nothing"
	}
	return lines[i]
}

// inJSON has U+FFFD in place of each byte that is not UTF-8.
func inJSON(s string) string { return string([]rune(s)) }

// build builds the judge of an assignment, and the guest of its solution.
func build(t *testing.T, a *assignment.Assignment, nb *nbformat.Notebook) (program, wasm string) {
	t.Helper()
	program = must.Get(a.BuildJudge(t.Context(), t.TempDir())).Or(t)
	g, err := a.Assemble(t.Context(), nb, nil, nil)
	if err != nil || len(g.Notes) > 0 {
		t.Fatal(err, g)
	}
	wasm = must.Get(g.Build(t.Context(), t.TempDir())).Or(t)
	return program, wasm
}

// judged runs all tests of an assignment. Each of them may take some seconds of the processor.
func judged(t *testing.T, program string, q host.Request, a *assignment.Assignment, seconds float64) (all []host.Result) {
	t.Helper()
	for _, tests := range a.Tests {
		for _, name := range tests.Funcs {
			q.Tests, q.Seconds = append(q.Tests, name), append(q.Seconds, seconds)
		}
	}
	cmd := exec.CommandContext(t.Context(), program)
	in := must.Get(cmd.StdinPipe()).Or(t)
	defer in.Close() // at the end: a judge that is busy ends with its input
	out := must.Get(cmd.StdoutPipe()).Or(t)
	must.Do(t, cmd.Start())
	must.Do(t, json.NewEncoder(in).Encode(q))
	dec := json.NewDecoder(out)
	for range q.Tests {
		var r host.Reply
		if err := dec.Decode(&r); err != nil || r.Err != "" {
			t.Fatal(err, r.Err)
		}
		all = append(all, r.Result)
	}
	in.Close()
	cmd.Wait() // what it ends with says nothing: it may be busy behind its last reply
	return all
}
