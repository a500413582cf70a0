package multiclass

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
	"marginalia/mlkit/internal/work"
)

// Problem is the training set of one machine: some rows of a matrix.
type Problem struct {
	Rows    []int     // ascending; nil means all
	Y       []int     // the label of each, -1 or +1
	Weights []float64 // the weight of each; nil means 1
}

// Joint is an algorithm for two classes that fits the machines of one model together, such as
// one that needs no copies of the rows, or shares memory.
type Joint[M mlkit.ClassifierModel] interface {
	mlkit.Algorithm[M, int]

	// FitMachines fits one machine to each problem and calls done after each, from any
	// goroutine. errs[k] is the error of machines[k]. After an error that is no
	// *mlkit.NotConvergedError it need not fit the others; if several fail, the first
	// problem's error counts.
	FitMachines(ctx context.Context, X *mat.Dense, problems []Problem, done func()) (machines []M, errs []error)
}

// JointScorer is a model that scores samples with several machines of its type at once,
// itself among them.
type JointScorer[M mlkit.ClassifierModel] interface {
	// ScoresOfAll sets dst[k][i] to the score of row i of X (n×d) by machines[k].
	ScoresOfAll(dst [][]float64, machines []M, X mat.Matrix)
}

// JointCoder is a model that encodes several machines of its type together, such as machines
// that share support vectors. The methods are called on the zero value of M.
type JointCoder[M mlkit.ClassifierModel] interface {
	// MarshalMachines returns machines as one JSON value.
	MarshalMachines(machines []M) ([]byte, error)
	// UnmarshalMachines returns the machines in the output of MarshalMachines, each of
	// them checked.
	UnmarshalMachines(data []byte) ([]M, error)
}

// FitMachines fits one machine to each problem and calls done after each: by the method
// FitMachines of a Joint binary, otherwise by FitWith, at the same time unless binary is a
// struct with a function in a field Trace, or has such an Algorithm. It is for algorithms that train another one several
// times, such as calibration.Classifier; its results are those of Joint.FitMachines.
func FitMachines[M mlkit.ClassifierModel](ctx context.Context, binary mlkit.Algorithm[M, int], X *mat.Dense, problems []Problem, done func()) (machines []M, errs []error) {
	if joint, ok := binary.(Joint[M]); ok {
		return joint.FitMachines(ctx, X, problems, done)
	}
	return fitEach(ctx, binary, X, problems, done)
}

// fitMachines fits one machine to each problem, the largest first, and reports each. At most
// one of the errors is fatal: that of the first problem in this order which has one.
func fitMachines[M mlkit.ClassifierModel](o mlkit.Options, algorithm string, binary mlkit.Algorithm[M, int], X *mat.Dense, problems []Problem) ([]M, []error) {
	order := make([]int, len(problems)) // a long fit that begins last would end alone
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(problems[b].Y) - len(problems[a].Y) })
	sorted := make([]Problem, len(problems))
	for at, k := range order {
		sorted[at] = problems[k]
	}
	done := work.Counted(o, "multiclass: "+algorithm, len(problems))
	fits, failures := FitMachines(o.ContextOrBackground(), binary, X, sorted, done)
	machines, errs := make([]M, len(problems)), make([]error, len(problems))
	failed := false
	for at, k := range order {
		if fatal(failures[at]) && failed {
			continue
		}
		machines[k], errs[k] = fits[at], failures[at]
		failed = failed || fatal(errs[k])
	}
	return machines, errs
}

// fitEach fits the machines by FitWith, at the same time unless binary has a Trace.
func fitEach[M mlkit.ClassifierModel](ctx context.Context, binary mlkit.Algorithm[M, int], X *mat.Dense, problems []Problem, done func()) (machines []M, errs []error) {
	machines, errs = make([]M, len(problems)), make([]error, len(problems))
	workers := runtime.GOMAXPROCS(0)
	if traced(binary) {
		workers = 1
	}
	_ = work.Each(len(problems), workers, func(k int) error {
		p := problems[k]
		o := mlkit.Options{Context: ctx, Weights: p.Weights}
		machines[k], errs[k] = binary.FitWith(o, rows.Select(X, p.Rows), p.Y)
		if check.Nil(machines[k]) && !fatal(errs[k]) {
			errs[k] = fmt.Errorf("multiclass: the fit of %T returns nil with the error %v, want a model", binary, errs[k])
		}
		if fatal(errs[k]) {
			return errs[k] // begins no others
		}
		done()
		return nil
	})
	return machines, errs
}

// traced reports whether an algorithm is a struct with a function in a field Trace, which
// package mlkit says observes one fit, or with such an algorithm in a field Algorithm, as a
// pipeline is.
func traced(algorithm any) bool {
	v := reflect.Indirect(reflect.ValueOf(algorithm))
	if v.Kind() != reflect.Struct {
		return false
	}
	trace, inner := field(v, "Trace"), field(v, "Algorithm")
	return trace.Kind() == reflect.Func && !trace.IsNil() || inner.Kind() == reflect.Interface && traced(inner.Interface())
}

// field returns an exported field of a struct, the zero Value if there is none.
func field(v reflect.Value, name string) reflect.Value {
	f, ok := v.Type().FieldByName(name)
	if !ok {
		return reflect.Value{}
	}
	of, _ := v.FieldByIndexErr(f.Index) // an error if a nil pointer embeds it
	return of
}

// fatal reports whether err means that there is no machine.
func fatal(err error) bool {
	return err != nil && !errors.As(err, new(*mlkit.NotConvergedError))
}

// whole returns m and err, or nil and err if there is no model.
func whole[W any](m *W, err error) (*W, error) {
	if fatal(err) {
		return nil, err
	}
	return m, err
}

// failure returns the error of a model with the given machines: the first fatal one, or
// a *mlkit.NotConvergedError with the model, for the first machine that has not converged.
// name names machine k.
func failure(algorithm string, model any, errs []error, name func(k int) string) error {
	first := slices.IndexFunc(errs, fatal)
	if first >= 0 {
		return fmt.Errorf("%w (%s, %s)", errs[first], algorithm, name(first))
	}
	for k, err := range errs {
		var e *mlkit.NotConvergedError
		if errors.As(err, &e) {
			return &mlkit.NotConvergedError{
				Algorithm: "multiclass: " + algorithm, Iterations: e.Iterations, Residual: e.Residual,
				Reason: fmt.Sprintf("%s: %v", name(k), err), Model: model, Err: e.Err,
			}
		}
	}
	return nil
}

// checkData checks the arguments of a fit. It returns the distinct labels, ascending, of the
// samples that have a weight above 0, and the weight of each sample times that of its class, nil
// if there are neither.
func checkData(algorithm string, binary any, classWeights map[int]float64, balanced bool, X *mat.Dense, y []int, given []float64) (classes []int, weights []float64, err error) {
	if check.Nil(binary) {
		return nil, nil, fmt.Errorf("multiclass: %s.Binary is nil, want an algorithm for two classes, such as svm.Classifier{}", algorithm)
	}
	if err := check.Samples("multiclass", X); err != nil {
		return nil, nil, err
	}
	n, _ := X.Dims()
	if classes, _, err = check.Classes("multiclass", n, y); err != nil {
		return nil, nil, err
	}
	if classWeights, err = check.LabelWeights("multiclass", classWeights, balanced, y, given); err != nil {
		return nil, nil, err
	}
	if given != nil {
		classes, _ = check.Present(y, given)
	}
	if len(classWeights) == 0 {
		return classes, given, nil
	}
	weights = make([]float64, n)
	for i, label := range y {
		weights[i] = 1
		if given != nil {
			weights[i] = given[i]
		}
		if v, ok := classWeights[label]; ok {
			weights[i] *= v
		}
		if given != nil && given[i] > 0 && !(weights[i] > 0 && check.Finite(weights[i])) {
			return nil, nil, fmt.Errorf("multiclass: weights[%d]: the weight of the row times that of its class is %v, want 0 only where that of the row is, or a finite number above", i, weights[i])
		}
	}
	return classes, weights, nil
}

// ScoresOfAll sets dst[k][i] to the score of row i of X (n×d) by machines[k]: by the method
// ScoresOfAll of a JointScorer, otherwise by Scores of each machine. It panics if Scores of
// a machine would.
func ScoresOfAll[M mlkit.ClassifierModel](dst [][]float64, machines []M, X mat.Matrix) {
	if len(machines) == 0 {
		return // a model of one class
	}
	if joint, ok := any(machines[0]).(JointScorer[M]); ok {
		joint.ScoresOfAll(dst, machines, X)
		return
	}
	for k, machine := range machines {
		machine.Scores(dst[k], X)
	}
}

// block is the number of samples to score at once.
const block = 1 << 16

// eachRow calls each with the numbers of all machines for every row of X, in order. ofAll
// finds them, as ScoresOfAll does.
func eachRow[M mlkit.ClassifierModel](machines []M, X mat.Matrix, ofAll func(dst [][]float64, machines []M, X mat.Matrix), each func(i int, numbers []float64)) {
	n, d := X.Dims()
	dense, ok := X.(*mat.Dense)
	if !ok {
		dense = mat.DenseCopyOf(X)
	}
	all, numbers := make([][]float64, len(machines)), make([]float64, len(machines))
	for from := 0; from < n; from += block {
		to := min(n, from+block)
		for k := range all {
			all[k] = make([]float64, to-from)
		}
		ofAll(all, machines, dense.Slice(from, to, 0, d))
		for i := range to - from {
			for k := range numbers {
				numbers[k] = all[k][i]
			}
			each(from+i, numbers)
		}
	}
}
