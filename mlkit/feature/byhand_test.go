package feature

import (
	"fmt"
	"log"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// At the centre θ is 0, even for a signed zero.
func TestPolarSignedZero(t *testing.T) {
	minus := math.Copysign(0, -1)
	for _, x := range [][]float64{{0, 0}, {minus, 0}, {0, minus}, {minus, minus}} {
		if got := (Polar{}).TransformSample(nil, x); got[0] != 0 || got[1] != 0 {
			t.Errorf("%v is at %v", x, got)
		}
	}
}

// The first of several largest classes wins.
func TestFromOneHotTies(t *testing.T) {
	y, err := FromOneHot(mat.NewDense(2, 3, []float64{1, 1, 0, -1, 2, 2}), []int{7, 5, 9})
	if err != nil || !slices.Equal(y, []int{7, 5}) {
		t.Errorf("%v, %v; want 7 and 5", y, err)
	}
}

func ExamplePolar() {
	rings := mat.NewDense(3, 2, []float64{1, 0, 0, 3, -1, 0})
	Z, err := Apply(Polar{}, rings)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", mat.Formatted(Z))
	// Output:
	// ⎡1.0000  0.0000⎤
	// ⎢3.0000  1.5708⎥
	// ⎣1.0000  3.1416⎦
}

func ExampleHistogram() {
	h, err := NewHistogram(5, 4, 0, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.TransformSample(nil, []float64{0, 0.1, 0.25, 0.9, 1}))
	// Output: [0.4 0.2 0 0.4]
}

func ExampleScaling_Inverse() {
	X := mat.NewDense(3, 1, []float64{10, 20, 40})
	s, err := MinMax{Low: -1, High: 1}.Fit(X)
	if err != nil {
		log.Fatal(err)
	}
	z := s.TransformSample(nil, []float64{25})
	fmt.Println(z, s.Inverse(nil, z))
	// Output: [0] [25]
}

func ExampleConstant() {
	fmt.Println(Constant{D: 2}.TransformSample(nil, []float64{3, 4}))
	// Output: [3 4 1]
}

// The maps apply from left to right: scaled first, then squared.
func ExampleNewChain() {
	s, err := MinMax{}.Fit(mat.NewDense(2, 1, []float64{0, 10}))
	if err != nil {
		log.Fatal(err)
	}
	p, err := NewPolynomial(1, 2)
	if err != nil {
		log.Fatal(err)
	}
	c, err := NewChain(s, p)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.TransformSample(nil, []float64{5}))
	// Output: [1 0.5 0.25]
}
