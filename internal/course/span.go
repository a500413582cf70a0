package course

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// A Span is a time such as "1w", "2d12h" or "15m". Days and weeks are those of the calendar:
// two days after 18:00 it is 18:00, also where summer time ends in between. Hours, minutes and
// seconds are what a stopwatch shows.
type Span struct {
	Days int
	Rest time.Duration // beyond the days
}

var (
	spans  = regexp.MustCompile(`^([0-9]{1,4}[wdhms])+$`)
	pieces = regexp.MustCompile(`([0-9]+)([wdhms])`)
	units  = map[string]Span{"w": {Days: 7}, "d": {Days: 1}, "h": {Rest: time.Hour}, "m": {Rest: time.Minute}, "s": {Rest: time.Second}}
)

// UnmarshalText reads a span of course.toml.
func (s *Span) UnmarshalText(b []byte) error {
	if !spans.Match(b) {
		return fmt.Errorf("%q: want a duration such as 15m, 36h, 2d or 1w", b)
	}
	*s = Span{}
	for _, p := range pieces.FindAllStringSubmatch(string(b), -1) {
		n, _ := strconv.Atoi(p[1]) // at most four digits
		if *s = s.plus(units[p[2]].times(n)); s.about() > 520*7*day {
			return fmt.Errorf("%q: more than ten years", b)
		}
	}
	return nil
}

const day = 24 * time.Hour

func (s Span) plus(t Span) Span { return Span{s.Days + t.Days, s.Rest + t.Rest} }
func (s Span) times(n int) Span { return Span{n * s.Days, time.Duration(n) * s.Rest} }

// about is the span where each day has 24 hours.
func (s Span) about() time.Duration { return time.Duration(s.Days)*day + s.Rest }

// After returns when the span that begins at t is over, by the calendar of the zone.
func (s Span) After(t time.Time, zone *time.Location) time.Time {
	if s.Days != 0 { // a date may have an hour twice: AddDate could take the other one
		t = t.In(zone).AddDate(0, 0, s.Days)
	}
	return t.Add(s.Rest)
}

// begun returns how many spans after start have begun at a later time.
func (s Span) begun(start, at time.Time, zone *time.Location) int {
	n := max(1, int(at.Sub(start)/s.about())-1) // a day of the calendar is an hour longer or shorter, once
	for s.times(n).After(start, zone).Before(at) {
		n++
	}
	return n
}

// A clock is a limit of the processor's time. It is read as a span, and its days have 24 hours.
type clock time.Duration

func (c *clock) UnmarshalText(b []byte) error {
	var s Span
	err := s.UnmarshalText(b)
	*c = clock(s.about())
	return err
}
