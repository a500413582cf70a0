package unit

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
)

// Activation is the function σ applied to the output of a linear operator (EE-559).
type Activation int

const (
	Sign     Activation = iota // +1 if s ≥ 0, -1 otherwise: EE-559's σ of the perceptron
	Step                       // 1 if s ≥ 0, 0 otherwise: the threshold unit
	Sigmoid                    // 1/(1 + e⁻ˢ), in (0, 1)
	Identity                   // s
)

// Apply returns σ(s).
func (a Activation) Apply(s float64) float64 {
	switch {
	case a == Identity || s != s: // NaN stays NaN
		return s
	case a == Step:
		return step(s)
	case a == Sigmoid:
		return rows.Sigmoid(s)
	}
	return float64(rows.Side(s))
}

// step is 1 if s ≥ 0 and 0 otherwise.
func step(s float64) float64 {
	if s >= 0 {
		return 1
	}
	return 0
}

func (a Activation) String() string {
	switch a {
	case Sign:
		return "sign"
	case Step:
		return "step"
	case Sigmoid:
		return "sigmoid"
	case Identity:
		return "identity"
	}
	return fmt.Sprintf("Activation(%d)", int(a))
}

// Layer is a linear predictor with several outputs, y = σ(Wx + b), where σ is applied
// to each component (EE-559, "Multi-dimensional output"). Output i is a hyperplane of
// its own, the i-th unit.
type Layer struct {
	W          [][]float64 `json:"w"` // M×N: row i holds the weights of unit i
	B          []float64   `json:"b"` // M numbers
	Activation Activation  `json:"activation"`
}

// NewLayer returns a layer of the given units. It returns an error if units is empty, if
// the units differ in their number of inputs, or if the activation is unknown.
func NewLayer(activation Activation, units ...mlkit.Hyperplane) (Layer, error) {
	l := Layer{Activation: activation}
	for _, h := range units {
		h = h.Clone()
		l.W, l.B = append(l.W, h.W), append(l.B, h.B)
	}
	if err := l.check(); err != nil {
		return Layer{}, fmt.Errorf("unit: NewLayer: %w", err)
	}
	return l, nil
}

// check returns an error if the layer's shape or activation is invalid.
func (l Layer) check() error {
	if len(l.W) == 0 || len(l.B) != len(l.W) || len(l.W[0]) == 0 {
		return fmt.Errorf("a layer has %d rows of weights and %d biases, want equally many, at least 1, and rows of at least one weight", len(l.W), len(l.B))
	}
	for i, w := range l.W {
		if len(w) != len(l.W[0]) {
			return fmt.Errorf("unit %d has %d weights, want %d, as unit 0 has", i, len(w), len(l.W[0]))
		}
	}
	if l.Activation < Sign || l.Activation > Identity {
		return fmt.Errorf("Activation = %d, want Sign, Step, Sigmoid or Identity", int(l.Activation))
	}
	return nil
}

// Unit returns unit i. It shares its weights with the layer.
func (l Layer) Unit(i int) mlkit.Hyperplane { return mlkit.Hyperplane{W: l.W[i], B: l.B[i]} }

// Output sets dst to σ(Wx + b), M numbers, for a sample x of length N and returns
// dst, a new slice if dst is nil. It panics on other lengths.
func (l Layer) Output(dst, x []float64) []float64 {
	dst = rows.Destination("unit", "Output", dst, len(l.B))
	if len(l.W) > 0 && len(x) != len(l.W[0]) {
		panic(fmt.Sprintf("unit: Output: a sample has %d elements, want %d, the length of a row of W", len(x), len(l.W[0])))
	}
	for i, w := range l.W {
		dst[i] = l.Activation.Apply(floats.Dot(w, x) + l.B[i])
	}
	return dst
}

// Outputs sets row i of dst (n×M) to the output for row i of X (n×N) and returns
// dst, a new matrix if dst is nil. It panics on other shapes.
func (l Layer) Outputs(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return outputs(dst, X, len(l.B), l.Output)
}

// outputs implements Outputs. output computes the M numbers for one sample.
func outputs(dst *mat.Dense, X mat.Matrix, M int, output func(dst, x []float64) []float64) *mat.Dense {
	n, _, row := rows.Of(X)
	if dst == nil {
		dst = mat.NewDense(n, M, nil)
	}
	if r, c := dst.Dims(); r != n || c != M {
		panic(fmt.Sprintf("unit: Outputs: dst is %d×%d, want %d×%d", r, c, n, M))
	}
	for i := range n {
		output(dst.RawRowView(i), row(i))
	}
	return dst
}

// Network is a sequence of layers: the output of each is the input of the next.
type Network []Layer

// NewNetwork returns the network of the given layers. It returns an error if there are
// none, if a layer is invalid, or if its number of inputs differs from the number of
// outputs of the layer before.
func NewNetwork(layers ...Layer) (Network, error) {
	n := Network(layers)
	if err := n.check(); err != nil {
		return nil, fmt.Errorf("unit: NewNetwork: %w", err)
	}
	return append(Network(nil), layers...), nil
}

// check returns an error if a layer is invalid or its shape does not match the one
// before.
func (n Network) check() error {
	if len(n) == 0 {
		return errors.New("there are no layers, want at least 1")
	}
	for k, l := range n {
		if err := l.check(); err != nil {
			return fmt.Errorf("layer %d: %w", k, err)
		}
		if k > 0 && len(l.W[0]) != len(n[k-1].B) {
			return fmt.Errorf("layer %d has %d inputs, want %d, the outputs of layer %d", k, len(l.W[0]), len(n[k-1].B), k-1)
		}
	}
	return nil
}

// Output sets dst to the output of the last layer for a sample x and returns dst, a
// new slice if dst is nil. It panics on lengths that don't fit.
func (n Network) Output(dst, x []float64) []float64 {
	for _, l := range n[:len(n)-1] {
		x = l.Output(nil, x)
	}
	return n[len(n)-1].Output(dst, x)
}

// Outputs sets row i of dst to the output for row i of X and returns dst, a new
// matrix if dst is nil. It panics on shapes that don't fit.
func (n Network) Outputs(dst *mat.Dense, X mat.Matrix) *mat.Dense {
	return outputs(dst, X, len(n[len(n)-1].B), n.Output)
}
