package main

import (
	"fmt"
	"math/bits"
)

// rowsTogether is the number of rows that products and combine process at a time. Each
// has a register for its position.
const rowsTogether = 8

// matrix is shared by products, combine and descend. They run along the columns of a
// matrix, whose rows start stride bytes apart, and of a vector of float64 as long as a
// row.
type matrix struct {
	of            element // type of the elements of the rows
	stride, count general // in bytes; columns
	rows          general // rows left
	x, vector     general // first of the rows processed together; the vector

	at   []general // positions in the rows
	v    general   // position in the vector
	left general   // columns
}

// begun writes the code that loads the parameters; together is the most rows processed
// at a time.
func begun(of element, vector string, together int) *matrix {
	m := &matrix{of: of, stride: load("stride"), count: load("count"), rows: load("rows"), x: load("x"), vector: load(vector)}
	for range together {
		m.at = append(m.at, register())
	}
	m.v, m.left = register(), register()
	emit("LSL $%d, %v, %[2]v", bits.Len(uint(of.bytes))-1, m.stride)
	return m
}

// columns is the columns of one step: 1, 2 or a multiple of 4.
type columns struct {
	*matrix
	n int
}

// vectors returns the number of registers that they take. One column takes the first
// lane of a register, with 0 in the second.
func (c columns) vectors() int { return (c.n + 1) / 2 }

// number writes loads of the vector's numbers.
func (c columns) number(into []vector) {
	switch c.n {
	case 1:
		emit("FMOVD (%v), %v", c.v, into[0])
	case 2:
		emit("FMOVQ (%v), %v", c.v, into[0])
	default:
		loads(c.v, 0, into)
	}
}

// store stores the vector's numbers.
func (c columns) store(from []vector) {
	switch c.n {
	case 1:
		emit("FMOVD %v, (%v)", from[0], c.v)
	case 2:
		emit("FMOVQ %v, (%v)", from[0], c.v)
	default:
		stores(c.v, 0, from)
	}
}

// sample writes loads from row r, converted to float64, and moves its position on.
func (c columns) sample(r int, into []vector) {
	at := c.at[r]
	switch {
	case c.of.bytes == 8 && c.n == 1:
		emit("FMOVD.P 8(%v), %v", at, into[0])
	case c.of.bytes == 8 && c.n == 2:
		emit("FMOVQ.P 16(%v), %v", at, into[0])
	case c.of.bytes == 8:
		loadsNext(at, into)
	case c.n == 1:
		emit("FMOVS.P 4(%v), %v", at, into[0])
		emit("FCVTSD %v, %[1]v", into[0])
	case c.n == 2:
		emit("FMOVD.P 8(%v), %v", at, into[0])
		widen(into[0], into[0])
	default:
		widened(at, into)
	}
}

// widened writes loads of a multiple of 4 float32, converted to float64, and moves at
// on. Each pair of registers is loaded into its second.
func widened(at general, into []vector) {
	if len(into) == 2 {
		emit("FMOVQ.P 16(%v), %v", at, into[1])
	}
	for i := 0; i+4 <= len(into); i += 4 {
		emit("FLDPQ.P 32(%v), (%v, %v)", at, into[i+1], into[i+3])
	}
	for i := 0; i < len(into); i += 2 {
		widen(into[i+1], into[i])
		widenRest(into[i+1], into[i+1])
	}
}

// columns writes the loops over the columns, for the first rows processed together, and
// calls do for their bodies: a loop for each number of steps, the largest first and 1
// last, as long as that many columns are left.
func (m *matrix) columns(name string, rows int, steps []int, do func(columns)) {
	emit("MOVD %v, %v", m.x, m.at[0])
	for r := 1; r < rows; r++ {
		emit("ADD %v, %v, %v", m.stride, m.at[r-1], m.at[r])
	}
	emit("MOVD %v, %v", m.vector, m.v)
	emit("MOVD %v, %v", m.count, m.left)
	for _, n := range steps {
		loop, end := fmt.Sprintf("%sby%d", name, n), fmt.Sprintf("%send%d", name, n)
		emit("SUBS $%d, %v, %[2]v", n, m.left)
		emit("BLT %s", end)
		label(loop)
		do(columns{m, n})
		emit("ADD $%d, %v", 8*n, m.v)
		emit("SUBS $%d, %v, %[2]v", n, m.left)
		emit("BGE %s", loop)
		label(end)
		if n > 1 {
			emit("ADD $%d, %v", n, m.left)
		}
	}
}

// each writes the loops over the rows, in groups of rowsTogether and then one by one;
// do writes their bodies.
func (m *matrix) each(do func(label string, rows int)) {
	emit("SUBS $%d, %v, %[2]v", rowsTogether, m.rows)
	emit("BLT few")
	label("many")
	do("many", rowsTogether)
	emit("ADD %v<<3, %v, %[2]v", m.stride, m.x)
	emit("SUBS $%d, %v, %[2]v", rowsTogether, m.rows)
	emit("BGE many")
	label("few")
	emit("ADDS $%d, %v, %[2]v", rowsTogether, m.rows)
	emit("BEQ all")
	label("one")
	do("one", 1)
	emit("ADD %v, %v, %[2]v", m.stride, m.x)
	next(m.rows, "one")
	label("all")
	emit("RET")
}

// products writes the function that computes the inner products of rows with a vector.
// The sums of eight rows take 16 registers, so that no addition waits for the one
// before.
func products(of element) {
	begin(fmt.Sprintf("products%sNEON(dst *float64, x *%s, stride, rows int, w *float64, count int)", of.bits, of.name))
	m := begun(of, "w", rowsTogether)
	dst := load("dst")
	m.each(func(label string, rows int) {
		if rows == 1 {
			emit("FMOVD.P %v, 8(%v)", m.product(label), dst)
			return
		}
		sums, w, x := zeros(2*rows), vectors(2), vectors(2)
		m.columns(label, rows, []int{4, 1}, func(c columns) {
			c.number(w[:c.vectors()])
			for r := range rows {
				c.sample(r, x[:c.vectors()])
				for u := range c.vectors() {
					double.fma(x[u], w[u], sums[2*r+u])
				}
			}
		})
		for r := range rows {
			double.add(sums[2*r+1], sums[2*r], sums[2*r])
		}
		for r := 0; r < rows; r += 2 {
			double.addPairs(sums[2*r+2], sums[2*r], sums[r])
		}
		storesNext(dst, []vector{sums[0], sums[2], sums[4], sums[6]})
		release(sums...)
		release(w...)
		release(x...)
	})
}

// product writes the code for the inner product of one row with the vector, and returns
// a register with it in the first lane.
func (m *matrix) product(label string) vector {
	sums, w, x := zeros(4), vectors(4), vectors(4)
	m.columns(label, 1, []int{8, 2, 1}, func(c columns) {
		c.number(w[:c.vectors()])
		c.sample(0, x[:c.vectors()])
		for u := range c.vectors() {
			double.fma(x[u], w[u], sums[u])
		}
	})
	double.add(sums[1], sums[0], sums[0])
	double.add(sums[3], sums[2], sums[2])
	double.add(sums[2], sums[0], sums[0])
	across(sums[0], sums[0])
	release(w...)
	release(x...)
	release(sums[1:]...)
	return sums[0]
}

// combine writes the function that adds multiples of rows to dst.
func combine(of element) {
	begin(fmt.Sprintf("combine%sNEON(dst *float64, x *%s, stride, rows int, c *float64, count int)", of.bits, of.name))
	m := begun(of, "dst", rowsTogether)
	c := load("c")
	m.each(func(label string, rows int) {
		cs := vectors(rows)
		for _, v := range cs {
			emit("VLD1R.P 8(%v), [%s]", c, v.as("D2"))
		}
		m.add(label, cs)
		release(cs...)
	})
}

// add writes the code that adds multiples of the rows processed together to the vector;
// the factors are in all lanes of registers.
func (m *matrix) add(label string, factors []vector) {
	sums, x := vectors(4), vectors(4)
	m.columns(label, len(factors), []int{8, 2, 1}, func(c columns) {
		c.number(sums[:c.vectors()])
		for r, factor := range factors {
			c.sample(r, x[:c.vectors()])
			for u := range c.vectors() {
				double.fma(x[u], factor, sums[u])
			}
		}
		c.store(sums[:c.vectors()])
	})
	release(sums...)
	release(x...)
}

// prefetch writes the function that loads bytes into the cache.
func prefetch() {
	begin("prefetch(x *byte, bytes int)")
	x, left := load("x"), load("bytes")
	label("line")
	emit("PRFM (%v), PLDL1KEEP", x)
	emit("ADD $64, %v", x)
	emit("SUBS $64, %v, %[1]v", left)
	emit("BGT line")
	emit("RET")
}
