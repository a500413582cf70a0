// Package checks words what a %test cell prints, which is what go test -v does, for those who
// solve exercises: "✗ TestBoundHolds, line 13: your bound is 4, want 5" and "✓ TestNarrow".
//
//	w := checks.Words{Place: place}
//	fmt.Print(w.Take(text)) // as it comes
//	fmt.Print(w.Rest())     // when the cell has ended
//
// What the cell itself prints stays as it is. The forms are those of Go 1.26, package testing.
package checks

import (
	"path"
	"regexp"
	"strings"
)

// Words turns the output of tests into other words, line by line.
type Words struct {
	// Place names a place in the program, as "line 13"; "" if it is not known.
	Place func(file, line string) string

	begun   string // the last line, which has not ended
	test    string // that runs
	tests   []string
	logs    map[string][]string // what a test has logged, by its name
	logging bool                // the last line was part of a log
	verdict string              // "PASS\n" or "FAIL\n", which say nothing more if they are the end
}

var (
	event  = regexp.MustCompile(`^(.*?)=== (?:RUN|PAUSE|CONT|NAME) +(\S*)$`)
	log    = regexp.MustCompile(`^(.*?)    (\S*main_test\.go|\S+\.ipynb#[\w-]+):(\d+): (.*)$`)
	result = regexp.MustCompile(`^(.*?)( *)--- (PASS|FAIL|SKIP): (?:(\S+) \(\d+\.\d+s\)|(Benchmark\S*))$`)
	bench  = regexp.MustCompile(`^Benchmark[^\s-]*$`) // begins
)

// Reword returns what the output of a cell that has ended is in these words.
func Reword(text string, place func(file, line string) string) string {
	w := Words{Place: place}
	return w.Take(text) + w.Rest()
}

// Take takes text that the cell printed, and returns what to show of it now.
func (w *Words) Take(text string) string {
	var b strings.Builder
	lines := strings.SplitAfter(w.begun+text, "\n")
	w.begun = lines[len(lines)-1]
	for _, line := range lines[:len(lines)-1] {
		w.line(&b, strings.TrimSuffix(line, "\n"))
	}
	return b.String()
}

// Rest returns what is left to show when the cell has ended.
func (w *Words) Rest() string {
	var b strings.Builder
	if w.begun != "PASS" && w.begun != "FAIL" {
		w.pass(&b, w.begun)
	}
	// Of tests that came to no end, such as one that calls os.Exit.
	for _, test := range w.tests {
		for _, text := range w.logs[test] {
			b.WriteString(test + ", " + text + "\n")
		}
	}
	w.begun, w.verdict, w.tests, w.logs = "", "", nil, nil
	return b.String()
}

func (w *Words) line(b *strings.Builder, line string) {
	if w.logging && strings.HasPrefix(line, "        ") {
		logs := w.logs[w.test]
		logs[len(logs)-1] += "\n" + line
		return
	}
	w.logging = false
	if m := event.FindStringSubmatch(line); m != nil {
		w.pass(b, ended(m[1]))
		w.test = m[2]
		return
	}
	if m := log.FindStringSubmatch(line); m != nil {
		w.pass(b, ended(m[1]))
		w.keep(m[2], m[3], m[4])
		return
	}
	if m := result.FindStringSubmatch(line); m != nil {
		w.pass(b, ended(m[1]))
		w.result(b, m[2], m[3], m[4]+m[5])
		return
	}
	if line == "PASS" || line == "FAIL" {
		w.pass(b, "")
		w.verdict = line + "\n"
		return
	}
	if bench.MatchString(line) {
		w.test = line
	}
	w.pass(b, line+"\n")
}

// ended ends a line that the cell began before the test wrote into it.
func ended(line string) string {
	if line == "" {
		return ""
	}
	return line + "\n"
}

// pass passes on text of the cell's own.
func (w *Words) pass(b *strings.Builder, text string) {
	if text != "" {
		b.WriteString(w.verdict + text)
		w.verdict = ""
	}
}

// keep keeps what the test logs until its result is known.
func (w *Words) keep(file, line, text string) {
	place := w.Place(file, line)
	if place == "" {
		place = path.Base(file) + ", line " + line
	}
	if w.logs == nil {
		w.logs = map[string][]string{}
	}
	if w.logs[w.test] == nil {
		w.tests = append(w.tests, w.test)
	}
	w.logs[w.test] = append(w.logs[w.test], place+": "+text)
	w.logging = true
}

var marks = map[string]string{"PASS": "✓ ", "FAIL": "✗ ", "SKIP": "– "}

func (w *Words) result(b *strings.Builder, indent, result, test string) {
	logs := w.logs[test]
	delete(w.logs, test)
	b.WriteString(indent + marks[result] + test)
	if result != "PASS" && len(logs) > 0 {
		b.WriteString(", " + logs[0])
		logs = logs[1:]
	}
	for _, text := range logs {
		b.WriteString("\n" + indent + "    " + text)
	}
	b.WriteByte('\n')
}
