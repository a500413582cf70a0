package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// descending returns a random state for Descend.
func descending[T Float](random *rand.Rand, rows, d, stride int, squared bool) (x []T, w []float64, order []int32, c []Coordinate, s Descent) {
	x, w = rowsOf[T](random, rows, d, stride, 1), rowsOf[float64](random, 1, d, d+1, 1)
	c = make([]Coordinate, rows)
	for i := range c {
		q := &c[i]
		q.Y, q.Bound, q.Square = float64(1-2*random.IntN(2)), 1e-2+0.3*random.Float64(), 1
		for _, v := range x[i*stride:][:d] {
			q.Square += float64(v) * float64(v)
		}
		switch random.IntN(3) {
		case 0:
			q.Alpha = q.Bound
		case 1:
			q.Alpha = q.Bound * random.Float64()
		}
		order = append(order, int32(i))
	}
	random.Shuffle(rows, func(i, j int) { order[i], order[j] = order[j], order[i] })
	s = Descent{B: random.NormFloat64(), Bias2: float64(random.IntN(2)), Low: math.Inf(-1), High: math.Inf(1), Least: math.Inf(1), Most: math.Inf(-1)}
	if random.IntN(2) == 0 {
		s.Low, s.High = -random.Float64(), random.Float64()
	}
	if squared {
		s.Squared = 1
	}
	return x, w, order, c, s
}

// descendPlainly is algorithm 3 of Hsieh and others (2008) as published: it computes
// the projected gradient first and shrinks by its conditions.
func descendPlainly[T Float](x []T, stride int, w []float64, order []int32, c []Coordinate, s *Descent) {
	for _, i := range order {
		q, row := &c[i], x[int(i)*stride:]
		f := s.B
		for j, v := range w {
			f += v * float64(row[j])
		}
		U, D := q.Bound, 0.0
		ξ := math.Max(0, 1-q.Y*f)
		price := q.Bound * ξ
		if s.Squared == 1 {
			U, D = math.Inf(1), 0.5/q.Bound
			price = q.Bound * ξ * ξ
		}
		G := q.Y*f - 1 + D*q.Alpha
		s.Gap += price + q.Alpha*(q.Y*f-1) + D*q.Alpha*q.Alpha/2
		PG := G
		switch q.Alpha {
		case 0:
			if G > s.High {
				q.Out = 1
				continue
			}
			PG = math.Min(G, 0)
		case U:
			if G < s.Low {
				q.Out = 1
				continue
			}
			PG = math.Max(G, 0)
		}
		if PG == 0 {
			continue
		}
		s.Least, s.Most = math.Min(s.Least, PG), math.Max(s.Most, PG)
		before := q.Alpha
		q.Alpha = math.Min(math.Max(q.Alpha-G/(q.Square+D), 0), U)
		if q.Alpha == before {
			continue
		}
		s.Missed = math.Max(s.Missed, math.Abs(PG))
		for j := range w {
			w[j] += (q.Alpha - before) * q.Y * float64(row[j])
		}
		s.B += (q.Alpha - before) * q.Y * s.Bias2
	}
}

// The steps match the published algorithm up to rounding errors, which grow to at most
// 10⁻¹⁰ over a few dozen steps.
func TestDescend(t *testing.T) { eachType(t, descend[float32], descend[float64]) }

func descend[T Float](t *testing.T) {
	random := rand.New(rand.NewPCG(41, 42))
	moved, out := 0, 0
	for trial := range 1500 {
		rows, d := random.IntN(40), 1+random.IntN(70)
		stride := d + random.IntN(3)
		x, w, order, c, s := descending[T](random, rows, d, stride, trial%2 == 0)
		v, e, r := slices.Clone(w), slices.Clone(c), s
		Descend(x, stride, w, order, c, &s)
		descendPlainly(x, stride, v, order, e, &r)
		near := func(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-10*(1+math.Abs(b)) }
		for j := range w {
			if !near(w[j], v[j]) {
				t.Fatalf("trial %d: w[%d] = %v, want %v", trial, j, w[j], v[j])
			}
		}
		for i, q := range c {
			if !near(q.Alpha, e[i].Alpha) || q.Out != e[i].Out {
				t.Fatalf("trial %d: sample %d is %+v, want %+v", trial, i, q, e[i])
			}
			out += int(q.Out)
		}
		if !near(s.B, r.B) || !near(s.Gap, r.Gap) || !near(s.Least, r.Least) || !near(s.Most, r.Most) || !near(s.Missed, r.Missed) {
			t.Fatalf("trial %d: %+v, want %+v", trial, s, r)
		}
		if s.Missed > 0 {
			moved++
		}
	}
	if moved < 1000 || out < 1000 {
		t.Errorf("%d trials with steps, and %d samples left out: they test little", moved, out)
	}
}

// A sample with NaN makes its multiplier NaN, so the caller notices when it evaluates
// the model.
func TestDescendNaN(t *testing.T) {
	eachType(t, descendNaN[float32], descendNaN[float64])
}

func descendNaN[T Float](t *testing.T) {
	for _, alpha := range []float64{0, 0.5, 1} {
		c := []Coordinate{{Alpha: alpha, Y: 1, Bound: 1, Square: 1}}
		w, s := []float64{1, 2}, Descent{Low: -1, High: 1}
		Descend([]T{T(math.NaN()), 1}, 2, w, []int32{0}, c, &s)
		if !math.IsNaN(c[0].Alpha) || !math.IsNaN(w[0]) {
			t.Errorf("α = %v: %v and w = %v, want none", alpha, c[0].Alpha, w)
		}
	}
}

// The structs have the layout that the assembly assumes.
func TestDescendLayout(t *testing.T) {
	var c Coordinate
	var s Descent
	for name, at := range map[string][2]uintptr{
		"coordinate": {unsafe.Sizeof(c), 40}, "out": {unsafe.Offsetof(c.Out), 32},
		"squared": {unsafe.Offsetof(s.Squared), 32}, "missed": {unsafe.Offsetof(s.Missed), 64},
	} {
		if at[0] != at[1] {
			t.Errorf("%s: %d bytes, want %d", name, at[0], at[1])
		}
	}
}
