//go:build !noasm

package simd

const (
	avx2   level = 1 // AVX2 with FMA: vectors of 32 bytes
	avx512 level = 2 // AVX-512 F, BW, DQ and VL: vectors of 64 bytes
)

var names = map[string]level{"off": scalar, "avx2": avx2, "avx512": avx512}

// Features of a processor: bits of CPUID leaf 1, register ecx, and of leaf 7, register
// ebx. Registers that the operating system saves: bits of XCR0.
const (
	hasFMA     = 1 << 12
	hasOSXSAVE = 1 << 27
	hasAVX     = 1 << 28

	hasAVX2   = 1 << 5
	hasAVX512 = 1<<16 | 1<<17 | 1<<30 | 1<<31 // F, DQ, BW, VL

	keepsAVX    = 1<<1 | 1<<2
	keepsAVX512 = keepsAVX | 1<<5 | 1<<6 | 1<<7
)

// best returns the highest level that the processor supports and whose registers the
// operating system saves (Intel 64 and IA-32 Architectures Software Developer's Manual,
// volume 1, sections 14.3 and 15.2; volume 2, CPUID and XGETBV).
func best() level {
	has := func(bits, wanted uint32) bool { return bits&wanted == wanted }
	if highest, _, _, _ := cpuid(0, 0); highest < 7 {
		return scalar
	}
	if _, _, ecx, _ := cpuid(1, 0); !has(ecx, hasFMA|hasOSXSAVE|hasAVX) {
		return scalar
	}
	_, ebx, _, _ := cpuid(7, 0)
	state, _ := xgetbv()
	switch {
	case !has(ebx, hasAVX2) || !has(state, keepsAVX):
		return scalar
	case !has(ebx, hasAVX512) || !has(state, keepsAVX512):
		return avx2
	}
	return avx512
}
