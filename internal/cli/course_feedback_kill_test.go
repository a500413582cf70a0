package cli

import (
	"bufio"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marginalia/internal/course/gradebook/booktest"
	"marginalia/internal/testkit/tier"
)

// `course feedback` is killed with -9 at random moments: before it has said anything, while it
// reckons penalties, or in the middle of a page. The gradebook is sound then, and each page is
// the old one, the new one, or one that was not there. The next call leaves what one makes
// that nobody kills, and no other file.
func TestCourseFeedbackKilled(t *testing.T) {
	tier.Long(t)
	kills := tier.Size(t, 3, 100)
	var students []string
	for i := range 20 {
		students = append(students, fmt.Sprintf("s%02d", i))
	}
	dir := judgedCourse(t, students...)
	for _, id := range students { // what nbgrader release_feedback wants to have beside the pages
		writeBelow(t, dir, "submitted/"+id+"/ps1/timestamp.txt", "2026-11-02 12:00:00 UTC")
	}
	book := filepath.Join(dir, "gradebook.db")
	fresh, err := os.ReadFile(book)
	if err != nil {
		t.Fatal(err)
	}
	// With --student it prints a line for each.
	args := []string{"course", "feedback", "ps1", "--course", dir}
	for _, id := range students {
		args = append(args, "--student", id)
	}
	whole := func() map[string]string {
		t.Helper()
		begin := time.Now()
		if out, err := exec.Command("marginalia", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Logf("a whole call took %v", time.Since(begin))
		return filesBelow(t, filepath.Join(dir, "feedback"))
	}
	want := whole()
	page := want["s07/ps1/ps1.md"]
	if len(want) != 3*len(students) || !strings.Contains(page, "**3 of 5 points**") { // 4 less a quarter of them
		t.Fatalf("%d files; s07 reads\n%s", len(want), page)
	}
	random := rand.New(rand.NewPCG(15, 100))
	hit := 0
	for kill := range kills {
		if kill%5 == 0 { // the first of five finds pages of before, and marks without penalties
			if err := os.RemoveAll(filepath.Join(dir, "feedback")); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(book, fresh, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, id := range students[:10] {
				writeBelow(t, dir, "feedback/"+id+"/ps1/ps1.html", "old")
			}
			for _, file := range []string{".ps1.md77", ".timestamp.txt77"} { // what a kill in the middle of a file leaves
				writeBelow(t, dir, "feedback/s00/ps1/"+file, "half")
			}
		}
		before := filesBelow(t, filepath.Join(dir, "feedback"))
		cmd := exec.Command("marginalia", args...)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		last := random.IntN(len(students)) // lines that it prints before the end
		wait := time.Duration(random.IntN(3000)) * time.Microsecond
		if last == 0 { // it starts, and opens the gradebook
			time.Sleep(time.Duration(random.IntN(400)) * time.Millisecond)
			cmd.Process.Kill()
		}
		for lines, said := bufio.NewScanner(out), 0; lines.Scan(); {
			if said++; said == last {
				time.Sleep(wait)
				cmd.Process.Kill()
			}
		}
		if cmd.Wait() != nil {
			hit++
		}
		booktest.Sound(t, book)
		got := filesBelow(t, filepath.Join(dir, "feedback"))
		for name, text := range got {
			if !strings.HasPrefix(filepath.Base(name), ".") && text != want[name] && text != before[name] {
				t.Fatalf("kill %d: %s is neither as it was nor as it shall be:\n%s", kill, name, text)
			}
		}
		for name := range before {
			if _, there := got[name]; !there && !strings.HasPrefix(filepath.Base(name), ".") {
				t.Fatalf("kill %d: %s is lost", kill, name)
			}
		}
		if kill%5 < 4 {
			continue
		}
		if got := whole(); !maps.Equal(got, want) {
			t.Fatalf("after kill %d a whole call leaves %q, want %q", kill, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
	}
	if hit < kills/2 {
		t.Errorf("%d of %d calls were killed before their end", hit, kills)
	}
}

// filesBelow returns the contents of the files below dir, if there is one.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(at)
		name, _ := filepath.Rel(dir, at)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	if _, missing := os.Stat(dir); err != nil && missing == nil {
		t.Fatal(err)
	}
	return all
}
