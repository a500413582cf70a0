package wire_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"marginalia/internal/sandbox/guest/wire"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/property"
)

type inner struct {
	x    float64
	Text string
	bits [3]uint16
}

// A thing has every kind of field, some unexported.
type thing struct {
	inner
	*point
	B     bool
	I8    int8
	U     uint32
	C     complex64
	F     []float64
	rows  [][]float64
	Ps    []*float64
	Maps  []map[string][]int
	ByF   map[float64]*thing
	ByA   map[[2]string]any
	Any   any
	Anys  []any
	Next  *thing
	arr   [2]*thing
	Inner *[3]uint16
	PM    *map[string][]int
	PS    *[]float64
	Flat  [2][2]float32
}

// things draws values that share memory: slices of one array, pointers into it, cycles. The same
// r draws the same.
func things(r *rand.Rand) *thing {
	number := func() float64 {
		return []float64{0, math.Copysign(0, -1), math.Inf(1), math.Float64frombits(0x7ff8000000000000 | r.Uint64()>>13), r.NormFloat64()}[r.IntN(5)]
	}
	array := make([]float64, 1+r.IntN(12))
	for i := range array {
		array[i] = number()
	}
	slice := func() []float64 {
		switch r.IntN(4) {
		case 0:
			return nil
		case 1:
			return []float64{}
		}
		a := r.IntN(len(array))
		return array[a : a+r.IntN(len(array)-a+1)]
	}
	all := make([]*thing, 1+r.IntN(4))
	for i := range all {
		all[i] = &thing{}
	}
	some := func() *thing {
		if r.IntN(4) == 0 {
			return nil
		}
		return all[r.IntN(len(all))]
	}
	maps := []map[string][]int{nil, {}, {"": nil, "a": {}, "b": {1, 2}}}
	points := []*point{nil, {1, 2}, {number(), number()}}
	value := func() any {
		return []any{nil, 1, "text", number(), slice(), some(), *points[1], gauss{number()}, []any{1, nil}, maps[r.IntN(3)], [3]uint16{1, 2, 3}, map[string]any{"k": 1}}[r.IntN(12)]
	}
	for _, t := range all {
		*t = thing{inner: inner{number(), strings.Repeat("ä\x00", r.IntN(3)*r.IntN(1000)), [3]uint16{uint16(r.Uint32())}}, point: points[r.IntN(3)],
			B: r.IntN(2) == 0, I8: int8(r.Uint32()), U: r.Uint32(), C: complex(float32(r.NormFloat64()), 1), F: slice(), rows: [][]float64{slice(), slice(), slice()}[:r.IntN(4)],
			Ps: []*float64{&array[r.IntN(len(array))], nil, &t.x, &array[0]}, Maps: []map[string][]int{maps[r.IntN(3)], maps[r.IntN(3)]},
			ByF: map[float64]*thing{1: some(), number(): some()}, ByA: map[[2]string]any{{"a"}: value(), {"a", "b"}: value()},
			Any: value(), Anys: []any{value(), value(), value()}[r.IntN(4):], Next: some(), arr: [2]*thing{some(), some()}}
		other := all[r.IntN(len(all))]
		if r.IntN(2) == 0 {
			t.Inner, t.PM, t.PS = &other.bits, &maps[r.IntN(3)], &other.F
		}
	}
	return all[0]
}

// mutate changes in place what it reaches.
func mutate(t *thing, seed uint64) float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	sum := 0.0
	for range 20 {
		switch r.IntN(9) {
		case 0:
			for i := range t.F {
				t.F[i] += 1
			}
		case 1:
			for _, p := range t.Ps {
				if p != nil {
					*p *= 2
					sum += *p
				}
			}
		case 2:
			t.F = append(t.F, 7)
		case 3:
			for _, m := range t.Maps {
				if m != nil {
					m["new"] = append(m["b"], 3)
					delete(m, "a")
				}
			}
			t.Maps = slices.Clone(t.Maps)
		case 4:
			t.Next, t.arr[0], t.arr[1] = t.arr[1], t.Next, t
		case 5:
			t.Any, t.Text, t.Anys = t.Anys, t.Text+"!", []any{t.F, t, t.Any, t.point == nil}
		case 6:
			if t.PM != nil {
				*t.PM = map[string][]int{"whole": {1}}
			}
			if t.PS != nil {
				*t.PS = []float64{1}
			}
		case 7:
			t.ByF[2], t.B, t.C = t, !t.B, -t.C
			if t.Inner != nil {
				t.Inner[1]++
			}
		case 8:
			if t.Next != nil {
				t = t.Next
			}
		}
	}
	return sum
}

// picture writes all that p reaches, each address as a number in the order found: two values have the
// same picture if no program can tell them apart, but by the capacity of slices.
func picture(p any) string {
	var w strings.Builder
	ids := map[unsafe.Pointer]int{}
	seen := map[string]bool{}
	var value func(v reflect.Value)
	at := func(p unsafe.Pointer, v reflect.Value) {
		id, ok := ids[p]
		if !ok {
			id = len(ids)
			ids[p] = id
		}
		fmt.Fprintf(&w, "@%d", id)
		if key := fmt.Sprint(id, v.Type()); !seen[key] {
			seen[key] = true
			value(v)
		}
	}
	value = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Float32, reflect.Float64:
			fmt.Fprintf(&w, "%x ", math.Float64bits(v.Float()))
		case reflect.Complex64:
			fmt.Fprint(&w, v.Complex(), " ")
		case reflect.Pointer:
			if v.IsNil() {
				w.WriteString("nil ")
				return
			}
			at(v.UnsafePointer(), v.Elem())
		case reflect.Slice:
			fmt.Fprint(&w, "[", v.IsNil(), v.Len(), " ")
			for i := range v.Len() {
				at(v.Index(i).Addr().UnsafePointer(), v.Index(i))
			}
		case reflect.Array:
			for i := range v.Len() {
				value(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				value(v.Field(i))
			}
		case reflect.Map:
			fmt.Fprint(&w, "map ", v.IsNil(), v.Len(), " ")
			if v.IsNil() {
				return
			}
			keys := v.MapKeys()
			word := func(k reflect.Value) string { return fmt.Sprintf("%q", fmt.Sprint(k)) }
			slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(word(a), word(b)) })
			if id, ok := ids[v.UnsafePointer()]; ok {
				fmt.Fprint(&w, "=", id, " ")
				return
			}
			ids[v.UnsafePointer()] = len(ids)
			for _, k := range keys {
				value(k)
				if e := v.MapIndex(k); e.IsValid() { // not of a NaN
					value(e)
				}
			}
		case reflect.Interface:
			if v.IsNil() {
				w.WriteString("nil ")
				return
			}
			fmt.Fprint(&w, v.Elem().Type(), " ")
			value(v.Elem())
		default:
			fmt.Fprintf(&w, "%q ", fmt.Sprint(v))
		}
	}
	value(reflect.ValueOf(p))
	return w.String()
}

// A value over there looks as it looks here, shared memory included; it comes back as itself; and what a
// function changes in place there is as if it had been called here.
func TestProperty(t *testing.T) {
	table := func(e *wire.End) *wire.Table {
		t := wire.NewTable()
		for _, p := range []any{(*gauss)(nil), (*point)(nil), (*[3]uint16)(nil), (**thing)(nil), (*map[string][]int)(nil)} {
			t.Type(p)
		}
		t.Func("picture", func(t *thing) (string, *thing) { return picture(t), t })
		t.Func("mutate", func(t *thing, seed uint64) (float64, *thing) { return mutate(t, seed), t })
		return t
	}
	property.Check(t, func(t *rapid.T) {
		seed, change := rapid.Uint64().Draw(t, "seed"), rapid.Uint64().Draw(t, "change")
		judge, guest := wire.NewEnd(true, table), wire.NewEnd(false, table)
		judge.Send = func(b []byte) ([]byte, error) { return guest.Serve(b), nil }
		here, there := things(rand.New(rand.NewPCG(seed, 0))), things(rand.New(rand.NewPCG(seed, 0)))
		want, got := picture(here), ""
		var back *thing
		must.Do(t, judge.Call("picture", []any{&there}, []any{&got, &back}))
		if got != want {
			t.Fatalf("over there it is\n%s\nhere\n%s", got, want)
		}
		if back != there || picture(there) != want {
			t.Fatalf("it comes back as\n%s\nwas\n%s", picture(there), want)
		}
		sum, wanted := 0.0, mutate(here, change)
		must.Do(t, judge.Call("mutate", []any{&there, &change}, []any{&sum, &back}))
		if math.Float64bits(sum) != math.Float64bits(wanted) || back != there || picture(there) != picture(here) {
			t.Fatalf("changed to\n%s\nwant\n%s", picture(there), picture(here))
		}
	})
}
