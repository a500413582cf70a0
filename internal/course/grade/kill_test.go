package grade_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"marginalia/internal/course/grade"
	"marginalia/internal/course/gradebook/booktest"
	"marginalia/internal/gotest/celltest"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/host"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/reads"
	"marginalia/internal/testkit/tier"
)

// TestMain makes this binary, with GRADE_COURSE in its environment, a process that grades
// that course: TestKilled kills it, TestFullTemporary gives it little room. As course grade it
// ends with 1 if a submission was not judged.
func TestMain(m *testing.M) {
	assignment.CompilerMain()
	celltest.StarterMain()
	dir := os.Getenv("GRADE_COURSE")
	if dir == "" {
		os.Exit(reads.Short(m).Run())
	}
	all, err := run(context.Background(), dir, os.Getenv("GRADE_ROOT"), func(o *grade.Options) { o.NoOutputs = os.Getenv("GRADE_OUTPUTS") == "no" })
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for id, g := range all {
		if g.Err != nil {
			fmt.Fprintln(os.Stderr, id, g.Err)
			os.Exit(1)
		}
	}
}

// A process that grades is killed (SIGKILL) at random moments. The next one goes on, and in
// the end the marks are those that nobody's killing makes.
func TestKilled(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	half := map[string]string{"one": "func One(x int) int { return x*x + 1 }"}
	want := map[string]float64{"ada": 6, "ben": 5, "cid": 6, "dan": 5} // One loses 1 of 2 points
	r := rand.New(rand.NewPCG(1, 15))
	dir := folder(t, map[string]map[string]string{"ada": nil, "ben": half, "cid": nil, "dan": half})
	const whole = 4 * time.Second // about what a process takes that has all to judge
	longest := whole
	for kills := 0; kills < 30; {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "GRADE_COURSE="+dir, "GRADE_ROOT="+root(t))
		cmd.Stderr = os.Stderr
		begun := time.Now()
		must.Do(t, cmd.Start())
		kill := time.AfterFunc(time.Duration(r.Int64N(int64(longest))), func() { cmd.Process.Kill() })
		cmd.Wait()
		kill.Stop()
		switch cmd.ProcessState.ExitCode() {
		case 0: // it was through before: what those behind it have left to do takes no longer
			longest = min(longest, time.Since(begun))
		case -1:
			if kills++; kills%10 == 9 {
				os.RemoveAll(filepath.Join(dir, "autograded"))
				longest = whole
			}
		default:
			t.Fatalf("after %d kills: %v", kills, cmd.ProcessState)
		}
		book := filepath.Join(dir, "gradebook.db")
		if _, err := os.Stat(book); err == nil { // the first may be killed before it makes one
			booktest.Sound(t, book)
		}
	}
	for range 2 {
		all := must.Get(run(t.Context(), dir, root(t))).Or(t)
		for id, g := range all {
			if g.Err != nil || g.Score != want[id] || len(g.Changes) > 0 {
				t.Errorf("%s: %+v, want %g", id, g, want[id])
			}
		}
		if got := bookScores(t, dir); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the gradebook has %v, want %v", got, want)
		}
	}
}

// A judge that leaves in its second test, and one that never answers, cost that test alone: another
// one runs those behind it. One that was killed is asked once more, and the second time there is no verdict.
func TestJudgeEnds(t *testing.T) {
	const answer = "#!/bin/sh\nread request\necho '{\"Result\":{\"Checks\":[{\"Name\":\"x\",\"Passed\":true}]}}'\n"
	for name, c := range map[string]struct {
		program  string
		patience time.Duration
		want     []bool // nil: none
	}{
		"leaves":        {answer + "exit 2\n", 10 * time.Minute, []bool{true, false, true}},
		"is killed":     {answer + "kill -9 $$\n", 10 * time.Minute, []bool{true, true, true}}, // each in the test behind its answer, which the next one answers
		"killed twice":  {"#!/bin/sh\nread request\nkill -9 $$\n", 10 * time.Minute, nil},
		"asks again":    {"#!/bin/sh\nread request\ncase $request in *'\"Compiled\":true'*) echo '{\"Result\":{\"Checks\":[{\"Name\":\"x\",\"Passed\":true}]},\"Last\":true}';; *) echo '{\"Again\":true}';; esac\n", 10 * time.Minute, []bool{true, true, true}},
		"says before":   {"#!/bin/sh\nread request\necho '{\"Result\":{\"Checks\":[{\"Name\":\"x\",\"Passed\":true}]},\"If\":true}'\nexit 2\n", 10 * time.Minute, []bool{true, true, true}},
		"breaks":        {answer + "kill -SEGV $$\n", 10 * time.Minute, []bool{true, false, true}},
		"never answers": {"#!/bin/sh\nexec sleep 600\n", time.Millisecond, []bool{false, false, false}},
		// A shell answers sooner, however busy the machine is.
		"hangs": {answer + "exec sleep 600\n", 10 * time.Second, []bool{true, false, true}},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "hangs" {
				tier.Long(t)
			}
			program := filepath.Join(t.TempDir(), "judge")
			must.Do(t, os.WriteFile(program, []byte(c.program), 0o755))
			p := grade.NewProcess(program, "")
			defer p.Close()
			p.Patience = c.patience
			results, err := p.Ask(t.Context(), host.Request{Tests: []string{"A", "B", "C"}, Seconds: []float64{1, 1, 1}})
			if _, ok := errors.AsType[*assignment.MachineError](err); ok && c.want == nil {
				return
			}
			if err != nil || len(results) != 3 {
				t.Fatal(results, err)
			}
			for i, want := range c.want {
				if results[i].Checks[0].Passed != want {
					t.Errorf("test %d: passed %v, want %v", i, !want, want)
				}
			}
		})
	}
}
