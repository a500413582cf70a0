package derive

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// pair holds the quantities of the small derivations in these tests.
type pair struct{ A, B float64 }

func drawPair(rng *rand.Rand) pair { return pair{uniform(rng, 1, 2), uniform(rng, 1, 2)} }

// binomial derives (a + b)² ≥ 4ab.
func binomial() Derivation[pair] {
	return Derivation[pair]{
		Title:   "Square of a sum",
		Draw:    drawPair,
		Example: func() pair { return pair{1, 2} },
		Steps: []Step[pair]{
			start(`(a+b)^2`, "", Scalar(func(p pair) float64 { return (p.A + p.B) * (p.A + p.B) })),
			equal(`a^2+2ab+b^2`, "multiply out", Scalar(func(p pair) float64 { return p.A*p.A + 2*p.A*p.B + p.B*p.B })),
			equal(`(a-b)^2+4ab`, "", Scalar(func(p pair) float64 { return (p.A-p.B)*(p.A-p.B) + 4*p.A*p.B })),
			atLeast(`4ab`, "", Scalar(func(p pair) float64 { return 4 * p.A * p.B })),
		},
	}
}

func TestLecturesHold(t *testing.T) {
	all := Lectures()
	if len(all) != 9 {
		t.Errorf("%d derivations, want 9", len(all))
	}
	for _, d := range all {
		r, err := d.Check(300, 7)
		if err != nil {
			t.Error(err)
			continue
		}
		// The tolerance leaves ample room for rounding error; nothing comes close to it.
		if got, number := r.Largest(); got > 1e-10 || got == 0 {
			t.Errorf("%s: largest difference %v at step %d, want rounding", r.Title, got, number)
		}
		for i, s := range r.Steps {
			if (s.Relation == AtMost || s.Relation == AtLeast) && !(s.Room >= 0 && s.Room <= 1) {
				t.Errorf("%s: step %d: room %v, want a fraction", r.Title, i+1, s.Room)
			}
		}
	}
}

func TestCheckNamesTheStep(t *testing.T) {
	d := binomial()
	if _, err := d.Check(50, 1); err != nil {
		t.Fatal(err)
	}
	d.Steps[1].Value = Scalar(func(p pair) float64 { return p.A*p.A - 2*p.A*p.B + p.B*p.B })
	r, err := d.Check(50, 1)
	var e *StepError
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want a *StepError", err)
	}
	// Step 3 also differs from the wrong step 2, but the first failure is named.
	if e.Title != d.Title || e.Number != 2 || e.Relation != Equal || e.TeX != `a^2+2ab+b^2` || e.Tol != 1e-9 {
		t.Errorf("got %+v", e)
	}
	p := drawPair(source(1, e.Point))
	u, v := square(p.A+p.B), square(p.A)-2*p.A*p.B+square(p.B)
	if math.Abs(e.Before[0]-u) > 1e-12 || math.Abs(e.Value[0]-v) > 1e-12 || math.Abs(e.Difference-(u-v)/u) > 1e-12 {
		t.Errorf("at point %d: %v and %v, difference %v, want %v and %v", e.Point, e.Before, e.Value, e.Difference, u, v)
	}
	if r.Steps[1].Difference != e.Difference {
		t.Errorf("the report has %v, the error %v, want the worst point in both", r.Steps[1].Difference, e.Difference)
	}
	if got, number := r.Largest(); number != 2 && number != 3 || got < e.Difference {
		t.Errorf("Largest = %v at %d", got, number)
	}
	for _, want := range []string{"derive: Square of a sum: step 2, = a^2+2ab+b^2, does not hold", "want at most 1e-09"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
}

func TestCheckIsRepeatable(t *testing.T) {
	a, _ := PrimalToDual().Check(20, 3)
	b, _ := PrimalToDual().Check(20, 3)
	c, _ := PrimalToDual().Check(20, 4)
	if !slices.Equal(a.Steps, b.Steps) {
		t.Error("the same seed gives another report")
	}
	if slices.Equal(a.Steps, c.Steps) {
		t.Error("another seed gives the same report")
	}
	// More points can only find larger differences and smaller room.
	d, _ := PrimalToDual().Check(40, 3)
	for i := range a.Steps {
		if d.Steps[i].Difference < a.Steps[i].Difference || d.Steps[i].Room > a.Steps[i].Room {
			t.Errorf("step %d: %+v at 20 points and %+v at 40", i+1, a.Steps[i], d.Steps[i])
		}
	}
}

func TestCompare(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name             string
		r                Relation
		u, v             []float64
		scale            float64
		difference, room float64
	}{
		{"equal", Equal, []float64{1, 2}, []float64{1, 2}, 0, 0, 0},
		{"all zero", AtMost, []float64{0}, []float64{0}, 0, 0, 0},
		{"relative to the largest", Equal, []float64{1, 4}, []float64{2, 4}, 0, 0.25, 0},
		{"sign", Equal, []float64{3}, []float64{-3}, 0, 2, 0},
		{"scale", Equal, []float64{0}, []float64{1}, 8, 0.125, 0},
		{"at most, with room", AtMost, []float64{1, 2}, []float64{2, 4}, 0, 0, 0.25},
		{"at most, broken", AtMost, []float64{1, 4}, []float64{2, 3}, 0, 0.25, 0},
		{"at least, with room", AtLeast, []float64{4}, []float64{3}, 0, 0, 0.25},
		{"at least, broken", AtLeast, []float64{3}, []float64{4}, 0, 0.25, 0},
		{"large", Equal, []float64{math.MaxFloat64}, []float64{-math.MaxFloat64}, 0, 2, 0},
		{"lengths", Equal, []float64{1}, []float64{1, 1}, 0, nan, 0},
		{"nothing", Equal, nil, nil, 0, nan, 0},
		{"NaN before", Equal, []float64{nan}, []float64{1}, 0, nan, 0},
		{"NaN", AtMost, []float64{1, 1}, []float64{1, nan}, 0, nan, 0},
		{"Inf", AtMost, []float64{1}, []float64{inf}, 0, nan, 0},
	} {
		got := compare(c.r, c.u, c.v, c.scale)
		if same := got.Difference == c.difference || math.IsNaN(got.Difference) && math.IsNaN(c.difference); !same || got.Room != c.room {
			t.Errorf("%s: got %+v, want %v and room %v", c.name, got, c.difference, c.room)
		}
	}
}

// A NaN never passes and counts as worse than any difference.
func TestCheckRefusesNaN(t *testing.T) {
	d := binomial()
	d.Steps[2].Value = Scalar(func(p pair) float64 {
		if p.A < 1.5 {
			return math.NaN()
		}
		return 0
	})
	_, err := d.Check(50, 1)
	var e *StepError
	if !errors.As(err, &e) || e.Number != 3 || !math.IsNaN(e.Difference) {
		t.Errorf("got %v", err)
	}
}

func TestIllFormed(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(d *Derivation[pair])
		n    int
		want string
	}{
		{"no points", func(*Derivation[pair]) {}, 0, "derive: Square of a sum: n = 0, want at least one point"},
		{"no draw", func(d *Derivation[pair]) { d.Draw = nil }, 1, "derive: Square of a sum: Draw is nil, want a function that draws the quantities"},
		{"no steps", func(d *Derivation[pair]) { d.Steps = nil }, 1, "derive: Square of a sum: no steps, want at least two"},
		{"relation", func(d *Derivation[pair]) { d.Steps[1].Relation = 9 }, 1, "derive: Square of a sum: step 2: Relation = 9, want Start, Equal, AtMost or AtLeast"},
		{"first", func(d *Derivation[pair]) { d.Steps[0].Relation = Equal }, 1, "derive: Square of a sum: step 1: Relation is =, want Start, since nothing is before it"},
		{"alone", func(d *Derivation[pair]) { d.Steps[1].Relation = Start }, 1, "derive: Square of a sum: step 1: nothing follows from it, want a chain of at least two steps"},
		{"last alone", func(d *Derivation[pair]) { d.Steps[3].Relation = Start }, 1, "derive: Square of a sum: step 4: nothing follows from it, want a chain of at least two steps"},
		{"value", func(d *Derivation[pair]) { d.Steps[2].Value = nil }, 1, "derive: Square of a sum: step 3: Value is nil, want a function that computes the step"},
		{"tolerance", func(d *Derivation[pair]) { d.Steps[2].Tol = -1 }, 1, "derive: Square of a sum: step 3: Tol = -1, want a number from 0, for 1e-09, to below 1"},
		{"bar", func(d *Derivation[pair]) { d.Steps[2].TeX = "|a|" }, 1, `derive: Square of a sum: step 3: TeX or Reason contains |, which would end the cell; write \mid, \lvert or \Vert`},
	} {
		d := binomial()
		c.edit(&d)
		if _, err := d.Check(c.n, 1); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
		if c.n == 1 && !strings.Contains(d.Markdown(), c.want) {
			t.Errorf("%s: Markdown is %q", c.name, d.Markdown())
		}
	}
	d := binomial()
	d.Steps = nil
	if got := d.MarkdownAt(pair{}); !strings.Contains(got, "no steps") {
		t.Errorf("MarkdownAt is %q", got)
	}
}

func TestReportString(t *testing.T) {
	r := Report{Title: "T", Points: 2, Seed: 3, Steps: []StepReport{{}, {Equal, 1e-15, 0}, {AtMost, 0, 0.5}}}
	const want = "T: 2 points, seed 3\n  1\n  2 = differs by 1.0e-15\n  3 ≤ exceeded by 0.0e+00, least room 5.0e-01\n"
	if got := r.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Relation(9).String(); got != "?" {
		t.Errorf("got %q", got)
	}
}
