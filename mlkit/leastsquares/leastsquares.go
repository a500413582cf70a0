package leastsquares

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/rows"
)

// Regression is linear regression. It minimises the sum of squared errors (Theodoridis,
// "Sum of Error Squares Estimation")
//
//	J(w, b) = Σ (yᵢ - w·xᵢ - b)² + λ‖w‖²
//
// over w and b. With the bias as the weight of a constant feature and λ = 0, the solution
// is w = (XᵀX)⁻¹Xᵀy = X#y, where X# is the pseudoinverse. XᵀX/n and Xᵀy/n are the
// autocorrelation matrix and the crosscorrelation vector of the samples, so w is also
// their mean square error estimate.
//
// The zero value computes the lecture's X#y for every X. If columns of X are dependent,
// or outnumber the rows, many (w, b) are equally good. The fit then returns the one with
// the shortest w, in the units of the columns as given; b does not count, as in
// scikit-learn's LinearRegression. With NoBias w is exactly X#y. If X has a
// constant column of its own, that is the shortest (w, b).
//
// Shifting or scaling a column does not change the predictions, beyond the rounding error
// of samples far from 0. There are three exceptions: scaling matters with a Lambda, which
// penalises w; shifting matters with NoBias; and if w is not unique, all columns
// need the same factor. The fit centres the columns, scales them to length 1, and judges
// dependence there: see RankTol. A column that varies only by rounding error gets the
// weight 0.
//
// A fit takes O(nd·min(n, d)) time. Beside X it takes O(d²) memory if n > d and O(nd) if
// not. From 10⁸ multiplications, ByPseudoinverse with the default RankTol works with
// the Gram matrix of the columns (d×d) or of the rows (n×n) if that is well-conditioned.
// Otherwise it uses Householder reflections, which take ten times as long.
type Regression struct {
	// Bias says how b is learnt: FreeBias or NoBias.
	Bias mlkit.Bias

	// Lambda is λ ≥ 0, the weight of ‖w‖² (ridge regression; Arthur Hoerl and Robert
	// Kennard, 1970). b is not penalised, so adding a constant to all targets changes b
	// alone.
	Lambda float64

	// Solver says how the solution is computed. The zero value is ByPseudoinverse.
	Solver Solver

	// RankTol applies to ByPseudoinverse: singular values of at most RankTol times
	// the largest count as 0. They are those of X with its columns centred (unless
	// NoBias) and scaled to length 1, and with the rows √λI below it. 0 means
	// max(n, d)·2⁻⁵². (scikit-learn does not scale the columns, and its tol is 10⁻⁶ since
	// 1.9.)
	RankTol float64
}

// Solver is a method of solving a least squares problem.
type Solver int

const (
	// ByPseudoinverse uses the pseudoinverse. It loses no digits to squaring.
	ByPseudoinverse Solver = iota
	// ByNormalEquations solves XᵀXw = Xᵀy with the columns centred. It has half as many
	// correct digits if columns are nearly dependent, and returns an error if they are
	// dependent.
	ByNormalEquations
)

func (s Solver) String() string {
	switch s {
	case ByPseudoinverse:
		return "ByPseudoinverse"
	case ByNormalEquations:
		return "ByNormalEquations"
	}
	return fmt.Sprintf("Solver(%d)", int(s))
}

// Model is the regression function w·x + b that Regression has learnt.
type Model struct {
	W    []float64 `json:"w"`
	B    float64   `json:"b"`
	Rank int       `json:"rank"` // of X with its constant column: d + 1 (d with NoBias) if the columns are independent, or λ > 0 makes them so; rows of weight 0 do not count
	MSE  float64   `json:"mse"`  // mean of (yᵢ - w·xᵢ - b)²; with weights sᵢ, Σ sᵢ(yᵢ - w·xᵢ - b)² / Σ sᵢ
}

// TargetsModel is what Regression has learnt for M targets: Wx + b, one linear function per
// target.
type TargetsModel struct {
	W    [][]float64 `json:"w"`    // M×d: row k holds the weights of target k
	B    []float64   `json:"b"`    // M numbers
	Rank int         `json:"rank"` // as in Model
	MSE  []float64   `json:"mse"`  // of each target, as in Model
}

var _ mlkit.Scorer = (*Model)(nil)

// Fit learns to predict the targets y[i] from the rows of X (n×d). It returns an error
// that names what is wrong with X, y or l. If rounding leaves more of the equations than
// 1/500 of the standard deviation of y, it is a *mlkit.NotConvergedError: its Residual is how
// much, and its model the best that the solver found.
func (l Regression) Fit(X *mat.Dense, y []float64) (*Model, error) {
	return l.FitWith(mlkit.Options{}, X, y)
}

// FitWith is Fit with a context and with a weight sᵢ ≥ 0 for each sample. It minimises
//
//	J(w, b) = Σ sᵢ(yᵢ - w·xᵢ - b)² + λ‖w‖²
//
// Where the context ends the fit, only b is learnt: the error's Model has w = 0 and the mean
// of the targets as b (0 with NoBias), and its Residual is the largest |yᵢ - b|.
func (l Regression) FitWith(o mlkit.Options, X *mat.Dense, y []float64) (*Model, error) {
	if err := l.check("Regression", X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := checkTargets(n, y); err != nil {
		return nil, err
	}
	if err := check.Weights("leastsquares", n, o.Weights); err != nil {
		return nil, err
	}
	s, err := l.solve(o.ContextOrBackground(), "Regression", data{X, 1, func(dst []float64, i int) { dst[0] = y[i] }, o.Weights})
	if err != nil {
		return nil, err
	}
	m := &Model{W: s.W[0], B: s.B[0], Rank: s.rank, MSE: s.mse[0]}
	return m, s.unsolved("Regression", m)
}

// FitTargets learns to predict the rows of Y (n×M) from the rows of X (n×d). It solves M
// problems of Fit together (Theodoridis, "the above is equivalent to a number M of MSE
// minimization problems").
func (l Regression) FitTargets(X, Y *mat.Dense) (*TargetsModel, error) {
	return l.FitTargetsWith(mlkit.Options{}, X, Y)
}

// FitTargetsWith is to FitTargets what FitWith is to Fit.
func (l Regression) FitTargetsWith(o mlkit.Options, X, Y *mat.Dense) (*TargetsModel, error) {
	if err := l.check("Regression", X); err != nil {
		return nil, err
	}
	if Y == nil {
		return nil, fmt.Errorf("leastsquares: Y is nil, want a matrix, one row of targets for each row of X")
	}
	n, _ := X.Dims()
	rows, M := Y.Dims()
	if rows != n || M == 0 {
		return nil, fmt.Errorf("leastsquares: Y is %d×%d, want %d rows, one for each row of X, and at least one column", rows, M, n)
	}
	for i := range n {
		for k, v := range Y.RawRowView(i) {
			if !check.Finite(v) {
				return nil, fmt.Errorf("leastsquares: Y[%d][%d] = %v, want a finite number", i, k, v)
			}
		}
	}
	if err := check.Weights("leastsquares", n, o.Weights); err != nil {
		return nil, err
	}
	s, err := l.solve(o.ContextOrBackground(), "Regression", data{X, M, func(dst []float64, i int) { copy(dst, Y.RawRowView(i)) }, o.Weights})
	if err != nil {
		return nil, err
	}
	m := &TargetsModel{W: s.W, B: s.B, Rank: s.rank, MSE: s.mse}
	return m, s.unsolved("Regression", m)
}

// check returns an error if a hyperparameter is invalid, or X is. Its message names the
// algorithm.
func (l Regression) check(name string, X *mat.Dense) error {
	if l.Bias != mlkit.FreeBias && l.Bias != mlkit.NoBias {
		return fmt.Errorf("leastsquares: %s.Bias = %v, want FreeBias or NoBias", name, l.Bias)
	}
	if !(l.Lambda >= 0 && check.Finite(l.Lambda)) {
		return fmt.Errorf("leastsquares: %s.Lambda = %v, want a finite number, at least 0", name, l.Lambda)
	}
	if l.Solver != ByPseudoinverse && l.Solver != ByNormalEquations {
		return fmt.Errorf("leastsquares: %s.Solver = %d, want ByPseudoinverse or ByNormalEquations", name, int(l.Solver))
	}
	if !(l.RankTol >= 0 && l.RankTol < 1) {
		return fmt.Errorf("leastsquares: %s.RankTol = %v, want a number in [0, 1)", name, l.RankTol)
	}
	return check.Samples("leastsquares", X)
}

// checkTargets returns an error unless y has a finite target for each of the n rows of X.
func checkTargets(n int, y []float64) error {
	if len(y) != n {
		return fmt.Errorf("leastsquares: len(y) = %d, want %d, one target for each row of X", len(y), n)
	}
	for i, v := range y {
		if !check.Finite(v) {
			return fmt.Errorf("leastsquares: y[%d] = %v, want a finite number", i, v)
		}
	}
	return nil
}

// Score returns the prediction w·x + b. It panics unless x has length d.
func (m *Model) Score(x []float64) float64 {
	return mlkit.Hyperplane{W: m.W, B: m.B}.Score(x)
}

// Scores sets dst[i] to the prediction for row i of X (n×d) and returns dst, a new slice
// if dst is nil. It panics unless X has d columns and dst has length n.
func (m *Model) Scores(dst []float64, X mat.Matrix) []float64 {
	return mlkit.Hyperplane{W: m.W, B: m.B}.Scores(dst, X)
}

// Output sets dst to Wx + b, the M predictions for a sample x of length d, and returns dst,
// a new slice if dst is nil. It panics on other lengths.
func (m *TargetsModel) Output(dst, x []float64) []float64 {
	dst = rows.Destination("leastsquares", "Output", dst, len(m.B))
	if want := len(m.W[0]); len(x) != want {
		panic(fmt.Sprintf("leastsquares: Output: a sample has %d elements, want %d, the length of a row of W", len(x), want))
	}
	for k, w := range m.W {
		dst[k] = floats.Dot(w, x) + m.B[k]
	}
	return dst
}

// Outputs sets row i of dst (n×M) to the predictions for row i of X (n×d) and returns dst,
// a new matrix if dst is nil. It panics on other shapes.
func (m *TargetsModel) Outputs(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	n, _, row := rows.Of(X)
	if dst == nil {
		dst = mat.NewDense(n, len(m.B), nil)
	}
	if r, c := dst.Dims(); r != n || c != len(m.B) {
		panic(fmt.Sprintf("leastsquares: Outputs: dst is %d×%d, want %d×%d", r, c, n, len(m.B)))
	}
	for i := range n {
		m.Output(dst.RawRowView(i), row(i))
	}
	return dst
}

// PseudoInverse returns the pseudoinverse X# (d×n) of X (n×d), of any shape and rank, and
// the rank of X (Theodoridis, "Pseudoinverse Matrix"). X#y is the shortest w that
// minimises ‖y - Xw‖. If the columns of X are independent, X# = (XᵀX)⁻¹Xᵀ; if the rows
// are, X# = Xᵀ(XXᵀ)⁻¹. Singular values of at most max(n, d)·2⁻⁵² times the largest count
// as 0. PseudoInverse returns an error if X is empty or not finite, or if X# exceeds the
// range of float64.
func PseudoInverse(X *mat.Dense) (inverse *mat.Dense, rank int, err error) {
	if err := check.Samples("leastsquares", X); err != nil {
		return nil, 0, err
	}
	n, _ := X.Dims()
	I := mat.NewDense(n, n, nil)
	for i := range n {
		I.Set(i, i, 1)
	}
	inverse, rank, ok := shortest(X, I)
	if !ok {
		return nil, 0, fmt.Errorf("leastsquares: PseudoInverse: the pseudoinverse of X is out of range, want elements nearer to 1; scale X")
	}
	return inverse, rank, nil
}

// shortest returns the shortest W that minimises ‖C - AW‖, and the rank of A. ok is false
// if the SVD fails or W is not finite.
func shortest(A, C *mat.Dense) (W *mat.Dense, rank int, ok bool) {
	r, p := A.Dims()
	_, M := C.Dims()
	W = mat.NewDense(p, M, nil)
	var svd mat.SVD
	if !svd.Factorize(A, mat.SVDThin) {
		return nil, 0, false
	}
	values := svd.Values(nil)
	for rank < len(values) && values[rank] > float64(max(r, p))*rows.Epsilon*values[0] {
		rank++
	}
	if rank > 0 {
		svd.SolveTo(W, C, rank)
	}
	return W, rank, allFinite(W)
}

func allFinite(A *mat.Dense) bool {
	n, _ := A.Dims()
	for i := range n {
		if !(floats.Norm(A.RawRowView(i), math.Inf(1)) <= math.MaxFloat64) {
			return false
		}
	}
	return true
}
