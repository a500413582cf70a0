package mistake_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/testkit/must"
)

// Each name that a peer's stands for is there.
func TestPeersAreThere(t *testing.T) {
	packages := packages(t)
	for _, chapter := range mistake.Peers {
		for _, p := range chapter.Names {
			pkg, name, ok := strings.Cut(p.Name(), ".")
			if !ok || !slices.Contains(packages.Members(pkg, ""), name) {
				t.Errorf("%s: there is no %s", p.Theirs, p.Name())
			}
		}
	}
}

// docs/scikit-learn.md has the table of peers. -update writes it.
func TestPageOfPeers(t *testing.T) {
	path := filepath.Join(repotest.Root(t), "docs", "scikit-learn.md")
	page := string(must.Get(os.ReadFile(path)).Or(t))
	var b strings.Builder
	first := "\n## " + mistake.Peers[0].Chapter + "\n"
	before, _, _ := strings.Cut(page, first)
	b.WriteString(strings.TrimRight(before, "\n") + "\n")
	for _, chapter := range mistake.Peers {
		fmt.Fprintf(&b, "\n## %s\n\n| scikit-learn and its like | here | what differs |\n| --- | --- | --- |\n", chapter.Chapter)
		for _, p := range chapter.Names {
			fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", p.Theirs, p.Ours, p.Differ)
		}
	}
	if b.String() == page {
		return
	}
	if !*update {
		t.Fatal("docs/scikit-learn.md does not have the table of peers.go: go test ./internal/notebook/mistake -run TestPageOfPeers -update")
	}
	must.Do(t, os.WriteFile(path, []byte(b.String()), 0o666))
}
