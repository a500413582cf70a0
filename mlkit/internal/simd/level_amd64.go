package simd

// best returns the best level that the processor has and the operating system keeps
// the registers of (Intel 64 and IA-32 Architectures Software Developer's Manual,
// volume 1, sections 14.3 and 15.2; volume 2, CPUID and XGETBV).
func best() level {
	const (
		fma, osxsave, avx         = 1 << 12, 1 << 27, 1 << 28                     // of leaf 1, ecx
		avx2Bit                   = 1 << 5                                        // of leaf 7, ebx
		f, dq, bw, vl             = 1 << 16, 1 << 17, 1 << 30, 1 << 31            // of leaf 7, ebx
		ymmState, zmmState        = 1<<1 | 1<<2, 1<<1 | 1<<2 | 1<<5 | 1<<6 | 1<<7 // of register XCR0
		leaf1, leaf7       uint32 = fma | osxsave | avx, f | dq | bw | vl
	)
	if highest, _, _, _ := cpuid(0, 0); highest < 7 {
		return scalar
	}
	if _, _, ecx, _ := cpuid(1, 0); ecx&leaf1 != leaf1 {
		return scalar
	}
	state, _ := xgetbv()
	_, ebx, _, _ := cpuid(7, 0)
	switch {
	case ebx&avx2Bit == 0 || state&ymmState != ymmState:
		return scalar
	case ebx&leaf7 != leaf7 || state&zmmState != zmmState:
		return avx2
	}
	return avx512
}
