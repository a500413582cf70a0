package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// panelBytes are the bytes of one feature of all samples of a panel.
const (
	panelBytes = 1 << panelShift
	panelShift = 8
)

// tile is the inner products of one or six samples x with all samples of a panel. Each
// product is one sum over the features in their order, whatever the number of rows, so
// it does not depend on which samples are taken together.
//
// Where a tile needs more sums than there are registers it is done in parts: half
// of the samples of the panel, half of the rows.
func tile(s set, e element, rows int) {
	TEXT(fmt.Sprintf("tile%sx%d%s", e.bits, rows, s.name), NOSPLIT,
		fmt.Sprintf("func(dst, panel, x *%s, features *uint32, count int)", e.name))
	Pragma("noescape")
	height, bytes := rows, panelBytes
	if rows > 1 && s.bytes < 64 {
		height, bytes = rows/2, panelBytes/2
	}
	dst := Load(Param("dst"), GP64())
	panel := Load(Param("panel"), GP64())
	x := Load(Param("x"), GP64())
	features := Load(Param("features"), GP64())
	count := Load(Param("count"), GP64())
	for row := 0; row < rows; row += height {
		for column := 0; column < panelBytes; column += bytes {
			part(s, e, part0{rows, height, row, column, bytes}, dst, panel, x, features, count)
		}
	}
	VZEROUPPER()
	RET()
}

// part0 says which part of a tile.
type part0 struct{ rows, height, row, column, bytes int }

func part(s set, e element, p part0, dst, panel, x, features, count Register) {
	label := fmt.Sprintf("row%dcolumn%d", p.row, p.column)
	var sums [][]VecVirtual
	for range p.height {
		var row []VecVirtual
		for range p.bytes / s.bytes {
			row = append(row, s.zero())
		}
		sums = append(sums, row)
	}
	at, feature, left, offset := GP64(), GP64(), GP64(), GP64()
	MOVQ(x, at)
	MOVQ(features, feature)
	MOVQ(count, left)
	TESTQ(left, left)
	JZ(LabelRef(label + "done"))
	Label(label + "loop")
	MOVL(Mem{Base: feature}, offset.As32())
	SHLQ(Imm(panelShift), offset)
	xs := make([]VecVirtual, p.height)
	for r := range xs {
		xs[r] = s.vector()
		e.broadcast(Mem{Base: at, Disp: (p.row + r) * e.bytes}, xs[r])
	}
	for c := range sums[0] {
		from := Mem{Base: panel, Index: offset, Scale: 1, Disp: p.column + c*s.bytes}
		if p.height == 1 {
			e.fma(from, xs[0], sums[0][c])
			continue
		}
		v := s.vector()
		VMOVUPS(from, v)
		for r := range xs {
			e.fma(v, xs[r], sums[r][c])
		}
	}
	ADDQ(Imm(uint64(p.rows*e.bytes)), at)
	ADDQ(Imm(4), feature)
	DECQ(left)
	JNZ(LabelRef(label + "loop"))
	Label(label + "done")
	for r, row := range sums {
		for c, sum := range row {
			VMOVUPS(sum, Mem{Base: dst, Disp: (p.row+r)*panelBytes + p.column + c*s.bytes})
		}
	}
}
