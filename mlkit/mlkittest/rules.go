package mlkittest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// commonRules are the rules for every kind of model.
var commonRules = []rule{
	{"finite", "the numbers that a model gives for its samples are finite", finite},
	{"refit", "the same input gives the same bits, on however many processors", refit},
	{"input", "Fit changes neither X nor y", input},
	{"no-reference", "a model keeps no reference to X or y", noReference},
	{"views", "X may be a view of a larger matrix", views},
	{"batch", "the methods of a matrix do row by row what those of a sample do, on any mat.Matrix", batch},
	{"destination", "a destination that is not nil is written to and returned", destination},
	{"concurrent", "a model may be read by many goroutines", concurrent},
	{"dimension", "one column is enough", dimension},
	{"wide", "more columns than samples are refused, or learnt as fewer are", wide},
	{"one-sample", "one sample is refused, or learnt", oneSample},
	{"extreme", "finite samples of any size are refused, or learnt", extreme},
	{"json", "a model encodes itself with encoding/json", roundTrip},
	{"file", "a model that names its kind survives a file of package modelfile", file},
	{"corrupt", "a decoded model is whole, and what can't be made one is refused", corrupt},
	{"length", "a sample of the wrong length is a slip of the calling program", length},
	{"nan", "a NaN comes out as NaN, and makes nothing panic", nan},
	{"refuse", "bad input is an error that names the package, the argument, the row and the rule", refuse},
}

func finite(_ kind, s samples, m any) error {
	return none(outputs(m, s.X), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// none returns an error if wrong is true of any number.
func none(all []output, wrong func(float64) bool) error {
	for _, o := range all {
		for i, row := range o.rows {
			if slices.ContainsFunc(row, wrong) {
				return fmt.Errorf("%s of row %d is %v", o.name, i, row)
			}
		}
	}
	return nil
}

func refit(k kind, s samples, first any) error {
	return sameForAll(s.X, func() (any, error) { return k.fit(s) }, first, outputs(first, s.X))
}

func input(k kind, s samples, _ any) error {
	was := k.new()
	if !mat.Equal(s.X, was.X) {
		return errors.New("the samples X were changed")
	}
	if !slices.Equal(s.labels, was.labels) || !slices.Equal(s.targets, was.targets) {
		return errors.New("y was changed")
	}
	return nil
}

func noReference(k kind, s samples, m any) error {
	X := k.new().X
	before := outputs(m, X)
	s.X.Scale(-3, s.X)
	for i := range s.labels {
		s.labels[i] = -s.labels[i]
	}
	for i := range s.targets {
		s.targets[i]++
	}
	return same(before, outputs(m, X), 0)
}

func views(k kind, s samples, want any) error {
	n, d := s.X.Dims()
	larger := mat.NewDense(n+2, d+2, nil)
	for i := range n + 2 {
		for j := range d + 2 {
			larger.Set(i, j, math.NaN())
		}
	}
	view := larger.Slice(1, n+1, 1, d+1).(*mat.Dense)
	view.Copy(s.X)
	v := s
	v.X = view
	got, err := k.fit(v)
	if err != nil {
		return err
	}
	if err := same(outputs(want, s.X), outputs(got, s.X), 0); err != nil {
		return err
	}
	return same(outputs(want, s.X), outputs(want, view), 0)
}

// batch allows the methods of a matrix to sum in another order.
func batch(_ kind, s samples, m any) error {
	n, d := s.X.Dims()
	for _, A := range []mat.Matrix{
		s.X,
		mat.DenseCopyOf(s.X.T()).T(),
		s.X.Slice(5, 12, 0, d),
		s.X.Slice(n-1, n, 0, d),
		s.pick([]int{7, 3, 3, 20, 0}).X,
	} {
		rows, _ := A.Dims()
		for _, all := range methodsOf(m) {
			if all.all == nil {
				continue
			}
			got := all.all(A)
			if len(got) != rows {
				return fmt.Errorf("%s gives %d rows for %d rows of %T", all.name, len(got), rows, A)
			}
			for _, one := range methodsOf(m) {
				if one.one == nil || one.kind != all.kind || one.whole != all.whole {
					continue
				}
				want := make([][]float64, rows)
				for i := range want {
					want[i] = one.one(mat.Row(nil, i, A))
				}
				if len(want[0]) != len(got[0]) {
					continue
				}
				err := same([]output{{one.name, one.whole, want}}, []output{{all.name, all.whole, got}}, 1e-12)
				if err != nil {
					return fmt.Errorf("%s of %T: %w", all.name, A, err)
				}
			}
		}
	}
	return nil
}

func destination(_ kind, s samples, m any) error {
	n, _ := s.X.Dims()
	for _, f := range methodsOf(m) {
		if f.into == nil {
			continue
		}
		want := f.all(s.X)
		returned, got := f.into(s.X, n, len(want[0]))
		if !returned {
			return fmt.Errorf("method %s returned another destination", f.name)
		}
		if err := same([]output{{f.name, f.whole, want}}, []output{{f.name, f.whole, got}}, 0); err != nil {
			return err
		}
	}
	return nil
}

func concurrent(_ kind, s samples, m any) error {
	want := outputs(m, s.X)
	errs := make([]error, 8)
	var readers sync.WaitGroup
	for i := range errs {
		readers.Go(func() {
			errs[i] = withoutPanic(func() error { return same(want, outputs(m, s.X), 0) })
		})
	}
	readers.Wait()
	return errors.Join(errs...)
}

func dimension(k kind, s samples, _ any) error {
	n, _ := s.X.Dims()
	s.X = mat.DenseCopyOf(s.X.Slice(0, n, 0, 1))
	m, err := k.fit(s)
	if err != nil {
		return err
	}
	return none(outputs(m, s.X), math.IsNaN)
}

// wide asks of models of more columns than samples, if they are learnt, for finite numbers,
// the same bits again and the rule batch: a fit may take another path for them. There are as
// few samples as batch can take apart, since a fit may take the cube of their number.
func wide(k kind, s samples, _ any) error {
	_, d := s.X.Dims()
	first := make([]int, 21)
	for i := range first {
		first[i] = i
	}
	s = s.pick(first)
	n := len(first)
	X := mat.NewDense(n, n+d, nil)
	unit := math.Sqrt(float64(d) / float64(n+d)) // keeps the samples about as long as they are
	X.Apply(func(i, j int, _ float64) float64 {
		return unit * (s.X.At(i, j%d) + 0.1*float64(i*(j+3)%11))
	}, X)
	fit := func() (any, error) {
		s.X = mat.DenseCopyOf(X)
		return k.fit(s)
	}
	m, err := fit()
	if err != nil {
		return named(err, "")
	}
	again, err := fitWith(3, fit)
	if err != nil {
		return err
	}
	if err := sameBits(m, again); err != nil {
		return err
	}
	if err := finite(k, s, m); err != nil {
		return err
	}
	return batch(k, s, m)
}

func oneSample(k kind, s samples, _ any) error {
	return refusedOrLearnt(k, s.pick([]int{0}))
}

func extreme(k kind, _ samples, _ any) error {
	for _, scale := range []float64{1e200, 1e-200, 1e308 / 4, 0} {
		s := k.new()
		s.X.Scale(scale, s.X)
		if err := refusedOrLearnt(k, s); err != nil {
			return fmt.Errorf("with X times %v %w", scale, err)
		}
	}
	s := k.new()
	for i := range s.targets {
		s.targets[i] *= 1e300
	}
	if err := refusedOrLearnt(k, s); err != nil {
		return fmt.Errorf("with targets times 1e300 %w", err)
	}
	s = k.new()
	n, _ := s.X.Dims()
	for i := range n {
		s.X.Set(i, 1, 1e6)
	}
	if err := refusedOrLearnt(k, s); err != nil {
		return fmt.Errorf("with a column of 1e6 %w", err)
	}
	return nil
}

// refusedOrLearnt tests that the fit of s either returns an error or a model without
// NaNs, where the contract allows both. Numbers may overflow to ±Inf.
func refusedOrLearnt(k kind, s samples) error {
	m, err := k.fit(s)
	if err != nil {
		return named(err, "")
	}
	if err := none(outputs(m, s.X), math.IsNaN); err != nil {
		return err
	}
	// A model learnt from such numbers can be encoded, and decoding does not reject it.
	return viaJSON(m, empty(m))
}

func length(_ kind, _ samples, m any) error {
	for _, f := range methodsOf(m) {
		for _, d := range []int{0, 1, 3} {
			err := withoutPanic(func() error {
				if f.one != nil {
					f.one(make([]float64, d))
				} else if d > 0 {
					f.all(mat.NewDense(4, d, nil))
				} else {
					panic("gonum has no matrix without columns")
				}
				return nil
			})
			if err == nil {
				return fmt.Errorf("method %s takes %d columns for 2", f.name, d)
			}
		}
	}
	return nil
}

func nan(_ kind, _ samples, m any) error {
	x := []float64{1, math.NaN()}
	for _, f := range methodsOf(m) {
		var got []float64
		if f.one != nil {
			got = f.one(x)
		} else {
			got = f.all(mat.NewDense(1, 2, x))[0]
		}
		if f.kind == "Score" && !f.whole && !slices.ContainsFunc(got, math.IsNaN) {
			return fmt.Errorf("%s(%v) = %v", f.name, x, got)
		}
	}
	return nil
}
