package guest

import (
	"sync"

	"github.com/tetratelabs/wazero/experimental"
)

// reserve is how many bytes the memory of a guest may grow to before it is copied. The part that is not
// used costs only addresses.
const reserve = 32 << 20

// memories makes the memories of an engine's instances. It keeps one that is free for the next instance, since Go
// would have to clear a new one whole, and collect garbage for it. The zero value is ready.
type memories struct {
	mu   sync.Mutex // wazero may close an instance from a goroutine of its own
	free []byte
}

// Allocate returns the memory of an instance, which may grow to max bytes.
func (m *memories) Allocate(_, max uint64) experimental.LinearMemory { return &memory{of: m, max: max} }

// take returns size bytes, all zero, of a memory that is free, or nil.
func (m *memories) take(size uint64) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.free
	m.free = nil
	if size > uint64(cap(b)) {
		return nil
	}
	clear(b)
	return b[:size]
}

// A memory is an instance's. wazero's own memory is a Go slice that append allocates anew and copies, and a
// guest's grows by half a megabyte at a time.
type memory struct {
	of  *memories
	b   []byte
	max uint64
}

// Reallocate returns the memory with size bytes. It never shrinks.
func (m *memory) Reallocate(size uint64) []byte {
	if m.b == nil {
		m.b = m.of.take(size)
	}
	if size > uint64(cap(m.b)) {
		grown := make([]byte, size, max(size, min(m.max, max(2*size, reserve))))
		copy(grown, m.b)
		m.b = grown
	}
	m.b = m.b[:size]
	return m.b
}

// Free is called when the instance is closed, and its guest has ended.
func (m *memory) Free() {
	m.of.mu.Lock()
	defer m.of.mu.Unlock()
	m.of.free, m.b = m.b, nil
}
