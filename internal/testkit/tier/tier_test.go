package tier

import (
	"os"
	"slices"
	"testing"
)

func TestAsked(t *testing.T) {
	all := []string{"kernel", "peer", "quick", "browser", "image", "long"}
	unset := "unset"
	for _, c := range []struct {
		list, ci string
		want     []string
		fails    bool
	}{
		{list: unset},
		{list: ""},
		{list: "long", want: []string{"long"}},
		{list: "image, long", want: []string{"image", "long"}},
		{list: "kernel,peer,browser", want: []string{"kernel", "peer", "browser"}},
		{list: "kernel,quick", want: []string{"kernel", "quick"}},
		{list: "all", want: all},
		{list: unset, ci: "true", want: all},
		{list: unset, ci: "1"},
		{list: "", ci: "true"},
		{list: "kernel", ci: "true", want: []string{"kernel"}},
		{list: "kernal", fails: true},
		{list: "long,", fails: true},
		{list: "all,none", ci: "true", fails: true},
	} {
		t.Setenv("CI", c.ci)
		t.Setenv("MARGINALIA_TEST", c.list)
		if c.list == unset {
			os.Unsetenv("MARGINALIA_TEST")
		}
		for _, tier := range all {
			got, err := asked(tier)
			want, fails := slices.Contains(c.want, tier), c.fails
			if want && tags[tier] != "" && !tagged {
				want, fails = false, true // this build has no test of that tier
			}
			if got != want || (err != nil) != fails {
				t.Errorf("MARGINALIA_TEST=%q CI=%q: %s is asked for: %v, %v, want %v and an error: %v", c.list, c.ci, tier, got, err, want, fails)
			}
		}
	}
}

func TestSkips(t *testing.T) {
	quick := func(t testing.TB) { Quick(t) }
	for name, need := range map[string]func(testing.TB){"kernel": Kernel, "peer": Peer, "quick": quick, "browser": Browser, "image": Image, "long": Long} {
		t.Setenv("MARGINALIA_TEST", "")
		t.Run(name, func(t *testing.T) {
			need(t)
			t.Error("was not skipped")
		})
		if tags[name] != "" && !tagged {
			continue // asking for it is an error, see TestAsked
		}
		t.Setenv("MARGINALIA_TEST", name)
		ran := false
		t.Run(name, func(t *testing.T) {
			need(t)
			ran = true
		})
		if !ran {
			t.Errorf("MARGINALIA_TEST=%s skips a test of that tier", name)
		}
		if got := IsLong(t); got != (name == "long") {
			t.Errorf("MARGINALIA_TEST=%s: IsLong is %v", name, got)
		}
		if got := IsKernel(t); got != (name == "kernel") {
			t.Errorf("MARGINALIA_TEST=%s: IsKernel is %v", name, got)
		}
	}
}

// The quick part of browser is all of it where browser is asked for.
func TestQuick(t *testing.T) {
	if !tagged {
		t.Skip("compiled with -tags browser")
	}
	for list, want := range map[string]bool{"quick": true, "browser": false, "quick,browser": false, "all": false} {
		t.Setenv("MARGINALIA_TEST", list)
		if got := Quick(t); got != want {
			t.Errorf("MARGINALIA_TEST=%s: the quick part alone runs: %v, want %v", list, got, want)
		}
	}
}

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		tier, test string
		benchmark  bool
		want       string
	}{
		{"kernel", "TestX", false, "MARGINALIA_TEST=kernel go test -run '^TestX$' ./internal/testkit/tier"},
		{"browser", "TestX/a_b/1", false, "MARGINALIA_TEST=browser go test -tags browser -run '^TestX$/^a_b$/^1$' ./internal/testkit/tier"},
		{"long", "TestX", false, "MARGINALIA_TEST=long go test -run '^TestX$' -timeout 40m ./internal/testkit/tier"},
		{"kernel", "BenchmarkX", true, "MARGINALIA_TEST=kernel go test -run '^$' -bench '^BenchmarkX$' ./internal/testkit/tier"},
	} {
		want := c.want
		if c.tier == "browser" && !tagged {
			want = "MARGINALIA_TEST=browser go test -tags browser ./internal/testkit/tier" // this build has none of its tests
		}
		if got := command(c.tier, c.test, c.benchmark); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// More is tried in the tier long alone, by CI too.
func TestSize(t *testing.T) {
	for list, want := range map[string]int{"": 3, "kernel": 3, "long": 70, "all": 70} {
		t.Setenv("MARGINALIA_TEST", list)
		if got := Size(t, 3, 70); got != want {
			t.Errorf("MARGINALIA_TEST=%s: %d, want %d", list, got, want)
		}
	}
}
