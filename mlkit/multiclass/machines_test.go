package multiclass_test

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/testkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/pipeline"
	"marginalia/mlkit/svm"
)

// If two machines fail, the error is that of the first in the order of fitting, the
// larger one, even if the other fails earlier. Here the larger one waits for that.
func TestFirstFailure(t *testing.T) {
	X, y := mat.NewDense(9, 1, []float64{0, 1, 1, 1, 2, 2, 2, 2, 2}), []int{0, 1, 1, 1, 2, 2, 2, 2, 2}
	for _, processors := range []int{1, 2, 3} {
		var once sync.Once
		smaller := make(chan struct{}) // closed when a smaller machine fails
		k := kernel.Func(func(x, z []float64) float64 {
			switch {
			case x[0] == 0: // one of the two smaller machines
				once.Do(func() { close(smaller) })
			case processors > 1:
				<-smaller
			}
			return math.NaN()
		})
		was := runtime.GOMAXPROCS(processors)
		_, err := multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{Kernel: k}}.Fit(X, y)
		runtime.GOMAXPROCS(was)
		if err == nil || errors.As(err, new(*mlkit.NotConvergedError)) || !strings.Contains(err.Error(), "1 against 2") {
			t.Errorf("%d processors: %v, want the error of 1 against 2", processors, err)
		}
	}
}

// centroids is somebody's own algorithm: the sample mean of each class decides. met, if not
// nil, is called during a fit.
type centroids struct {
	met   func()
	Trace func() bool
}

func (c centroids) FitWith(o mlkit.Options, X *mat.Dense, y []int) (*mlkit.Hyperplane, error) {
	ctx, err := o.Unweighted("centroids")
	if err != nil {
		return nil, err
	}
	if c.met != nil {
		c.met()
	}
	n, d := X.Dims()
	means, count := mat.NewDense(2, d, nil), [2]float64{}
	for i := range n {
		k := (1 + y[i]) / 2
		count[k]++
		floats.Add(means.RawRowView(k), X.RawRowView(i))
	}
	h := &mlkit.Hyperplane{W: make([]float64, d)}
	for j := range h.W {
		minus, plus := means.At(0, j)/count[0], means.At(1, j)/count[1]
		h.W[j] = plus - minus
		h.B -= (plus*plus - minus*minus) / 2
	}
	return h, ctx.Err()
}

// The machines of somebody's own algorithm are fitted at the same time: here the first two
// wait for each other. With a Trace they are fitted one after another.
func TestOwnAlgorithm(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	d := datasets.Iris()
	var first sync.WaitGroup
	first.Add(2)
	var calls atomic.Int64
	o := multiclass.OneVsOne[*mlkit.Hyperplane]{Binary: centroids{met: func() {
		if calls.Add(1) <= 2 {
			first.Done()
			first.Wait()
		}
	}}}
	m := testkit.Try(o.Fit(d.X, d.Y)).Or(t)
	// The nearest of the three means of classes, by hand from the same formula: all three
	// hyperplanes are the bisectors of two means.
	means := mat.NewDense(3, 4, nil)
	for i, label := range d.Y {
		floats.AddScaled(means.RawRowView(label), 1./50, d.X.RawRowView(i))
	}
	for i, label := range m.Predictions(nil, d.X) {
		x, nearest := d.X.RawRowView(i), 0
		for k := range 3 {
			if floats.Distance(x, means.RawRowView(k), 2) < floats.Distance(x, means.RawRowView(nearest), 2) {
				nearest = k
			}
		}
		if label != nearest || m.Predict(x) != nearest {
			t.Errorf("row %d: %d and %d, want %d", i, label, m.Predict(x), nearest)
		}
	}

	running := 0 // the race detector would see two fits at the same time
	o.Binary = centroids{Trace: func() bool { return true }, met: func() { running++ }}
	if _, err := o.Fit(d.X, d.Y); err != nil || running != 3 {
		t.Errorf("%d fits, %v, want 3", running, err)
	}
}

// The machines of an algorithm with a Trace are fitted one after another in a pipeline too: it
// observes one fit at a time. The trace lets other goroutines run, so that it would see them.
func TestTraceInPipeline(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	d := datasets.Iris()
	var inside, most atomic.Int64
	trace := func(svm.LinearStep) bool {
		most.Store(max(most.Load(), inside.Add(1)))
		for range 100 {
			runtime.Gosched()
		}
		inside.Add(-1)
		return true
	}
	o := multiclass.OneVsOne[*pipeline.ClassifierModel[*svm.LinearModel]]{Binary: pipeline.Classifier[*svm.LinearModel]{
		Steps: []pipeline.Step{feature.Standardize{}}, Algorithm: svm.DualDescent{Trace: trace},
	}}
	if _, err := o.Fit(d.X, d.Y); err != nil || most.Load() != 1 {
		t.Errorf("%d fits at the same time, %v, want 1", most.Load(), err)
	}
}

func second[T any](_ T, err error) error { return err }
