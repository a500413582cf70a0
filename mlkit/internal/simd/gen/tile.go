package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A panel holds panelBytes for each feature: one number per sample.
const (
	panelBytes = 1 << panelShift
	panelShift = 8
)

// tile writes the function that computes the inner products of one or six samples x
// with all samples of a panel. It sums over the features in order, whatever the number
// of rows, so a product does not depend on which samples are processed together.
//
// If a tile has more sums than there are registers, the function computes it in parts:
// half of the samples of the panel by half of the rows.
func tile(s set, e element, rows int) {
	TEXT(fmt.Sprintf("tile%sx%d%s", e.bits, rows, s.name), NOSPLIT,
		fmt.Sprintf("func(dst, panel, x *%s, features *uint32, count int)", e.name))
	Pragma("noescape")
	p := part{set: s, element: e, rows: rows, height: rows, bytes: panelBytes}
	if rows > 1 && s.bytes < 64 {
		p.height, p.bytes = rows/2, panelBytes/2
	}
	p.dst = Load(Param("dst"), GP64())
	p.panel = Load(Param("panel"), GP64())
	p.x = Load(Param("x"), GP64())
	p.features = Load(Param("features"), GP64())
	p.count = Load(Param("count"), GP64())
	for ; p.row < rows; p.row += p.height {
		for p.column = 0; p.column < panelBytes; p.column += p.bytes {
			p.write()
		}
	}
	VZEROUPPER()
	RET()
}

// part is the part of a tile that begins at a row and a column (in bytes).
type part struct {
	set
	element
	rows                       int // number of rows of the tile
	row, height, column, bytes int

	dst, panel, x, features, count Register
}

func (p *part) write() {
	label := fmt.Sprintf("row%dcolumn%d", p.row, p.column)
	sums := make([][]VecVirtual, p.height)
	for r := range sums {
		for range p.bytes / p.set.bytes {
			sums[r] = append(sums[r], p.zero())
		}
	}
	at, feature, left, offset := GP64(), GP64(), GP64(), GP64()
	MOVQ(p.x, at)
	MOVQ(p.features, feature)
	MOVQ(p.count, left)
	Label(label)
	MOVL(Mem{Base: feature}, offset.As32())
	SHLQ(Imm(panelShift), offset)
	xs := make([]VecVirtual, p.height)
	for r := range xs {
		xs[r] = p.vector()
		p.broadcast(Mem{Base: at, Disp: (p.row + r) * p.element.bytes}, xs[r])
	}
	for c := range sums[0] {
		from := Mem{Base: p.panel, Index: offset, Scale: 1, Disp: p.column + c*p.set.bytes}
		if p.height == 1 {
			p.fma(from, xs[0], sums[0][c])
			continue
		}
		v := p.load(from)
		for r := range xs {
			p.fma(v, xs[r], sums[r][c])
		}
	}
	ADDQ(Imm(uint64(p.rows*p.element.bytes)), at)
	ADDQ(Imm(4), feature)
	DECQ(left)
	JNZ(LabelRef(label))
	for r, row := range sums {
		for c, sum := range row {
			VMOVUPS(sum, Mem{Base: p.dst, Disp: (p.row+r)*panelBytes + p.column + c*p.set.bytes})
		}
	}
}
