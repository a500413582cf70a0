package gradebook

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marginalia/internal/course/gradebook/booktest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/reads"
	"marginalia/internal/testkit/tier"
)

// TestMain makes this binary the writer that TestKilled kills.
func TestMain(m *testing.M) {
	if path := os.Getenv("MARGINALIA_GRADEBOOK_WRITER"); path != "" {
		if err := write(context.Background(), path); err != nil {
			fmt.Println(err)
		}
		os.Exit(1)
	}
	os.Exit(reads.Short(m).Run())
}

// write saves submissions without end, new ones and old ones again, both notebooks of one
// with the same mark, and says so before the first and after each.
func write(ctx context.Context, path string) error {
	fmt.Println("begins")
	b, err := Create(ctx, path)
	if err == nil {
		err = b.SetAssignment(ctx, ps1())
	}
	for k := 0; err == nil; k++ {
		s := scores(fmt.Sprintf("s%d", k%30), float64(os.Getpid()+k), float64(os.Getpid()+k))
		s.Notebooks[0].Cells[1].Comment = strings.Repeat("comment ", 500*(k%4)) // several pages
		if _, err = b.Save(ctx, s, hourly()); err == nil {
			fmt.Println("saved", s.Student, *s.Notebooks[0].Cells[0].Auto)
		}
	}
	return err
}

// A writer that is killed leaves a sound book, in which each submission is whole or absent
// and the last one that it said it had saved is there. Kills come at random, from before the
// tables are made.
func TestKilled(t *testing.T) {
	kills := tier.Size(t, 5, 100)
	random := rand.New(rand.NewPCG(1, 1))
	path := ""
	for kill := range kills {
		if kill%10 == 0 { // now and then the file is made anew
			path = filepath.Join(t.TempDir(), "gradebook.db")
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "MARGINALIA_GRADEBOOK_WRITER="+path)
		out := must.Get(cmd.StdoutPipe()).Or(t)
		must.Do(t, cmd.Start())
		lines := bufio.NewScanner(out)
		var student string
		var mark float64
		stop := random.IntN(12)
		for n := 0; lines.Scan(); n++ {
			if _, err := fmt.Sscanf(lines.Text(), "saved %s %g", &student, &mark); n > 0 && err != nil {
				t.Fatalf("the writer says %s", lines.Text())
			}
			if n == stop { // and it goes on with the next one
				time.Sleep(time.Duration(random.IntN(6000)) * time.Microsecond)
				cmd.Process.Kill()
			}
		}
		cmd.Wait()
		check(t, path, student, mark)
	}
}

// check looks whether the book is sound, all submissions are whole, and that of the student
// has this mark or, if the writer was killed before it could say so, a later one.
func check(t *testing.T, path, student string, mark float64) {
	t.Helper()
	b := must.Get(Create(t.Context(), path)).Or(t)
	defer b.Close()
	booktest.Sound(t, path)
	all := must.Get(b.Submissions(t.Context(), "ps1")).Or(t)
	found := student == ""
	for _, s := range all {
		if len(s.Notebooks) != 2 || len(s.Notebooks[0].Cells) != 4 || len(s.Notebooks[1].Cells) != 2 {
			t.Fatalf("%s has %+v", s.Student.ID, s.Notebooks)
		}
		one, other := s.Notebooks[0].Cells[0].Score()+s.Notebooks[0].Cells[1].Score(), s.Notebooks[1].Cells[0].Score()
		if one != other || one == 0 {
			t.Fatalf("%s has %v and %v points, want twice the same", s.Student.ID, one, other)
		}
		found = found || s.Student.ID == student && one >= mark
	}
	if !found {
		t.Fatalf("%s was saved with %v points, and is not there", student, mark)
	}
}
