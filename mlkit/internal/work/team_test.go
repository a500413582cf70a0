package work

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// with calls test with a team of n workers on as many processors.
func with(t *testing.T, n int, test func(team *Team)) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	team := NewTeam(n)
	defer team.Close()
	if team.Workers() != n {
		t.Fatalf("%d workers, want %d", team.Workers(), n)
	}
	test(team)
}

// Each part is done once, and before Do returns. Jobs follow each other at once, or when the
// helpers sleep.
func TestDo(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		with(t, n, func(team *Team) {
			for k := range 2000 {
				if k%500 == 499 {
					time.Sleep(5 * time.Millisecond)
				}
				parts := k % 23
				done := make([]int, parts)
				team.Do(parts, func(w, part int) {
					if w < 0 || w >= n {
						t.Errorf("worker %d of %d", w, n)
					}
					done[part]++
				})
				for part, times := range done {
					if times != 1 {
						t.Fatalf("%d workers, %d parts: part %d done %d times", n, parts, part, times)
					}
				}
			}
		})
	}
}

// Helpers work while worker 0 does, also after they have slept: two parts that wait for each
// other end.
func TestHelpers(t *testing.T) {
	with(t, 2, func(team *Team) {
		for range 3 {
			var begun atomic.Int32
			team.Do(2, func(w, part int) {
				for begun.Add(1); begun.Load() < 2; {
					runtime.Gosched()
				}
			})
			for team.asleep.Load() == 0 {
				runtime.Gosched()
			}
		}
	})
}

// All teams together have no more workers than there are processors, and closed ones have
// none.
func TestEmployed(t *testing.T) {
	with(t, 3, func(*Team) {
		if other := NewTeam(2); other != nil {
			t.Errorf("%d workers beside 3 on 3 processors, want 1", other.Workers())
		}
	})
	if n := employed.Load(); n != 0 {
		t.Errorf("%d workers after their team is closed", n)
	}
}
