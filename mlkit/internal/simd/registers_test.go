package simd

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// A kernel for AVX2 has 16 vector registers and VEX instructions. The assembler takes
// the registers 16 to 31 too, and encodes instructions with them for AVX-512, so that a
// processor without it ends the program (Intel 64 and IA-32 Architectures Software
// Developer's Manual, volume 1, section 15.1.2). The tests of the kernels can't see that
// on a processor with AVX-512.
func TestAVX2Registers(t *testing.T) {
	source := testkit.Try(os.ReadFile("zkernels_amd64.s")).Or(t)
	foreign := regexp.MustCompile(`\b(Z[0-9]+|K[0-7]|[XY](1[6-9]|2[0-9]|3[01]))\b`)
	kernels := 0
	for _, part := range strings.Split(string(source), "\n// func ")[1:] {
		name, _, _ := strings.Cut(part, "(")
		if !strings.HasSuffix(name, "AVX2") {
			continue
		}
		kernels++
		kernel, _, _ := strings.Cut(part, "\n\tRET\n")
		if found := foreign.FindString(kernel); found != "" {
			t.Errorf("%s has the register %s, which AVX2 lacks", name, found)
		}
		if strings.Contains(kernel, "AVX512") {
			t.Errorf("%s requires AVX-512", name)
		}
	}
	if kernels == 0 {
		t.Error("no kernel for AVX2 found")
	}
}
