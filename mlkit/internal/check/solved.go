package check

// Answer is a fit of least squares, judged by its own equations. Every fit of this kind looks
// at its answer before it returns it: identities of exact arithmetic, such as that the
// coefficients of a kernel expansion sum to 0, need not hold in rounding. All fields are
// square roots of weighted sums of squares over the samples.
type Answer struct {
	Left   float64 // what is left of the equations, or a bound on it, in the units of y
	Error  float64 // yᵢ - f(xᵢ), and the penalty
	Varies float64 // yᵢ less their mean: the error of the best constant; without b, yᵢ
	Size   float64 // yᵢ
}

// Most returns the largest Left of a right answer: 1/500 of how y varies, and the rounding
// of y.
func (a Answer) Most() float64 { return a.Varies/500 + 4*0x1p-52*a.Size }

// Right reports whether the equations are solved and the error of the fit is at most that of the
// constant plus a tenth, which samples with weights far apart may lose by rounding.
func (a Answer) Right() bool { return a.Left <= a.Most() && a.Error <= 1.1*a.Varies+a.Most() }
