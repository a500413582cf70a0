package figures

import (
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"runtime"
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
	// With a folder to start in, os/exec looks at that, and go test would note its time of change.
	out, err := exec.Command("go", "-C", dir, "env", "-json", "GOARCH", "GOVERSION", "GOAMD64", "GOARM64").Output()
	var env struct{ GOARCH, GOVERSION, GOAMD64, GOARM64 string }
	if err == nil {
		err = json.Unmarshal(out, &env)
	}
	if err != nil {
		return "", fmt.Errorf("figures: go env: %w", err)
	}
	arch := strings.TrimSpace(env.GOARCH + " " + env.GOAMD64 + env.GOARM64) // of the levels one at most is set
	release, _, _ := strings.Cut(env.GOVERSION, " ")                        // experiments follow
	return arch + ", " + version.Lang(release) + ", " + instructions(os.Getenv("MARGINALIA_SIMD")), nil
}

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
	if runtime.GOARCH == "arm64" {
		has = append(has, "neon")
	}
	if slices.Contains(has, asked) {
		return asked
	}
	return has[len(has)-1]
}
