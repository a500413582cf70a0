package collect

import (
	"fmt"
	"strings"
	"testing"
)

// Three hundred students, each with a notebook of 100 kB and a table, in Moodle's zip:
// what collecting them costs, and what it costs to find that they are there already.
func BenchmarkCollect(b *testing.B) {
	var entries []entry
	for i := range 300 {
		dir := fmt.Sprintf("Student %d_%d_assignsubmission_file_/", i, i)
		entries = append(entries, entry{dir + "ps1.ipynb", right(strings.Repeat("x := 1 // and more\n", 1700))}, entry{dir + "x.csv", strings.Repeat("1,2,3\n", 1000)})
	}
	input := zipped(b, entries...)
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			course := newCourse(b)
			b.StartTimer()
			collect(b, course, Options{Inputs: []string{input}})
		}
	})
	b.Run("again", func(b *testing.B) {
		course := newCourse(b)
		collect(b, course, Options{Inputs: []string{input}})
		for b.Loop() {
			collect(b, course, Options{Inputs: []string{input}})
		}
	})
}
