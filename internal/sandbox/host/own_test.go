package host

import "testing"

// A check that fails by its subtests alone is told from one that fails beside them: with partial credit, that costs more.
func TestOwn(t *testing.T) {
	for name, c := range map[string]struct {
		test func(*T)
		own  bool
	}{
		"subtest":      {func(t *T) { t.Run("a", func(t *T) { t.Fatal("a") }) }, false},
		"deep":         {func(t *T) { t.Run("a", func(t *T) { t.Run("b", func(t *T) { panic("b") }) }) }, false},
		"error":        {func(t *T) { t.Run("a", func(*T) {}); t.Error("beside") }, true},
		"fail":         {func(t *T) { t.Run("a", func(t *T) { t.Fail() }); t.Fail() }, true},
		"panic":        {func(t *T) { t.Run("a", func(*T) {}); panic("beside") }, true},
		"outer in one": {func(outer *T) { outer.Run("a", func(*T) { outer.Error("beside") }) }, true},
		"cleanup":      {func(t *T) { t.Cleanup(func() { t.Error("late") }) }, true},
		"skipped":      {func(t *T) { t.Skip() }, true},
	} {
		top := newT("T", nil)
		top.run(c.test)
		if got := top.all()[0]; got.Passed || got.Own != c.own {
			t.Errorf("%s: %+v, want one that has failed, by itself: %t", name, got, c.own)
		}
	}
}
