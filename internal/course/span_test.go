package course

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/property"
)

func location(t must.TB, name string) *time.Location {
	return must.Get(time.LoadLocation(name)).Or(t)
}

// Summer time ends in Zurich on 25 October 2026 and begins on 29 March 2026. A week from 18:00
// ends at 18:00, whatever that is in hours; hours are those of a stopwatch.
func TestSpanIsOfTheCalendar(t *testing.T) {
	zone := location(t, "Europe/Zurich")
	for _, c := range []struct{ from, span, want string }{
		{"2026-10-20T18:00:00+02:00", "7d", "2026-10-27T18:00:00+01:00"},
		{"2026-10-20T16:00:00Z", "1w", "2026-10-27T18:00:00+01:00"}, // the same, as UTC
		{"2026-10-24T18:00:00+02:00", "24h", "2026-10-25T17:00:00+01:00"},
		{"2026-03-28T18:00:00+01:00", "1d", "2026-03-29T18:00:00+02:00"},
		{"2026-03-28T18:00:00+01:00", "1d30m", "2026-03-29T18:30:00+02:00"},
		{"2026-10-25T02:30:00+02:00", "15m", "2026-10-25T02:45:00+02:00"}, // the first of two 02:30
		{"2026-10-25T02:30:00+01:00", "15m", "2026-10-25T02:45:00+01:00"},
		{"2026-01-31T18:00:00+01:00", "28d", "2026-02-28T18:00:00+01:00"},
	} {
		from, _ := time.Parse(time.RFC3339, c.from)
		var s Span
		must.Do(t, s.UnmarshalText([]byte(c.span)))
		if got := s.After(from, zone).In(zone).Format(time.RFC3339); got != c.want {
			t.Errorf("%s after %s: %s, want %s", c.span, c.from, got, c.want)
		}
	}
}

// Policies as course.toml has them, with their points by hand.
func TestPenalty(t *testing.T) {
	zone := location(t, "Europe/Zurich")
	due := time.Date(2026, 6, 1, 18, 0, 0, 0, zone)
	autumn := time.Date(2026, 10, 24, 18, 0, 0, 0, zone) // the day after has 25 hours
	d, h := Span{Days: 1}, Span{Rest: time.Hour}
	percent := Policy{Percent: 10, Every: d, Most: 25}
	for i, c := range []struct {
		policy      Policy
		grace       Span
		due, at     time.Time
		score, want float64
	}{
		{Policy{}, Span{}, due, due.Add(day), 8, 0},
		{Policy{Zero: true}, Span{}, due, due.Add(1), 8, 8},
		{Policy{Zero: true}, Span{Rest: time.Minute}, due, due.Add(time.Minute), 8, 0},
		{Policy{Zero: true}, Span{Rest: time.Minute}, due, due.Add(time.Minute + 1), 8, 8},
		{percent, Span{}, due, due, 8, 0},
		{percent, Span{}, due, due.Add(1), 8, 0.8},
		{percent, Span{}, due, due.Add(day), 8, 0.8},
		{percent, Span{}, due, due.Add(day + 1), 8, 1.6},
		{percent, h, due, due.Add(day + time.Hour), 8, 0.8}, // the grace does not count as a day
		{percent, Span{}, due, due.Add(100 * day), 8, 2},    // 25 % at most
		{percent, Span{}, due, due.Add(100 * day), 0, 0},
		{Policy{Percent: 1, Every: h, Most: 100}, Span{}, due, due.Add(90 * time.Minute), 50, 1},
		{percent, Span{}, autumn, autumn.Add(25 * time.Hour), 8, 0.8}, // 18:00 of the next day
		{percent, Span{}, autumn, autumn.Add(25*time.Hour + 1), 8, 1.6},
		{percent, d, autumn, autumn.Add(25 * time.Hour), 8, 0},
		{Policy{Percent: 1, Every: h, Most: 100}, Span{}, autumn, autumn.Add(25 * time.Hour), 100, 25},
	} {
		got := Settings{Zone: zone, Late: c.policy, Grace: c.grace}.Penalty(c.score, c.due, c.at)
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("case %d: %v after %v costs %v of %v points, want %v", i, c.at, c.due, got, c.score, c.want)
		}
	}
}

// The number of spans that have begun is the least whose end is not before the time, in any
// zone and over any change of its clocks.
func TestBegun(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		zone := location(t, rapid.SampledFrom([]string{"UTC", "Europe/Zurich", "America/Sao_Paulo", "Pacific/Apia", "Australia/Lord_Howe"}).Draw(t, "zone"))
		s := Span{rapid.IntRange(0, 8).Draw(t, "days"), time.Duration(rapid.IntRange(1, 50).Draw(t, "hours")) * time.Hour}
		start := time.Unix(rapid.Int64Range(1.2e9, 2e9).Draw(t, "start"), 0)
		at := start.Add(time.Duration(rapid.Int64Range(1, 1e16).Draw(t, "late")))
		n := s.begun(start, at, zone)
		if s.times(n).After(start, zone).Before(at) || n > 1 && !s.times(n-1).After(start, zone).Before(at) {
			t.Fatalf("%v: %d spans of %v begun at %v", start, n, s, at)
		}
	})
}
