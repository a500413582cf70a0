package wire

import (
	"math"
	"reflect"
	"unsafe"
)

// place reads a pointer to a value of type t, and the region that it points into.
func (dec *decoder) place(t reflect.Type) (unsafe.Pointer, *region) {
	n := dec.uint()
	if n <= 1 {
		if n == 1 && t.Size() > 0 {
			dec.fail("a pointer to %v points to nothing", t)
		}
		if n == 0 || dec.err != nil {
			return nil, nil
		}
		return unsafe.Pointer(&nothing), nil
	}
	r, off := dec.region(n-2, t)
	if r == nil {
		return nil, nil
	}
	if !r.holds(off, t, 1) {
		dec.fail("no %v at %d of %d values of type %v", t, off, r.n, r.typ)
		return nil, nil
	}
	return unsafe.Add(r.base, off), r
}

// region reads the rest of a place: an offset in region n.
func (dec *decoder) region(n uint64, t reflect.Type) (*region, uintptr) {
	off := dec.uint()
	if dec.err != nil {
		return nil, 0
	}
	if n >= uint64(len(dec.all)) || dec.all[n].m.IsValid() {
		dec.fail("no memory %d for a %v", n, t)
		return nil, 0
	}
	return dec.all[n], uintptr(off)
}

func (dec *decoder) slice(h *sliceHeader, t reflect.Type) {
	switch n := dec.uint(); n {
	case 0:
		reflect.NewAt(t, unsafe.Pointer(h)).Elem().SetZero()
	case 1:
		count := dec.uint()
		if count > 0 && t.Elem().Size() > 0 || count > math.MaxInt32 {
			dec.fail("%d values of type %v without memory", count, t.Elem())
			return
		}
		reflect.NewAt(t, unsafe.Pointer(h)).Elem().Set(reflect.MakeSlice(t, int(count), int(count)))
	default:
		r, off := dec.region(n-2, t)
		length, capacity := dec.uint(), dec.uint()
		if dec.err != nil {
			return
		}
		if length > capacity || capacity > math.MaxInt32 || !r.holds(off, t.Elem(), max(int(capacity), 1)) {
			dec.fail("no %d of %d values of type %v at %d of %d values of type %v", length, capacity, t.Elem(), off, r.n, r.typ)
			return
		}
		h.data, h.len, h.cap = unsafe.Add(r.base, off), int(length), int(capacity)
	}
}

// keep makes room for something that is kept until the end.
func (dec *decoder) keep() bool {
	if len(dec.end.boxes)+len(dec.end.proxied)+len(dec.end.errs) >= maxObjects {
		dec.fail("more than %d functions, errors and values of own types", maxObjects)
		return false
	}
	return dec.spend(250)
}

func (dec *decoder) function(f reflect.Value) {
	kind := dec.uint()
	if kind == 0 {
		f.SetZero()
		return
	}
	id := dec.uint()
	switch {
	case dec.err != nil:
	case kind == 1:
		if dec.end.proxied[function{f.Type(), id}].IsValid() || dec.keep() {
			f.Set(dec.end.proxyFunc(f.Type(), id))
		}
	case id < uint64(len(dec.end.objects)) && dec.end.objects[id].as == f.Type():
		f.Set(dec.end.objects[id].Value)
	default:
		dec.fail("no function %d of type %v", id, f.Type())
	}
}

func (dec *decoder) iface(i reflect.Value) {
	e, t := dec.end, i.Type()
	var v reflect.Value
	switch how := way(dec.uint()); how {
	case isNil:
		i.SetZero()
		return
	case byValue:
		n := dec.uint()
		if n >= uint64(len(e.types)) || dec.err != nil || !e.types[n].Implements(t) || e.types[n].Kind() == reflect.Interface {
			dec.fail("no type %d that is a %v", n, t)
			return
		}
		if !dec.spend(uint64(e.types[n].Size())) {
			return
		}
		v = reflect.New(e.types[n]).Elem()
		dec.value(v.Addr().UnsafePointer(), v.Type())
	case mine:
		if id := dec.uint(); e.proxies[t] != nil && dec.spend(64) {
			v = e.proxies[t](Remote{id})
		}
	case yours:
		if id := dec.uint(); id < uint64(len(e.objects)) && e.objects[id].as.Implements(t) {
			v = e.objects[id].Value
		}
	case sentinel:
		if n := dec.uint(); n < uint64(len(e.sentinels)) {
			v = reflect.ValueOf(e.sentinels[n])
			if e.own[n] && e.judge {
				// An error is set once, so that a guest can't make one that wraps itself.
				if says := dec.error(); !e.sentinels[n].(*Error).known {
					*e.sentinels[n].(*Error) = says
				}
			}
		}
	case asRuntime:
		v = reflect.ValueOf(&RuntimeError{dec.string()})
	case asError:
		id := dec.uint()
		says := dec.error()
		err := e.errs[id]
		if err == nil {
			if !dec.keep() {
				return
			}
			says.id = id + 1
			err = &says
			e.errs[id] = err
		}
		v = reflect.ValueOf(err)
	}
	if dec.err != nil {
		return
	}
	if !v.IsValid() || !v.Type().Implements(t) {
		dec.fail("no value that is a %v", t)
		return
	}
	i.Set(v)
}

// error reads what encoder.error wrote.
func (dec *decoder) error() Error {
	err := Error{known: true, text: dec.string(), many: dec.byte() == 1}
	for range dec.count(1) {
		if !dec.spend(100) {
			break
		}
		var c error
		dec.depth++
		dec.value(unsafe.Pointer(&c), errorType)
		dec.depth--
		err.causes = append(err.causes, c)
	}
	for range dec.count(1) {
		n := dec.uint()
		if n >= uint64(len(dec.end.sentinels)) || !dec.spend(16) {
			dec.fail("no error %d of a package variable", n)
			break
		}
		if s := dec.end.sentinels[n]; s != nil {
			err.is = append(err.is, s)
		}
	}
	return err
}
