package wire

import "reflect"

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

// shape returns the shape of a type, made when it is first asked for.
func (table *Table) shape(t reflect.Type) *shape {
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
