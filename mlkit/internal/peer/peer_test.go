//go:build unix

package peer_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"marginalia/internal/tier"
)

// A model is one thing that both libraries compute.
type model struct {
	name    string
	compare func(t *trial)
	rules   []rule
}

// A rule says how far apart the two values of a quantity may be, in units of its
// scale, and why so far.
type rule struct {
	quantity  string
	tolerance float64
	why       string
}

// models are taken in turn, so that any number of problems is spread over all.
var models = slices.Concat(perceptronModels, regressionModels, logisticModels, gaussianModels, svmModels, linearSVMModels, classesSVMModels, kernelModels, clusterModels, featureModels, evalModels)

// TestPeer draws problems, lets mlkit and scikit-learn solve them, compares, and
// prints a table of how near they came. Problem i is the same for any number of
// problems; -run 'TestPeer/ridge/17$' looks at one.
func TestPeer(t *testing.T) {
	tier.Peer(t)
	problems := 40
	if s := os.Getenv("MARGINALIA_PEER"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			t.Fatalf("MARGINALIA_PEER=%s, want a number of problems", s)
		}
		problems = n
	}
	p := start(t)
	table := newTable()
	for i := range problems {
		m := models[i%len(models)]
		t.Run(fmt.Sprintf("%s/%d", m.name, i), func(t *testing.T) {
			m.compare(&trial{T: t, Rand: rand.New(rand.NewPCG(0x6d617267, uint64(i))), model: m, peer: p, table: table})
		})
	}
	t.Logf("scikit-learn %s\n%s", p.version, table)
}

// start returns a running scikit-learn.
func start(t *testing.T) *process {
	t.Helper()
	p, err := startProcess(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func TestRefused(t *testing.T) {
	tier.Peer(t)
	p := start(t)
	const want = "peer: scikit-learn: no such model: KeyError: 'no such model'"
	if err := p.solve(map[string]any{"model": "no such model"}, nil); err == nil || err.Error() != want {
		t.Errorf("unknown model: error %v, want %s", err, want)
	}
	var answer struct{ Version string }
	if err := p.solve(map[string]any{"model": "version"}, &answer); err != nil || answer.Version != p.version {
		t.Errorf("after an error: version %q, %v, want %q", answer.Version, err, p.version)
	}
}
