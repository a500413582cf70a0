package wire

import (
	"fmt"
	"io"
	"reflect"
)

// A Table says what can cross: the types, by a number that both sides agree on,
// functions by name, and how values are met whose type the other side does not
// know. Generated code fills it, in the same order on both sides. It does not
// change after that.
type Table struct {
	types     []reflect.Type
	index     map[reflect.Type]int
	funcs     map[string]reflect.Value
	handles   map[reflect.Type]bool
	proxies   map[reflect.Type]func(Remote) reflect.Value
	sentinels []error
	own       []bool // for each of sentinels, whether an answer declares it
	checks    map[reflect.Type]func(any) error
	shapes    map[reflect.Type]*shape
}

// NewTable returns a table that has the basic types.
func NewTable() *Table {
	t := &Table{index: map[reflect.Type]int{}, funcs: map[string]reflect.Value{}, handles: map[reflect.Type]bool{},
		proxies: map[reflect.Type]func(Remote) reflect.Value{}, checks: map[reflect.Type]func(any) error{}, shapes: map[reflect.Type]*shape{}}
	for _, v := range []any{false, 0, int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0), uintptr(0),
		float32(0), 0.0, complex64(0), 0i, "", []bool(nil), []int(nil), []float64(nil), []string(nil), []byte(nil), [][]float64(nil), map[string]any(nil), []any(nil)} {
		t.add(reflect.TypeOf(v))
	}
	t.Sentinel(io.EOF) // readers that call each other compare with these, and no notebook need name them
	t.Sentinel(io.ErrUnexpectedEOF)
	return t
}

// add gives numbers to a type and to those that it is made of.
func (t *Table) add(typ reflect.Type) {
	if _, ok := t.index[typ]; ok {
		return
	}
	t.index[typ] = len(t.types)
	t.types = append(t.types, typ)
	if t.handles[typ] {
		return // its inside is the guest's own affair
	}
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		t.add(typ.Elem())
	case reflect.Map:
		t.add(typ.Key())
		t.add(typ.Elem())
	case reflect.Struct:
		for i := range typ.NumField() {
			t.add(typ.Field(i).Type)
		}
	case reflect.Func:
		for i := range typ.NumIn() {
			t.add(typ.In(i))
		}
		for i := range typ.NumOut() {
			t.add(typ.Out(i))
		}
	}
}

// Type adds the type of the variable at pointer, which may be nil: values of it are known by their type where they
// cross in an interface. It is not generic, since the compiler would make one function for each type, in each guest.
func (t *Table) Type(pointer any) { t.add(reflect.TypeOf(pointer).Elem()) }

// Handle adds a type whose values stay in the guest. On the judge's side T is a
// struct with a Handle and nothing else.
func HandleType[T any](t *Table) {
	t.handles[reflect.TypeFor[T]()] = true
	t.add(reflect.TypeFor[T]())
	t.add(reflect.TypeFor[*T]())
}

// Proxy adds an interface type I. Of a value of the other side whose type is not in the
// table, proxy makes a value here that calls its methods there. The methods are
// functions of the table, named "I.Method" and taking the value first.
func Proxy[I any](t *Table, proxy func(Remote) I) {
	t.proxies[reflect.TypeFor[I]()] = func(r Remote) reflect.Value { return reflect.ValueOf(proxy(r)) }
	t.add(reflect.TypeFor[I]())
}

// Func adds a function that the other side calls by name.
func (t *Table) Func(name string, f any) {
	t.funcs[name] = reflect.ValueOf(f)
	t.add(reflect.TypeOf(f))
}

// Sentinel adds an error that a package variable holds. It crosses as itself, so that
// errors.Is finds it. nil stands for one that this side does not have.
func (t *Table) Sentinel(err error) {
	t.sentinels, t.own = append(t.sentinels, err), append(t.own, false)
}

// Own is Sentinel for an error that an answer declares. The judge has a NewError in its place, which
// takes the text and causes of the guest's error when that first arrives.
func (t *Table) Own(err error) {
	if e, ok := err.(*Error); ok {
		e.known = false // what an earlier guest said
	}
	t.sentinels, t.own = append(t.sentinels, err), append(t.own, true)
}

// Check has each value of type T that arrives looked at before it is used.
func Check[T any](t *Table, check func(T) error) {
	t.checks[reflect.TypeFor[T]()] = func(v any) error { return check(v.(T)) }
}

// number returns the number of a type.
func (t *Table) number(typ reflect.Type) (uint64, error) {
	i, ok := t.index[typ]
	if !ok {
		return 0, fmt.Errorf("wire: type %v is not known to the other side", typ)
	}
	return uint64(i), nil
}
