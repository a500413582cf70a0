package mlkittest

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
)

// TestAbsence tests that a sample of weight 0 is absent: a fit of samples with such rows among
// them gives the model and the error of a fit without them, bit for bit. A slice that has an
// element for each sample has 0 for theirs. Slices of ints are numbers of rows, unless the field
// is named Classes, Labels or Columns, and messages name rows as in "X[3]": these are rows of the
// X that was given.
//
// The rows of weight 0 are at the start, at the end and in between; they are huge, tiny, zero
// or copies of other samples; and they have all labels, also one that no other sample has,
// unless the fit refuses it. Those that are not finite are refused. The result may be more than a
// model, such as one with its trace.
func TestAbsence[M any, Y int | float64](fit func(o mlkit.Options, X *mat.Dense, y []Y) (M, error)) error {
	plain := mixed()
	n := len(plain.labels)
	labels := []int{+1, -1, -1, +1}
	switch any(Y(0)).(type) {
	case float64:
		labels = append(labels, 1e9)
	default:
		three := mixed()
		three.labels[3], three.labels[7] = 2, 2
		if _, err := fitAs(func(X *mat.Dense, y []Y) (M, error) { return fit(mlkit.Options{}, X, y) }, three); refusal(err, "y[3]") != nil {
			labels = append(labels, 2) // not a fit of two classes
		}
	}
	var broken []error
	// expect fits s with weights, and returns a function that adds rows of weight 0 and compares.
	expect := func(s samples, weights []float64) func(where string, at []int, turn int) {
		want, wantErr := fitAs(func(X *mat.Dense, y []Y) (M, error) { return fit(mlkit.Options{Weights: weights}, X, y) }, s)
		return func(where string, at []int, turn int) {
			all, given, present := with(s, weights, at, labels, turn)
			got, err := fitAs(func(X *mat.Dense, y []Y) (M, error) { return fit(mlkit.Options{Weights: given}, X, y) }, all)
			c := comparison{present, len(given)}
			if err := errors.Join(c.same("the model", want, got), c.same("the error", wantErr, err)); err != nil {
				broken = append(broken, fmt.Errorf("weight 0 is absence: %d rows of weight 0 %s, such as %v with the label %d: %w",
					len(at), where, all.X.RawRowView(at[0]), all.labels[at[0]], err))
			}
		}
	}
	var even []int
	for i := range n {
		even = append(even, 2*i)
	}
	unweighted, weighted := expect(plain, nil), expect(plain, slices.Repeat([]float64{1, 3, 0.5}, n/3))
	for _, where := range []struct {
		name string
		at   []int // the rows of weight 0, ascending
	}{
		{"first", []int{0}},
		{"last", []int{n}},
		{"at both ends", []int{0, n + 1}},
		{"in between", []int{5, 6, 13}},
		{"before all others", []int{0, 1, 2, 3, 4, 5, 6}},
		{"before each other", even},
	} {
		unweighted(where.name, where.at, 0)
		for turn := range 5 {
			weighted(where.name, where.at, turn)
		}
	}
	// So many that sums are divided among processors, or in blocks.
	const times = 46
	many := samples{X: mat.NewDense(times*n, 2, nil), labels: slices.Repeat(plain.labels, times)}
	for i := range many.labels {
		for j := range 2 {
			many.X.Set(i, j, plain.X.At(i%n, j)+math.Sin(float64(3*i+j)))
		}
	}
	expect(many, slices.Repeat([]float64{1, 3, 0.5}, times*n/3))("among many", []int{0, 1, 2, 3, 4, 700, times*n + 5}, 0)
	all, given, _ := with(plain, nil, []int{2}, labels, 0)
	all.X.Set(2, 0, math.NaN())
	_, err := fitAs(func(X *mat.Dense, y []Y) (M, error) { return fit(mlkit.Options{Weights: given}, X, y) }, all)
	refused := refusal(err, "")
	if refused == nil && !strings.Contains(err.Error(), "[2]") {
		refused = fmt.Errorf("the message %q does not name row 2", err)
	}
	if refused != nil {
		broken = append(broken, fmt.Errorf("a NaN in a row of weight 0: %w", refused))
	}
	if len(broken) > 3 {
		broken = append(broken[:3], fmt.Errorf("weight 0 is absence: and %d more", len(broken)-3))
	}
	return errors.Join(broken...)
}

// with returns s with rows of weight 0 at the given places, the weights of all rows, where nil
// means 1, and which rows those of s are. turn chooses which coordinates and which labels the new rows have.
func with(s samples, weights []float64, at, labels []int, turn int) (all samples, given []float64, present []int) {
	n, d := s.X.Dims()
	if weights == nil {
		weights = slices.Repeat([]float64{1}, n)
	}
	all.X = mat.NewDense(n+len(at), d, nil)
	next, added := 0, 0
	for i := range n + len(at) {
		if !slices.Contains(at, i) {
			all.X.SetRow(i, s.X.RawRowView(next))
			all.labels, given, present = append(all.labels, s.labels[next]), append(given, weights[next]), append(present, i)
			next++
			continue
		}
		x, size := all.X.RawRowView(i), []float64{1e12, 1e200, 1e-300, 0, 1}[(added+turn)%5]
		for j := range x {
			x[j] = size * float64(1-2*(j%2)) // far off in a direction that the classes do not differ in
			if size == 1 {
				x[j] = s.X.At((added+turn)%n, j) // a copy of a sample
			}
		}
		all.labels, given = append(all.labels, labels[(added+turn)%len(labels)]), append(given, 0)
		added++
	}
	return all, given, present
}

// comparison compares a fit of some samples with a fit of n. The latter has the former's samples
// at the places present, and others of weight 0. The zero value compares two fits of the same
// samples.
type comparison struct {
	present []int
	n       int
}

// same compares all fields of two values, exported or not, as sameBits does. Where one of the
// samples is concerned, they are equal if numbers of rows are those of the same sample, and if
// a slice with an element for each sample has zeros for those of weight 0.
func (c comparison) same(place string, want, got any) error {
	a, b := reflect.ValueOf(want), reflect.ValueOf(got)
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return fmt.Errorf("%s is a %T, want a %T: %[2]v, want %[3]v", place, got, want)
	}
	return c.value(place, a, b)
}

// ofSamples reports whether b has an element for each of the n samples, and a for each that is
// present: equal ones, and for the others zeros.
func (c comparison) ofSamples(a, b reflect.Value) bool {
	if a.Len() != len(c.present) || b.Len() != c.n || a.Len() == b.Len() {
		return false
	}
	next := 0
	for i := range c.n {
		switch {
		case next == len(c.present) || c.present[next] != i:
			if !b.Index(i).IsZero() {
				return false
			}
		case c.value("", a.Index(next), b.Index(i)) != nil:
			return false
		default:
			next++
		}
	}
	return true
}

// ofRows reports whether a field holds numbers of rows.
func (c comparison) ofRows(place string, v reflect.Value) bool {
	return c.present != nil && v.Type().Elem().Kind() == reflect.Int &&
		!slices.ContainsFunc([]string{".Classes", ".Labels", ".Columns"}, func(name string) bool { return strings.HasSuffix(place, name) })
}

// renumbered returns the numbers that rows have among the n samples.
func (c comparison) renumbered(rows reflect.Value) reflect.Value {
	numbers := make([]int, rows.Len())
	for k := range numbers {
		if numbers[k] = int(rows.Index(k).Int()); numbers[k] >= 0 && numbers[k] < len(c.present) {
			numbers[k] = c.present[numbers[k]]
		}
	}
	if rows.IsNil() {
		numbers = nil
	}
	return reflect.ValueOf(numbers)
}

// rowNumber is how messages name a row.
var rowNumber = regexp.MustCompile(`\b(?:X|y|weights|scores)\[(\d+)\]|\brow (\d+)`)

// message returns a message with the numbers that the rows have among the n samples.
func (c comparison) message(s string) string {
	if c.present == nil {
		return s
	}
	return rowNumber.ReplaceAllStringFunc(s, func(found string) string {
		digits := regexp.MustCompile(`\d+`)
		row, _ := strconv.Atoi(digits.FindString(found))
		if row >= len(c.present) {
			return found
		}
		return digits.ReplaceAllString(found, strconv.Itoa(c.present[row]))
	})
}
