package page

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"marginalia/internal/testkit/must"
)

// A page without network needs each script that one of its own imports or starts, and the editor. What cells.js itself
// imports the page has loaded.
func TestKept(t *testing.T) {
	file := regexp.MustCompile(`(?:from |import |import\(new URL\(|new URL\()"(?:\./)?([a-z_]+\.js)"`)
	names := func(script string) (found []string) {
		for _, m := range file.FindAllStringSubmatch(string(must.Get(os.ReadFile(script)).Or(t)), -1) {
			found = append(found, m[1])
		}
		return found
	}
	list := regexp.MustCompile(`const scripts = \[(.*)\]`).FindSubmatch(must.Get(os.ReadFile("keep.js")).Or(t))
	if list == nil {
		t.Fatal("keep.js has no list of scripts")
	}
	var got []string
	for _, m := range regexp.MustCompile(`"([^"]+)"`).FindAllSubmatch(list[1], -1) {
		got = append(got, string(m[1]))
	}
	want := []string{"editor.js", "kernel.js"}
	for i := 1; i < len(want); i++ { // those that a worker loads, and that these do
		if want[i] == "wasm_exec.js" {
			continue // Go's own
		}
		for _, name := range names(want[i]) {
			if !slices.Contains(want, name) {
				want = append(want, name)
			}
		}
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("keep.js names\n%q, and the workers load\n%q", got, want)
	}
}
