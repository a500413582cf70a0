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

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// model is something that both libraries compute.
type model struct {
	name    string
	compare func(t *trial)
	rules   []rule
}

// rule bounds the difference of the two values of a quantity, in units of its scale,
// and gives the reason for the bound.
type rule struct {
	quantity  string
	tolerance float64
	why       string
}

// models lists all models. The problems go through them in turn, so that any number of
// problems covers them evenly.
var models = slices.Concat(perceptronModels, regressionModels, logisticModels, gaussianModels, svmModels, linearSVMModels, classesSVMModels, kernelModels, clusterModels, featureModels, evalModels)

// TestPeer draws problems, solves them with mlkit and scikit-learn, compares the
// results, and logs a table of the largest differences. Problem i is the same for any
// number of problems; -run 'TestPeer/ridge/17$' selects one.
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

// start starts a scikit-learn process, which ends with the test.
func start(t *testing.T) *process {
	t.Helper()
	p := must.Get(startProcess(context.Background())).Or(t)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}
