package guest

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
)

// interval is the fuel that compiled code gets: about as many turns of a loop as take a millisecond.
const interval = 1 << 18

// large is the size of a function's code, in bytes, from which on passing through it counts.
const large = 256

// More of a module's sections, types, and instructions (WebAssembly Core Specification 2.0, sections 5.3 to 5.5).
const (
	importSection = 2
	codeSection   = 10

	i32   = 0x7f
	empty = 0x40

	opLoop         = 0x03
	opIf           = 0x04
	opEnd          = 0x0b
	opCall         = 0x10
	opCallIndirect = 0x11
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opI32Const     = 0x41
	opI32LeS       = 0x4c
	opI32Sub       = 0x6b
	opI32ShrU      = 0x76
	opPrefix       = 0xfc // of those that follow
	opMemoryCopy   = 10
	opMemoryFill   = 11
)

// fueled returns a module that calls the judge's function pause again and again, so that compiled code can be
// stopped, and Go's collector, which waits for all goroutines, does not wait for it long. Each turn of a
// loop and each function that calls others or is large takes from the fuel, a global variable: one, and one more for
// each 256 bytes of the function's code. Copying and clearing memory take one for 64 bytes, and a call of the judge
// takes all. Fuel lasts for a millisecond as a rule, and for less than a second of code that
// has nothing but divisions.
//
// wazero's own check (WithCloseOnContextDone) calls Go at each turn, which takes many times as long as a turn.
func fueled(wasm []byte) ([]byte, error) {
	var out []byte
	imports, pause, globals := 0, -1, 0
	err := sections(wasm, func(id byte, section []byte) error {
		r := &reader{b: section}
		switch id {
		case importSection:
			imports = r.uint()
			for i := range imports {
				module, name := r.bytes(r.uint()), r.bytes(r.uint())
				if kind := r.bytes(1); string(kind) != "\x00" { // a function
					return errModule
				}
				r.uint() // its type
				if string(module) == "marginalia" && string(name) == "pause" {
					pause = i
				}
			}
		case globalSection:
			globals = r.uint()
			section = append(binary.AppendUvarint(nil, uint64(globals+2)), r.b...)
			for _, v := range []int{interval, 0} { // fuel, and the size of a piece of memory
				section = append(constant(append(section, i32, 1), v), opEnd)
			}
		case codeSection:
			if pause < 0 || pause > 127 || globals == 0 || globals > 64 {
				return errModule
			}
			f := fuel{imports: imports, fuel: byte(globals), size: byte(globals + 1), pause: byte(pause)}
			functions := r.uint()
			section = binary.AppendUvarint(make([]byte, 0, 2*len(section)), uint64(functions))
			for range functions {
				body, err := f.function(r.bytes(r.uint()))
				if err != nil {
					return err
				}
				section = append(binary.AppendUvarint(section, uint64(len(body))), body...)
			}
		}
		out = append(binary.AppendUvarint(append(out, id), uint64(len(section))), section...)
		return r.err
	})
	return append(wasm[:8:8], out...), err
}

// A fuel has what instructions need that use it up: numbers of globals and functions, all below 128.
type fuel struct {
	imports           int
	fuel, size, pause byte
}

// take takes what the instructions cost put on the stack.
func (f fuel) take(cost ...byte) []byte {
	b := append([]byte{opGlobalGet, f.fuel}, cost...)
	b = append(b, opI32Sub, opGlobalSet, f.fuel, opGlobalGet, f.fuel, opI32Const, 0, opI32LeS, opIf, empty)
	b = append(constant(b, interval), opGlobalSet, f.fuel, opCall, f.pause, opEnd)
	return b
}

// function returns the body of a function with the instructions that use fuel.
func (f fuel) function(body []byte) ([]byte, error) {
	r := &reader{b: body}
	for range r.uint() { // locals: how many of a type
		r.uint()
		r.bytes(1)
	}
	begin := len(body) - len(r.b)
	out := slices.Grow(body[:begin:begin], 2*len(body))
	turn := f.take(constant(nil, 1+len(body)/large)...)
	loops, calls := false, false // before any loop
	for len(r.b) > 0 {
		op, all := r.b[0], r.b
		r.instruction()
		if r.err != nil {
			return nil, r.err
		}
		all = all[:len(all)-len(r.b)]
		switch {
		case op == opCall || op == opCallIndirect:
			calls = calls || !loops
			if n, _ := binary.Uvarint(all[1:]); op == opCall && n < uint64(f.imports) {
				out = append(out, opI32Const, 0, opGlobalSet, f.fuel)
			}
		case op == opPrefix && (all[1] == opMemoryCopy || all[1] == opMemoryFill):
			out = append(out, opGlobalSet, f.size)
			out = append(out, f.take(opGlobalGet, f.size, opI32Const, 6, opI32ShrU)...)
			out = append(out, opGlobalGet, f.size)
		}
		out = append(out, all...)
		if op == opLoop {
			loops = true
			out = append(out, turn...)
		}
	}
	if calls || !loops && len(body) >= large {
		out = slices.Insert(out, begin, turn...)
	}
	return out, nil
}

// constant appends the instruction for a number, which is not negative.
func constant(b []byte, n int) []byte {
	for b = append(b, opI32Const); n >= 0x40; n >>= 7 { // a seventh bit would be the sign
		b = append(b, byte(n&0x7f|0x80))
	}
	return append(b, byte(n))
}

// A reader takes a section apart. It returns zeros where there is nothing, and has an error then.
type reader struct {
	b   []byte
	err error
}

func (r *reader) uint() int {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > uint64(maxModule) {
		r.b, r.err = nil, errModule
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.b) {
		r.b, r.err = nil, errModule
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

// number passes a number of any size and sign.
func (r *reader) number() {
	for len(r.b) > 0 && r.b[0]&0x80 != 0 {
		r.b = r.b[1:]
	}
	r.bytes(1)
}

// instruction passes one of those that Go's compiler makes, with what follows it.
func (r *reader) instruction() {
	op := r.bytes(1)[0]
	switch {
	case op <= 0x01, op == 0x05, op == opEnd, op == 0x0f, op == 0x1a, op == 0x1b, 0x45 <= op && op <= 0xc4: // nothing
	case 0x02 <= op && op <= opIf, // a block's type
		op == 0x0c, op == 0x0d, // branches
		op == opCall, 0x20 <= op && op <= opGlobalSet, op == 0x3f, op == 0x40, op == opI32Const, op == 0x42:
		r.number()
	case op == 0x0e: // a table of branches, and the default
		for range r.uint() + 1 {
			r.number()
		}
	case op == opCallIndirect, 0x28 <= op && op <= 0x3e: // loads and stores: alignment and offset
		r.number()
		r.number()
	case op == 0x43:
		r.bytes(4)
	case op == 0x44:
		r.bytes(8)
	case op == opPrefix:
		switch n := r.uint(); {
		case n <= 7: // floats to integers
		case n == opMemoryCopy:
			r.bytes(2)
		case n == opMemoryFill:
			r.bytes(1)
		default:
			r.err = fmt.Errorf("guest: instruction %#x %d of the module is not known", op, n)
		}
	default:
		r.err = fmt.Errorf("guest: instruction %#x of the module is not known", op)
	}
}

// pause is called by compiled code whose fuel is used up. Go's scheduler and collector have their turn in it.
func pause(ctx context.Context, _ []uint64) {
	in := ctx.Value(key{}).(*Instance)
	if err := in.paused(); err != nil {
		panic(err)
	}
}
