package guest

import "testing"

// When its memory grows, what a guest has written stays and new pages are empty. The memory does not move
// until its reserve is used up: growing by a page must not copy all of it each time.
func TestMemory(t *testing.T) {
	const page, limit = 64 << 10, 3 * reserve
	m := newMemory(0, limit)
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
