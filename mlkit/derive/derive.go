// Package derive provides derivations whose steps are all checked numerically. It
// includes those of the lectures: from two Gaussians to the logistic sigmoid, from the
// normal equations to the pseudoinverse, from the primal of the support vector machine to
// its dual, and others; see Lectures.
//
// A derivation is a list of steps. Each step has its TeX, the reason why it follows from
// the previous step, and a function that computes it from quantities that all steps
// share: the x, w, Σ of the formulas. Check draws the quantities at random, many times,
// and compares each step with the one it follows from, so a lost sign is found and named.
// Markdown formats the derivation for a notebook, with the numerical value of each line.
//
//	type point struct{ A, B float64 }
//	d := derive.Derivation[point]{
//		Title: "Square of a sum",
//		Draw:  func(rng *rand.Rand) point { return point{rng.NormFloat64(), rng.NormFloat64()} },
//		Steps: []derive.Step[point]{
//			{TeX: `(a+b)^2`,
//				Value: derive.Scalar(func(p point) float64 { return (p.A + p.B) * (p.A + p.B) })},
//			{Relation: derive.Equal, TeX: `a^2+b^2`, Reason: "…",
//				Value: derive.Scalar(func(p point) float64 { return p.A*p.A + p.B*p.B })},
//		},
//	}
//	_, err := d.Check(100, 1)
//	fmt.Println(err) // derive: Square of a sum: step 2, = a^2+b^2, does not hold: …
//
// Agreement at a hundred random points is not a proof, but a wrong step fails at nearly
// all of them: Jacob T. Schwartz, "Fast probabilistic algorithms for verification of
// polynomial identities", 1980.
//
// # The files
//
//   - derive.go, check.go, markdown.go, algebra.go: derivations, their check, their text
//   - lectures.go: the list of the lectures' derivations
//   - perceptroncost.go, novikoff.go, run.go; lda.go, qda.go, logistic.go; leastsquares.go;
//     hinge.go, softmargin.go, svmdual.go: the derivations by chapter
//   - valid.go: the quantities that a caller gives, checked
//
// # References
//
// The lectures are those listed in package marginalia/mlkit.
//
// If a lecture has a slip, the step or the derivation's comment says so, and a test
// demonstrates it.
package derive

import "math/rand/v2"

// Relation is the way a step follows from the previous step.
type Relation int

const (
	// Start begins a chain: the step is not compared with the previous one.
	Start Relation = iota
	// Equal means that the previous step = this one.
	Equal
	// AtMost means that the previous step ≤ this one, element by element.
	AtMost
	// AtLeast means that the previous step ≥ this one, element by element.
	AtLeast
)

func (r Relation) String() string {
	switch r {
	case Start:
		return "start"
	case Equal:
		return "="
	case AtMost:
		return "≤"
	case AtLeast:
		return "≥"
	}
	return "?"
}

// tex returns r's symbol in TeX.
func (r Relation) tex() string {
	switch r {
	case Equal:
		return "="
	case AtMost:
		return `\leq`
	case AtLeast:
		return `\geq`
	}
	return ""
}

// Step is one line of a derivation about quantities Q.
type Step[Q any] struct {
	// Relation is the way the line follows from the previous one. The zero value, Start,
	// begins a chain. A chain has at least two steps.
	Relation Relation

	// TeX is the formula, without the symbol of Relation and without dollars. It must not
	// contain the character |, which separates table cells in Markdown; use \mid, \lvert
	// or \Vert instead.
	TeX string

	// Reason explains in Markdown why the line follows. It must not contain | either.
	Reason string

	// Value computes the line: a single number, or the elements of a vector or matrix. It
	// must not change q. All steps of a chain must have the same number of elements.
	Value func(q Q) []float64

	// Scale returns the size of the terms that the line adds up, if they may cancel. A
	// difference is then relative to this size if it exceeds the values. Nil means
	// relative to the values alone.
	Scale func(q Q) float64

	// Tol is the largest relative difference from the previous step that is
	// attributed to rounding error; 0 means 1e-9. Set a larger one for derivatives
	// computed by differences.
	Tol float64
}

// Derivation is a list of steps about quantities Q, such as Gaussians.
type Derivation[Q any] struct {
	Title  string // what follows from what
	Source string // the lecture, with its section

	// Notes is Markdown placed below the steps: the lecture's slips, the meaning of the
	// result.
	Notes string

	// Draw returns random quantities, all from rng, that satisfy the derivation's
	// assumptions and nothing more.
	Draw func(rng *rand.Rand) Q

	// Valid returns an error that explains why the steps cannot be computed from q; nil
	// means they always can. Check and CheckAt call it at every point.
	Valid func(q Q) error

	// Example returns the quantities for the numbers that Markdown shows; nil means the
	// first that Draw returns.
	Example func() Q

	// Given describes q in Markdown, so readers can recompute the numbers by hand; nil
	// means no description.
	Given func(q Q) string

	Steps []Step[Q]
}

// Checker is a derivation about any quantities.
type Checker interface {
	// Check computes all steps at n random points derived from the seed and compares each
	// step, unless it begins a chain, with the previous one.
	Check(n int, seed uint64) (Report, error)
	// Markdown returns the derivation for a notebook cell.
	Markdown() string
}

// Scalar makes a step's Value from a function that returns one number.
func Scalar[Q any](f func(q Q) float64) func(q Q) []float64 {
	return func(q Q) []float64 { return []float64{f(q)} }
}

// start returns the first step of a chain.
func start[Q any](tex, reason string, value func(q Q) []float64) Step[Q] {
	return Step[Q]{Relation: Start, TeX: tex, Reason: reason, Value: value}
}

// equal returns a step with Relation Equal.
func equal[Q any](tex, reason string, value func(q Q) []float64) Step[Q] {
	return Step[Q]{Relation: Equal, TeX: tex, Reason: reason, Value: value}
}

// atMost returns a step with Relation AtMost.
func atMost[Q any](tex, reason string, value func(q Q) []float64) Step[Q] {
	return Step[Q]{Relation: AtMost, TeX: tex, Reason: reason, Value: value}
}

// atLeast returns a step with Relation AtLeast.
func atLeast[Q any](tex, reason string, value func(q Q) []float64) Step[Q] {
	return Step[Q]{Relation: AtLeast, TeX: tex, Reason: reason, Value: value}
}

// beside returns the step with the given Scale.
func (s Step[Q]) beside(scale func(q Q) float64) Step[Q] {
	s.Scale = scale
	return s
}

// within returns the step with the given Tol.
func (s Step[Q]) within(tolerance float64) Step[Q] {
	s.Tol = tolerance
	return s
}

// size returns Scale at q, or 0.
func (s Step[Q]) size(q Q) float64 {
	if s.Scale == nil {
		return 0
	}
	return s.Scale(q)
}

// example returns the quantities for the numbers that are shown.
func (d Derivation[Q]) example() Q {
	if d.Example != nil {
		return d.Example()
	}
	return d.Draw(source(1, 0))
}

// source returns the random source of point i.
func source(seed uint64, i int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(i))) }
