//go:build unix

package guest_test

import (
	"slices"
	"syscall"
	"testing"

	"marginalia/internal/sandbox/guest"
	"marginalia/internal/sandbox/guest/testdata/arithmetic"
)

// What a student's code costs in the guest of a judge: processor time as a multiple of the native one, by
// medians of rounds in which each has its turn.
//
//	MARGINALIA_TEST=long go test ./internal/sandbox/guest -run '^$' -bench Arithmetic -benchtime 11x
func BenchmarkArithmetic(b *testing.B) {
	for _, c := range []struct {
		name string
		f    func() float64
	}{{"Loops", arithmetic.Loops}, {"Product", arithmetic.Product}, {"Map", arithmetic.Map}} {
		b.Run(c.name, func(b *testing.B) {
			want := c.f()
			times := map[string][]float64{}
			run := func(mode string, f func() (float64, error)) {
				start := cpu(b)
				got, err := f()
				times[mode] = append(times[mode], cpu(b)-start)
				if err != nil || got != want {
					b.Fatal(mode, got, want, err)
				}
			}
			compiled, interpreted := start(b, b.Context(), guest.Compiled), start(b, b.Context(), guest.Interpreted)
			for b.Loop() {
				run("native", func() (float64, error) { return c.f(), nil })
				for mode, in := range map[string]*guest.Instance{"compiled": compiled, "interpreted": interpreted} {
					run(mode, func() (got float64, err error) { err = in.End.Call(c.name, nil, []any{&got}); return })
				}
			}
			median := func(mode string) float64 {
				slices.Sort(times[mode])
				return times[mode][len(times[mode])/2]
			}
			b.ReportMetric(0, "ns/op") // of no meaning
			b.ReportMetric(1000*median("native"), "native-ms")
			for _, mode := range []string{"compiled", "interpreted"} {
				b.ReportMetric(median(mode)/median("native"), mode+"/native")
			}
		})
	}
}

// cpu returns the seconds of the processor that this process has taken.
func cpu(b *testing.B) float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
