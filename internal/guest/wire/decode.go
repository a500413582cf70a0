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
	p := &PanicError{Text: dec.text()}
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
		if err := dec.end.checks[v.Type()](v.Interface()); err != nil {
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
	if dec.end.handles[t] {
		dec.copyHandle(p, t, dec.uint())
		return
	}
	if dec.end.checks[t] != nil {
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
		if dec.end.handles[t.Elem()] {
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
		for _, f := range dec.end.shape(t).fields {
			dec.value(unsafe.Add(p, f.offset), f.typ)
		}
	}
}

// nothing is where values of size 0 lie.
var nothing [1]uint64

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
	if len(dec.end.boxes)+len(dec.end.proxied) >= maxObjects {
		dec.fail("more than %d functions and values of own types", maxObjects)
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
		}
	case asError:
		err := &Error{Text: dec.string()}
		for range dec.count(1) {
			if !dec.spend(100) {
				return
			}
			var c error
			dec.depth++
			dec.value(unsafe.Pointer(&c), errorType)
			dec.depth--
			err.Causes = append(err.Causes, c)
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
