package simd

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"marginalia/mlkit/internal/testkit"
)

// Each instruction of the NEON kernels that is written as its encoding is the one in
// its comment. The disassembler of Go reads the encoding: its tables come from ARM's
// manual, and gen doesn't use them.
func TestNEONEncodings(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the tools of Go run on the machine that compiles")
	}
	source := testkit.Try(os.ReadFile("zkernels_arm64.s")).Or(t)
	root := testkit.Try(exec.Command("go", "env", "GOROOT").Output()).Or(t)
	object := filepath.Join(t.TempDir(), "kernels.o")
	assemble := exec.Command("go", "tool", "asm", "-p", "simd", "-I", filepath.Join(strings.TrimSpace(string(root)), "pkg", "include"), "-o", object, "zkernels_arm64.s")
	assemble.Env = append(os.Environ(), "GOARCH=arm64")
	if out, err := assemble.CombinedOutput(); err != nil {
		t.Fatalf("go tool asm: %v\n%s", err, out)
	}
	listing := testkit.Try(exec.Command("go", "tool", "objdump", "-gnu", object).Output()).Or(t)
	decoded := map[int]string{}
	for _, m := range regexp.MustCompile(`zkernels_arm64\.s:(\d+)\s.*// (.*)`).FindAllStringSubmatch(string(listing), -1) {
		line := testkit.Try(strconv.Atoi(m[1])).Or(t)
		decoded[line] = strings.TrimSpace(m[2])
	}
	words := 0
	for i, line := range strings.Split(string(source), "\n") {
		if !strings.HasPrefix(line, "\tWORD\t") {
			continue
		}
		words++
		if _, want, _ := strings.Cut(line, "// "); decoded[i+1] != want {
			t.Errorf("line %d: %s is %q", i+1, line, decoded[i+1])
		}
	}
	if words < 100 {
		t.Errorf("%d encodings found: the test tests little", words)
	}
}
