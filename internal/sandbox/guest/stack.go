package guest

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
)

// maxStack is what the stack of one of the guest's goroutines may take, in bytes. Stacks grow by doubling, and a larger one would not
// find a place beside the one before: so Go names the function that calls itself without end before the memory is full.
func maxStack(ctx context.Context) uint32 {
	return uint32(ctx.Value(key{}).(*Instance).limits.Memory) << 18
}

const (
	deepStack = 4 << 20 // that few programs need, in bytes: more than a hundred thousand calls
	// pushes is how often a guest whose time is over pauses until its stack has overflowed: a copy of a stack takes many pauses.
	pushes = 5000
	named  = 30 // places that Go prints of an overflowing stack, and that tell which functions call one another
)

// tooDeep is wazero's error of calls that are nested too deeply for its own stack. wazero does not export it, so it is what a
// module ends with whose only function calls itself.
var tooDeep = sync.OnceValue(func() error {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(ctx)
	module, err := r.Instantiate(ctx, []byte("\x00asm\x01\x00\x00\x00"+
		"\x01\x04\x01\x60\x00\x00"+ // a type: func()
		"\x03\x02\x01\x00"+ // a function of it
		"\x07\x05\x01\x01f\x00\x00"+ // exported as f
		"\x0a\x06\x01\x04\x00\x10\x00\x0b")) // its body: call 0
	if err != nil {
		panic(err) // the module is valid
	}
	_, err = module.ExportedFunction("f").Call(ctx)
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err
})

var errOverflow = errors.New("the stack has overflowed")

// Deep reports whether the stack of the guest was large when compiled code paused the last time.
func (in *Instance) Deep() bool { return in.deep.Load() }

// paused decides what happens to a guest whose compiled code pauses. If time is over and the stack is deep, it would soon overflow, and
// Go's words for that say more than "it takes too long", so the overflow is brought about at once. Go then walks millions of calls to print
// the outermost fifty: the guest is ended before that.
func (in *Instance) paused() error {
	stack, g := in.stack()
	if stack > deepStack {
		in.deep.Store(true)
		in.deepest = g
	} else if g == in.deepest {
		in.deep.Store(false)
	}
	if !in.Deep() {
		return in.end(in.ctx.Err())
	}
	if tail := in.world.out.err.tail.String(); strings.Contains(tail, overflow) && strings.Count(tail, "\n\t") > named {
		return in.end(errOverflow)
	}
	if in.ctx.Err() == nil || in.Ended() != nil || in.pushed > pushes {
		return in.end(in.ctx.Err())
	}
	in.pushed++
	if stack > deepStack { // else the runtime is at work, on a stack of its own
		in.module.Memory().WriteUint64Le(g+guardOffset, math.MaxInt64)
	}
	return nil
}

// overflow is what Go prints then.
const overflow = "fatal error: stack overflow"

// In a goroutine (runtime.g), where its stack ends and what the stack pointer is compared with in each call, in bytes.
const (
	highOffset  = 8
	guardOffset = 16
)

// stack returns the bytes that the goroutine which runs has on its stack, and where it lies. Go keeps the stack pointer in the first global
// variable of a module and the goroutine in the third (cmd/internal/obj/wasm).
func (in *Instance) stack() (size uint64, g uint32) {
	if in.module == nil || in.engine.globals < 3 { // it is being initialised, or is no Go program
		return 0, 0
	}
	pointer := in.module.ExportedGlobal(globalName(0)).Get()
	g = uint32(in.module.ExportedGlobal(globalName(2)).Get())
	high, ok := in.module.Memory().ReadUint64Le(g + highOffset)
	if !ok || high < pointer {
		return 0, 0
	}
	return high - pointer, g
}
