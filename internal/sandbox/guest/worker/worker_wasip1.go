package worker

import (
	"runtime/debug"
	"syscall"
	"unsafe"

	"marginalia/internal/sandbox/guest/wire"
)

var (
	end  *wire.End
	main []func() // the cells' main functions
	in   []byte   // where the judge writes a request
	out  []byte   // the last reply
)

// Serve answers requests from now on. cells are the main functions of the notebook's cells.
func Serve(t func(*wire.End) *wire.Table, cells ...func()) {
	end, main = wire.NewEnd(false, t), cells
	end.Send = send
	debug.SetMaxStack(int(maxStack())) // its own is a gigabyte, and the memory ends before
	pause()                            // else the linker leaves it out, and package guest needs it in every loop
}

// Missing is the body of a function that a student's program does not have.
func Missing(why string) { panic(wire.Missing(why)) }

// Student returns the id of the student whose answers these are, and id where it is not known.
func Student(id string) string {
	if s, ok := syscall.Getenv(wire.Student); ok {
		return s
	}
	return id
}

//go:wasmexport marginalia_alloc
func alloc(n uint32) unsafe.Pointer {
	in = make([]byte, n)
	return unsafe.Pointer(unsafe.SliceData(in))
}

//go:wasmexport marginalia_serve
func serve(n uint32) uint64 {
	out = end.Serve(append([]byte(nil), in[:n]...)) // a call back may bring another request
	return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(out))))<<32 | uint64(len(out))
}

//go:wasmexport marginalia_cell
func cell(i uint32) { main[i]() }

//go:wasmimport marginalia call
func hostCall(request unsafe.Pointer, n uint32) uint32

//go:wasmimport marginalia pause
func pause()

//go:wasmimport marginalia stack
func maxStack() uint32

//go:wasmimport marginalia reply
func hostReply(to unsafe.Pointer)

func send(request []byte) ([]byte, error) {
	n := hostCall(unsafe.Pointer(unsafe.SliceData(request)), uint32(len(request)))
	reply := make([]byte, n+1)
	hostReply(unsafe.Pointer(unsafe.SliceData(reply)))
	return reply[:n], nil
}
