package mlkittest

import (
	"math"
	"strings"
	"testing"
)

func TestSameBits(t *testing.T) {
	type inner struct {
		v float64
		P *inner
	}
	type tree struct {
		A []float64
		M map[string]int
		I any
		F func()
		inner
	}
	minus := math.Copysign(0, -1)
	f := func() {}
	for _, c := range []struct {
		a, b any
		want string // empty if they are equal
	}{
		{nil, nil, ""},
		{1, 1, ""},
		{1, 2, "the model is 2, want 1"},
		{nil, 1, "is a int, want a <nil>"},
		{1, "1", "is a string, want a int"},
		{math.NaN(), math.NaN(), ""},
		{0.0, minus, "the model is -0, want 0"},
		{float32(1), float32(2), "is 2, want 1"},
		{tree{A: []float64{1, 2}}, tree{A: []float64{1, 2}}, ""},
		{tree{A: []float64{1, 2}}, tree{A: []float64{1, 3}}, "the model.A[1] is 3, want 2"},
		{tree{A: []float64{1, 2}}, tree{A: []float64{1}}, "the model.A is"},
		{tree{A: []float64{}}, tree{}, "[]float64(nil), want []float64{}"},
		{tree{M: map[string]int{"a": 1}}, tree{M: map[string]int{"a": 1}}, ""},
		{tree{M: map[string]int{"a": 1}}, tree{M: map[string]int{"a": 2}}, "the model.M[a] is 2, want 1"},
		{tree{M: map[string]int{"a": 1}}, tree{M: map[string]int{"b": 1}}, "has no key a"},
		{tree{M: map[string]int{}}, tree{}, "the model.M is"},
		{tree{I: 1}, tree{I: 1}, ""},
		{tree{I: 1}, tree{I: 2}, "the model.I is 2"},
		{tree{I: 1}, tree{I: 2.0}, "the model.I is a float64, want a int"},
		{tree{I: 1}, tree{}, "the model.I is"},
		{tree{F: f}, tree{F: f}, "the model.F is a func(), which is not data"},
		{tree{inner: inner{v: 1}}, tree{inner: inner{v: minus}}, "the model.inner.v is -0, want 1"},
		{&inner{P: &inner{v: 1}}, &inner{P: &inner{v: 1}}, ""},
		{&inner{P: &inner{v: 1}}, &inner{P: &inner{v: 2}}, "the model.P.v is 2, want 1"},
		{&inner{P: &inner{v: 1}}, &inner{}, "the model.P is"},
		{[2]int{1, 2}, [2]int{1, 4}, "the model[1] is 4"},
		{"a", "b", "the model is b"},
		{make(chan int), make(chan int), "not data"},
	} {
		err := sameBits(c.a, c.b)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%#v, %#v: err = %v, want %q", c.a, c.b, err, c.want)
		}
	}
}
