package derive_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/derive"
	"marginalia/mlkit/perceptron"
)

type point struct{ A, B float64 }

// This derivation forgets a term.
func ExampleDerivation() {
	d := derive.Derivation[point]{
		Title:   "Square of a sum",
		Draw:    func(rng *rand.Rand) point { return point{1 + rng.Float64(), 1 + rng.Float64()} },
		Example: func() point { return point{1, 2} },
		Steps: []derive.Step[point]{
			{TeX: `(a+b)^2`,
				Value: derive.Scalar(func(p point) float64 { return (p.A + p.B) * (p.A + p.B) })},
			{Relation: derive.Equal, TeX: `a^2+b^2`, Reason: "multiply out",
				Value: derive.Scalar(func(p point) float64 { return p.A*p.A + p.B*p.B })},
		},
	}
	fmt.Print(d.Markdown())
	d.Steps[1].Relation = derive.AtLeast
	_, err := d.Check(100, 1)
	fmt.Println(err)
	// Output:
	// ### Square of a sum
	//
	// | | step | number | because |
	// |---:|:---|:---|:---|
	// | 1 | $\displaystyle (a+b)^2$ | $9$ |  |
	// | 2 | $\displaystyle = a^2+b^2$ | $5$ | multiply out |
	//
	// **Computed at 100 random points: step 2 does not hold.**
	// <nil>
}

// EE-559's posterior of two Gaussians with different covariances: CheckAt names the step
// that needs them to be equal.
func ExampleDerivation_CheckAt() {
	identity := mat.NewSymDense(2, []float64{1, 0, 0, 1})
	wide := mat.NewSymDense(2, []float64{4, 0, 0, 1})
	g, err := derive.NewGaussians([]float64{1, 0}, [2][]float64{{0, 0}, {2, 0}}, [2]*mat.SymDense{identity, wide}, 0.5)
	if err != nil {
		log.Fatal(err)
	}
	_, err = derive.LDAToLogistic().CheckAt(g)
	if e, ok := err.(*derive.StepError); ok {
		fmt.Println("step", e.Number)
		fmt.Println(e.TeX)
	}
	_, err = derive.UnequalCovariances().CheckAt(g)
	fmt.Println(err)
	// Output:
	// step 6
	// \sigma\bigl(-\tfrac12(x-m_1)\Sigma^{-1}(x-m_1)^T+\tfrac12(x-m_0)\Sigma^{-1}(x-m_0)^T+a\bigr)
	// <nil>
}

// The example shows Novikoff's inequalities at each mistake of CMU's worked example, with
// the widest separator.
func ExampleNovikoffOnARun() {
	X := mat.NewDense(6, 2, []float64{-1, 2, 1, 0, 1, 1, -1, 0, -1, -2, 1, -1})
	y := []int{-1, +1, +1, -1, -1, +1}
	h, err := perceptron.WidestThroughOrigin(X, y)
	if err != nil {
		log.Fatal(err)
	}
	run, err := derive.NewPerceptronRun(perceptron.Perceptron{Bias: mlkit.NoBias}, X, y, h)
	if err != nil {
		log.Fatal(err)
	}
	d := derive.NovikoffOnARun()
	if _, err := d.CheckAt(run); err != nil {
		log.Fatal(err)
	}
	for _, number := range []int{11, 13, 14} { // k²γ²/4 ≤ ‖w‖² ≤ kR²
		fmt.Printf("%.4g\n", d.Steps[number-1].Value(run))
	}
	// Output:
	// [1 4 9]
	// [5 5 10]
	// [5 10 15]
}
