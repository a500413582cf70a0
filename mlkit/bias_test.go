package mlkit_test

import (
	"testing"

	"marginalia/mlkit"
)

func TestBiasString(t *testing.T) {
	for b, want := range map[mlkit.Bias]string{
		mlkit.FreeBias: "FreeBias", mlkit.NoBias: "NoBias", mlkit.PenalisedBias: "PenalisedBias", mlkit.RadiusBias: "RadiusBias", 9: "Bias(9)",
	} {
		if got := b.String(); got != want {
			t.Errorf("%d is %q, want %q", int(b), got, want)
		}
	}
}
