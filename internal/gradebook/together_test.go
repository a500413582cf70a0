package gradebook

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
	b, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	all, err := b.Submissions(t.Context(), "ps1")
	if err != nil || len(all) != each {
		t.Fatalf("%d submissions, %v; want %d", len(all), err, each)
	}
}

// A writer waits for a lock that another program has, and stops waiting when it is told to.
func TestWaits(t *testing.T) {
	b := created(t)
	other, err := Open(t.Context(), b.path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	saved := make(chan error)
	go func() { _, err := b.Save(ctx, scores("ada", 1, 1), nil); saved <- err }()
	stop := errors.New("stop")
	cancel(stop)
	if err := <-saved; !errors.Is(err, stop) {
		t.Errorf("error %v, want the cause of the end", err)
	}
	go func() { _, err := b.Save(t.Context(), scores("ada", 1, 1), nil); saved <- err }()
	select {
	case err := <-saved:
		t.Errorf("saved, with error %v, while another had the lock", err)
	case <-time.After(300 * time.Millisecond): // longer than SQLite waits by itself
	}
	if _, err := other.db.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
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
	if _, err := b.Save(t.Context(), s, nil); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("error %v, want that the disk is full", err)
	}
	if after := dump(t, b); after != before {
		t.Error("the book changed")
	}
	if _, err := b.db.Exec("PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	save(t, b, s)
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
		rows, err := b.db.Query("EXPLAIN QUERY PLAN "+query, "x")
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			// a, s, g, k are rows of submissions; n and b of assignments; x is always found by a key.
			if small := strings.HasPrefix(step, "SCAN n") || strings.HasPrefix(step, "SCAN b"); strings.HasPrefix(step, "SCAN") && !small || strings.Contains(step, "AUTOMATIC") && !strings.HasPrefix(step, "SEARCH b") {
				t.Errorf("%s\n%s", step, query)
			}
		}
		rows.Close()
	}
}
