package libsvm

import (
	"bufio"
	"fmt"
	"io"

	"gonum.org/v1/gonum/floats"

	"marginalia/mlkit/feature"
)

// Scaling is what svm-scale -s stores and -r restores: each feature is scaled from its interval in
// the training set to that from Low to High,
//
//	zⱼ = Low + (High - Low)·(xⱼ - Mins[j])/(Maxes[j] - Mins[j]),
//
// and one that was constant there becomes 0, unlike with feature.MinMax. It is a feature.Map.
type Scaling struct {
	Low, High   float64
	Mins, Maxes []float64 // equal for constant features
}

var _ feature.Map = (*Scaling)(nil)

// OfMinMax returns the map of a feature.MinMax (or Standardize) as one of svm-scale. Constant
// columns keep their value, Low.
func OfMinMax(s *feature.Scaling) *Scaling {
	high := make([]float64, len(s.Shift))
	floats.AddTo(high, s.Shift, s.Units)
	return &Scaling{Low: s.Offset, High: s.Offset + s.Span, Mins: s.Shift, Maxes: high}
}

// Inputs returns d.
func (s *Scaling) Inputs() int { return len(s.Mins) }

// Dim returns d.
func (s *Scaling) Dim() int { return len(s.Mins) }

// TransformSample sets dst to the scaled sample and returns dst, a new slice if dst is nil. It panics
// on wrong lengths.
func (s *Scaling) TransformSample(dst, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(x))
	}
	if len(x) != len(s.Mins) || len(dst) != len(x) {
		panic(fmt.Sprintf("libsvm: TransformSample: a sample of %d numbers and a destination of %d, want %d", len(x), len(dst), len(s.Mins)))
	}
	for j, v := range x {
		switch low, high := s.Mins[j], s.Maxes[j]; {
		case low == high:
			dst[j] = 0
		case v == low:
			dst[j] = s.Low
		case v == high:
			dst[j] = s.High
		default:
			dst[j] = s.Low + (s.High-s.Low)*(v-low)/(high-low)
		}
	}
	return dst
}

// ReadScaling reads a file of svm-scale -s. name stands for it in errors. A file that scales
// targets (svm-scale -y) is refused. Features that are not in the file were constant.
func (f Format) ReadScaling(r io.Reader, name string) (*Scaling, error) {
	if err := f.check(r, name); err != nil {
		return nil, err
	}
	l := newLines(r, name)
	head, ok := l.next()
	if !ok {
		return nil, l.short("a line \"x\"")
	}
	if head[0] == "y" {
		return nil, l.bad("the file scales targets too (svm-scale -y), and a Scaling does not")
	}
	if len(head) != 1 || head[0] != "x" {
		return nil, l.bad("%q, want x, as svm-scale -s writes", short(head[0]))
	}
	fields, ok := l.next()
	if !ok || len(fields) != 2 {
		return nil, l.bad("want the lower and the upper end of the interval after x")
	}
	ends, err := l.numbers("end", fields)
	if err != nil {
		return nil, err
	}
	if !(ends[0] < ends[1]) {
		return nil, l.bad("the interval from %v to %v, want the lower end first", ends[0], ends[1])
	}
	s := &Scaling{Low: ends[0], High: ends[1]}
	var low, high []entry
	for {
		fields, ok := l.next()
		if !ok {
			break
		}
		if len(fields) != 3 {
			return nil, l.bad("%d fields, want a feature, its minimum and its maximum", len(fields))
		}
		index, err := l.integers("feature", fields[:1], f.base())
		if err != nil {
			return nil, err
		}
		j := index[0] - f.base()
		if len(low) > 0 && j <= low[len(low)-1].index {
			return nil, l.bad("feature %d, want ascending ones", index[0])
		}
		if f.D > 0 && j >= f.D {
			return nil, l.bad("feature %d, want at most %d; set D if the samples have more", index[0], f.D+f.base()-1)
		}
		v, err := l.numbers("number", fields[1:])
		if err != nil {
			return nil, err
		}
		if v[0] > v[1] {
			return nil, l.bad("the minimum %v is above the maximum %v", v[0], v[1])
		}
		low, high = append(low, entry{j, v[0]}), append(high, entry{j, v[1]})
	}
	if err := l.Err(); err != nil {
		return nil, l.bad("%v", err)
	}
	rows, d, err := f.dense(name, [][]entry{low, high}, 0)
	if err != nil {
		return nil, err
	}
	if d == 0 {
		return nil, fmt.Errorf("libsvm: %s: there is no feature; set D, their number", name)
	}
	s.Mins, s.Maxes = rows[0], rows[1]
	return s, nil
}

// Write writes the file that svm-scale -r reads. It returns an error if the map is invalid, or if
// w does.
func (s *Scaling) Write(w io.Writer) error {
	if !(s.Low < s.High) || len(s.Mins) == 0 || len(s.Mins) != len(s.Maxes) || !finite([]float64{s.Low, s.High}) || !finite(s.Mins) || !finite(s.Maxes) {
		return fmt.Errorf("libsvm: Scaling from %v to %v of %d minima and %d maxima, want finite numbers, Low below High, and as many of both", s.Low, s.High, len(s.Mins), len(s.Maxes))
	}
	out := writer{bufio.NewWriter(w)}
	out.line("x")
	out.line(number(s.Low), number(s.High))
	for j, low := range s.Mins {
		if low != s.Maxes[j] {
			out.line(integers([]int{j + 1})[0], number(low), number(s.Maxes[j]))
		}
	}
	return out.Flush()
}
