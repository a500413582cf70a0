package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// greater sets into[i] to from[i] in the lanes where a > b, numbers of the type e.
func (s set) greater(e element, a, b VecVirtual, from, into []VecVirtual) {
	const orderedQuietly = 30 // GT_OQ
	if s.bytes == 64 {
		mask := K()
		e.compare(Imm(orderedQuietly), b, a, mask)
		for i := range from {
			e.move(from[i], mask, into[i])
		}
		return
	}
	mask := s.vector()
	e.compare(Imm(orderedQuietly), b, a, mask)
	for i := range from {
		e.blend(mask, from[i], into[i], into[i])
	}
}

// joined returns a register with the numbers of two registers of float64, converted to
// float32.
func (s set) joined(low, high VecVirtual) VecVirtual {
	if s.bytes == 64 {
		v, rest := ZMM(), YMM()
		VCVTPD2PS(low, v.AsY())
		VCVTPD2PS(high, rest)
		VINSERTF64X4(Imm(1), rest, v, v)
		return v
	}
	v, rest := YMM(), XMM()
	VCVTPD2PSY(low, v.AsX())
	VCVTPD2PSY(high, rest)
	VINSERTF128(Imm(1), rest, v, v)
	return v
}

// indices returns the indices of the samples of an iteration, and their increment.
func (s set) indices() (index, by VecVirtual) {
	numbers, ok := tables["indices"]
	if !ok {
		numbers = GLOBL("indices", RODATA|NOPTR)
		for i := range 16 {
			DATA(4*i, U32(uint32(i)))
		}
		tables["indices"] = numbers
	}
	return s.load(numbers), s.load(single.filled("indexStep"+s.name, uint64(s.bytes/4)))
}

// units is the number of vectors of float64 that the loops over slices process at a time. The
// passes of SMO process the same numbers as one vector of float32.
const units = 2

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

// update writes the function that adds aKᵢ + bKⱼ to g and finds, in float32, the largest
// g - middle + up and the smallest g - middle + low. The results of the lanes go to lanes:
// two arrays of 16 float32 and one of 16 int32.
func update(s set) {
	TEXT("update"+s.name, NOSPLIT, "func(gradient *float64, up, low, ki, kj *float32, count int, a, b, middle float64, lanes *float32)")
	Pragma("noescape")
	l := selection{set: s}
	p := l.slices([]string{"gradient", "up", "low", "ki", "kj"}, []int{8, 4, 4, 4, 4})
	g, up, low, ki, kj := p[0], p[1], p[2], p[3], p[4]
	a, b, middle := s.parameter(double, "a"), s.parameter(double, "b"), s.parameter(double, "middle")
	index, by := s.indices()
	most, least, found := s.load(single.constant("minusInf", math.Inf(-1))), s.load(single.constant("inf", math.Inf(1))), s.zero()
	Label("loop")
	var halves [units]VecVirtual
	for u := range halves {
		v := s.load(l.of(g, 8, u))
		double.fma(s.widened(l.of(ki, 4, u)), a, v)
		double.fma(s.widened(l.of(kj, 4, u)), b, v)
		VMOVUPS(v, l.of(g, 8, u))
		double.sub(middle, v, v)
		halves[u] = v
	}
	v := s.joined(halves[0], halves[1])
	w := s.vector()
	single.add(l.of(up, 4, 0), v, w)
	s.greater(single, w, most, []VecVirtual{w, index}, []VecVirtual{most, found})
	single.add(l.of(low, 4, 0), v, v)
	single.min(least, v, least) // not NaN, of -Inf and +Inf
	single.addBits(by, index, index)
	l.next("loop")
	s.store(single, []VecVirtual{most}, []VecVirtual{least}, []VecVirtual{found})
}

// partner writes the function that finds, in float32, the largest b²/a with
// b = own - g - low and a = diagonal + ownDiagonal - 2K. Its results go to lanes as those
// of update, without the second array.
func partner(s set) {
	TEXT("partner"+s.name, NOSPLIT, "func(gradient *float64, low, diagonal, k *float32, count int, own float64, ownDiagonal float32, lanes *float32)")
	Pragma("noescape")
	l := selection{set: s}
	p := l.slices([]string{"gradient", "low", "diagonal", "k"}, []int{8, 4, 4, 4})
	g, low, diagonal, k := p[0], p[1], p[2], p[3]
	own, ownDiagonal := s.parameter(double, "own"), s.parameter(single, "ownDiagonal")
	two, tiny, nought := s.load(single.constant("two", 2)), s.load(single.constant("tiny", 1e-12)), s.zero()
	index, by := s.indices()
	most, found := s.zero(), s.zero()
	Label("loop")
	var halves [units]VecVirtual
	for u := range halves {
		halves[u] = s.vector()
		double.sub(l.of(g, 8, u), own, halves[u])
	}
	b := s.joined(halves[0], halves[1])
	single.sub(l.of(low, 4, 0), b, b)
	single.max(b, nought, b)
	single.mul(b, b, b)
	a := s.vector()
	single.add(l.of(diagonal, 4, 0), ownDiagonal, a)
	single.fnma(l.of(k, 4, 0), two, a)
	single.max(a, tiny, a)
	single.div(a, b, b)
	s.greater(single, b, most, []VecVirtual{b, index}, []VecVirtual{most, found})
	single.addBits(by, index, index)
	l.next("loop")
	s.store(single, []VecVirtual{most}, nil, []VecVirtual{found})
}

// store writes the results, numbers of the type e, to lanes and returns from the function.
func (s set) store(e element, results ...[]VecVirtual) {
	lanes := Load(Param("lanes"), GP64())
	for i, result := range results {
		for u, v := range result {
			VMOVUPS(v, Mem{Base: lanes, Disp: i*16*e.bytes + u*s.bytes})
		}
	}
	VZEROUPPER()
	RET()
}
