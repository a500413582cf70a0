package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"unsafe"
)

// A decoder reads a message. The first fault is kept in err, and all that is read after it is
// zero.
type decoder struct {
	end   *End
	b     []byte
	err   error
	all   []*region
	depth int
	room  uint64          // bytes of memory that what is left may take
	fresh []reflect.Value // pointers to values that have a check
}

// decoder returns a reader of a message. What arrives takes memory in proportion to the
// message, a nil slice for instance 24 bytes for one of the message, and a function
// some 250 for three; and no more than a guest has itself.
func (e *End) decoder(b []byte) *decoder {
	dec := &decoder{end: e, b: b, room: 1<<16 + 128*uint64(len(b))}
	if e.Limit > 0 {
		dec.room = min(dec.room, 4*uint64(e.Limit))
	}
	return dec
}

// spend takes from the room, before memory is allocated.
func (dec *decoder) spend(n uint64) bool {
	if n > dec.room {
		dec.fail("what a message has takes too much memory")
		return false
	}
	dec.room -= n
	return true
}

func (dec *decoder) fail(format string, args ...any) {
	if dec.err == nil {
		dec.err = fmt.Errorf("wire: "+format, args...)
	}
	dec.b = nil
}

// take returns the next n bytes.
func (dec *decoder) take(n uint64) []byte {
	if n > uint64(len(dec.b)) {
		dec.fail("a message ends after %d of %d bytes", len(dec.b), n)
		return nil
	}
	b := dec.b[:n]
	dec.b = dec.b[n:]
	return b
}

func (dec *decoder) byte() byte {
	if b := dec.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (dec *decoder) uint() uint64 {
	v, n := binary.Uvarint(dec.b)
	if n <= 0 {
		dec.fail("a number of a message is torn")
		return 0
	}
	dec.b = dec.b[n:]
	return v
}

func (dec *decoder) word() uint64 {
	if b := dec.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (dec *decoder) string() string { return string(dec.take(dec.uint())) }

// text reads words about a fault or a panic, the first 64 KiB.
func (dec *decoder) text() string {
	b := dec.take(dec.uint())
	return string(b[:min(len(b), 64<<10)])
}

// count reads how many things follow, each at least size bytes long.
func (dec *decoder) count(size uint64) int {
	n := dec.uint()
	if n > uint64(len(dec.b))/max(size, 1) {
		dec.fail("a message of %d more bytes has %d things", len(dec.b), n)
		return 0
	}
	return int(n)
}

func (dec *decoder) panic() *PanicError {
	p := &PanicError{Text: dec.text(), Missing: dec.byte() == 1}
	for range dec.count(2) {
		if f := (Frame{dec.text(), int(dec.uint() & math.MaxInt32)}); len(p.Stack) < maxFrames {
			p.Stack = append(p.Stack, f)
		}
	}
	return p
}

// graph reads what encoder.graph wrote: known are the regions that the sender had
// from here, in the order in which they were sent. It returns all regions.
func (dec *decoder) graph(known []*region, values []reflect.Value) ([]*region, error) {
	dec.all = append(dec.all, known...)
	for range dec.count(2) {
		number, n := dec.uint(), dec.uint()
		if dec.err != nil {
			break
		}
		if number >= uint64(len(dec.end.types)) {
			dec.fail("no type %d", number)
			break
		}
		t := dec.end.types[number]
		r := &region{typ: t}
		if n == 0 && t.Kind() != reflect.Map || n > uint64(len(dec.b)) {
			dec.fail("a message of %d more bytes has %d values of type %v", len(dec.b), n, t)
			break
		}
		// n is at most the length of a message, and a type's size too is far below 2³².
		if !dec.spend(200 + n*uint64(t.Size())) {
			break
		}
		if n == 0 {
			r.m = reflect.MakeMap(t)
		} else {
			r.n = int(n)
			r.base = reflect.MakeSlice(reflect.SliceOf(t), r.n, r.n).UnsafePointer()
		}
		dec.all = append(dec.all, r)
	}
	for i, r := range dec.all {
		dec.content(r, i < len(known))
	}
	for _, v := range values {
		dec.value(v.Addr().UnsafePointer(), v.Type())
	}
	if dec.err == nil && len(dec.b) > 0 {
		dec.fail("%d bytes too many", len(dec.b))
	}
	if dec.err == nil {
		dec.err = dec.check()
	}
	return dec.all, dec.err
}

// check has the table look at what arrived, once all of it is there.
func (dec *decoder) check() error {
	for _, p := range dec.fresh {
		v := p.Elem()
		if err := dec.end.shape(v.Type()).check(v.Interface()); err != nil {
			return err
		}
	}
	return nil
}

func (dec *decoder) content(r *region, known bool) {
	if r.m.IsValid() {
		r.m.Clear()
		for range dec.count(2) {
			if !dec.spend(8 + 2*uint64(r.typ.Key().Size()+r.typ.Elem().Size())) {
				return
			}
			k, v := reflect.New(r.typ.Key()), reflect.New(r.typ.Elem())
			dec.value(k.UnsafePointer(), r.typ.Key())
			dec.value(v.UnsafePointer(), r.typ.Elem())
			if dec.err != nil {
				return
			}
			if !k.Elem().Comparable() {
				dec.fail("a key of type %v that can't be compared", k.Elem().Type())
				return
			}
			r.m.SetMapIndex(k.Elem(), v.Elem())
		}
		return
	}
	if dec.end.plain(r.typ) {
		bytes := unsafe.Slice((*byte)(r.base), r.size())
		switch changed := dec.byte(); {
		case changed == 1:
			copy(bytes, dec.take(uint64(len(bytes))))
		case !known:
			dec.fail("no values of a new %v", r.typ)
		}
		if !known {
			r.sent = append([]byte(nil), bytes...)
		}
		return
	}
	for i := range r.n {
		dec.value(unsafe.Add(r.base, uintptr(i)*r.typ.Size()), r.typ)
	}
}

// value reads a value of type t into p.
func (dec *decoder) value(p unsafe.Pointer, t reflect.Type) {
	if dec.err != nil {
		return
	}
	if dec.depth++; dec.depth > 2*maxDepth {
		dec.fail("a value of type %v lies more than %d deep", t, 2*maxDepth)
		return
	}
	defer func() { dec.depth-- }()
	shape := dec.end.shape(t)
	if shape.handle {
		dec.copyHandle(p, t, dec.uint())
		return
	}
	if shape.check != nil {
		dec.fresh = append(dec.fresh, reflect.NewAt(t, p))
	}
	switch t.Kind() {
	case reflect.Bool:
		*(*bool)(p) = dec.byte() != 0
	case reflect.Uint8, reflect.Int8:
		*(*byte)(p) = dec.byte()
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr, reflect.Float64, reflect.Complex64:
		*(*uint64)(p) = dec.word()
	case reflect.Int16, reflect.Uint16:
		if b := dec.take(2); b != nil {
			*(*uint16)(p) = binary.LittleEndian.Uint16(b)
		}
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		if b := dec.take(4); b != nil {
			*(*uint32)(p) = binary.LittleEndian.Uint32(b)
		}
	case reflect.Complex128:
		re := math.Float64frombits(dec.word())
		*(*complex128)(p) = complex(re, math.Float64frombits(dec.word()))
	case reflect.String:
		*(*string)(p) = dec.string()
	case reflect.Pointer:
		if dec.end.shape(t.Elem()).handle {
			*(*unsafe.Pointer)(p) = dec.handle(t.Elem())
			return
		}
		*(*unsafe.Pointer)(p), _ = dec.place(t.Elem())
	case reflect.Slice:
		dec.slice((*sliceHeader)(p), t)
	case reflect.Map:
		m := reflect.NewAt(t, p).Elem()
		switch n := dec.uint(); {
		case n == 0:
			m.SetZero()
		case n > uint64(len(dec.all)) || dec.all[n-1].typ != t || !dec.all[n-1].m.IsValid():
			dec.fail("no map %d of type %v", n-1, t)
		default:
			m.Set(dec.all[n-1].m)
		}
	case reflect.Func:
		dec.function(reflect.NewAt(t, p).Elem())
	case reflect.Interface:
		dec.iface(reflect.NewAt(t, p).Elem())
	case reflect.Array:
		for i := range t.Len() {
			dec.value(unsafe.Add(p, uintptr(i)*t.Elem().Size()), t.Elem())
		}
	case reflect.Struct:
		for _, f := range shape.fields {
			dec.value(unsafe.Add(p, f.offset), f.typ)
		}
	}
}

// nothing is where values of size 0 lie.
var nothing [1]uint64
