// Package wire carries calls between a judge and a guest, as if both were one
// program: arguments, results, and what a function changes in place.
//
// Each side has an [End] with the same [Table]. A call encodes its arguments as
// a graph: memory that several pointers and slices share is sent once and shared
// on the other side; cycles, nil and empty, NaN's bits cross as they are. After the
// call the memory that was sent is brought back, as far as it has changed: this is
// call by copy-restore (E. Tilevich, Y. Smaragdakis, "NRMI: Natural and efficient
// middleware", IEEE Trans. Parallel Distrib. Syst. 19(2), 2008). Functions and
// values of unknown types cross as references and are called on the side where
// they live, to any depth.
//
// Some things differ from one program. A slice that the guest hands over has no
// spare capacity. Memory that the guest keeps after a call is a copy. What
// crosses in a nested call back is a copy of what crossed in the outer one. Equal pointers
// to values of the guest's own types are equal in the judge, but a pointer to an element
// of a slice of such values is not equal to the element's address there. A value in an interface, or
// of a panic, has another type on a side that lacks its own.
//
// The judge trusts nothing that it decodes: each count is held against the bytes
// that are left, each type against the type that is wanted.
// What a message takes of memory is bounded in proportion to it, calls lie at most 200 deep in
// one another, and an object of the judge is used only as the type that it was sent as.
package wire

import (
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// An End is one side of the wire. Goroutines of the judge may use it at once, and have their turns; the guest has one thread.
type End struct {
	*Table
	// Send hands a request to the other side and returns its reply.
	Send func(request []byte) (reply []byte, err error)
	// Spare has slices cross with the capacity beyond their length, so that an append
	// on the other side writes where it would write on this one.
	Spare bool
	// Limit is the number of bytes that a message may have. 0 is no limit.
	Limit int
	// Raise, if not nil, goes on with an error of a call on this side, a *PanicError or another one. By default that is a panic.
	Raise func(error)
	// Changes grows whenever code of the other side may have run.
	Changes atomic.Int64

	objects    []object                  // of this side, which the other knows by number
	funcs      map[unsafe.Pointer]uint64 // of objects that are functions: their closures
	references map[reference]uint64      // of objects that crossed in interfaces
	errs       map[uint64]*Error         // the other side's errors, by number
	proxied    map[function]reflect.Value
	remote     map[unsafe.Pointer]uint64 // of the functions in proxied: their closures
	boxes      map[uint64]reflect.Value  // pointers to what handles refer to: in the guest the value, in the judge its stub
	handle     map[unsafe.Pointer]uint64 // the other way round
	next       uint64                    // the last handle made here
	nested     int                       // calls that are going on
	judge      bool
	turns      turns // of the judge's goroutines
}

// An object is a value that crossed by reference, and the type as which it crossed: the
// other side may use it as that, and in no other way.
type object struct {
	reflect.Value
	as reflect.Type
}

// A reference is a value that crossed in an interface, and the type as which it crossed.
type reference struct {
	as    reflect.Type
	value any
}

// A function of the other side.
type function struct {
	typ reflect.Type
	id  uint64
}

// maxNested bounds how deep the calls of both sides lie in one another, since
// each takes stack of the process.
const maxNested = 200

// maxObjects bounds what one side keeps of the other's functions, and of values of its types.
const maxObjects = 1 << 20

// NewEnd returns a side that has seen nothing yet, with the table that fill makes
// for it. Slices of the judge cross with their spare capacity.
func NewEnd(judge bool, fill func(*End) *Table) *End {
	e := &End{judge: judge, Spare: judge, funcs: map[unsafe.Pointer]uint64{}, references: map[reference]uint64{}, errs: map[uint64]*Error{}, proxied: map[function]reflect.Value{}, remote: map[unsafe.Pointer]uint64{},
		boxes: map[uint64]reflect.Value{}, handle: map[unsafe.Pointer]uint64{}}
	if judge {
		e.next = 1 // its handles are odd, the guest's even
	}
	e.Table = fill(e)
	if !judge {
		e.warm()
	}
	return e
}

// warm has this package and reflect find out, and keep, what calls ask about types. Each test begins with
// the guest as it is before its first call, so the first call of each would find it out anew.
func (e *End) warm() {
	for _, t := range e.types {
		e.shape(t)
		if k := t.Kind(); k == reflect.Pointer || k == reflect.Slice {
			reflect.SliceOf(t.Elem())
		}
	}
	for _, f := range e.Table.funcs {
		reflect.MakeFunc(f.Type(), nil) // how arguments lie in memory
	}
}

// A Remote is a value of the other side, by number.
type Remote struct{ id uint64 }

func (r Remote) remote() (id uint64, known bool) { return r.id, true }

// A Handle stands, on the judge's side, for a value of a type that only the guest
// knows. The zero Handle is that type's zero value.
type Handle struct{ id uint64 }

// A PanicError is a panic on the other side.
type PanicError struct {
	Text  string  // what was panicked with, in Go's words
	Value any     // what was panicked with, nil if that can't cross
	Stack []Frame // the innermost first
	// Missing reports that the other side lacks the function, which panicked with a Missing.
	Missing bool
}

// Student is the environment variable that holds the id of the student who is judged, in the judge
// and in the guest.
const Student = "MARGINALIA_STUDENT"

// Missing is the value of the panic when a function is called that the other side lacks. It says why.
type Missing string

// NotImplemented is what a function is missing for that is as the release has it: its stub panics with these words
// (see package nbgrader).
const NotImplemented = "not implemented"

// Suffix ends the file names under which the cells of a notebook are compiled, on
// both sides.
const Suffix = ".cell"

// A Frame is a place in the code of the other side.
type Frame struct {
	File string
	Line int
}

func (p *PanicError) Error() string { return "panic: " + p.Text }

// Panic goes on with the panic on this side, as in one program.
func (p *PanicError) Panic() {
	if p.Value != nil && !p.Missing {
		panic(p.Value)
	}
	panic(p)
}

// A message begins with one of these.
const (
	msgCall   = 1 // a function of the table
	msgObject = 2 // a function that crossed
	msgDone   = 3 // the results
	msgPanic  = 4
	msgFault  = 5 // what could not cross, in words
)

// Call calls a function of the other side's table. args and results are pointers to
// variables of the types that the function has. The error is a *PanicError, or says
// what could not cross, or is Send's.
func (e *End) Call(name string, args, results []any) error {
	enc := e.encoder(msgCall)
	enc.string(name)
	return e.call(enc, values(args), values(results))
}

func values(pointers []any) []reflect.Value {
	all := make([]reflect.Value, len(pointers))
	for i, p := range pointers {
		all[i] = reflect.ValueOf(p).Elem()
	}
	return all
}

func (e *End) call(enc *encoder, args, results []reflect.Value) error {
	if e.judge {
		t, err := e.turns.begin()
		if err != nil {
			return err
		}
		defer e.turns.end(t)
	}
	if e.nested >= maxNested {
		return fmt.Errorf("wire: functions of the tests and of the answers call one another more than %d deep", maxNested)
	}
	e.Changes.Add(1)
	e.nested++
	defer func() { e.nested-- }()
	known, err := enc.graph(nil, args)
	if err != nil {
		return err
	}
	reply, err := e.Send(enc.b)
	if err != nil {
		return err
	}
	dec := e.decoder(reply)
	switch kind := dec.byte(); kind {
	case msgDone:
		_, err := dec.graph(known, results)
		return err
	case msgPanic:
		p := dec.panic()
		if _, err := dec.graph(known, values([]any{&p.Value})); err != nil {
			return err
		}
		return p
	case msgFault:
		return errors.New(dec.text())
	default:
		return fmt.Errorf("wire: a reply of kind %d", kind)
	}
}

// Serve answers a request of the other side.
func (e *End) Serve(request []byte) (reply []byte) {
	fault := func(err error) []byte {
		enc := e.encoder(msgFault)
		enc.string(err.Error())
		return enc.b
	}
	dec := e.decoder(request)
	var f reflect.Value
	switch kind := dec.byte(); kind {
	case msgCall:
		name := dec.string()
		if f = e.Table.funcs[name]; !f.IsValid() {
			return fault(fmt.Errorf("wire: no function %s", name))
		}
	case msgObject:
		id := dec.uint()
		if id >= uint64(len(e.objects)) || e.objects[id].as.Kind() != reflect.Func {
			return fault(fmt.Errorf("wire: no function %d", id))
		}
		f = e.objects[id].Value
	default:
		return fault(fmt.Errorf("wire: a request of kind %d", kind))
	}
	t := f.Type()
	args := make([]reflect.Value, t.NumIn())
	for i := range args {
		args[i] = reflect.New(t.In(i)).Elem()
	}
	known, err := dec.graph(nil, args)
	if err != nil {
		return fault(err)
	}
	e.Changes.Add(1)
	results, p, err := e.invoke(f, args)
	if err != nil {
		return fault(err)
	}
	enc := e.encoder(msgDone)
	if p != nil {
		enc = e.encoder(msgPanic)
		enc.panic(p)
		head := len(enc.b)
		if _, err := enc.graph(known, values([]any{&p.Value})); err == nil {
			return enc.b
		}
		enc.b, results = enc.b[:head], values([]any{new(any)})
	}
	if _, err := enc.graph(known, results); err != nil {
		return fault(err)
	}
	return enc.b
}

// invoke calls a function. In the judge, other goroutines have their turns meanwhile, and the error says why the guest can't go on.
func (e *End) invoke(f reflect.Value, args []reflect.Value) (results []reflect.Value, p *PanicError, err error) {
	if e.judge {
		t := e.turns.leave()
		defer func() { err = e.turns.back(t) }()
	}
	results, p = invoke(f, args)
	return results, p, nil
}

// invoke calls a function and catches its panic. The results are addressable.
func invoke(f reflect.Value, args []reflect.Value) (results []reflect.Value, p *PanicError) {
	defer func() {
		if v := recover(); v != nil {
			p = &PanicError{Text: panicText(v), Stack: stack()}
			switch v := v.(type) {
			case Missing:
				p.Missing = true
			case *PanicError:
			default:
				p.Value = v
			}
		}
	}()
	var out []reflect.Value
	if f.Type().IsVariadic() {
		out = f.CallSlice(args)
	} else {
		out = f.Call(args)
	}
	for _, v := range out {
		r := reflect.New(v.Type()).Elem()
		r.Set(v)
		results = append(results, r)
	}
	return results, nil
}

// proxyFunc returns a function of type t that calls function id of the other side. What
// goes wrong there goes on here as a panic with the error.
func (e *End) proxyFunc(t reflect.Type, id uint64) reflect.Value {
	if f, ok := e.proxied[function{t, id}]; ok {
		return f
	}
	f := reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		args := make([]reflect.Value, len(in))
		for i, v := range in {
			args[i] = reflect.New(v.Type()).Elem()
			args[i].Set(v)
		}
		out := make([]reflect.Value, t.NumOut())
		for i := range out {
			out[i] = reflect.New(t.Out(i)).Elem()
		}
		enc := e.encoder(msgObject)
		enc.uint(id)
		e.goOn(e.call(enc, args, out))
		return out
	})
	e.proxied[function{t, id}] = f
	e.remote[closure(f)] = id
	return f
}

// closure returns the pointer that a function value is.
func closure(f reflect.Value) unsafe.Pointer {
	p := reflect.New(f.Type())
	p.Elem().Set(f)
	return *(*unsafe.Pointer)(p.UnsafePointer())
}

// Invoke is Call for the methods of generated proxies. What goes wrong goes on as a
// panic with the error.
func (e *End) Invoke(name string, args, results []any) {
	e.goOn(e.Call(name, args, results))
}

// goOn goes on with what went wrong on the other side.
func (e *End) goOn(err error) {
	if err == nil {
		return
	}
	if e.Raise != nil {
		e.Raise(err)
	}
	if p, ok := err.(*PanicError); ok {
		p.Panic()
	}
	panic(err)
}
