package simd

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"unsafe"

	"marginalia/mlkit/internal/testkit"
)

// unaligned returns n numbers that don't begin at a 64-byte boundary.
func unaligned[T Float](n int) []T {
	s := make([]T, n+16)
	from := 1
	for uintptr(unsafe.Pointer(&s[from]))%64 == 0 {
		from++
	}
	return s[from : from+n : from+n]
}

// exact returns Σ aᵢbᵢ and Σ |aᵢbᵢ|, computed with 200 bits.
func exact[T Float](a, b []T) (sum, size float64) {
	s, abs := new(big.Float).SetPrec(200), new(big.Float).SetPrec(200)
	for i := range a {
		p := new(big.Float).SetPrec(200).Mul(big.NewFloat(float64(a[i])), big.NewFloat(float64(b[i])))
		s.Add(s, p)
		abs.Add(abs, p.Abs(p))
	}
	sum, _ = s.Float64()
	size, _ = abs.Float64()
	return sum, size
}

// Each inner product is within n·u/(1-n·u)·Σ |xₖpₖ| of the exact one, where u is half
// an ulp of 1 (Nicholas Higham, "Accuracy and Stability of Numerical Algorithms", 2002,
// section 3.1), plus one denormal number per product that underflows.
func testTile[T Float](t *testing.T, u, tiny float64) {
	random := rand.New(rand.NewPCG(1, 2))
	w := Width[T]()
	for _, d := range lengths(t, 131) {
		for _, scale := range []float64{1, tiny * 8} {
			panel, x := unaligned[T](d*w), unaligned[T](d*Rows)
			for i := range panel {
				panel[i] = T(random.NormFloat64() * scale)
			}
			var features []uint32
			for k := range d {
				if random.IntN(4) > 0 {
					features = append(features, uint32(k))
				}
			}
			x = x[:len(features)*Rows]
			for i := range x {
				x[i] = T(random.NormFloat64())
			}
			six, one := unaligned[T](Rows*w), unaligned[T](w)
			Tile(six, panel, x, features, Rows)
			bound := float64(len(features)) * u / (1 - float64(len(features))*u)
			for r := range Rows {
				alone, column := unaligned[T](len(features)), make([]T, len(features))
				for k := range features {
					alone[k] = x[k*Rows+r]
				}
				Tile(one, panel, alone, features, 1)
				for _, i := range []int{0, random.IntN(w), random.IntN(w), w - 1} {
					for k, f := range features {
						column[k] = panel[int(f)*w+i]
					}
					want, size := exact(alone, column)
					got := six[r*w+i]
					if err := math.Abs(float64(got) - want); !(err <= bound*size+float64(len(features))*tiny) {
						t.Fatalf("%d features, row %d, sample %d: %v, want %v; off by %v of Σ|xp|", len(features), r, i, got, want, err/size)
					}
					if one[i] != got {
						t.Fatalf("%d features, row %d, sample %d: %v alone, %v of six", len(features), r, i, one[i], got)
					}
				}
			}
		}
	}
}

func TestTile(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		t.Run("float32", func(t *testing.T) { testTile[float32](t, 0x1p-24, math.SmallestNonzeroFloat32) })
		t.Run("float64", func(t *testing.T) { testTile[float64](t, 0x1p-53, math.SmallestNonzeroFloat64) })
	})
}

// Numbers in a sample that are not finite affect only its own sums: infinities,
// infinities that cancel, products that overflow.
func TestTileNotFinite(t *testing.T) {
	inf := float32(math.Inf(1))
	eachLevel(t, func(t *testing.T) {
		panel := make([]float32, 2*64)
		for i := range panel {
			panel[i] = 1
		}
		panel[3], panel[5], panel[64+5], panel[7], panel[63] = inf, inf, -inf, math.MaxFloat32, float32(math.NaN())
		dst := make([]float32, 64)
		Tile(dst, panel, []float32{2, 3}, []uint32{0, 1}, 1)
		for i, v := range dst {
			switch i {
			case 3, 7:
				if v != inf {
					t.Errorf("sample %d: %v, want +Inf", i, v)
				}
			case 5, 63:
				if v == v {
					t.Errorf("sample %d: %v, want NaN", i, v)
				}
			default:
				if v != 5 {
					t.Errorf("sample %d: %v, want 2+3", i, v)
				}
			}
		}
	})
}

func TestTileShort(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for name, call := range map[string]func(){
			"dst":   func() { Tile(make([]float32, 63), make([]float32, 128), []float32{1, 1}, []uint32{0, 1}, 1) },
			"panel": func() { Tile(make([]float32, 64), make([]float32, 127), []float32{1, 1}, []uint32{0, 1}, 1) },
			"x":     func() { Tile(make([]float32, 64), make([]float32, 128), []float32{1}, []uint32{0, 1}, 1) },
		} {
			testkit.Panics(t, name, call)
		}
	})
}
