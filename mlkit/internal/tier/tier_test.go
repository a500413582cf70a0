package tier

import "testing"

func TestWanted(t *testing.T) {
	for list, want := range map[string]bool{"": false, "long": true, "image, long": true, "longer": false, "image": false} {
		t.Setenv(variable, list)
		if got := wanted("long"); got != want {
			t.Errorf("%s=%q: %v, want %v", variable, list, got, want)
		}
	}
	t.Setenv(variable, "")
	t.Run("skips", func(t *testing.T) {
		Long(t)
		t.Error("was not skipped")
	})
	if got, want := howTo("long", "TestX"), "takes minutes: run it with MARGINALIA_TEST=long go test -count=1 -timeout 30m -run '^TestX$'"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
