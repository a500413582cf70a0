package mistake

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	ended     = regexp.MustCompile(`^(exit status \d+|signal: .+)$`)
	crash     = regexp.MustCompile(`(?m)^(panic: |fatal error: |runtime: goroutine stack exceeds |(?:exit status \d+|signal: [a-z ]+)\n\z)`)
	recovered = regexp.MustCompile(` \[recovered(, repanicked)?\]$`)
	signalled = regexp.MustCompile(`^\[signal .*\]$`)
	frame     = regexp.MustCompile(`^\s+(?:\[\[ Cell \[(\d+)\] Line (\d+) \]\] )?(\S*[/\\]main(?:_test)?\.go):(\d+)`)
)

// Crash returns the index in a cell's stderr at which the text of Go's runtime begins: a
// panic, another fatal error, or the exit status or signal that GoNB adds at the end. It returns
// len(stderr) if the runtime wrote nothing.
func Crash(stderr string) int {
	if at := crash.FindStringIndex(stderr); at != nil {
		return at[0]
	}
	return len(stderr)
}

// running explains how the program of a cell ended.
func (f Failure) running() Explanation {
	value := strings.TrimSpace(f.EValue)
	if !ended.MatchString(value) {
		return nil
	}
	stderr := colours.ReplaceAllString(f.Stderr, "")
	text := stderr[Crash(stderr):]
	if !HasStack(text) {
		return Explanation{{Message: f.statusWords(value)}}
	}
	m := Mistake{Message: Panic(text)}
	_, stack, _ := strings.Cut(text, "\n\ngoroutine ")
	seen := map[Place]bool{}
	for line := range strings.Lines(stack) {
		at := frame.FindStringSubmatch(line)
		if at == nil {
			continue
		}
		p, ok := f.frame(at)
		if !ok {
			continue
		}
		if !seen[p] && len(m.Places) < 8 { // of a recursion each line once
			seen[p] = true
			m.Places = append(m.Places, p)
		}
	}
	if m.Hint = crashHint(m.Message); strings.HasPrefix(m.Message, "panic: mat: dimension mismatch") {
		m.Hint = f.dimensionHint("goroutine "+stack, m.Places)
	}
	return Explanation{m}
}

// HasStack reports whether text of the runtime has the stack that each crash ends with. A
// program may print lines that begin like a panic's.
func HasStack(text string) bool { return strings.Contains(text, "\ngoroutine ") }

// Panic returns the message of a panic, or of another fatal error, in what a cell wrote to
// stderr; "" if there is none.
func Panic(stderr string) string {
	text := stderr[Crash(stderr):]
	if !HasStack(text) {
		return ""
	}
	message := ""
	head, _, _ := strings.Cut(text, "\n\ngoroutine ")
	head, _, _ = strings.Cut(head, "\n\nruntime stack:\n")
	for line := range strings.Lines(head) {
		if line = strings.TrimRight(line, "\n"); !signalled.MatchString(line) && line != "" {
			message += recovered.ReplaceAllString(line, "") + "\n"
		}
	}
	return shortened(strings.TrimSuffix(message, "\n"))
}

// frame finds the place of a stack frame. Origin is asked first: GoNB writes no place, or the
// wrong line, if it reads the line of the frame in two pieces.
func (f Failure) frame(at []string) (p Place, ok bool) {
	if f.Origin != nil {
		line, _ := strconv.Atoi(at[4])
		p.Count, p.Line, ok = f.Origin(at[3], line)
	}
	if !ok && at[1] != "" {
		p.Count, _ = strconv.Atoi(at[1])
		p.Line, _ = strconv.Atoi(at[2])
		ok = true
	}
	p.Text = f.line(p.Count, p.Line)
	return p, ok
}

// shortened leaves out the runtime's own terms.
func shortened(message string) string {
	switch {
	case strings.HasPrefix(message, "runtime: goroutine stack exceeds"):
		return "fatal error: stack overflow"
	case strings.HasPrefix(message, "panic: runtime error: "):
		return "panic: " + strings.TrimPrefix(message, "panic: runtime error: ")
	}
	return message
}

// statusWords say how a program ended that did not crash.
func (f Failure) statusWords(value string) string {
	source, _ := f.Cells(f.Count)
	switch {
	case strings.HasPrefix(value, "signal: "):
		if value == "signal: killed" {
			return "the program was killed: often the computer has no memory left"
		}
		return "the program was ended by " + strings.TrimPrefix(value, "signal: ")
	case strings.Contains(f.Stderr, "--- FAIL") || strings.Contains(source, "%test"):
		return "a test failed"
	}
	return "the program ended with " + value + ", by log.Fatal or os.Exit"
}

// crashHint says what to do about a crash.
func crashHint(message string) string {
	for _, h := range crashHints {
		if strings.Contains(message, h.part) {
			return h.hint
		}
	}
	return ""
}

var crashHints = []struct{ part, hint string }{
	{"index out of range", "the indices of a slice of n elements are 0 to n-1"},
	{"slice bounds out of range", "the bounds of v[a:b] are 0 ≤ a ≤ b ≤ len(v)"},
	{"nil map", "make the map first: make(map[string]int)"},
	{"nil pointer dereference", "a pointer or an interface is nil here; often it came with an error that was not looked at"},
	{"integer divide by zero", "ask first whether the divisor is 0"},
	{"all goroutines are asleep", "each goroutine waits for another: a send on a channel needs one that receives, and the other way round"},
	{"stack overflow", "a function calls itself without end"},
	{"concurrent map", "let one goroutine at a time use the map: guard it with a sync.Mutex"},
	{"interface conversion", "v, ok := x.(T) asks first whether x is a T"},
	{"close of closed channel", "only the sender closes a channel, and once"},
	{"send on closed channel", "only the sender closes a channel, when it has sent all"},
	{"negative shift amount", "the number of bits to shift is at least 0"},
	{"makeslice: len out of range", "the length of a slice is at least 0, and it has to fit into memory"},
	{"makeslice: cap out of range", "the capacity of a slice is at least its length, and it has to fit into memory"},
	{"out of memory", "the program needs more memory than there is"},
}
