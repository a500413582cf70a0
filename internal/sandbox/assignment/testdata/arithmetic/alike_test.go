package main

import "testing"

func TestAlike(t *testing.T) {
	const n = 4000
	got, want := Computed(n), computed(n)
	numbers := 0
	for name := range want {
		differ := 0
		for i := range want[name] {
			if i >= len(got[name]) || got[name][i] != want[name][i] {
				differ++
			}
		}
		if differ > 0 || len(got[name]) != len(want[name]) {
			t.Errorf("%s: %d of %d results differ", name, differ, len(want[name]))
		}
		numbers += len(want[name])
	}
	t.Logf("%d kinds, %d numbers", len(want), numbers)
}
