package celltest

import (
	"fmt"
	"strings"
)

// String shows the difference: pictures in one line, text as the lines that
// are stored (-) and those that came (+), with a line around them.
func (d Difference) String() string {
	if d.Note != "" {
		return fmt.Sprintf("%s: %s", d.What, d.Note)
	}
	if !strings.Contains(d.Want+d.Got, "\n") {
		return fmt.Sprintf("%s:\n  - %s\n  + %s", d.What, quoteNone(d.Want), quoteNone(d.Got))
	}
	want, got := strings.Split(d.Want, "\n"), strings.Split(d.Got, "\n")
	head := 0
	for head < len(want) && head < len(got) && want[head] == got[head] {
		head++
	}
	tail := 0
	for tail < len(want)-head && tail < len(got)-head && want[len(want)-1-tail] == got[len(got)-1-tail] {
		tail++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, from line %d:", d.What, head+1)
	if head > 0 {
		fmt.Fprintf(&b, "\n    %s", want[head-1])
	}
	list(&b, "-", want[head:len(want)-tail])
	list(&b, "+", got[head:len(got)-tail])
	if tail > 0 {
		fmt.Fprintf(&b, "\n    %s", want[len(want)-tail])
	}
	return b.String()
}

// longest is how many lines of one side a difference shows.
const longest = 20

func list(b *strings.Builder, sign string, lines []string) {
	for i, line := range lines {
		if i == longest {
			fmt.Fprintf(b, "\n  %s … and %d more lines", sign, len(lines)-i)
			return
		}
		if len(line) > 400 {
			line = line[:400] + "…"
		}
		fmt.Fprintf(b, "\n  %s %s", sign, line)
	}
}

func quoteNone(s string) string {
	if s == "" {
		return "(nothing)"
	}
	if len(s) > 400 {
		s = s[:400] + "…"
	}
	return s
}
