package collect

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/course"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/reads"
	"marginalia/internal/testkit/tier"
)

// TestMain makes this binary, with COLLECT_COURSE in its environment, a process that
// collects its arguments into that course: TestKilled kills it.
func TestMain(m *testing.M) {
	dir := os.Getenv("COLLECT_COURSE")
	if dir == "" {
		os.Exit(reads.Short(m).Run())
	}
	c, err := course.Open(dir)
	if err != nil {
		panic(err)
	}
	// The time does not depend on when the process runs: the records of two are the same.
	_, err = Collect(context.Background(), Options{Course: c, Assignment: "ps1", Inputs: os.Args[1:], Now: func() time.Time { return noon }})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func collecting(course string, inputs ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], inputs...)
	cmd.Env = append(os.Environ(), "COLLECT_COURSE="+course)
	cmd.Stderr = os.Stderr
	return cmd
}

// A process that collects is killed (SIGKILL) at moments spread over its life, once
// while it makes the first submissions and once while newer ones take their places.
// At each moment every attempt and every submission is whole, and one that was there is
// still there, itself or newer. The next call makes what one that nobody killed makes.
func TestKilled(t *testing.T) {
	tier.Long(t)
	kills := tier.Size(t, 4, 100)
	const students = 5
	inputs := [2]string{t.TempDir(), t.TempDir()}
	for i := range students {
		for day, in := range inputs {
			dir := fmt.Sprintf("inbound/s%d+ps1+2026-11-2%d 10:00:00.000000 UTC+MTIzNDU2Nzg5MDEy/", i, day)
			write(t, in, map[string]string{dir + "ps1.ipynb": right(fmt.Sprint("day ", day)), dir + "x.csv": fmt.Sprint(i, day)})
		}
	}
	// What it comes to, without anybody killing.
	var want [2]map[string]string
	var whole [2]time.Duration
	course := newCourse(t)
	for day, in := range inputs {
		begin := time.Now()
		must.Do(t, collecting(course, in).Run())
		whole[day] = time.Since(begin)
		want[day] = tree(t, course)
	}
	if len(want[1]) != 3+2*students*3+students*4 { // course.toml, releases; attempts of 3 files; submissions of 4
		t.Fatalf("%d files: %q", len(want[1]), slices.Sorted(maps.Keys(want[1])))
	}

	r := rand.New(rand.NewPCG(1, 9))
	hit := 0
	for i := range kills {
		course := newCourse(t)
		for day, in := range inputs {
			cmd := collecting(course, in)
			must.Do(t, cmd.Start())
			time.Sleep(time.Duration((float64(i) + r.Float64()) / float64(kills) * float64(whole[day])))
			cmd.Process.Kill()
			cmd.Wait()
			if got := tree(t, course); !maps.Equal(got, want[day]) {
				hit++
				checkKilled(t, got, want, day)
			}
			must.Do(t, collecting(course, in).Run())
			if got := tree(t, course); !maps.Equal(got, want[day]) {
				t.Errorf("kill %d, day %d: the next call leaves %q, want %q", i, day, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want[day])))
			}
		}
		if t.Failed() {
			return
		}
	}
	if hit == 0 {
		t.Errorf("none of %d processes was killed before its end", 2*kills)
	}
	t.Logf("%d of %d processes were killed before their end", hit, 2*kills)
}

// Calls at the same time wait for one another: what they make is what they make one
// after the other, and the lock tells who waits for whom.
func TestAtOnce(t *testing.T) {
	course := newCourse(t)
	var all []*exec.Cmd
	for i := range 4 {
		in := t.TempDir()
		for s := range 3 {
			write(t, in, map[string]string{fmt.Sprintf("inbound/s%d+ps1+2026-11-2%d 10:00:00 UTC/ps1.ipynb", s, i): right(fmt.Sprint(i))})
		}
		cmd := collecting(course, in)
		must.Do(t, cmd.Start())
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	got := tree(t, course)
	for s := range 3 {
		if text := got[fmt.Sprintf("submitted/s%d/ps1/ps1.ipynb", s)]; text != right("3") {
			t.Errorf("s%d's last attempt does not count: %s", s, text)
		}
	}
	if len(got) != 3+3*4*2+3*3 { // course.toml, releases; attempts of two files; submissions of three
		t.Errorf("%d files: %q", len(got), slices.Sorted(maps.Keys(got)))
	}
}

// checkKilled looks at what a killed process left in got, which want[day] says.
func checkKilled(t *testing.T, got map[string]string, want [2]map[string]string, day int) {
	t.Helper()
	folders := func(files map[string]string) map[string]map[string]string {
		by := map[string]map[string]string{}
		for name, text := range files {
			depth := map[string]int{"attempts": 4, "submitted": 3}[strings.SplitN(name, "/", 2)[0]]
			parts := strings.Split(name, "/")
			if depth == 0 || strings.HasPrefix(parts[1], unfinished) {
				continue
			}
			folder := filepath.Join(parts[:depth]...)
			if by[folder] == nil {
				by[folder] = map[string]string{}
			}
			by[folder][name] = text
		}
		return by
	}
	have, new, old := folders(got), folders(want[day]), folders(want[0])
	for folder, files := range have {
		if !maps.Equal(files, new[folder]) && !(day == 1 && maps.Equal(files, old[folder])) {
			t.Errorf("%s is neither as it was nor as it shall be: %q", folder, files)
		}
	}
	if day == 1 {
		for folder := range old {
			if have[folder] == nil {
				t.Errorf("%s is lost", folder)
			}
		}
	}
}
