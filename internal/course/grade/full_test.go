package grade_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"marginalia/internal/course/grade"
	"marginalia/internal/course/gradebook/booktest"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/smalldisk"
	"marginalia/internal/testkit/tier"
)

// A full temporary folder is the machine's fault: whatever room there is, a submission has the
// marks that it deserves, or none, and then the command fails. With room again the next call
// completes what is missing.
func TestFullTemporary(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	half := map[string]string{"one": "func One(x int) int { return x*x + 1 }"}
	want := map[string]float64{"ada": 6, "ben": 5} // One loses 1 of 2 points
	dir := folder(t, map[string]map[string]string{"ada": nil, "ben": half})
	process := func(cmd *exec.Cmd, tmp string) (out []byte, failed bool) {
		cmd.Env = append(os.Environ(), "GRADE_COURSE="+dir, "GRADE_ROOT="+root(t), "GRADE_OUTPUTS=no", "TMPDIR="+tmp)
		out, err := cmd.CombinedOutput()
		return out, err != nil
	}
	if out, failed := process(exec.Command(os.Args[0]), t.TempDir()); failed { // the judge is in the cache now
		t.Fatalf("with room: %s", out)
	}
	judged := 0
	const sizes = 6
	for i := range sizes {
		if err := os.RemoveAll(filepath.Join(dir, "autograded")); err != nil {
			t.Fatal(err)
		}
		os.Remove(filepath.Join(dir, "gradebook.db"))
		size := int64(400e3 * math.Pow(2.5, float64(i))) // 400 kB to 40 MB
		tmp := t.TempDir()
		out, failed := process(smalldisk.Command(t, tmp, size, os.Args[0]), tmp)
		got := map[string]float64{}
		if _, err := os.Stat(filepath.Join(dir, "gradebook.db")); err == nil {
			got = bookScores(t, dir)
		}
		for id, marks := range want {
			if have, found := got[id]; found && have != marks || !found && !failed {
				rec, _ := grade.ReadRecord(filepath.Join(dir, "autograded", id, "ps1"))
				t.Errorf("%d bytes, %s: %v points, in the book: %v, failed: %v, want %g points, or none and a failure\n%s\n%+v", size, id, have, found, failed, marks, out, rec)
			}
		}
		judged += len(got)
		if out, failed := process(exec.Command(os.Args[0]), t.TempDir()); failed || fmt.Sprint(bookScores(t, dir)) != fmt.Sprint(want) {
			t.Errorf("after %d bytes, with room again: %v, want %v\n%s", size, bookScores(t, dir), want, out)
		}
		booktest.Sound(t, filepath.Join(dir, "gradebook.db"))
	}
	if judged == 0 || judged == sizes*len(want) {
		t.Errorf("%d of %d submissions were judged: want some of them, or the sizes try nothing", judged, sizes*len(want))
	}
}
