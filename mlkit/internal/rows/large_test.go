package rows

import "testing"

// The numbers are 0 and can be written, whatever part of them lies in large pages.
func TestLarge(t *testing.T) {
	for _, n := range []int{0, 1, 1<<19 - 1, 1 << 19, 1<<19 + 1, 1<<21 + 3} {
		x, y := Large[float64](n), Large[float32](n)
		if len(x) != n || len(y) != n {
			t.Fatalf("lengths %d and %d, want %d", len(x), len(y), n)
		}
		for i := range n {
			if x[i] != 0 || y[i] != 0 {
				t.Fatalf("element %d of %d is %v and %v, want 0", i, n, x[i], y[i])
			}
			x[i], y[i] = 1, 1
		}
	}
}
