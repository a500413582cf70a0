package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"unsafe"
)

// An encoder writes a message.
type encoder struct {
	end  *End
	b    []byte
	all  []*region
	mem  []*region // of all, by address
	maps map[unsafe.Pointer]*region
}

func (e *End) encoder(kind byte) *encoder { return &encoder{end: e, b: []byte{kind}} }

func (enc *encoder) uint(v uint64)   { enc.b = binary.AppendUvarint(enc.b, v) }
func (enc *encoder) word(v uint64)   { enc.b = binary.LittleEndian.AppendUint64(enc.b, v) }
func (enc *encoder) string(s string) { enc.uint(uint64(len(s))); enc.b = append(enc.b, s...) }

func (enc *encoder) panic(p *PanicError) {
	enc.string(p.Text)
	missing := byte(0)
	if p.Missing {
		missing = 1
	}
	enc.b = append(enc.b, missing)
	enc.uint(uint64(len(p.Stack)))
	for _, f := range p.Stack {
		enc.string(f.File)
		enc.uint(uint64(f.Line))
	}
}

// regions writes: the types and sizes of the regions that are new to the other side, what is in all
// of them, the values.
func (enc *encoder) regions(known int, all []*region, maps map[unsafe.Pointer]*region, values []reflect.Value) error {
	enc.all, enc.mem, enc.maps = all, byAddress(all), maps
	for i, r := range all {
		r.i = i
	}
	enc.uint(uint64(len(all) - known))
	for _, r := range all[known:] {
		number, err := enc.end.number(r.typ)
		if err != nil {
			return err
		}
		enc.uint(number)
		enc.uint(uint64(r.n)) // 0 of a map: memory has at least one value
	}
	for i, r := range all {
		if err := enc.content(r, i < known); err != nil {
			return err
		}
	}
	for _, v := range values {
		if err := enc.value(v.Addr().UnsafePointer(), v.Type()); err != nil {
			return err
		}
	}
	if enc.end.Limit > 0 && len(enc.b) > enc.end.Limit {
		return fmt.Errorf("wire: a message of %d bytes, at most %d can cross", len(enc.b), enc.end.Limit)
	}
	return nil
}

// content writes the values of a region. Numbers that have not changed since they
// crossed are a single 0.
func (enc *encoder) content(r *region, known bool) error {
	if r.m.IsValid() {
		enc.uint(uint64(r.m.Len()))
		for key, value := range enc.end.entries(r.m) {
			for _, v := range []reflect.Value{key, value} {
				v = addressable(v)
				if err := enc.value(v.Addr().UnsafePointer(), v.Type()); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if enc.end.plain(r.typ) {
		bytes := unsafe.Slice((*byte)(r.base), r.size())
		if known && string(bytes) == string(r.sent) {
			enc.b = append(enc.b, 0)
			return nil
		}
		enc.b = append(append(enc.b, 1), bytes...)
		return nil
	}
	for i := range r.n {
		if err := enc.value(unsafe.Add(r.base, uintptr(i)*r.typ.Size()), r.typ); err != nil {
			return err
		}
	}
	return nil
}

// value writes the value of type t at p.
func (enc *encoder) value(p unsafe.Pointer, t reflect.Type) error {
	shape := enc.end.shape(t)
	if shape.handle {
		enc.uint(enc.end.handleOf(p, t))
		return nil
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Uint8, reflect.Int8:
		enc.b = append(enc.b, *(*byte)(p))
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr, reflect.Float64:
		enc.word(*(*uint64)(p))
	case reflect.Int16, reflect.Uint16:
		enc.b = binary.LittleEndian.AppendUint16(enc.b, *(*uint16)(p))
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		enc.b = binary.LittleEndian.AppendUint32(enc.b, *(*uint32)(p))
	case reflect.Complex64:
		enc.word(*(*uint64)(p))
	case reflect.Complex128:
		c := *(*complex128)(p)
		enc.word(math.Float64bits(real(c)))
		enc.word(math.Float64bits(imag(c)))
	case reflect.String:
		enc.string(*(*string)(p))
	case reflect.Pointer:
		if enc.end.shape(t.Elem()).handle {
			enc.handle(*(*unsafe.Pointer)(p), t.Elem())
			return nil
		}
		enc.place(*(*unsafe.Pointer)(p), t.Elem())
	case reflect.Slice:
		enc.slice((*sliceHeader)(p), t.Elem())
	case reflect.Map:
		m := reflect.NewAt(t, p).Elem()
		if m.IsNil() {
			enc.uint(0)
			return nil
		}
		enc.uint(uint64(enc.maps[m.UnsafePointer()].i) + 1)
	case reflect.Func:
		enc.function(reflect.NewAt(t, p).Elem())
	case reflect.Interface:
		return enc.iface(reflect.NewAt(t, p).Elem())
	case reflect.Array:
		for i := range t.Len() {
			if err := enc.value(unsafe.Add(p, uintptr(i)*t.Elem().Size()), t.Elem()); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for _, f := range shape.fields {
			if err := enc.value(unsafe.Add(p, f.offset), f.typ); err != nil {
				return err
			}
		}
	case reflect.Chan, reflect.UnsafePointer: // nil, or scan would have refused it
	}
	return nil
}

// A pointer is 0 for nil, 1 if it points to something of size 0, else 2 more than the number of a
// region, and the offset in bytes there.
func (enc *encoder) place(at unsafe.Pointer, t reflect.Type) {
	switch {
	case at == nil:
		enc.uint(0)
	case t.Size() == 0:
		enc.uint(1)
	default:
		r := find(enc.mem, uintptr(at))
		enc.uint(uint64(r.i) + 2)
		enc.uint(uint64(uintptr(at) - uintptr(r.base)))
	}
}

// A slice is a pointer, a length and a capacity. Without memory behind it, it has the pointer 1.
func (enc *encoder) slice(h *sliceHeader, t reflect.Type) {
	size := t.Size()
	r := (*region)(nil)
	if h.data != nil && size > 0 && h.cap > 0 {
		r = find(enc.mem, uintptr(h.data))
	}
	switch {
	case h.data == nil:
		enc.uint(0)
		return
	case r == nil || h.len == 0 && !r.holds(uintptr(h.data)-uintptr(r.base), t, 1):
		enc.uint(1)
		enc.uint(uint64(h.len))
		return
	}
	off := uintptr(h.data) - uintptr(r.base)
	n := h.len
	for low, high := h.len, h.cap; low <= high; { // the capacity as far as the region goes
		mid := low + (high-low)/2
		if r.holds(off, t, mid) {
			n, low = mid, mid+1
		} else {
			high = mid - 1
		}
	}
	enc.uint(uint64(r.i) + 2)
	enc.uint(uint64(off))
	enc.uint(uint64(h.len))
	enc.uint(uint64(n))
}

// A function is 0 for nil, 1 and the number of one of the sender's, 2 and the number of one of the
// receiver's.
func (enc *encoder) function(f reflect.Value) {
	if f.IsNil() {
		enc.uint(0)
		return
	}
	e := enc.end
	c := closure(f)
	if id, ok := e.remote[c]; ok {
		enc.uint(2)
		enc.uint(id)
		return
	}
	id, ok := e.funcs[c]
	if !ok {
		id = e.object(f, f.Type())
		e.funcs[c] = id
	}
	enc.uint(1)
	enc.uint(id)
}

// object gives a number to a value of this side that crosses as a type.
func (e *End) object(v reflect.Value, as reflect.Type) uint64 {
	e.objects = append(e.objects, object{v, as})
	return uint64(len(e.objects) - 1)
}

// reference is object for a value in an interface. Equal values have one number, so that they are equal on the
// other side.
func (e *End) reference(v reflect.Value, as reflect.Type) uint64 {
	if !v.Comparable() {
		return e.object(v, as)
	}
	key := reference{as, v.Interface()}
	id, ok := e.references[key]
	if !ok {
		id = e.object(v, as)
		e.references[key] = id
	}
	return id
}

func (enc *encoder) iface(i reflect.Value) error {
	v := i.Elem()
	if !v.IsValid() {
		enc.uint(uint64(isNil))
		return nil
	}
	e := enc.end
	how := e.crosses(i.Type(), v)
	enc.uint(uint64(how))
	switch how {
	case byValue:
		number, err := e.number(v.Type())
		if err != nil {
			return err
		}
		enc.uint(number)
		v = addressable(v)
		return enc.value(v.Addr().UnsafePointer(), v.Type())
	case mine:
		enc.uint(e.reference(v, i.Type()))
	case yours:
		id, _ := v.Interface().(interface{ remote() (uint64, bool) }).remote()
		enc.uint(id)
	case sentinel:
		n := e.sentinel(v.Interface().(error))
		enc.uint(uint64(n))
		if e.own[n] && !e.judge {
			return enc.error(v.Interface().(error))
		}
	case asRuntime:
		enc.string(v.Interface().(error).Error())
	case asError:
		enc.uint(e.reference(v, errorType))
		return enc.error(v.Interface().(error))
	default:
		return fmt.Errorf("wire: a value of type %v can't cross as %v", v.Type(), i.Type())
	}
	return nil
}

// error writes what an error says and wraps, and what its method Is says.
func (enc *encoder) error(err error) error {
	enc.string(err.Error())
	all, many := causes(err)
	kind := byte(0)
	if many {
		kind = 1
	}
	enc.b = append(enc.b, kind)
	enc.uint(uint64(len(all)))
	for _, c := range all {
		if err := enc.iface(reflect.ValueOf(&c).Elem()); err != nil {
			return err
		}
	}
	is := enc.end.accepts(err)
	enc.uint(uint64(len(is)))
	for _, n := range is {
		enc.uint(n)
	}
	return nil
}
