package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rowsTogether is the number of rows that products and combine process at a time,
// limited by the registers.
const rowsTogether = 8

// matrix is shared by products, combine and descend. They run along the columns of a
// matrix, whose rows start stride bytes apart, and of a vector of float64 as long as a
// row.
type matrix struct {
	set
	of              element  // type of the elements of the rows
	stride, stride3 Register // in bytes, and three times that
	count           Register // columns
	rows            Register // rows left

	x, vector Register    // first of the rows processed together; the vector
	at        [2]Register // position in rows 0 and 4 of them
	v         Register    // position in the vector
	left      Register    // columns
	mask      Op          // mask of the columns left that don't fill a register
	narrow    Op          // the same for elements of a row, if they need another
}

// matrix writes the code that loads the parameters.
func (s set) matrix(of element, vector string) *matrix {
	m := &matrix{set: s, of: of, stride3: GP64(), at: [2]Register{GP64(), GP64()}, v: GP64(), left: GP64()}
	m.x, m.vector = Load(Param("x"), GP64()), Load(Param(vector), GP64())
	m.stride, m.count, m.rows = Load(Param("stride"), GP64()), Load(Param("count"), GP64()), Load(Param("rows"), GP64())
	SHLQ(Imm(uint64(bits.Len(uint(of.bytes))-1)), m.stride)
	LEAQ(Mem{Base: m.stride, Index: m.stride, Scale: 2}, m.stride3)

	// The table has -1 in eight places, then 0 in eight. The mask of the last k columns
	// begins k places before the middle.
	table, ok := tables["columns"]
	if !ok {
		table = GLOBL("columns", RODATA|NOPTR)
		for lane := range 16 {
			ones := ^uint64(0)
			if lane >= 8 {
				ones = 0
			}
			DATA(8*lane, U64(ones))
		}
		tables["columns"] = table
	}
	last, from, lanes := GP64(), GP64(), s.vector()
	MOVQ(m.count, last)
	ANDQ(Imm(uint64(s.bytes/8-1)), last)
	NEGQ(last)
	LEAQ(table.Offset(64), from)
	VMOVUPS(Mem{Base: from, Index: last, Scale: 8}, lanes)
	if m.mask = lanes; s.bytes == 64 {
		k := K()
		VPMOVQ2M(lanes, k)
		m.mask = k
	}
	if m.narrow = m.mask; s.bytes == 32 && of.bytes == 4 {
		high := XMM()
		VEXTRACTF128(Imm(1), lanes, high)
		VSHUFPS(Imm(0x88), high, lanes.AsX(), high) // the low half of each lane
		m.narrow = high
	}
	return m
}

// step returns the number of bytes that the given number of vectors takes in a row.
func (m *matrix) step(vectors int) int { return vectors * m.set.bytes * m.of.bytes / 8 }

// row returns the address, in row r of those processed together, that lies the given
// number of vectors after the current column.
func (m *matrix) row(r, vectors int) Mem {
	address := Mem{Base: m.at[r/4], Disp: m.step(vectors)}
	switch r % 4 {
	case 1:
		address.Index, address.Scale = m.stride, 1
	case 2:
		address.Index, address.Scale = m.stride, 2
	case 3:
		address.Index, address.Scale = m.stride3, 1
	}
	return address
}

// columns is the current columns: some vectors of them, or the part of a vector at the
// end.
type columns struct {
	*matrix
	vectors int
	part    bool
}

// number returns a register with vector u of the current columns, from the vector.
func (c columns) number(u int) VecVirtual {
	return c.doubles(Mem{Base: c.v, Disp: u * c.set.bytes})
}

// doubles returns a register loaded from the float64 at address, masked at the end of
// the columns.
func (c columns) doubles(address Mem) VecVirtual {
	if !c.part {
		return c.load(address)
	}
	v := c.set.vector()
	if c.set.bytes == 64 {
		VMOVUPD_Z(address, c.mask, v)
	} else {
		VMASKMOVPD(address, c.mask, v)
	}
	return v
}

// sample returns a register with vector u of the current columns, from row r, in
// float64.
func (c columns) sample(r, u int) VecVirtual {
	address := c.row(r, u)
	if c.of.bytes == 8 {
		return c.doubles(address)
	}
	if !c.part {
		return c.widened(address)
	}
	v := c.set.vector()
	if c.set.bytes == 64 {
		VCVTPS2PD_Z(address, c.narrow, v)
	} else {
		some := XMM()
		VMASKMOVPS(address, c.narrow, some)
		VCVTPS2PD(some, v)
	}
	return v
}

// store stores v in the vector at the current columns.
func (c columns) store(v VecVirtual) {
	address := Mem{Base: c.v}
	switch {
	case !c.part:
		VMOVUPS(v, address)
	case c.set.bytes == 64:
		VMOVUPD(v, c.mask, address)
	default:
		VMASKMOVPD(v, c.mask, address)
	}
}

// columns writes the loops over the columns and calls do for their bodies: one of wide
// vectors, as long as that many are left, one of one vector, and one masked step for
// the rest.
func (m *matrix) columns(label string, wide int, do func(columns)) {
	lanes := m.set.bytes / 8
	MOVQ(m.x, m.at[0])
	LEAQ(Mem{Base: m.x, Index: m.stride, Scale: 4}, m.at[1])
	MOVQ(m.vector, m.v)
	MOVQ(m.count, m.left)
	steps := []int{1}
	if wide > 1 {
		steps = []int{wide, 1}
	}
	for k, vectors := range steps {
		loop, end := label+"loop"+string(rune('0'+k)), label+"end"+string(rune('0'+k))
		CMPQ(m.left, Imm(uint64(lanes*vectors)))
		JLT(LabelRef(end))
		Label(loop)
		do(columns{m, vectors, false})
		for _, p := range m.at {
			ADDQ(U32(uint32(m.step(vectors))), p)
		}
		ADDQ(U32(uint32(vectors*m.set.bytes)), m.v)
		SUBQ(Imm(uint64(lanes*vectors)), m.left)
		CMPQ(m.left, Imm(uint64(lanes*vectors)))
		JGE(LabelRef(loop))
		Label(end)
	}
	TESTQ(m.left, m.left)
	JZ(LabelRef(label + "done"))
	do(columns{m, 1, true})
	Label(label + "done")
}

// each writes the loops over the rows, in groups of rowsTogether and then one by one;
// do writes their bodies.
func (m *matrix) each(do func(label string, rows int)) {
	CMPQ(m.rows, Imm(rowsTogether))
	JLT(LabelRef("few"))
	Label("many")
	do("many", rowsTogether)
	LEAQ(Mem{Base: m.x, Index: m.stride, Scale: 8}, m.x)
	SUBQ(Imm(rowsTogether), m.rows)
	CMPQ(m.rows, Imm(rowsTogether))
	JGE(LabelRef("many"))
	Label("few")
	TESTQ(m.rows, m.rows)
	JZ(LabelRef("all"))
	Label("one")
	do("one", 1)
	ADDQ(m.stride, m.x)
	DECQ(m.rows)
	JNZ(LabelRef("one"))
	Label("all")
	VZEROUPPER()
	RET()
}

// products writes the function that computes the inner products of rows with a vector.
func products(s set, of element) {
	TEXT("products"+of.bits+s.name, NOSPLIT, "func(dst *float64, x *"+of.name+", stride, rows int, w *float64, count int)")
	Pragma("noescape")
	m := s.matrix(of, "w")
	dst := Load(Param("dst"), GP64())
	m.each(func(label string, rows int) {
		wide := 1
		if rows == 1 {
			wide = 4 // four sums, so that no addition waits for the one before
		}
		sums := make([]VecVirtual, max(rows, wide))
		for i := range sums {
			sums[i] = s.zero()
		}
		m.columns(label, wide, func(c columns) {
			for u := range c.vectors {
				w := c.number(u)
				for r := range rows {
					double.fma(c.sample(r, u), w, sums[r+u])
				}
			}
		})
		if rows == 1 {
			double.add(sums[1], sums[0], sums[0])
			double.add(sums[3], sums[2], sums[2])
			double.add(sums[2], sums[0], sums[0])
			VMOVSD(s.across(sums[0]).AsX(), Mem{Base: dst})
			ADDQ(Imm(8), dst)
			return
		}
		for four := 0; four < rows; four += 4 {
			VMOVUPS(s.across(sums[four:four+4]...), Mem{Base: dst, Disp: 8 * four})
		}
		ADDQ(Imm(uint64(8*rows)), dst)
	})
}

// across returns a register with the sums over the lanes of one or four registers.
func (s set) across(sums ...VecVirtual) VecVirtual {
	halves := make([]VecVirtual, len(sums))
	for i, v := range sums {
		if halves[i] = v; s.bytes == 64 {
			half := YMM()
			VEXTRACTF64X4(Imm(1), v, half)
			VADDPD(half, v.AsY(), half)
			halves[i] = half
		}
	}
	if len(halves) == 1 {
		high := XMM()
		VEXTRACTF128(Imm(1), halves[0], high)
		VADDPD(high, halves[0].AsX(), high)
		VHADDPD(high, high, high)
		return high
	}
	first, second, low := YMM(), YMM(), YMM()
	VHADDPD(halves[1], halves[0], first)
	VHADDPD(halves[3], halves[2], second)
	VPERM2F128(Imm(0x20), second, first, low)
	VPERM2F128(Imm(0x31), second, first, second)
	VADDPD(low, second, low)
	return low
}

// combine writes the function that adds multiples of rows to dst.
func combine(s set, of element) {
	TEXT("combine"+of.bits+s.name, NOSPLIT, "func(dst *float64, x *"+of.name+", stride, rows int, c *float64, count int)")
	Pragma("noescape")
	m := s.matrix(of, "dst")
	c := Load(Param("c"), GP64())
	m.each(func(label string, rows int) {
		cs := make([]VecVirtual, rows)
		for r := range cs {
			cs[r] = s.vector()
			double.broadcast(Mem{Base: c, Disp: 8 * r}, cs[r])
		}
		m.columns(label, 1, func(c columns) {
			sum := c.number(0)
			for r := range cs {
				double.fma(c.sample(r, 0), cs[r], sum)
			}
			c.store(sum)
		})
		ADDQ(Imm(uint64(8*rows)), c)
	})
}

// prefetch writes the function that loads bytes into the cache.
func prefetch() {
	TEXT("prefetch", NOSPLIT, "func(x *byte, bytes int)")
	Pragma("noescape")
	x, left := Load(Param("x"), GP64()), Load(Param("bytes"), GP64())
	Label("line")
	PREFETCHT0(Mem{Base: x})
	ADDQ(Imm(64), x)
	SUBQ(Imm(64), left)
	JG(LabelRef("line"))
	RET()
}
