package simd

// lanes holds the sums of each lane of the assembly's vectors. It has room for two of the
// widest vectors.
type lanes struct {
	x, y [16]float64
}

// Hinge returns Σ Cᵢδᵢ max(0, ξᵢ - tδᵢ), and Σ Cᵢδᵢ² over the i with ξᵢ - tδᵢ > 0, for
// slacks ξ, changes δ and bounds C. These are -½ times the first derivative and ½ times
// the second derivative in t of Σ Cᵢ max(0, ξᵢ - tδᵢ)². Hinge panics if slack or bound
// is shorter than change.
func Hinge(slack, change, bound []float64, t float64) (first, second float64) {
	n := len(change)
	slack, bound = slack[:n], bound[:n]
	var l lanes
	done, width := hingeAssembly(slack, change, bound, t, &l)
	for i := range width {
		first += l.x[i]
		second += l.y[i]
	}
	for i := done; i < n; i++ {
		if ξ := slack[i] - t*change[i]; ξ > 0 {
			first += bound[i] * change[i] * ξ
			second += bound[i] * change[i] * change[i]
		}
	}
	return first, second
}
