package svm

import "marginalia/mlkit/internal/gram"

// rowCache keeps the rows of a Gram matrix that were used last.
type rowCache[T float32 | float64] struct {
	capacity int   // rows, at least 2
	length   int   // of a row
	rows     [][]T // nil for those not in the cache
	used     int
	spare    [][]T // memory of other rows, to be used first

	// A ring of the rows in the cache, the one used last first. Its head is the
	// element after the last.
	next, prev []int
}

// newRowCache returns a cache for n rows of a length, each element of which has a
// number of bytes. It takes the memory of old, if that is not nil, which is no more then.
func newRowCache[T float32 | float64](n, length, element int, bytes int64, old *rowCache[T]) *rowCache[T] {
	c := &rowCache[T]{
		capacity: int(min(max(2, bytes/int64(element*length)), int64(max(2, n)))),
		length:   length,
	}
	if old != nil {
		c.spare, c.rows, c.next, c.prev = old.all(), old.rows, old.next, old.prev
	}
	c.rows, c.next, c.prev = gram.Resized(c.rows, n), gram.Resized(c.next, n+1), gram.Resized(c.prev, n+1)
	clear(c.rows)
	c.next[n], c.prev[n] = n, n
	return c
}

// get returns row i, or nil if it isn't in the cache.
func (c *rowCache[T]) get(i int) []T {
	if head := len(c.rows); c.rows[i] != nil && c.next[head] != i {
		c.unlink(i)
		c.link(i)
	}
	return c.rows[i]
}

// put returns a row to fill with row i, which is not in the cache and is from now on.
// If the cache was full, the one used longest ago is no more.
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

// room returns memory for a row.
func (c *rowCache[T]) room() []T {
	if last := len(c.spare) - 1; last >= 0 {
		row := c.spare[last]
		c.spare = c.spare[:last]
		if cap(row) >= c.length {
			return row[:c.length]
		}
	}
	return make([]T, c.length)
}

// part returns a cache of the rows keep, cut to the elements keep, in which c's are kept
// as far as they are of these. They stay in the same memory, so c is no more.
func (c *rowCache[T]) part(keep []int, length int) *rowCache[T] {
	n, head := len(keep), len(c.rows)
	q := &rowCache[T]{
		capacity: max(2, min(c.capacity, n)), length: length, rows: make([][]T, n),
		spare: c.spare, next: make([]int, n+1), prev: make([]int, n+1),
	}
	q.next[n], q.prev[n] = n, n
	position := make([]int, head)
	for k, i := range keep {
		position[i] = k + 1
	}
	for i := c.prev[head]; i != head; i = c.prev[i] { // the one used longest ago first
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

// all returns the memory of all rows, in the cache and spare.
func (c *rowCache[T]) all() [][]T {
	all := c.spare
	for _, row := range c.rows {
		if row != nil {
			all = append(all, row)
		}
	}
	return all
}

// drop takes row i, which could not be filled, out of the cache.
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
