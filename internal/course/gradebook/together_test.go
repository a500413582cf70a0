package gradebook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marginalia/internal/course/gradebook/booktest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/smalldisk"
	"marginalia/internal/testkit/tier"
)

// Several writers at the same time lose nothing. Each opens the file on its own, and the
// first makes it.
func TestWritersTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gradebook.db")
	const writers, each = 4, 6
	failed := make(chan error, writers)
	for w := range writers {
		go func() {
			own, err := Create(t.Context(), path)
			if err != nil {
				failed <- err
				return
			}
			err = own.SetAssignment(t.Context(), ps1())
			for k := 0; err == nil && k < each; k++ {
				_, err = own.Save(t.Context(), scores(fmt.Sprintf("s%d", k), float64(k%5), float64(w)), nil)
			}
			failed <- errors.Join(err, own.Close())
		}()
	}
	for range writers {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	b := must.Get(Open(t.Context(), path)).Or(t)
	defer b.Close()
	all, err := b.Submissions(t.Context(), "ps1")
	if err != nil || len(all) != each {
		t.Fatalf("%d submissions, %v; want %d", len(all), err, each)
	}
}

// A writer waits for a lock that another program has, and stops waiting when it is told to.
func TestWaits(t *testing.T) {
	b := created(t)
	other := must.Get(Open(t.Context(), b.path)).Or(t)
	defer other.Close()
	must.Get(other.db.Exec("BEGIN IMMEDIATE")).Or(t)
	waits := make(chan string)
	ctx, cancel := context.WithCancelCause(WithWaiting(t.Context(), func(path string) { waits <- path }))
	saved := make(chan error)
	go func() { _, err := b.Save(ctx, scores("ada", 1, 1), nil); saved <- err }()
	if path := <-waits; path != b.path {
		t.Errorf("waits for %s, want %s", path, b.path)
	}
	stop := errors.New("stop")
	cancel(stop)
	if err := <-saved; !errors.Is(err, stop) {
		t.Errorf("error %v, want the cause of the end", err)
	}
	ctx = WithWaiting(t.Context(), func(path string) { waits <- path })
	go func() { _, err := b.Save(ctx, scores("ada", 1, 1), nil); saved <- err }()
	select {
	case err := <-saved:
		t.Errorf("saved, with error %v, while another had the lock", err)
	case <-waits: // longer than SQLite does by itself
	}
	must.Get(other.db.Exec("COMMIT")).Or(t)
	if err := <-saved; err != nil {
		t.Error(err)
	}
}

// A full disk leaves the book as it was: SQLite says so of a file that may not grow.
func TestFullDisk(t *testing.T) {
	b := created(t)
	save(t, b, scores("ada", 1, 1))
	before := dump(t, b)
	if _, err := b.db.Exec("PRAGMA max_page_count = 1"); err != nil { // the least is what it has
		t.Fatal(err)
	}
	s := scores("bob", 2, 2)
	s.Notebooks[0].Cells[1].Comment = strings.Repeat("long ", 100_000)
	if _, err := b.Save(t.Context(), s, nil); err == nil || !strings.Contains(err.Error(), "the disk of "+b.path+" is full: make room") {
		t.Errorf("error %v, want that the disk is full", err)
	}
	if after := dump(t, b); after != before {
		t.Error("the book changed")
	}
	must.Get(b.db.Exec("PRAGMA max_page_count = 1000000")).Or(t)
	save(t, b, s)
}

// A disk without room is called that, whatever SQLite's driver makes of it.
func TestSmallDisk(t *testing.T) {
	dir := t.TempDir()
	cmd := smalldisk.Command(t, dir, 350_000, os.Args[0])
	cmd.Env = append(os.Environ(), "MARGINALIA_GRADEBOOK_WRITER="+filepath.Join(dir, "gradebook.db"))
	out, err := cmd.CombinedOutput()
	if text := string(out); err == nil || !strings.Contains(text, "saved s0") || !strings.Contains(text, "is full: make room") {
		t.Errorf("%v\n%s", err, text[max(0, len(text)-500):])
	}
}

// An exclusive lock of two minutes costs time and no mark.
func TestLongLock(t *testing.T) {
	tier.Long(t)
	b := created(t)
	other := must.Get(Open(t.Context(), b.path)).Or(t)
	defer other.Close()
	must.Get(other.db.Exec("BEGIN EXCLUSIVE")).Or(t)
	time.AfterFunc(2*time.Minute, func() { other.db.Exec("COMMIT") })
	failed := make(chan error)
	for i := range 5 {
		go func() { _, err := b.Save(t.Context(), scores(fmt.Sprint("s", i), float64(i), 1), nil); failed <- err }()
	}
	for range 5 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	all, err := b.Submissions(t.Context(), "ps1")
	if err != nil || len(all) != 5 {
		t.Fatalf("%d submissions, %v, want 5", len(all), err)
	}
	for i, s := range all {
		if got := s.Score().Total; got != float64(i)+1 {
			t.Errorf("%s has %g points, want %d", s.Student.ID, got, i+1)
		}
	}
	booktest.Sound(t, b.path)
}

// No query that saving one submission makes reads all rows of a table that grows with the
// submissions: 3,000 of them took 47 ms each, 300 took 2, before the joins had an order.
func TestQueriesUseKeys(t *testing.T) {
	b := created(t)
	queries := []string{notebooksOf, gradesOf, commentsOf, scoresOf}
	for _, l := range lacking {
		queries = append(queries, l.find+" AND a.id = ?")
	}
	for _, query := range queries {
		rows := must.Get(b.db.Query("EXPLAIN QUERY PLAN "+query, "x")).Or(t)
		for rows.Next() {
			var id, parent, unused int
			var step string
			must.Do(t, rows.Scan(&id, &parent, &unused, &step))
			// a, s, g, k are rows of submissions; n and b of assignments; x is always found by a key.
			if small := strings.HasPrefix(step, "SCAN n") || strings.HasPrefix(step, "SCAN b"); strings.HasPrefix(step, "SCAN") && !small || strings.Contains(step, "AUTOMATIC") && !strings.HasPrefix(step, "SEARCH b") {
				t.Errorf("%s\n%s", step, query)
			}
		}
		rows.Close()
	}
}
