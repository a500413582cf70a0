// Package derive holds derivations whose every step is checked by numbers, and
// those of the lectures among them: from two Gaussians to the logistic sigmoid,
// from the normal equations to the pseudoinverse, from the primal of the support
// vector machine to its dual, and others; see Lectures.
//
// A derivation is a list of steps. A step has its TeX, the reason why it follows
// from the step before, and a function that computes it from quantities that all
// steps share: the x, w, Σ of the formulas. Check draws the quantities at random,
// many times, and compares each step with the one before; a sign lost on the way
// is found and named. Markdown sets the derivation for a notebook, with the
// number that each line comes to beside it.
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
// What holds at a hundred random points is not proved, but what is wrong fails at
// nearly all of them: Jacob T. Schwartz, "Fast probabilistic algorithms for
// verification of polynomial identities", 1980.
//
// # References
//
// The lectures are those that package marginalia/mlkit/linear lists, and
//
//   - Cornell: Serge Belongie, "CS 5785 – Applied Machine Learning, lecture 15",
//     Cornell Tech, 2018
//
// Where a lecture slips, the step or the comment of the derivation says so and a
// test shows it.
package derive

import "math/rand/v2"

// Relation says how a step follows from the step before it.
type Relation int

const (
	// Start begins a chain: the step is not compared with the one before.
	Start Relation = iota
	// Equal: the step before = this one.
	Equal
	// AtMost: the step before ≤ this one, element by element.
	AtMost
	// AtLeast: the step before ≥ this one, element by element.
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

// tex returns the sign of r in TeX.
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
	// Relation says how the line follows from the one before; the zero value,
	// Start, begins a chain. A chain has two steps or more.
	Relation Relation

	// TeX is the formula, without the sign of Relation and without dollars. It
	// must not contain the character |, which divides the cells of a table in
	// Markdown: \mid, \lvert and \Vert stand for it.
	TeX string

	// Reason says in Markdown why the line follows. It must not contain | either.
	Reason string

	// Value computes the line: one number, or the elements of a vector or of a
	// matrix. It must not change q. All steps of a chain have as many elements.
	Value func(q Q) []float64

	// Scale returns the size of the terms that the line adds up, where they may
	// cancel: a difference is then relative to it if it exceeds the values. Nil
	// means the values alone.
	Scale func(q Q) float64

	// Tolerance is the largest relative difference from the step before that is
	// put down to rounding; 0 means 1e-9. It is larger where a derivative is
	// computed by differences.
	Tolerance float64
}

// Derivation is a list of steps about quantities Q, such as Gaussians.
type Derivation[Q any] struct {
	Title  string // what follows from what
	Source string // the lecture, with its section

	// Notes is Markdown that is set below the steps: where the lecture slips,
	// what the result means.
	Notes string

	// Draw returns quantities at random, all from rng, that satisfy what the
	// derivation supposes and nothing more.
	Draw func(rng *rand.Rand) Q

	// Valid returns an error if the steps can't be computed from q, which says
	// why; nil means they always can. Check and CheckAt ask it of every point.
	Valid func(q Q) error

	// Example is the quantities whose numbers Markdown shows; nil means those
	// that Draw returns first.
	Example func() Q

	// Given writes down q in Markdown, so that the numbers can be followed by
	// hand; nil means nothing is written.
	Given func(q Q) string

	Steps []Step[Q]
}

// Checker is a derivation about whatever quantities.
type Checker interface {
	Check(n int, seed uint64) (Report, error)
	Markdown() string
}

// Scalar makes the Value of a step from a function that returns one number.
func Scalar[Q any](f func(q Q) float64) func(q Q) []float64 {
	return func(q Q) []float64 { return []float64{f(q)} }
}

// start returns the first step of a chain.
func start[Q any](tex, reason string, value func(q Q) []float64) Step[Q] {
	return Step[Q]{Relation: Start, TeX: tex, Reason: reason, Value: value}
}

// equal returns a step that equals the one before.
func equal[Q any](tex, reason string, value func(q Q) []float64) Step[Q] {
	return Step[Q]{Relation: Equal, TeX: tex, Reason: reason, Value: value}
}

// atMost returns a step that the one before is at most.
func atMost[Q any](tex, reason string, value func(q Q) []float64) Step[Q] {
	return Step[Q]{Relation: AtMost, TeX: tex, Reason: reason, Value: value}
}

// atLeast returns a step that the one before is at least.
func atLeast[Q any](tex, reason string, value func(q Q) []float64) Step[Q] {
	return Step[Q]{Relation: AtLeast, TeX: tex, Reason: reason, Value: value}
}

// beside returns the step with a Scale.
func (s Step[Q]) beside(scale func(q Q) float64) Step[Q] {
	s.Scale = scale
	return s
}

// within returns the step with a Tolerance.
func (s Step[Q]) within(tolerance float64) Step[Q] {
	s.Tolerance = tolerance
	return s
}

// size returns Scale at q, or 0.
func (s Step[Q]) size(q Q) float64 {
	if s.Scale == nil {
		return 0
	}
	return s.Scale(q)
}

// example returns the quantities whose numbers are shown.
func (d Derivation[Q]) example() Q {
	if d.Example != nil {
		return d.Example()
	}
	return d.Draw(source(1, 0))
}

// source returns the randomness of point i.
func source(seed uint64, i int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(i))) }
