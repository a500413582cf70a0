package derive

import (
	"fmt"
	"math"
	"strings"
)

// Report is the result of Check.
type Report struct {
	Title  string
	Points int          // number of random points at which all steps were computed
	Seed   uint64       // seed of the random points
	Steps  []StepReport // one per step
}

// StepReport is the result of Check for one step.
type StepReport struct {
	Relation Relation

	// Difference is the largest relative difference from the previous step. For an
	// equality it is max|u-v|/max(|u|,|v|), where u and v are the two steps and the
	// maxima are over their elements. For an inequality it is the same over the elements
	// that violate it, 0 if none does. It is 0 for Start.
	Difference float64

	// Room is the slack of an inequality at the point and element where it is smallest,
	// measured the same way: 0 if the inequality is tight there. It is 0 for Start and
	// Equal.
	Room float64
}

// Largest returns the largest relative difference of all equalities and the number of its
// step, counted from 1. It returns 0 and 0 if no equality differs at all.
func (r Report) Largest() (difference float64, number int) {
	for i, s := range r.Steps {
		if s.Relation == Equal && s.Difference > difference {
			difference, number = s.Difference, i+1
		}
	}
	return difference, number
}

// String returns the report as a table with one line per step.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d points, seed %d\n", r.Title, r.Points, r.Seed)
	for i, s := range r.Steps {
		switch s.Relation {
		case Start:
			fmt.Fprintf(&b, "%3d\n", i+1)
		case Equal:
			fmt.Fprintf(&b, "%3d = differs by %.1e\n", i+1, s.Difference)
		default:
			fmt.Fprintf(&b, "%3d %v exceeded by %.1e, least room %.1e\n", i+1, s.Relation, s.Difference, s.Room)
		}
	}
	return b.String()
}

// StepError is the error of a derivation in which a step does not hold.
type StepError struct {
	Title      string    // of the derivation
	Number     int       // of the step, counted from 1, as in Markdown
	Relation   Relation  // of the step
	TeX        string    // of the step
	Point      int       // the random point where the step fails worst, counted from 0
	Before     []float64 // the value of the previous step at this point
	Value      []float64 // the value of the step at this point
	Difference float64   // as in StepReport; NaN if a value is not finite or the lengths differ
	Tol        float64   // the tolerance of the step
}

func (e *StepError) Error() string {
	return fmt.Sprintf("derive: %s: step %d, %v %s, does not hold: at point %d the step before is %s and this one %s, relative difference %.3g, want at most %.3g",
		e.Title, e.Number, e.Relation, e.TeX, e.Point, number(e.Before, 0), number(e.Value, 0), e.Difference, e.Tol)
}

// defaultTol is the default of Step.Tol.
const defaultTol = 1e-9

// Check computes all steps at n random points derived from the seed and compares each
// step, unless it begins a chain, with the previous one. If a step does not hold within its
// tolerance, Check returns the full report and a *StepError that names the first such step.
// Point i is the same for every n. Check returns an empty report and another error if the
// derivation is malformed, if n < 1, or if Valid rejects a point.
func (d Derivation[Q]) Check(n int, seed uint64) (Report, error) {
	if n <= 0 {
		return Report{}, fmt.Errorf("derive: %s: n = %d, want at least one point", d.Title, n)
	}
	if d.Draw == nil {
		return Report{}, fmt.Errorf("derive: %s: Draw is nil, want a function that draws the quantities", d.Title)
	}
	return d.check(n, seed, func(i int) Q { return d.Draw(source(seed, i)) })
}

// CheckAt is Check at a single point, the given quantities.
func (d Derivation[Q]) CheckAt(q Q) (Report, error) {
	return d.check(1, 0, func(int) Q { return q })
}

func (d Derivation[Q]) check(n int, seed uint64, point func(i int) Q) (Report, error) {
	if err := d.wellFormed(); err != nil {
		return Report{}, err
	}
	r := Report{Title: d.Title, Points: n, Seed: seed, Steps: make([]StepReport, len(d.Steps))}
	for i, s := range d.Steps {
		r.Steps[i] = StepReport{Relation: s.Relation}
		if s.Relation == AtMost || s.Relation == AtLeast {
			r.Steps[i].Room = math.Inf(1)
		}
	}
	var failed *StepError
	for p := range n {
		q := point(p)
		if d.Valid != nil {
			if err := d.Valid(q); err != nil {
				return Report{}, err
			}
		}
		var before []float64
		for i, s := range d.Steps {
			value := s.Value(q)
			if s.Relation != Start {
				c := compare(s.Relation, before, value, s.size(q))
				r.Steps[i].Room = min(r.Steps[i].Room, c.Room)
				r.Steps[i].Difference = max(r.Steps[i].Difference, c.Difference)
				if tol := s.tolerance(); !(c.Difference <= tol) && failed.worseThan(i+1, c.Difference) {
					failed = &StepError{
						Title: d.Title, Number: i + 1, Relation: s.Relation, TeX: s.TeX, Point: p,
						Before: before, Value: value, Difference: c.Difference, Tol: tol,
					}
				}
			}
			before = value
		}
	}
	if failed != nil {
		return r, failed
	}
	return r, nil
}

// worseThan reports whether a failure of step number by difference should replace e.
// Earlier steps come first, and for the same step larger differences, with NaN the
// largest.
func (e *StepError) worseThan(number int, difference float64) bool {
	if e == nil || number != e.Number {
		return e == nil || number < e.Number
	}
	return difference > e.Difference || math.IsNaN(difference) && !math.IsNaN(e.Difference)
}

func (s Step[Q]) tolerance() float64 {
	if s.Tol > 0 {
		return s.Tol
	}
	return defaultTol
}

// wellFormed checks what the type of a derivation cannot express.
func (d Derivation[Q]) wellFormed() error {
	if len(d.Steps) == 0 {
		return fmt.Errorf("derive: %s: no steps, want at least two", d.Title)
	}
	for i, s := range d.Steps {
		switch {
		case s.Relation < Start || s.Relation > AtLeast:
			return fmt.Errorf("derive: %s: step %d: Relation = %d, want Start, Equal, AtMost or AtLeast", d.Title, i+1, int(s.Relation))
		case i == 0 && s.Relation != Start:
			return fmt.Errorf("derive: %s: step 1: Relation is %v, want Start, since nothing is before it", d.Title, s.Relation)
		case s.Relation == Start && (i+1 == len(d.Steps) || d.Steps[i+1].Relation == Start):
			return fmt.Errorf("derive: %s: step %d: nothing follows from it, want a chain of at least two steps", d.Title, i+1)
		case s.Value == nil:
			return fmt.Errorf("derive: %s: step %d: Value is nil, want a function that computes the step", d.Title, i+1)
		case !(s.Tol >= 0 && s.Tol < 1):
			return fmt.Errorf("derive: %s: step %d: Tol = %v, want a number from 0, for %v, to below 1", d.Title, i+1, s.Tol, defaultTol)
		case strings.Contains(s.TeX+s.Reason, "|"):
			return fmt.Errorf(`derive: %s: step %d: TeX or Reason contains |, which would end the cell; write \mid, \lvert or \Vert`, d.Title, i+1)
		}
	}
	return nil
}

// compare compares the values u and v of two consecutive steps, relative to the largest
// element of both, or to scale if that is larger.
func compare(r Relation, u, v []float64, scale float64) StepReport {
	if len(u) != len(v) || len(v) == 0 {
		return StepReport{Difference: math.NaN()}
	}
	for i := range v {
		scale = max(scale, math.Abs(u[i]), math.Abs(v[i])) // NaN if an element is
	}
	if math.IsNaN(scale) || math.IsInf(scale, 0) {
		return StepReport{Difference: math.NaN()}
	}
	if scale == 0 {
		return StepReport{}
	}
	var difference float64
	room := math.Inf(1)
	for i := range v {
		// Divide before subtracting: the difference of two finite numbers may overflow,
		// but not that of the quotients.
		rise := v[i]/scale - u[i]/scale
		switch r {
		case Equal:
			rise, room = -math.Abs(rise), 0
		case AtLeast:
			rise = -rise
		}
		difference = max(difference, -rise)
		room = min(room, rise)
	}
	return StepReport{Difference: difference, Room: max(0, room)}
}
