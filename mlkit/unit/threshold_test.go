package unit

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/internal/testkit"
)

// The units of EE-559, "A bit of history", with the lecture's numbers.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		name  string
		u     Threshold
		w     []float64
		b     float64
		truth *datasets.Dataset
	}{
		{"or", Or(2), []float64{1, 1}, -0.5, datasets.Or()},
		{"and", And(2), []float64{1, 1}, -1.5, datasets.And()},
		{"not", Not(), []float64{-1}, 0.5, datasets.Not()},
	} {
		if !reflect.DeepEqual(c.u.Hyperplane, mlkit.Hyperplane{W: c.w, B: c.b}) {
			t.Errorf("%s is %+v, want %v, %v", c.name, c.u, c.w, c.b)
		}
		for i, label := range c.truth.Y {
			x := c.truth.X.RawRowView(i)
			if got, want := c.u.Output(x), float64(label+1)/2; got != want || c.u.Predict(x) != label {
				t.Errorf("%s%v = %v, label %d, want %v", c.name, x, got, c.u.Predict(x), want)
			}
		}
	}
	if and := And(3); and.Output([]float64{1, 1, 1}) != 1 || and.Output([]float64{1, 0, 1}) != 0 {
		t.Error("and of three inputs is wrong")
	}
}

// Every Boolean function of one, two and three inputs: 4, 16 and 256 truth tables.
func TestBooleanNetwork(t *testing.T) {
	for inputs := 1; inputs <= 3; inputs++ {
		rows := 1 << inputs
		X := mat.NewDense(rows, inputs, nil)
		for i := range rows {
			for j := range inputs {
				X.Set(i, j, float64(i>>(inputs-1-j)&1))
			}
		}
		for table := range 1 << rows {
			truth := make([]bool, rows)
			for i := range truth {
				truth[i] = table>>i&1 == 1
			}
			n := testkit.Try(Boolean(truth)).Or(t)
			if _, err := NewNetwork(n...); err != nil {
				t.Fatalf("%v: %v", truth, err)
			}
			Y := n.Outputs(nil, X)
			for i, want := range truth {
				if got := Y.At(i, 0); got == 1 != want || got != 0 && got != 1 {
					t.Fatalf("%v: output %v for %v", truth, got, X.RawRowView(i))
				}
			}
		}
	}
	// The row (1, 0) of two inputs corresponds to a - b - ½ ≥ 0.
	n, err := Boolean([]bool{false, false, true, false})
	if err != nil || !reflect.DeepEqual(n[0].Unit(0), mlkit.Hyperplane{W: []float64{1, -1}, B: -0.5}) {
		t.Errorf("the unit of row (1, 0) is %+v, %v, want a - b - ½", n[0].Unit(0), err)
	}
	for _, truth := range [][]bool{nil, {true}, {true, false, true}} {
		if _, err := Boolean(truth); err == nil || !strings.HasSuffix(err.Error(), "want a power of 2, at least 2") {
			t.Errorf("%d rows: err = %v", len(truth), err)
		}
	}
}

// xor(a, b) is and(or(a, b), not(and(a, b))); no single unit computes it. It works with
// the perceptron's signs as well as with the threshold units' 0 and 1.
func TestXorNetwork(t *testing.T) {
	for _, c := range []struct {
		activation Activation
		last       mlkit.Hyperplane
	}{
		{Step, mlkit.Hyperplane{W: []float64{1, -1}, B: -0.5}},
		{Sign, mlkit.Hyperplane{W: []float64{1, -1}, B: -1}},
	} {
		hidden := testkit.Try(NewLayer(c.activation, Or(2).Hyperplane, And(2).Hyperplane)).Or(t)
		last := testkit.Try(NewLayer(c.activation, c.last)).Or(t)
		n := testkit.Try(NewNetwork(hidden, last)).Or(t)
		xor := datasets.Xor()
		for i, label := range xor.Y {
			want := c.activation.Apply(float64(label))
			if got := n.Output(nil, xor.X.RawRowView(i)); len(got) != 1 || got[0] != want {
				t.Errorf("%v: xor%v = %v, want %v", c.activation, xor.X.RawRowView(i), got, want)
			}
		}
	}
}

// By hand for x = (2, -1): the units give 2 - 1 - 1 = 0, -2 - 2 + 1 = -3 and 0.5.
func TestLayer(t *testing.T) {
	units := []mlkit.Hyperplane{{W: []float64{1, 1}, B: -1}, {W: []float64{-1, 2}, B: 1}, {W: []float64{0, 0}, B: 0.5}}
	x := []float64{2, -1}
	for _, c := range []struct {
		a    Activation
		name string
		want []float64
	}{
		{Sign, "sign", []float64{1, -1, 1}},
		{Step, "step", []float64{1, 0, 1}},
		{Sigmoid, "sigmoid", []float64{0.5, 1 / (1 + math.Exp(3)), 1 / (1 + math.Exp(-0.5))}},
		{Identity, "identity", []float64{0, -3, 0.5}},
	} {
		l := testkit.Try(NewLayer(c.a, units...)).Or(t)
		got := l.Output(nil, x)
		for i, want := range c.want {
			if math.Abs(got[i]-want) > 1e-15 {
				t.Errorf("%v: output %v, want %v", c.a, got, c.want)
				break
			}
		}
		Y := l.Outputs(mat.NewDense(1, 3, nil), mat.NewDense(1, 2, x))
		if !reflect.DeepEqual(Y.RawRowView(0), got) {
			t.Errorf("%v: outputs %v, output %v", c.a, Y.RawRowView(0), got)
		}
		if !reflect.DeepEqual(l.Unit(1), units[1]) || c.a.String() != c.name {
			t.Errorf("%v: unit 1 is %v", c.a, l.Unit(1))
		}
		if v := l.Output(nil, []float64{math.NaN(), 1}); !math.IsNaN(v[0]) {
			t.Errorf("%v: σ(NaN) = %v", c.a, v[0])
		}
	}
	l, _ := NewLayer(Sign, units...)
	units[0].W[0] = 9
	if l.W[0][0] != 1 {
		t.Error("the layer shares weights with the units")
	}
	if s := Activation(9).String(); s != "Activation(9)" {
		t.Errorf("Activation(9) is %q", s)
	}
}

func TestShapesOfNetworks(t *testing.T) {
	one := Layer{W: [][]float64{{1, 2}}, B: []float64{0}}
	for _, c := range []struct {
		layers []Layer
		want   string
	}{
		{nil, "unit: NewNetwork: there are no layers, want at least 1"},
		{[]Layer{one, one}, "unit: NewNetwork: layer 1 has 2 inputs, want 1, the outputs of layer 0"},
		{[]Layer{{}}, "unit: NewNetwork: layer 0: a layer has 0 rows of weights and 0 biases, want equally many, at least 1, and rows of at least one weight"},
		{[]Layer{{W: one.W, B: one.B, Activation: 7}}, "unit: NewNetwork: layer 0: Activation = 7, want Sign, Step, Sigmoid or Identity"},
	} {
		if _, err := NewNetwork(c.layers...); err == nil || err.Error() != c.want {
			t.Errorf("err = %v, want %s", err, c.want)
		}
	}
	want := "unit: NewLayer: unit 1 has 1 weights, want 2, as unit 0 has"
	if _, err := NewLayer(Sign, And(2).Hyperplane, Not().Hyperplane); err == nil || err.Error() != want {
		t.Errorf("err = %v, want %s", err, want)
	}
	for name, f := range map[string]func(){
		"And":     func() { And(0) },
		"Or":      func() { Or(-1) },
		"Output":  func() { one.Output(nil, []float64{1}) },
		"Outputs": func() { one.Outputs(mat.NewDense(2, 2, nil), mat.NewDense(2, 2, nil)) },
	} {
		func() {
			defer func() {
				if s, ok := recover().(string); !ok || !strings.HasPrefix(s, "unit: "+name+": ") {
					t.Errorf("%s panics with %q", name, s)
				}
			}()
			f()
		}()
	}
}
