package feature

import "math"

// nearestBorder returns the floating-point number nearest to low + k·(high − low)/bins, of two the
// upper one.
func nearestBorder(low, high float64, k, bins int) float64 {
	n, i := float64(bins), float64(k)
	t := i / n
	e := low*(1-t) + high*t
	// Newton's method: near 0, e is off by many of its last bits at first.
	for range 64 {
		off := exactSum([]float64{n, i - n, -i}, []float64{e, low, high}) / n
		if off == 0 || e-off == e {
			break
		}
		e -= off
	}
	e = math.Max(low, math.Min(high, e))
	// aboveMiddle has the sign of the middle between two numbers less the border.
	aboveMiddle := func(a, b float64) float64 {
		return exactSum([]float64{n, n, 2 * (i - n), -2 * i}, []float64{a, b, low, high})
	}
	for next := math.Nextafter(e, high); e < high && aboveMiddle(e, next) <= 0; next = math.Nextafter(e, high) {
		e = next
	}
	for below := math.Nextafter(e, low); e > low && aboveMiddle(below, e) > 0; below = math.Nextafter(e, low) {
		e = below
	}
	return e
}

// exactSum returns Σ kᵢ·vᵢ for integers kᵢ, rounded in the end: it is 0 only if the sum is, and
// has its sign.
//
// A product is the sum of two numbers (T. J. Dekker, A floating-point technique for extending the
// available precision, 1971). The sum of all these is kept as numbers that do not overlap
// (J. R. Shewchuk, Adaptive precision floating-point arithmetic, 1997), the largest last.
func exactSum(k, v []float64) float64 {
	unit := 1.0
	for _, x := range v {
		if math.Abs(x) > 0x1p900 {
			unit = 0x1p-100 // the products must not overflow
		}
	}
	parts := make([]float64, 0, 8)
	for i, x := range v {
		y := x * unit
		if y == 0 && x != 0 { // beside the others only its sign matters
			y = math.Copysign(math.SmallestNonzeroFloat64, x)
		}
		product := k[i] * y
		for _, sum := range [2]float64{math.FMA(k[i], y, -product), product} {
			kept := parts[:0]
			for _, part := range parts {
				whole := sum + part
				added := whole - sum
				rest := (sum - (whole - added)) + (part - added)
				if sum = whole; rest != 0 {
					kept = append(kept, rest)
				}
			}
			if parts = kept; sum != 0 {
				parts = append(parts, sum)
			}
		}
	}
	if len(parts) == 0 {
		return 0
	}
	return parts[len(parts)-1] / unit
}
