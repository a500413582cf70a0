package marks

import (
	"math"
	"time"

	"marginalia/internal/course"
)

// Late is what course.toml says of late submissions of an assignment. It is a
// gradebook.LatePolicy.
type Late struct {
	course.Policy
	Grace time.Duration
}

// Penalty is the points that a notebook with this score loses. The grace is given first: a
// submission that is less late is in time, and the hours or days of a percentage count from
// its end, each one that has begun.
func (l Late) Penalty(_ string, score float64, late time.Duration) float64 {
	late -= l.Grace
	switch {
	case late <= 0 || score <= 0:
		return 0
	case l.Zero:
		return score
	case l.Percent == 0 || l.Every <= 0:
		return 0
	}
	begun := math.Ceil(float64(late) / float64(l.Every))
	return score * min(begun*l.Percent, l.Most) / 100
}
