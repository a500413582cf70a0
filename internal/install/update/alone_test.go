package update

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"marginalia/internal/base/lockfile"
	"marginalia/internal/testkit/must"
)

// A second update of the same clone says that it waits, and then finds everything done.
func TestAtOnce(t *testing.T) {
	c := newCourse(t, map[string]string{"1.ipynb": "a:1 b:2"})
	c.edit("1.ipynb", "a:mine b:2")
	c.publish(map[string]string{"1.ipynb": "a:1 b:new"})
	first := must.Get(lockfile.Try(filepath.Join(c.clone, ".git", "marginalia-update"), lockfile.Exclusive)).Or(t)
	said := make(chan string, 100)
	say := func(line string) { said <- line }
	ended := make(chan error, 2)
	for range 2 {
		go func() { ended <- Run(t.Context(), Options{Root: c.clone, Say: say, Complain: say}) }()
	}
	for range 2 {
		select {
		case line := <-said:
			want(t, "while another runs, update", []string{line}, fmt.Sprintf("another update is running (process %d)", os.Getpid()))
		case err := <-ended:
			t.Fatalf("it ended while another ran: %v", err)
		}
	}
	first.Close()
	if err := errors.Join(<-ended, <-ended); err != nil {
		t.Error(err)
	}
	close(said)
	var lines []string
	for line := range said {
		lines = append(lines, line)
	}
	want(t, "two updates", lines, "new commits are here", "are those of origin/main", "has taken from its lecture: cells changed (b)", "copies with all that is in their lectures: 1")
	if backups := must.Get(filepath.Glob(c.at("own/backups/lectures/*"))).Or(t); len(backups) != 1 || c.cells("own/lectures/1.ipynb") != "a:mine b:new" {
		t.Errorf("backups %q, and the copy is %s", backups, c.cells("own/lectures/1.ipynb"))
	}
}
