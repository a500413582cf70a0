package wire

import (
	"reflect"
	"unsafe"
)

// A pointer to a handle's type is nil, or one of these and a number.
const (
	handleNil   = 0
	handleNew   = 1 // the sender made the value, which is zero if the sender is the judge
	handleKnown = 2
	handleCopy  = 3 // a copy of the value that the second number has
)

// handle writes a pointer to a value of type t, which only the guest knows. In the judge
// one variable owns each handle. Another that has the same handle is a copy, as an
// assignment makes it, and gets a value of its own in the guest.
func (enc *encoder) handle(p unsafe.Pointer, t reflect.Type) {
	e := enc.end
	if p == nil {
		enc.uint(handleNil)
		return
	}
	if !e.judge {
		id, ok := e.handle[p]
		if ok {
			enc.uint(handleKnown)
		} else {
			id = e.newHandle(p, t)
			enc.uint(handleNew)
		}
		enc.uint(id)
		return
	}
	h := (*Handle)(p)
	owner, owned := e.boxes[h.id]
	switch {
	case h.id == 0:
		h.id = e.newHandle(p, t)
		enc.uint(handleNew)
		enc.uint(h.id)
	case !owned:
		e.boxes[h.id] = reflect.NewAt(t, p)
		enc.uint(handleKnown)
		enc.uint(h.id)
	case owner.UnsafePointer() == p:
		enc.uint(handleKnown)
		enc.uint(h.id)
	default:
		from := h.id
		h.id = e.newHandle(p, t)
		enc.uint(handleCopy)
		enc.uint(h.id)
		enc.uint(from)
	}
}

// newHandle gives a number to the value at p.
func (e *End) newHandle(p unsafe.Pointer, t reflect.Type) uint64 {
	e.next += 2
	e.boxes[e.next] = reflect.NewAt(t, p)
	e.handle[p] = e.next
	return e.next
}

// handleOf returns the number of a value itself, which is copied: 0 if it is zero in the judge.
func (e *End) handleOf(p unsafe.Pointer, t reflect.Type) uint64 {
	if e.judge {
		return (*Handle)(p).id
	}
	box := reflect.New(t)
	box.Elem().Set(reflect.NewAt(t, p).Elem())
	return e.newHandle(box.UnsafePointer(), t)
}

// handle reads what encoder.handle wrote.
func (dec *decoder) handle(t reflect.Type) unsafe.Pointer {
	e := dec.end
	kind := dec.uint()
	if kind == handleNil {
		return nil
	}
	id := dec.uint()
	from := uint64(0)
	if kind == handleCopy {
		from = dec.uint()
	}
	box, ok := e.boxes[id]
	switch {
	case ok:
		if box.Type().Elem() != t {
			dec.fail("value %d is a %v, want a %v", id, box.Type().Elem(), t)
			return nil
		}
	case e.judge || kind != handleKnown:
		if !dec.keep() {
			return nil
		}
		box = reflect.New(t)
		e.boxes[id] = box
		e.handle[box.UnsafePointer()] = id
		if e.judge {
			(*Handle)(box.UnsafePointer()).id = id
		} else if kind == handleCopy {
			dec.copyHandle(box.UnsafePointer(), t, from)
		}
	default:
		dec.fail("no value %d of type %v", id, t)
		return nil
	}
	return box.UnsafePointer()
}

// copyHandle sets the value at p to that with a number.
func (dec *decoder) copyHandle(p unsafe.Pointer, t reflect.Type, id uint64) {
	if dec.end.judge {
		(*Handle)(p).id = id
		return
	}
	v := reflect.NewAt(t, p).Elem()
	if id == 0 {
		v.SetZero()
		return
	}
	box, ok := dec.end.boxes[id]
	if !ok || box.Type().Elem() != t {
		dec.fail("no value %d of type %v", id, t)
		return
	}
	v.Set(box.Elem())
}
