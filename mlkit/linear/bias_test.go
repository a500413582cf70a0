package linear

import "testing"

func TestBiasString(t *testing.T) {
	for b, want := range map[Bias]string{
		ExtendedByOne: "ExtendedByOne", ThroughOrigin: "ThroughOrigin", ExtendedByRadius: "ExtendedByRadius", 9: "Bias(9)",
	} {
		if got := b.String(); got != want {
			t.Errorf("%d is %q, want %q", int(b), got, want)
		}
	}
}
