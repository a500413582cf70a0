package mlkit_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// The line 3x + 4y - 10 = 0 by hand: ‖w‖ = 5. (4, 2) scores 12 + 8 - 10 = 10, so its
// distance is 2 and its projection (4, 2) - 2·(3/5, 4/5) = (2.8, 0.4).
func TestHyperplane(t *testing.T) {
	h := mlkit.Hyperplane{W: []float64{3, 4}, B: -10}
	x := []float64{4, 2}
	if h.Norm() != 5 {
		t.Errorf("norm %v, want 5", h.Norm())
	}
	if h.Score(x) != 10 || h.Distance(x) != 2 || h.Predict(x) != 1 {
		t.Errorf("score %v, distance %v, label %d, want 10, 2, 1", h.Score(x), h.Distance(x), h.Predict(x))
	}
	foot := h.Project(nil, x)
	if math.Abs(foot[0]-2.8) > 1e-15 || math.Abs(foot[1]-0.4) > 1e-15 {
		t.Errorf("foot %v, want (2.8, 0.4)", foot)
	}
	if x[0] != 4 || x[1] != 2 {
		t.Errorf("Project changed x to %v", x)
	}
	h.Project(x, x)
	if x[0] != foot[0] || x[1] != foot[1] {
		t.Errorf("in place the foot is %v, want %v", x, foot)
	}
	origin := []float64{0, 0}
	if h.Distance(origin) != -2 || h.Predict(origin) != -1 {
		t.Errorf("the origin has distance %v and label %d, want -2, -1", h.Distance(origin), h.Predict(origin))
	}
	if on := []float64{2, 1}; h.Score(on) != 0 || h.Predict(on) != +1 {
		t.Errorf("(2, 1) on the line: score %v, label %d, want 0, +1", h.Score(on), h.Predict(on))
	}
}

func TestHyperplaneExtremes(t *testing.T) {
	for _, scale := range []float64{1e-200, 1, 1e200} {
		h := mlkit.Hyperplane{W: []float64{3 * scale, 4 * scale}, B: -10 * scale}
		x := []float64{4, 2}
		if d := h.Distance(x); math.Abs(d-2) > 1e-14 {
			t.Errorf("scale %g: distance %v, want 2", scale, d)
		}
		if foot := h.Project(nil, x); math.Abs(foot[0]-2.8) > 1e-14 {
			t.Errorf("scale %g: foot %v, want (2.8, 0.4)", scale, foot)
		}
	}
}

func TestNoHyperplane(t *testing.T) {
	h := mlkit.Hyperplane{W: []float64{0, 0}, B: 1}
	x := []float64{4, 2}
	if h.Score(x) != 1 || h.Norm() != 0 {
		t.Errorf("score %v, norm %v, want 1, 0", h.Score(x), h.Norm())
	}
	if d, p := h.Distance(x), h.Project(nil, x); !math.IsNaN(d) || !math.IsNaN(p[0]) || !math.IsNaN(p[1]) {
		t.Errorf("distance %v, foot %v, want NaN", d, p)
	}
	m := testkit.Try(h.Margins(mat.NewDense(2, 2, []float64{4, 2, 1, 1}), []int{1, -1})).Or(t)
	if m.MinFunctional() != -1 || !math.IsNaN(m.MinGeometric()) || m.Smallest != 1 {
		t.Errorf("margins %+v, want functional -1 in row 1, geometric NaN", m)
	}
}

// CMU's weights (3, 1) by hand: the scores are -1, 3, 4, -3, -5, 2, so the functional
// margins are 1, 3, 4, 3, 5, 2; ‖w‖ = √10.
func TestMargins(t *testing.T) {
	X, y := cmuSix()
	h := mlkit.Hyperplane{W: []float64{3, 1}}
	m := testkit.Try(h.Margins(X, y)).Or(t)
	for i, want := range []float64{1, 3, 4, 3, 5, 2} {
		if m.Functional[i] != want || math.Abs(m.Geometric[i]-want/math.Sqrt(10)) > 1e-15 {
			t.Errorf("row %d: margins %v and %v, want %v and %v/√10", i, m.Functional[i], m.Geometric[i], want, want)
		}
		if signed := float64(y[i]) * h.Distance(X.RawRowView(i)); m.Geometric[i] != signed {
			t.Errorf("row %d: margin %v, but signed distance %v", i, m.Geometric[i], signed)
		}
	}
	if m.Smallest != 0 || m.MinFunctional() != 1 {
		t.Errorf("smallest margin %v in row %d, want 1 in row 0", m.MinFunctional(), m.Smallest)
	}
}

func TestMarginsRefused(t *testing.T) {
	X, y := cmuSix()
	h := mlkit.Hyperplane{W: []float64{3, 1}}
	for _, c := range []struct {
		h    mlkit.Hyperplane
		X    *mat.Dense
		y    []int
		want string
	}{
		{h, nil, y, "mlkit: X is nil, want an n×d matrix, one sample a row"},
		{h, X, y[:2], "mlkit: len(y) = 2, want 6, one label for each row of X"},
		{h, X, []int{1, 1, 1, 2, 1, 1}, "mlkit: y[3] = 2, want -1 or +1; mlkit.Signs converts the labels 1 and 2"},
		{mlkit.Hyperplane{W: []float64{1, 2, 3}}, X, y, "mlkit: X has 2 columns, want 3, the length of W"},
	} {
		if _, err := c.h.Margins(c.X, c.y); err == nil || err.Error() != c.want {
			t.Errorf("err = %v, want %s", err, c.want)
		}
	}
}

// Wrong lengths are bugs in the caller; the panic must name them.
func TestWrongLength(t *testing.T) {
	h := mlkit.Hyperplane{W: []float64{3, 1}}
	X, _ := cmuSix()
	for name, f := range map[string]func(){
		"Score":       func() { h.Score([]float64{1}) },
		"Predict":     func() { h.Predict(nil) },
		"Distance":    func() { h.Distance([]float64{1, 2, 3}) },
		"Project":     func() { h.Project(make([]float64, 3), []float64{1, 2}) },
		"Scores":      func() { h.Scores(make([]float64, 5), X) },
		"Predictions": func() { h.Predictions(nil, X.T()) },
		// An unfitted machine has no features.
		"Discriminants": func() { mlkit.LinearMachine{}.Discriminants(nil, []float64{1}) },
	} {
		func() {
			defer func() {
				if s, ok := recover().(string); !ok || !strings.HasPrefix(s, "mlkit: "+name+": ") {
					t.Errorf("%s panics with %q", name, s)
				}
			}()
			f()
		}()
	}
}

// The first of equal margins is the smallest.
func TestFirstOfEqualMargins(t *testing.T) {
	m, err := mlkit.Hyperplane{W: []float64{1}}.Margins(mat.NewDense(4, 1, []float64{3, 2, -2, 2}), []int{+1, +1, -1, +1})
	if err != nil || m.Smallest != 1 {
		t.Errorf("row %d, %v, want row 1", m.Smallest, err)
	}
}

// cmuSix is the worked example of CMU.
func cmuSix() (*mat.Dense, []int) {
	return mat.NewDense(6, 2, []float64{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1}), []int{-1, +1, +1, -1, -1, +1}
}
