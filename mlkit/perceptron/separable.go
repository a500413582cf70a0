package perceptron

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"marginalia/mlkit"
	"marginalia/mlkit/internal/rows"
)

// impossible looks for a proof that no hyperplane separates the samples: numbers
// αᵢ ≥ 0, not all zero, with Σ αᵢyᵢ(xᵢ, c) = 0. It returns them with a sentence that
// states the proof, or nil. The scores are those of any hyperplane.
func (r *run) impossible(ended ending, c *cycle, scores []float64) (alpha []float64, reason string) {
	alpha = make([]float64, len(r.y))
	i, j := rows.Opposed(r.X, r.y, r.suspects(scores))
	if zero := r.zero(); zero >= 0 && (i < 0 || zero <= i) {
		alpha[zero] = 1
		return alpha, fmt.Sprintf("row %d of X is 0, which no hyperplane through the origin has on a side", zero)
	}
	if i >= 0 {
		alpha[i], alpha[j] = 1, 1
		return alpha, fmt.Sprintf("rows %d and %d of X are the same point with labels %+d and %+d", i, j, r.y[i], r.y[j])
	}
	if ended == inCycle && c.proves(r.Perceptron, r.X, r.y) {
		for i, count := range c.mistakes {
			alpha[i] = float64(count)
		}
		return alpha, fmt.Sprintf("%s, so no hyperplane has each of them on its own side", cancelling(c.mistakes))
	}
	return nil, ""
}

// suspects returns the rows whose score occurs with both labels. Equal rows have equal scores,
// so two opposed rows are suspects, and at least one of the two is on the wrong side.
func (r *run) suspects(scores []float64) (suspects []int) {
	key := math.Float64bits                          // finds NaN too
	labels := make(map[uint64]int, r.errors(scores)) // of the wrong rows with a score
	for i, s := range scores {
		if r.wrong(s, r.y[i]) {
			labels[key(s)] = r.y[i]
		}
	}
	const both = 0
	some := false
	for i, s := range scores {
		if label, ok := labels[key(s)]; ok && label != r.y[i] {
			labels[key(s)], some = both, true
		}
	}
	if !some {
		return nil
	}
	for i, s := range scores {
		if label, ok := labels[key(s)]; ok && label == both {
			suspects = append(suspects, i)
		}
	}
	return suspects
}

// zero returns the first row of X that is 0 and that no hyperplane through the origin has on
// its side, or -1. With a bias there is none.
func (r *run) zero() int {
	if r.Bias != mlkit.NoBias {
		return -1
	}
	for i, y := range r.y {
		if r.mistake(0, y) && !slices.ContainsFunc(r.X.RawRowView(i), notZero) {
			return i
		}
	}
	return -1
}

func notZero(v float64) bool { return v != 0 }

// cancelling describes the vanishing sum: its samples and how many times each occurs.
func cancelling(alpha []int) string {
	const most = 8
	var rows, times []string
	for i, a := range alpha {
		if a == 0 {
			continue
		}
		if len(rows) == most {
			rows, times = append(rows, "…"), append(times, "…")
			break
		}
		rows, times = append(rows, fmt.Sprint(i)), append(times, fmt.Sprint(a))
	}
	return fmt.Sprintf("Σ αᵢyᵢxᵢ = 0 with α = %s for rows %s of X", strings.Join(times, ", "), strings.Join(rows, ", "))
}
