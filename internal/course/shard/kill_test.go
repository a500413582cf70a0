package shard

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"testing"
	"time"

	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/gradebook/booktest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/reads"
	"marginalia/internal/testkit/tier"
)

// TestMain makes this binary the merger that TestKilled kills.
func TestMain(m *testing.M) {
	book := os.Getenv("MARGINALIA_SHARD_BOOK")
	if book == "" {
		os.Exit(reads.Short(m).Run())
	}
	files, err := Files(os.Getenv("MARGINALIA_SHARD_FILES"))
	b, opened := gradebook.Open(context.Background(), book)
	if err = errors.Join(err, opened); err == nil {
		_, err = Merge(context.Background(), b, files, func(Result) (*gradebook.Terms, error) { return terms(spoken{}), nil })
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// spoken is perHour, and, as all submissions are late, prints a line in the middle of the transaction of each submission.
type spoken struct{ perHour }

func (s spoken) Penalty(score float64, due, submitted time.Time) float64 {
	fmt.Println("begun")
	return s.perHour.Penalty(score, due, submitted)
}

// Merges are killed at random, in the middle of a submission or shortly after. The book is
// sound then, has each submission that was merged, and each whole. One merge that comes to its
// end makes of it the book that no kill makes.
func TestKilled(t *testing.T) {
	kills := tier.Size(t, 4, 100)
	const students = 40
	dir := t.TempDir()
	for i := range students {
		must.Get(Write(dir, result(fmt.Sprint("s", i), 1+i%5, float64(i%4)))).Or(t)
	}
	files := must.Get(Files(dir)).Or(t)
	single := book(t)
	merge(t, single, files...)
	want := inBook(t, single)
	random := rand.New(rand.NewPCG(3, 4))
	var b *gradebook.Book
	there := 0 // submissions in the book
	for kill := range kills {
		if kill%4 == 0 { // the others go on with what the ones before left
			b, there = book(t), 0
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "MARGINALIA_SHARD_BOOK="+b.Path(), "MARGINALIA_SHARD_FILES="+dir)
		cmd.Stderr = os.Stderr
		out := must.Get(cmd.StdoutPipe()).Or(t)
		must.Do(t, cmd.Start())
		last, begun := 1+random.IntN(students), 0
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if begun++; begun == last {
				time.Sleep(time.Duration(random.IntN(2000)) * time.Microsecond)
				cmd.Process.Kill()
			}
		}
		cmd.Wait()
		if begun < last {
			t.Fatalf("the merge ended after %d submissions of %d", begun, students)
		}
		booktest.Sound(t, b.Path())
		got := inBook(t, b)
		if there = max(there, last-1); len(got) < there { // the one that was begun last may be lost
			t.Fatalf("kill %d: %d submissions, %d were merged", kill, len(got), there)
		}
		there = len(got)
		for _, line := range got {
			if !slices.Contains(want, line) {
				t.Fatalf("kill %d: the book has %q, which no whole merge makes", kill, line)
			}
		}
	}
	merge(t, b, files...)
	if got := inBook(t, b); !reflect.DeepEqual(got, want) {
		t.Errorf("after %d kills the book has\n%q\nwant\n%q", kills, got, want)
	}
}
