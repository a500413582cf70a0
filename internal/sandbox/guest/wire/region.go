package wire

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// A region is a piece of memory that pointers and slices of a message point into:
// n values of one type, one after the other. A map is a region of its own kind,
// with n entries.
type region struct {
	base unsafe.Pointer
	typ  reflect.Type // of one value; of a map, the map's type
	n    int
	m    reflect.Value // the map, if it is one
	sent []byte        // the bytes that crossed, of a region of plain numbers
	i    int           // its number in the message that is being written
}

func (r *region) size() uintptr { return r.typ.Size() * uintptr(r.n) }
func (r *region) end() uintptr  { return uintptr(r.base) + r.size() }

// A target is what a pointer or a slice refers to before regions are merged.
type target struct {
	start
	n    int
	read int // how many of the n an earlier target has too
}

// A start is where a value of a type lies.
type start struct {
	base unsafe.Pointer
	typ  reflect.Type
}

// flat takes arrays apart: a pointer to [4]float64 points to 4 values of float64,
// as does a slice of that array.
func flat(t reflect.Type, n int) (reflect.Type, int) {
	for t.Kind() == reflect.Array && t.Len() > 0 {
		n *= t.Len()
		t = t.Elem()
	}
	return t, n
}

// holds reports whether n values of type want lie at offset off in r.
func (r *region) holds(off uintptr, want reflect.Type, n int) bool {
	want, n = flat(want, n)
	return within(r.typ, r.n, off, want, n)
}

// within reports whether n values of type want, which is not an array, lie at
// offset off in count values of type t.
func within(t reflect.Type, count int, off uintptr, want reflect.Type, n int) bool {
	t, count = flat(t, count)
	size := t.Size()
	if size == 0 {
		return false
	}
	i, rest := off/size, off%size
	if i >= uintptr(count) {
		return false
	}
	if t == want && rest == 0 {
		return n <= count-int(i)
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	for k := range t.NumField() {
		f := t.Field(k)
		if f.Offset <= rest && rest < f.Offset+f.Type.Size() {
			return within(f.Type, 1, rest-f.Offset, want, n)
		}
	}
	return false
}

// merge makes regions of what the pointers of a message refer to, such that no two
// share memory: targets that overlap lie in one region. known are regions that
// the other side has already; they stay as they are, and first.
func merge(known []*region, targets []target) ([]*region, error) {
	slices.SortFunc(targets, func(a, b target) int {
		return cmp.Or(
			cmp.Compare(uintptr(a.base), uintptr(b.base)),
			cmp.Compare(b.typ.Size()*uintptr(b.n), a.typ.Size()*uintptr(a.n)),
			cmp.Compare(depth(b.typ), depth(a.typ))) // struct{ x float64 } before its x
	})
	old := byAddress(known)
	all := slices.Clone(known)
	var last *region
	for _, t := range targets {
		if r := find(old, uintptr(t.base)); r != nil {
			if !r.holds(uintptr(t.base)-uintptr(r.base), t.typ, t.n) {
				return nil, fmt.Errorf("wire: memory of type %v is used as %v", r.typ, t.typ)
			}
			continue
		}
		if last == nil || uintptr(t.base) >= last.end() {
			typ, n := flat(t.typ, t.n)
			last = &region{base: t.base, typ: typ, n: n}
			all = append(all, last)
			continue
		}
		off := uintptr(t.base) - uintptr(last.base)
		typ, n := flat(t.typ, t.n)
		switch {
		case last.holds(off, typ, n):
		case typ == last.typ && off%typ.Size() == 0: // it reaches further
			last.n = int(off/typ.Size()) + n
		default:
			return nil, fmt.Errorf("wire: memory of type %v is used as %v", last.typ, typ)
		}
	}
	return all, nil
}

// depth is how far a struct type can be taken apart at its first field.
func depth(t reflect.Type) int {
	d := 0
	for {
		switch {
		case t.Kind() == reflect.Struct && t.NumField() > 0:
			t = t.Field(0).Type
		case t.Kind() == reflect.Array && t.Len() > 0:
			t = t.Elem()
		default:
			return d
		}
		d++
	}
}

// byAddress returns the regions that are memory, in order.
func byAddress(regions []*region) []*region {
	var mem []*region
	for _, r := range regions {
		if !r.m.IsValid() {
			mem = append(mem, r)
		}
	}
	if len(mem) < 2 {
		return mem
	}
	slices.SortFunc(mem, func(a, b *region) int { return cmp.Compare(uintptr(a.base), uintptr(b.base)) })
	return mem
}

// find returns the one of the regions, which are in order, that has the address.
func find(mem []*region, at uintptr) *region {
	i, exact := slices.BinarySearchFunc(mem, at, func(r *region, at uintptr) int { return cmp.Compare(uintptr(r.base), at) })
	if !exact {
		i--
	}
	if i < 0 || at >= mem[i].end() {
		return nil
	}
	return mem[i]
}
