package outputs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// varies are words of programs whose results differ from run to run.
var varies = []struct {
	pattern *regexp.Regexp
	what    string
}{
	{regexp.MustCompile(`\bgonbui\.UniqueI[dD]\(`), "gonbui.UniqueID() is another one in each run"},
	{regexp.MustCompile(`\btime\.(Now|Since|Until)\(`), "the time is another one in each run"},
	{regexp.MustCompile(`\brand\.(Int|Uint|Float|Norm|Exp|Perm|Shuffle|N\(|Read|Text)`), "random numbers without a seed are others in each run (rand.New takes a seed)"},
	{regexp.MustCompile(`%p`), "addresses (%p) are others in each run"},
	{regexp.MustCompile(`\bos\.(Getpid|MkdirTemp|CreateTemp)\(`), "process ids and temporary names are others in each run"},
}

// Varying says what in a cell may be why its outputs differ from those stored, and what to do
// with outputs that are never the same twice.
func Varying(source string, diffs []Difference) []string {
	if len(diffs) == 0 {
		return nil
	}
	var notes []string
	for _, v := range varies {
		if v.pattern.MatchString(source) {
			notes = append(notes, v.what)
		}
	}
	if slices.ContainsFunc(diffs, reordered) && strings.Contains(source, "range") {
		notes = append(notes, "the words are the same in another order, and range takes a map in another order each time: sort its keys")
	}
	for i, n := range notes {
		notes[i] = fmt.Sprintf("%s; the tag nbval-ignore-output leaves a cell's outputs out of the comparison", n)
	}
	return notes
}

// reordered reports whether two texts have the same words in another order.
func reordered(d Difference) bool {
	want, got := strings.Fields(d.Want), strings.Fields(d.Got)
	slices.Sort(want)
	slices.Sort(got)
	return len(want) > 1 && slices.Equal(want, got)
}
