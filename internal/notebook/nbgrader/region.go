package nbgrader

import (
	"fmt"
	"strings"
	"unicode"
)

// A Mark is a pair of delimiters. A line that holds one, behind whatever marks a
// comment there, begins or ends a region.
type Mark struct{ Name, Begin, End string }

// The regions that students do not see.
var (
	Solution    = Mark{"solution", "BEGIN SOLUTION", "END SOLUTION"}
	HiddenTests = Mark{"hidden tests", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS"}
	MarkScheme  = Mark{"mark scheme", "BEGIN MARK SCHEME", "END MARK SCHEME"}
)

// A Region is what stands between two delimiters: lines are counted from 0, and
// those at Begin and End are the delimiters themselves.
type Region struct{ Begin, End int }

// Regions finds the regions of a source. The error is a [Fault] without its cell:
// one region within another, one without an end, or, as nbgrader does not notice,
// an end without a beginning: what was to be hidden would be released.
func (m Mark) Regions(source string) ([]Region, error) {
	var all []Region
	open := false
	for i, line := range strings.Split(source, "\n") {
		switch {
		case strings.Contains(line, m.Begin):
			if open {
				return nil, &Fault{Line: i + 1, Text: fmt.Sprintf("%s within the region that begins in line %d: end that first", m.Begin, all[len(all)-1].Begin+1)}
			}
			all, open = append(all, Region{Begin: i}), true
		case strings.Contains(line, m.End):
			if !open {
				return nil, &Fault{Line: i + 1, Text: fmt.Sprintf("%s without a %s above it", m.End, m.Begin)}
			}
			all[len(all)-1].End, open = i, false
		}
	}
	if open {
		return nil, &Fault{Line: all[len(all)-1].Begin + 1, Text: fmt.Sprintf("%s without an %s below it", m.Begin, m.End)}
	}
	return all, nil
}

// cut replaces each region of a source by lines, indented as the region's first
// line is, and returns what was in the regions.
func cut(source string, regions []Region, by func(region int) []string) (rest string, removed []string) {
	lines := strings.Split(source, "\n")
	var kept []string
	next := 0
	for i, r := range regions {
		kept = append(kept, lines[next:r.Begin]...)
		first := lines[r.Begin]
		indent := first[:len(first)-len(strings.TrimLeftFunc(first, unicode.IsSpace))]
		for _, line := range by(i) {
			kept = append(kept, indent+line)
		}
		removed = append(removed, strings.Join(lines[r.Begin+1:r.End], "\n"))
		next = r.End + 1
	}
	return strings.Join(append(kept, lines[next:]...), "\n"), removed
}
