package guest

import "testing"

// When its memory grows, what a guest has written stays and new pages are empty. The memory does not move
// until its reserve is used up: growing by a page must not copy all of it each time.
func TestMemory(t *testing.T) {
	const page, limit = 64 << 10, 3 * reserve
	var of memories
	m := of.Allocate(0, limit)
	moved := 0
	var before []byte
	for size := uint64(page); size <= limit; size += page {
		b := m.Reallocate(size)
		if uint64(len(b)) != size {
			t.Fatalf("%d bytes, want %d", len(b), size)
		}
		if before == nil || &b[0] != &before[0] {
			moved++
		}
		for at := uint64(0); at < size-page; at += page {
			if b[at] != byte(at/page)|1 {
				t.Fatalf("%d bytes: %d at %d, want %d", size, b[at], at, byte(at/page)|1)
			}
		}
		if b[size-page] != 0 {
			t.Fatalf("%d bytes: the last page is not empty", size)
		}
		b[size-page] = byte((size-page)/page) | 1
		before = b
	}
	// reserve, 2·reserve, and the limit of 3·reserve, which is less than twice that.
	if moved != 3 {
		t.Errorf("the memory lay in %d places, want 3", moved)
	}
	if got := cap(before); got != limit {
		t.Errorf("%d bytes are kept, at most %d", got, limit)
	}
}

// The next instance gets the memory of one that was closed, empty to its end, and the one after that another.
func TestMemoryAgain(t *testing.T) {
	const page = 64 << 10
	var of memories
	m := of.Allocate(0, reserve)
	m.Reallocate(page)
	first := m.Reallocate(3 * page)
	for i := range first {
		first[i] = 7
	}
	m.Free()
	next, other := of.Allocate(0, reserve), of.Allocate(0, reserve)
	b, o := next.Reallocate(page), other.Reallocate(page)
	if &b[0] != &first[0] || &o[0] == &first[0] {
		t.Errorf("the memory is used again: %v, by two: %v", &b[0] == &first[0], &o[0] == &first[0])
	}
	b = next.Reallocate(4 * page)
	for i, v := range b {
		if v != 0 {
			t.Fatalf("byte %d is %d", i, v)
		}
	}
	next.Free()
	if large := of.Allocate(0, 2*reserve).Reallocate(reserve + page); len(large) != reserve+page || &large[0] == &first[0] {
		t.Errorf("%d bytes of a memory of %d", len(large), cap(first))
	}
}
