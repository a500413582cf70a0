package wire

import (
	"reflect"
	"unsafe"
)

// A shape is what each value of a type is asked about. reflect answers slowly, and allocates.
type shape struct {
	handle bool            // values stay in the guest
	check  func(any) error // of values that arrive, or nil
	fields []field         // of a struct
	refers bool            // values may refer to memory or objects
	// plain: each string of bytes is a value, so that its memory crosses as it is: numbers, and
	// arrays and structs of numbers. Both sides have words of 64 bits and the same order of bytes.
	plain bool
}

type field struct {
	offset uintptr
	typ    reflect.Type
}

// A recent is a type that was asked for, by its address, and its shape.
type recent struct {
	of    unsafe.Pointer
	shape *shape
}

// shape returns that of a type, made when it is first asked for. Each value that crosses asks: a map's answer takes a guest
// in the interpreter longer than writing a number, so those that were given last are kept.
func (table *Table) shape(t reflect.Type) *shape {
	of := (*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1] // an interface is the type of its value and a pointer to it
	last := &table.recent[uintptr(of)/32%uintptr(len(table.recent))]
	if last.of != of {
		*last = recent{of, table.shapeOf(t)}
	}
	return last.shape
}

func (table *Table) shapeOf(t reflect.Type) *shape {
	if s := table.shapes[t]; s != nil {
		return s
	}
	s := &shape{handle: table.handles[t], check: table.checks[t], plain: !table.handles[t]}
	switch t.Kind() {
	case reflect.Array:
		of := table.shape(t.Elem())
		s.refers, s.plain = t.Len() > 0 && of.refers, s.plain && of.plain
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			of := table.shape(f.Type)
			s.fields = append(s.fields, field{f.Offset, f.Type})
			s.refers, s.plain = s.refers || of.refers, s.plain && of.plain
		}
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		s.refers, s.plain = true, false
	case reflect.Bool, reflect.String:
		s.plain = false
	}
	table.shapes[t] = s
	return s
}

func (table *Table) plain(t reflect.Type) bool { return table.shape(t).plain }
