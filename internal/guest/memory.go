package guest

import "github.com/tetratelabs/wazero/experimental"

// reserve is how many bytes the memory of a guest may grow to before it is copied. The part that is not
// used costs only addresses.
const reserve = 32 << 20

// A memory is an instance's. wazero's own memory is a Go slice that append allocates anew and copies, and a
// guest's grows by half a megabyte at a time.
type memory struct {
	b   []byte
	max uint64
}

func newMemory(_, max uint64) experimental.LinearMemory { return &memory{max: max} }

// Reallocate returns the memory with size bytes. It never shrinks.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(cap(m.b)) {
		grown := make([]byte, size, max(size, min(m.max, max(2*size, reserve))))
		copy(grown, m.b)
		m.b = grown
	}
	m.b = m.b[:size]
	return m.b
}

// Free is called when the instance is closed.
func (m *memory) Free() { m.b = nil }
