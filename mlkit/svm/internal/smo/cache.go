package smo

import "marginalia/mlkit/internal/rows"

// slab is how many elements are allocated at once, at most: in large pages, whose faults are few. A
// smaller cache allocates row by row.
const slab = 1 << 21

// rowCache is an LRU cache of rows of the Gram matrix.
type rowCache[T float32 | float64] struct {
	capacity int   // rows, at least 2
	length   int   // elements per row
	rows     [][]T // nil if not cached
	used     int
	spare    [][]T // buffers to reuse before allocating
	slab     []T   // from which new buffers are cut

	// A ring of the cached rows, most recently used first. Its head is the index
	// len(rows).
	next, prev []int
}

// newRowCache returns a cache of n rows of the given length within a budget of bytes, but
// of at least two rows. element is the size of an element in bytes. It takes the buffers
// in spare before it allocates.
func newRowCache[T float32 | float64](n, length, element int, bytes int64, spare [][]T) *rowCache[T] {
	c := &rowCache[T]{
		capacity: int(min(max(2, bytes/int64(element*length)), int64(max(2, n)))),
		length:   length,
		rows:     make([][]T, n),
		spare:    spare,
		next:     make([]int, n+1), prev: make([]int, n+1),
	}
	c.next[n], c.prev[n] = n, n
	return c
}

// get returns row i and marks it as most recently used, or returns nil if it is not
// cached.
func (c *rowCache[T]) get(i int) []T {
	if head := len(c.rows); c.rows[i] != nil && c.next[head] != i {
		c.unlink(i)
		c.link(i)
	}
	return c.rows[i]
}

// put adds row i, which must not be cached, and returns its buffer for the caller to
// fill. A full cache evicts the least recently used row.
func (c *rowCache[T]) put(i int) []T {
	var row []T
	if c.used < c.capacity {
		row = c.room()
		c.used++
	} else {
		oldest := c.prev[len(c.rows)]
		row = c.rows[oldest]
		c.unlink(oldest)
		c.rows[oldest] = nil
	}
	c.rows[i] = row
	c.link(i)
	return row
}

// room returns a buffer for a row.
func (c *rowCache[T]) room() []T {
	if last := len(c.spare) - 1; last >= 0 {
		row := c.spare[last]
		c.spare = c.spare[:last]
		if cap(row) >= c.length {
			return row[:c.length]
		}
	}
	if c.capacity*c.length < slab {
		return make([]T, c.length)
	}
	if len(c.slab) < c.length {
		c.slab = rows.Large[T](c.length * max(1, min(c.capacity-c.used, slab/c.length, 8+c.used)))
	}
	row := c.slab[:c.length:c.length]
	c.slab = c.slab[c.length:]
	return row
}

// part returns a cache for the rows and columns keep, with rows of the given length. It
// compacts the cached rows in place, so c must not be used again.
func (c *rowCache[T]) part(keep []int, length int) *rowCache[T] {
	n, head := len(keep), len(c.rows)
	q := &rowCache[T]{
		capacity: max(2, min(c.capacity, n)), length: length, rows: make([][]T, n),
		spare: c.spare, slab: c.slab, next: make([]int, n+1), prev: make([]int, n+1),
	}
	q.next[n], q.prev[n] = n, n
	position := make([]int, head)
	for k, i := range keep {
		position[i] = k + 1
	}
	for i := c.prev[head]; i != head; i = c.prev[i] { // least recently used first
		row, k := c.rows[i], position[i]-1
		if k < 0 || q.used == q.capacity {
			q.spare = append(q.spare, row)
			continue
		}
		for to, from := range keep {
			row[to] = row[from]
		}
		q.rows[k] = row[:length]
		q.link(k)
		q.used++
	}
	return q
}

// all returns all buffers: cached, spare and not cut yet.
func (c *rowCache[T]) all() [][]T {
	all := c.spare
	for ; len(c.slab) >= c.length; c.slab = c.slab[c.length:] {
		all = append(all, c.slab[:c.length:c.length])
	}
	for _, row := range c.rows {
		if row != nil {
			all = append(all, row)
		}
	}
	return all
}

// drop removes row i after filling it has failed.
func (c *rowCache[T]) drop(i int) {
	c.unlink(i)
	c.rows[i] = nil
	c.used--
}

func (c *rowCache[T]) link(i int) {
	head := len(c.rows)
	first := c.next[head]
	c.next[head], c.prev[i] = i, head
	c.next[i], c.prev[first] = first, i
}

func (c *rowCache[T]) unlink(i int) {
	c.next[c.prev[i]], c.prev[c.next[i]] = c.next[i], c.prev[i]
}
