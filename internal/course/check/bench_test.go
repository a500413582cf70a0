package check_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/base/repo"
	"marginalia/internal/course"
	"marginalia/internal/course/release"
	"marginalia/internal/notebook/nbgrader"
	"marginalia/internal/testkit/must"
)

// BenchmarkCheck runs the command as a student does, who has changed an answer since it last ran: on the solution of
// each assignment. It reports the median and the longest of the rounds, by the clock, and the median of the processor.
//
//	go test ./internal/course/check -run '^$' -bench Check -benchtime 15x
func BenchmarkCheck(b *testing.B) {
	root := must.Get(repo.Root()).Or(b)
	marginalia := filepath.Join(b.TempDir(), "marginalia")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", marginalia, ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	b.Setenv("MARGINALIA_ROOT", root)
	c := must.Get(course.Open(filepath.Join(root, "notebooks", "assignments"))).Or(b)
	names := must.Get(c.Assignments()).Or(b)
	for _, name := range names {
		a := must.Get(release.Make(c, name)).Or(b)
		nb := a.Notebooks[0]
		solutions, last := map[string]string{}, ""
		for _, c := range nb.Source.Cells {
			if m, _ := nbgrader.Read(c); m.Kind() == nbgrader.Answer {
				solutions[m.ID] = c.Source
				if strings.HasPrefix(c.Source, "func ") || strings.Contains(c.Source, "\nfunc ") {
					last = m.ID
				}
			}
		}
		answer := solutions[last]
		file := filepath.Join(b.TempDir(), name+".ipynb")
		check := func(b *testing.B, round int) (clock, processor float64) {
			solutions[last] = fmt.Sprintf("%s\n\nconst round = %d\n", answer, round)
			must.Do(b, copyOf(b, nb.Release, solutions).WriteFile(file))
			cmd := exec.CommandContext(b.Context(), marginalia, "course", "check", file)
			cmd.Dir = filepath.Dir(file)
			begun := time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			return time.Since(begun).Seconds(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		}
		b.Run(name, func(b *testing.B) {
			if b.N == 1 {
				return // package testing's trial
			}
			check(b, os.Getpid()) // warm
			var clocks, processors []float64
			for b.Loop() {
				clock, processor := check(b, os.Getpid()+len(clocks)+1)
				clocks, processors = append(clocks, clock), append(processors, processor)
			}
			slices.Sort(clocks)
			slices.Sort(processors)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(clocks[len(clocks)/2], "s/check")
			b.ReportMetric(clocks[len(clocks)-1], "s/longest")
			b.ReportMetric(processors[len(processors)/2], "cpu-s/check")
		})
	}
}
