package figures

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/sys/cpu"
)

// machine returns what decides the last digits of what cells compute, for cells
// built by the go command in dir: "amd64 v1, go1.26, avx512". That is the
// architecture with its level, since compilers fuse multiply and add where an
// instruction does both; the version of Go, less its patches, since package math
// and the compiler come with it; and the instructions of mlkit, whose sums run in
// another order on wider registers. The operating system decides nothing.
func machine(dir string) (string, error) {
	cmd := exec.Command("go", "env", "GOARCH", "GOVERSION", "GOAMD64", "GOARM64")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("figures: go env: %w", err)
	}
	lines := strings.Split(string(out), "\n")
	if len(lines) < 4 {
		return "", fmt.Errorf("figures: go env: %q: want four lines", out)
	}
	arch := strings.Join(strings.Fields(lines[0]+" "+lines[2]+" "+lines[3]), " ")
	return arch + ", " + release.FindString(lines[1]) + ", " + instructions(os.Getenv("MARGINALIA_SIMD")), nil
}

// release is a version of Go without its patch.
var release = regexp.MustCompile(`^go\d+\.\d+`)

// instructions names the set that mlkit works with, as its internal/simd chooses
// it: the best one of the processor, or what MARGINALIA_SIMD asks for if that is
// less. This package may not import mlkit to ask.
func instructions(asked string) string {
	x := cpu.X86
	has := []string{"off"}
	if x.HasAVX2 && x.HasFMA {
		has = append(has, "avx2")
		if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL {
			has = append(has, "avx512")
		}
	}
	if slices.Contains(has, asked) {
		return asked
	}
	return has[len(has)-1]
}
