package wire

import (
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strconv"
)

// The ways in which a value crosses in an interface.
type way byte

const (
	never     way = iota
	isNil         // tag on the wire, as all below
	byValue       // number of its type, the value
	mine          // an object of the sender: number
	yours         // an object of the receiver: number
	sentinel      // number
	asError       // number of the object, text, how it wraps, causes
	asRuntime     // text: an error of Go's runtime
)

var errorType = reflect.TypeFor[error]()

// crosses says how the value v, not nil, crosses in an interface of type t.
func (e *End) crosses(t reflect.Type, v reflect.Value) way {
	if r, ok := v.Interface().(interface{ remote() (uint64, bool) }); ok {
		if _, known := r.remote(); known {
			return yours
		}
	}
	if _, ok := v.Interface().(runtime.Error); ok {
		return asRuntime
	}
	err, isError := v.Interface().(error)
	if isError && e.sentinel(err) >= 0 {
		return sentinel
	}
	switch _, known := e.index[v.Type()]; {
	case known:
		return byValue
	case t == errorType:
		return asError
	case e.proxies[t] != nil:
		return mine
	case isError:
		return asError
	}
	return never
}

// sentinel returns the number of an error that a package variable holds, or -1.
func (e *End) sentinel(err error) int {
	for i, s := range e.sentinels {
		if reflect.TypeOf(s) == reflect.TypeOf(err) && reflect.TypeOf(err).Comparable() && s == err {
			return i
		}
	}
	return -1
}

// An Error is an error of a type that only the other side has. Sent back, it becomes that side's own error again.
type Error struct {
	text   string
	causes []error // what Unwrap returns on the other side
	many   bool    // that Unwrap returns a []error
	is     []error // sentinels that its method Is accepts
	id     uint64  // 1 more than its number on the other side, 0 if it has none
	known  bool    // text and causes have arrived from the other side
}

func (e *Error) Error() string { return e.text }

func (e *Error) remote() (id uint64, known bool) { return e.id - 1, e.id > 0 }

// Unwrap returns the error that e wraps, or nil if it may wrap several, as errors.Unwrap expects.
func (e *Error) Unwrap() error {
	if e.many || len(e.causes) == 0 {
		return nil
	}
	return e.causes[0]
}

// Is says what the method of the other side's error says of a sentinel. Is and As look through several errors that e
// wraps.
func (e *Error) Is(target error) bool {
	return slices.Contains(e.is, target) || e.many && slices.ContainsFunc(e.causes, func(c error) bool { return errors.Is(c, target) })
}

func (e *Error) As(target any) bool {
	return e.many && slices.ContainsFunc(e.causes, func(c error) bool { return errors.As(c, target) })
}

// A RuntimeError is a runtime.Error of the other side.
type RuntimeError struct{ text string }

func (e *RuntimeError) Error() string { return e.text }
func (e *RuntimeError) RuntimeError() {}

// causes returns the errors that err wraps, and whether it may wrap several.
func causes(err error) (all []error, many bool) {
	switch err := err.(type) {
	case *Error:
		return err.causes, err.many
	case interface{ Unwrap() error }:
		if c := err.Unwrap(); c != nil {
			return []error{c}, false
		}
	case interface{ Unwrap() []error }:
		return err.Unwrap(), true
	}
	return nil, false
}

// accepts returns the numbers of the sentinels that a method Is of err accepts, none if it accepts an error that
// nobody can know, and so every one.
func (e *End) accepts(err error) (all []uint64) {
	is, ok := err.(interface{ Is(error) bool })
	if !ok || is.Is(NewError("")) {
		return nil
	}
	for i, s := range e.sentinels {
		if s != nil && is.Is(s) {
			all = append(all, uint64(i))
		}
	}
	return all
}

// panicText returns what Go prints of a value that a program panicked with.
func panicText(v any) string {
	switch v := v.(type) {
	case *PanicError:
		return v.Text
	case Missing:
		return string(v)
	case error:
		return v.Error()
	case interface{ String() string }:
		return v.String()
	}
	r := reflect.ValueOf(v)
	s := ""
	switch r.Kind() {
	case reflect.Bool:
		s = strconv.FormatBool(r.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s = strconv.FormatInt(r.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		s = strconv.FormatUint(r.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		s = strconv.FormatFloat(r.Float(), 'g', -1, r.Type().Bits())
	case reflect.String:
		if s = r.String(); r.Type() == reflect.TypeFor[string]() {
			return s
		}
		s = strconv.Quote(s)
	default:
		return "(" + r.Type().String() + ")"
	}
	if r.Type().PkgPath() == "" {
		return s
	}
	return r.Type().String() + "(" + s + ")"
}

// maxFrames is how many places of a stack cross.
const maxFrames = 64

// stack returns the places on the stack of a panic, without those of this package.
func stack() []Frame {
	pcs := make([]uintptr, maxFrames)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	var all []Frame
	for {
		f, more := frames.Next()
		if f.File != "" {
			all = append(all, Frame{f.File, f.Line})
		}
		if !more {
			return all
		}
	}
}

// NewError returns an error that is equal to no other.
func NewError(text string) error { return &Error{text: text} }
