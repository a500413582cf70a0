package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// units is the number of vectors that the loops below process at a time. Each has its
// own results, so that its comparisons don't wait for another's. The results of the
// lanes go to lanes: two arrays of 16 float64 and one of 16 int64.
const units = 2

// greater sets into[i] to from[i] in the lanes where a > b.
func (s set) greater(a, b VecVirtual, from, into []VecVirtual) {
	const orderedQuietly = 30 // GT_OQ
	if s.bytes == 64 {
		mask := K()
		VCMPPD(Imm(orderedQuietly), b, a, mask)
		for i := range from {
			VMOVAPD(from[i], mask, into[i])
		}
		return
	}
	mask := s.vector()
	VCMPPD(Imm(orderedQuietly), b, a, mask)
	for i := range from {
		VBLENDVPD(mask, from[i], into[i], into[i])
	}
}

// indices returns the indices of the samples in each unit, and their increment.
func (s set) indices() (index []VecVirtual, by VecVirtual) {
	lanes := s.bytes / 8
	numbers, ok := tables["indices"]
	if !ok {
		numbers = GLOBL("indices", RODATA|NOPTR)
		for i := range 16 {
			DATA(8*i, U64(uint64(i)))
		}
		tables["indices"] = numbers
	}
	for u := range units {
		index = append(index, s.load(numbers.Offset(u*s.bytes)))
	}
	return index, s.load(double.filled("indexStep"+s.name, uint64(lanes*units)))
}

// selection is shared by the loops over slices: they point to the ends of the slices
// and count a negative index up to 0.
type selection struct {
	set
	at Register // index of the first sample of the iteration, from -count to 0
}

// slices loads pointers to the named slices and moves them to the ends of the slices.
func (l *selection) slices(names []string, bytes []int) []Register {
	count := Load(Param("count"), GP64())
	pointers := make([]Register, len(names))
	for i, name := range names {
		pointers[i] = Load(Param(name), GP64())
		LEAQ(Mem{Base: pointers[i], Index: count, Scale: uint8(bytes[i])}, pointers[i])
	}
	NEGQ(count)
	l.at = count
	return pointers
}

// of returns the address of unit u of a slice whose elements have the given number of
// bytes.
func (l *selection) of(slice Register, bytes, u int) Mem {
	return Mem{Base: slice, Index: l.at, Scale: uint8(bytes), Disp: u * l.set.bytes / 8 * bytes}
}

// next ends an iteration of the loop.
func (l *selection) next(label string) {
	ADDQ(Imm(uint64(l.set.bytes/8*units)), l.at)
	JNZ(LabelRef(label))
}

// update writes the function that adds aKᵢ + bKⱼ to g and finds the largest g + up and
// the smallest g + low.
func update(s set) {
	TEXT("update"+s.name, NOSPLIT, "func(gradient *float64, up, low, ki, kj *float32, count int, a, b float64, lanes *float64)")
	Pragma("noescape")
	l := selection{set: s}
	p := l.slices([]string{"gradient", "up", "low", "ki", "kj"}, []int{8, 4, 4, 4, 4})
	g, up, low, ki, kj := p[0], p[1], p[2], p[3], p[4]
	a, b := s.parameter(double, "a"), s.parameter(double, "b")
	index, by := s.indices()
	most, least, found := make([]VecVirtual, units), make([]VecVirtual, units), make([]VecVirtual, units)
	for u := range units {
		most[u] = s.load(double.constant("minusInf", math.Inf(-1)))
		least[u] = s.load(double.constant("inf", math.Inf(1)))
		found[u] = s.zero()
	}
	Label("loop")
	for u := range units {
		v := s.load(l.of(g, 8, u))
		double.fma(s.widened(l.of(ki, 4, u)), a, v)
		double.fma(s.widened(l.of(kj, 4, u)), b, v)
		VMOVUPS(v, l.of(g, 8, u))
		w := s.widened(l.of(up, 4, u))
		double.add(v, w, w)
		s.greater(w, most[u], []VecVirtual{w, index[u]}, []VecVirtual{most[u], found[u]})
		w = s.widened(l.of(low, 4, u))
		double.add(v, w, w)
		double.min(w, least[u], least[u])
		double.addBits(by, index[u], index[u])
	}
	l.next("loop")
	s.store(most, least, found)
}

// partner writes the function that finds the largest b²/a with b = own - g - low and a
// = diagonal + ownDiagonal - 2K. It compares fractions without dividing: p/q > r/s if
// ps > rq.
func partner(s set) {
	TEXT("partner"+s.name, NOSPLIT, "func(gradient *float64, low, diagonal, k *float32, count int, own, ownDiagonal float64, lanes *float64)")
	Pragma("noescape")
	l := selection{set: s}
	p := l.slices([]string{"gradient", "low", "diagonal", "k"}, []int{8, 4, 4, 4})
	g, low, diagonal, k := p[0], p[1], p[2], p[3]
	own, ownDiagonal := s.parameter(double, "own"), s.parameter(double, "ownDiagonal")
	index, by := s.indices()
	above, below, found := make([]VecVirtual, units), make([]VecVirtual, units), make([]VecVirtual, units)
	for u := range units {
		above[u] = s.zero()
		below[u] = s.load(double.constant("one", 1))
		found[u] = s.zero()
	}
	Label("loop")
	for u := range units {
		b := s.widened(l.of(low, 4, u))
		double.add(l.of(g, 8, u), b, b)
		double.sub(b, own, b)
		double.max(b, s.zero(), b)
		double.mul(b, b, b)
		a := s.widened(l.of(diagonal, 4, u))
		double.add(ownDiagonal, a, a)
		double.fma(s.widened(l.of(k, 4, u)), s.load(double.constant("minusTwo", -2)), a)
		double.max(a, s.load(double.constant("tiny", 1e-12)), a)
		ours, theirs := s.vector(), s.vector()
		double.mul(b, below[u], ours)
		double.mul(a, above[u], theirs)
		s.greater(ours, theirs, []VecVirtual{b, a, index[u]}, []VecVirtual{above[u], below[u], found[u]})
		double.addBits(by, index[u], index[u])
	}
	l.next("loop")
	s.store(above, below, found)
}

// store writes the results to lanes and returns from the function.
func (s set) store(results ...[]VecVirtual) {
	lanes := Load(Param("lanes"), GP64())
	for i, result := range results {
		for u, v := range result {
			VMOVUPS(v, Mem{Base: lanes, Disp: i*16*8 + u*s.bytes})
		}
	}
	VZEROUPPER()
	RET()
}
