//go:build unix

package peer_test

import (
	"strings"
	"testing"

	"marginalia/internal/notebook/mistake"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// scikit-learn has the names that docs/scikit-learn.md says what stands for.
func TestNamesOfPeers(t *testing.T) {
	tier.Peer(t)
	var names []string
	for _, chapter := range mistake.Peers {
		for _, p := range chapter.Names {
			if strings.HasPrefix(p.Theirs, "sklearn.") {
				names = append(names, p.Theirs)
			}
		}
	}
	if len(names) < 50 {
		t.Fatalf("%d names", len(names))
	}
	var answer struct{ Missing []string }
	must.Do(t, start(t).solve(map[string]any{"model": "names", "names": names}, &answer))
	if len(answer.Missing) > 0 {
		t.Errorf("scikit-learn has no %q", answer.Missing)
	}
}
