package linear

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/check"
)

// LeastSquares is linear regression: the w and b of the smallest sum of error
// squares (Theodoridis, "Sum of Error Squares Estimation"),
//
//	J(w, b) = Σ (yᵢ - w·xᵢ - b)² + λ‖w‖²
//
// With the bias as the weight of a constant feature and λ = 0 the solution is
// w = (XᵀX)⁻¹Xᵀy = X#y, where X# is the pseudoinverse. Divided by n, XᵀX and Xᵀy are
// the autocorrelation matrix and the crosscorrelation vector of the samples, so it
// is the mean square error estimate for them, too.
//
// The zero value is the lecture's X#y, for all X. Where many (w, b) are equally good, since
// columns of X are dependent or there are more columns than rows, it is the one with the
// shortest w, in the units of the columns as they are given; b is not counted, as in
// scikit-learn's LinearRegression. ThroughOrigin makes w = X#y to the letter; of samples
// that have been given a constant column themselves, that is the shortest (w, b).
//
// Neither the origins nor the units of the columns matter: the predictions stay the same
// if a column is shifted or scaled, up to what float64 keeps of samples far from 0. With
// a Ridge only the origins don't matter, since its penalty is on w; ThroughOrigin only
// the units don't; and where w is not unique all columns need one factor. For that, all
// is computed in columns less their means, scaled to length 1, and there dependence is
// judged: see Tolerance. A column that does not vary by more than rounding errors of its
// numbers has the weight 0.
//
// A fit takes O(nd·min(n, d)) time, and memory O(d²) beside X if n > d and O(nd) if not.
// From 10⁸ multiplications on it uses the products of columns, d×d, or of rows, n×n, as
// long as these are of a condition in which no digits are lost that matter, and where
// they are not, reflections, which take ten times as long.
type LeastSquares struct {
	// Bias says how b is learnt. ExtendedByOne and ExtendedByRadius are the same
	// here. b is 0 with ThroughOrigin.
	Bias Bias

	// Ridge is λ ≥ 0, the weight of ‖w‖² (ridge regression; Arthur Hoerl and Robert
	// Kennard, 1970). b is not in it, so the solution moves with the targets.
	Ridge float64

	// Method says how the solution is computed. The zero value is
	// ByPseudoinverse.
	Method LeastSquaresMethod

	// Tolerance is used ByPseudoinverse: a singular value that is not larger than
	// Tolerance times the largest counts as 0. The values are those of X with each
	// column less its mean (unless ThroughOrigin) and scaled to length 1, and with
	// the rows √λI of a ridge. 0 means max(n, d)·2⁻⁵². (scikit-learn's columns are
	// not scaled, and its tol is 10⁻⁶ since 1.9.)
	Tolerance float64
}

// LeastSquaresMethod is a way to solve a least squares problem.
type LeastSquaresMethod int

const (
	// ByPseudoinverse takes the pseudoinverse. It loses no digits to squaring.
	ByPseudoinverse LeastSquaresMethod = iota
	// ByNormalEquations solves XᵀXw = Xᵀy, of columns less their means. It has half
	// as many digits where columns are nearly dependent, and refuses those that
	// are.
	ByNormalEquations
)

func (m LeastSquaresMethod) String() string {
	switch m {
	case ByPseudoinverse:
		return "ByPseudoinverse"
	case ByNormalEquations:
		return "ByNormalEquations"
	}
	return fmt.Sprintf("LeastSquaresMethod(%d)", int(m))
}

// LeastSquaresModel is what LeastSquares has learnt: the regression function
// w·x + b.
type LeastSquaresModel struct {
	W    []float64 `json:"w"`
	B    float64   `json:"b"`
	Rank int       `json:"rank"` // of X, with its constant column: d + 1, or d ThroughOrigin, if nothing is dependent or a ridge decides
	MSE  float64   `json:"mse"`  // mean of (yᵢ - w·xᵢ - b)²
}

// LeastSquaresTargetsModel is what LeastSquares has learnt of many targets: one
// linear function for each, the layer Wx + b.
type LeastSquaresTargetsModel struct {
	Layer
	Rank int       `json:"rank"` // as in LeastSquaresModel
	MSE  []float64 `json:"mse"`  // of each target
}

var _ mlkit.Scorer = (*LeastSquaresModel)(nil)

// Fit learns to predict the targets y[i] from the rows of X (n×d). The error names
// what is wrong with X, y or l.
func (l LeastSquares) Fit(X *mat.Dense, y []float64) (*LeastSquaresModel, error) {
	return l.FitContext(context.Background(), X, y)
}

// FitContext is Fit that ends soon after ctx is done, with a
// *mlkit.NotConvergedError that wraps the context's error. Since nothing is learnt
// before the end, its model is b alone, the mean of the targets (0 ThroughOrigin),
// and its Residual the largest |yᵢ - b|.
func (l LeastSquares) FitContext(ctx context.Context, X *mat.Dense, y []float64) (*LeastSquaresModel, error) {
	if err := l.check("LeastSquares", X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := checkTargets(n, y); err != nil {
		return nil, err
	}
	s, err := l.solve(ctx, "LeastSquares", X, 1, func(dst []float64, i int) { dst[0] = y[i] })
	if err != nil {
		return nil, err
	}
	m := &LeastSquaresModel{W: s.W[0], B: s.B[0], Rank: s.rank, MSE: s.mse[0]}
	return m, s.interrupted("LeastSquares", m)
}

// FitTargets learns to predict the rows of Y (n×M) from those of X (n×d): M
// problems of Fit, solved together (Theodoridis, "the above is equivalent to a
// number M of MSE minimization problems").
func (l LeastSquares) FitTargets(X, Y *mat.Dense) (*LeastSquaresTargetsModel, error) {
	return l.FitTargetsContext(context.Background(), X, Y)
}

// FitTargetsContext is to FitTargets what FitContext is to Fit.
func (l LeastSquares) FitTargetsContext(ctx context.Context, X, Y *mat.Dense) (*LeastSquaresTargetsModel, error) {
	if err := l.check("LeastSquares", X); err != nil {
		return nil, err
	}
	if Y == nil {
		return nil, fmt.Errorf("linear: Y is nil, want a matrix, one row of targets for each row of X")
	}
	n, _ := X.Dims()
	rows, M := Y.Dims()
	if rows != n || M == 0 {
		return nil, fmt.Errorf("linear: Y is %d×%d, want %d rows, one for each row of X, and at least one column", rows, M, n)
	}
	for i := range n {
		for k, v := range Y.RawRowView(i) {
			if !finite(v) {
				return nil, fmt.Errorf("linear: Y[%d][%d] = %v, want a finite number", i, k, v)
			}
		}
	}
	s, err := l.solve(ctx, "LeastSquares", X, M, func(dst []float64, i int) { copy(dst, Y.RawRowView(i)) })
	if err != nil {
		return nil, err
	}
	m := &LeastSquaresTargetsModel{Layer: Layer{W: s.W, B: s.B, Activation: ActivationIdentity}, Rank: s.rank, MSE: s.mse}
	return m, s.interrupted("LeastSquares", m)
}

// check checks the hyperparameters of the algorithm of the given name, and X.
func (l LeastSquares) check(name string, X *mat.Dense) error {
	if !l.Bias.valid() {
		return fmt.Errorf("linear: %s.Bias = %d, want ExtendedByOne, ThroughOrigin or ExtendedByRadius", name, int(l.Bias))
	}
	if !(l.Ridge >= 0 && finite(l.Ridge)) {
		return fmt.Errorf("linear: %s.Ridge = %v, want a finite number, at least 0", name, l.Ridge)
	}
	if l.Method != ByPseudoinverse && l.Method != ByNormalEquations {
		return fmt.Errorf("linear: %s.Method = %d, want ByPseudoinverse or ByNormalEquations", name, int(l.Method))
	}
	if !(l.Tolerance >= 0 && l.Tolerance < 1) {
		return fmt.Errorf("linear: %s.Tolerance = %v, want a number in [0, 1)", name, l.Tolerance)
	}
	return check.Samples("linear", X)
}

// checkTargets checks that y has one finite target for each of the n rows of X.
func checkTargets(n int, y []float64) error {
	if len(y) != n {
		return fmt.Errorf("linear: len(y) = %d, want %d, one target for each row of X", len(y), n)
	}
	for i, v := range y {
		if !finite(v) {
			return fmt.Errorf("linear: y[%d] = %v, want a finite number", i, v)
		}
	}
	return nil
}

// Score returns the prediction w·x + b. It panics unless x is as long as W.
func (m *LeastSquaresModel) Score(x []float64) float64 {
	return Hyperplane{W: m.W, B: m.B}.Score(x)
}

// Scores sets dst[i] to the prediction for row i of X (n×d) and returns dst, a new
// slice if dst is nil. It panics unless X has as many columns as W is long, and
// dst one element a row.
func (m *LeastSquaresModel) Scores(dst []float64, X mat.Matrix) []float64 {
	return Hyperplane{W: m.W, B: m.B}.Scores(dst, X)
}

// PseudoInverse returns X# (d×n) of X (n×d), of any shape and rank, and the rank
// (Theodoridis, "Pseudoinverse Matrix"). X#y is the shortest of the w with the
// smallest ‖y - Xw‖. If the columns of X are independent X# = (XᵀX)⁻¹Xᵀ; if the rows
// are, X# = Xᵀ(XXᵀ)⁻¹. Singular values that are not larger than max(n, d)·2⁻⁵² times
// the largest count as 0. The error says that X is empty, not finite, or too
// large or small for its inverse to be represented.
func PseudoInverse(X *mat.Dense) (inverse *mat.Dense, rank int, err error) {
	if err := check.Samples("linear", X); err != nil {
		return nil, 0, err
	}
	n, _ := X.Dims()
	I := mat.NewDense(n, n, nil)
	for i := range n {
		I.Set(i, i, 1)
	}
	inverse, rank, ok := shortest(X, I)
	if !ok {
		return nil, 0, fmt.Errorf("linear: PseudoInverse: the pseudoinverse of X is out of range, want elements nearer to 1; scale X")
	}
	return inverse, rank, nil
}

// shortest returns the shortest W with the smallest ‖C - AW‖, the rank of A, and
// whether all went well.
func shortest(A, C *mat.Dense) (W *mat.Dense, rank int, ok bool) {
	r, p := A.Dims()
	_, M := C.Dims()
	W = mat.NewDense(p, M, nil)
	var svd mat.SVD
	if !svd.Factorize(A, mat.SVDThin) {
		return nil, 0, false
	}
	values := svd.Values(nil)
	for rank < len(values) && values[rank] > float64(max(r, p))*epsilon*values[0] {
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
