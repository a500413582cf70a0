package figures

import (
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// What decides the last digits is in it, and what does not is left out: a patch
// of Go would make every recorded figure one of another machine.
func TestMachine(t *testing.T) {
	kind, err := machine(".")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^\w+( v[\d.]+\S*)?, go\d+\.\d+, (off|avx2|avx512|neon)$`).MatchString(kind) || !strings.HasPrefix(kind, runtime.GOARCH) {
		t.Errorf("machine %q: want architecture and level, Go without its patch, instructions", kind)
	}
	t.Setenv("MARGINALIA_SIMD", "off")
	if kind, err := machine("."); err != nil || !strings.HasSuffix(kind, ", off") {
		t.Errorf("with MARGINALIA_SIMD=off: %q, %v", kind, err)
	}
	// As mlkit's internal/simd has it: nothing it does not know, and no more than there is.
	if best := instructions(""); instructions("avx1024") != best || instructions("off") != "off" {
		t.Errorf("asked for avx1024 it is %s, for off %s; want %s and off", instructions("avx1024"), instructions("off"), best)
	}
}
