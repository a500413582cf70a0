package wire

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// A scanner finds all memory that the values of a message refer to.
type scanner struct {
	end     *End
	seen    map[start]int              // how many values from there on have been found
	targets []target                   // in the order found; those from done on are not read yet
	maps    map[unsafe.Pointer]*region // by the map itself
	ordered []*region                  // maps in the order found
	read    int                        // values of regions
}

// graph adds to a message the memory that values and known refer to, then the
// values. known are regions that the other side has.
func (enc *encoder) graph(known []*region, values []reflect.Value) ([]*region, error) {
	s := &scanner{end: enc.end}
	if len(known) > 0 || slices.ContainsFunc(values, func(v reflect.Value) bool { return s.refers(v.Type()) }) {
		s.seen, s.maps = map[start]int{}, map[unsafe.Pointer]*region{}
	}
	for _, r := range known {
		if r.m.IsValid() {
			s.maps[r.m.UnsafePointer()] = r
		}
	}
	for _, r := range known {
		if err := s.region(target{start{r.base, r.typ}, r.n, 0}, r.m); err != nil {
			return nil, err
		}
	}
	for _, v := range values {
		if !s.refers(v.Type()) {
			continue
		}
		if err := s.value(v.Addr().UnsafePointer(), v.Type(), 0); err != nil {
			return nil, err
		}
	}
	for i, j := 0, 0; i < len(s.targets) || j < len(s.ordered); {
		if i < len(s.targets) {
			t := s.targets[i]
			i++
			if err := s.region(t, reflect.Value{}); err != nil {
				return nil, err
			}
			continue
		}
		r := s.ordered[j]
		j++
		if err := s.region(target{}, r.m); err != nil {
			return nil, err
		}
	}
	all, err := merge(known, s.targets)
	if err != nil {
		return nil, err
	}
	all = append(all, s.ordered...)
	return all, enc.regions(len(known), all, s.maps, values)
}

// region reads the values of one region, of memory those that were not read before.
func (s *scanner) region(t target, m reflect.Value) error {
	if m.IsValid() {
		for key, value := range s.end.entries(m) {
			for _, v := range []reflect.Value{key, value} {
				v = addressable(v)
				if err := s.value(v.Addr().UnsafePointer(), v.Type(), 0); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if !s.refers(t.typ) {
		return nil
	}
	// Slices that overlap, and begin at other values, are read anew each time: a guest can hand
	// over any number of them.
	if s.read += t.n - t.read; s.end.Limit > 0 && s.read > s.end.Limit {
		return fmt.Errorf("wire: slices of type %v have more than %d values together", reflect.SliceOf(t.typ), s.end.Limit)
	}
	for i := t.read; i < t.n; i++ {
		if err := s.value(unsafe.Add(t.base, uintptr(i)*t.typ.Size()), t.typ, 0); err != nil {
			return err
		}
	}
	return nil
}

// maxDepth bounds how deep values lie in one another without a pointer between.
const maxDepth = 1000

// value notes what the value of type t at p refers to.
func (s *scanner) value(p unsafe.Pointer, t reflect.Type, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("wire: a value of type %v lies more than %d deep", t, maxDepth)
	}
	shape := s.end.shape(t)
	if shape.handle || !shape.refers {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		if at := *(*unsafe.Pointer)(p); at != nil && !s.end.shape(t.Elem()).handle {
			s.target(at, t.Elem(), 1)
		}
	case reflect.Slice:
		h := (*sliceHeader)(p)
		n := h.len
		if s.end.Spare {
			n = h.cap
		}
		s.target(h.data, t.Elem(), n)
	case reflect.Map:
		m := reflect.NewAt(t, p).Elem()
		if m.IsNil() || s.maps[m.UnsafePointer()] != nil {
			break
		}
		// The map itself, and not the variable: the other side may have that hold another map.
		r := &region{typ: t, m: reflect.ValueOf(m.Interface())}
		s.maps[m.UnsafePointer()] = r
		s.ordered = append(s.ordered, r)
	case reflect.Interface:
		v := reflect.NewAt(t, p).Elem().Elem()
		if !v.IsValid() {
			break
		}
		switch s.end.crosses(t, v) {
		case byValue:
			v = addressable(v)
			return s.value(v.Addr().UnsafePointer(), v.Type(), depth+1)
		case asError:
			all, _ := causes(v.Interface().(error))
			for _, e := range all {
				if err := s.value(unsafe.Pointer(&e), errorType, depth+1); err != nil {
					return err
				}
			}
		case never:
			return fmt.Errorf("wire: a value of type %v can't cross as %v", v.Type(), t)
		}
	case reflect.Array:
		if !s.refers(t) {
			break
		}
		for i := range t.Len() {
			if err := s.value(unsafe.Add(p, uintptr(i)*t.Elem().Size()), t.Elem(), depth+1); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for _, f := range shape.fields {
			if !s.refers(f.typ) {
				continue
			}
			if err := s.value(unsafe.Add(p, f.offset), f.typ, depth+1); err != nil {
				return err
			}
		}
	case reflect.Chan, reflect.UnsafePointer:
		if *(*unsafe.Pointer)(p) != nil {
			return fmt.Errorf("wire: a %v can't cross", t)
		}
	}
	return nil
}

func (s *scanner) refers(t reflect.Type) bool { return s.end.shape(t).refers }

func (s *scanner) target(at unsafe.Pointer, t reflect.Type, n int) {
	from := start{at, t}
	read := s.seen[from]
	if n <= read || t.Size() == 0 {
		return
	}
	s.seen[from] = n
	s.targets = append(s.targets, target{from, n, read})
}

type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// addressable returns a variable with the value v.
func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}
