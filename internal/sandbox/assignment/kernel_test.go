package assignment_test

import (
	"runtime"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// Where %test on the kernel says something else of the solutions than the grader, release tells. In the grader the sum is
// 0; gonum's assembly adds four numbers at a time, and has 5.6e-17.
func TestOnKernel(t *testing.T) {
	tier.Long(t)
	parts := []part{{"answer", "dot", "func Dot(x, y []float64) float64 { return floats.Dot(x, y) }"},
		{"tests", "dot-test", "%test\nfunc TestDot(t *testing.T) {\n\tt.Run(\"zero\", func(t *testing.T) {\n\t\tif got := Dot([]float64{0.1, -0.6, 0.3, 0.2}, []float64{1, 1, 1, 1}); got != 0 {\n\t\t\tt.Errorf(\"%g, want 0\", got)\n\t\t}\n\t})\n}\n\nfunc TestSmall(t *testing.T) {\n\tif Dot(nil, nil) != 0 {\n\t\tt.Error()\n\t}\n}"}}
	all := must.Get(read(t, parts).OnKernel(t.Context(), "")).Or(t)
	if runtime.GOARCH != "amd64" { // gonum has assembly there alone
		return
	}
	if len(all) != 1 || !strings.HasPrefix(all[0].String(), "cell dot-test: TestDot passes in the grader, and fails on the kernel") || !strings.HasSuffix(all[0].Text, ": 5.551115123125783e-17, want 0") {
		t.Errorf("%v", all)
	}
}
