package course

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// Settings are what course.toml says of one assignment: its own table, and the
// course's where that says nothing.
type Settings struct {
	// Imports are the packages that answers may import: paths, and paths that end in
	// /... for all that is below.
	Imports []string

	// Public are texts of solutions and hidden tests that may stand in the release.
	Public []string

	TimeFactor float64 // a test may take this many times as long as it takes with the solution
	Memory     int64   // bytes

	// Outputs says whether the cells of submissions are run for what they print and draw. Cell and
	// Notebook are what one of them, and all of a notebook, may take of the processor.
	Outputs        bool
	Cell, Notebook time.Duration

	HandIn string // address to which the pages of course release send notebooks; "": students download them

	Zone       *time.Location           // days begin and end by its calendar
	Due        time.Time                // zero if there is no due date
	Grace      Span                     // so much later is in time
	Extensions map[string]time.Duration // by student, beyond Due
	Late       Policy
}

// A Policy is what a late submission loses. The zero value is nothing.
type Policy struct {
	Zero    bool    // it gets no points at all
	Percent float64 // of its points, for each Every that has begun
	Every   Span    // an hour, a day or a week
	Most    float64 // Percent in all at most
}

var policy = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)% per (hour|day|week)(?:, at most ([0-9]+(?:\.[0-9]+)?)%)?$`)

// UnmarshalText reads "none", "zero", "10% per day" or "10% per day, at most 50%".
func (p *Policy) UnmarshalText(b []byte) error {
	*p = Policy{}
	m := policy.FindStringSubmatch(string(b))
	switch {
	case string(b) == "none":
		return nil
	case string(b) == "zero":
		p.Zero = true
		return nil
	case m != nil:
		p.Percent, _ = strconv.ParseFloat(m[1], 64)
		p.Every, p.Most = units[m[2][:1]], 100
		if m[3] != "" {
			p.Most, _ = strconv.ParseFloat(m[3], 64)
		}
		if p.Percent <= 100 && p.Most <= 100 {
			return nil
		}
	}
	return fmt.Errorf(`policy %q: want "none", "zero", or a percentage such as "10%% per day" or "5%% per hour, at most 50%%"`, b)
}

// Settings returns those of an assignment, whether course.toml has a table for it or not.
func (c *Course) Settings(name string) Settings {
	s, _ := c.settings(name) // Open has looked for errors
	return s
}

func (c *Course) settings(name string) (Settings, error) {
	all, own := c.config, c.config.Assignment[name]
	s := Settings{
		Imports:    slices.Concat(all.Imports, own.Imports),
		Public:     own.Public,
		TimeFactor: *first(own.Limits.Time, all.Limits.Time),
		Memory:     int64(*first(own.Limits.Memory, all.Limits.Memory)),
		Outputs:    *first(own.Outputs, all.Outputs),
		Cell:       time.Duration(*first(own.Limits.Cell, all.Limits.Cell)),
		Notebook:   time.Duration(*first(own.Limits.Notebook, all.Limits.Notebook)),
		HandIn:     *first(own.HandIn, &all.HandIn),
		Zone:       c.Zone(),
		Grace:      *first(own.Late.Grace, all.Late.Grace),
		Late:       *first(own.Late.Policy, all.Late.Policy),
		Extensions: map[string]time.Duration{},
	}
	if err := CheckAssignment(name); err != nil {
		return s, fmt.Errorf(": %w", err)
	}
	if !(s.TimeFactor >= 1 && s.TimeFactor <= 1e6) {
		return s, fmt.Errorf(".limits.time: %v, want a number from 1 on", s.TimeFactor)
	}
	if s.Cell <= 0 || s.Notebook < s.Cell {
		return s, fmt.Errorf(".limits: cell %v, notebook %v, want more than 0, and for the notebook as much as for a cell (outputs = false runs none)", s.Cell, s.Notebook)
	}
	if err := checkHandIn(s.HandIn); err != nil {
		return s, fmt.Errorf(".hand_in: %w", err)
	}
	var err error
	if own.Due != nil {
		if s.Due, err = c.moment(own.Due); err != nil {
			return s, fmt.Errorf(".due: %w", err)
		}
	}
	for _, student := range slices.Sorted(maps.Keys(own.Extensions)) {
		v, at := own.Extensions[student], fmt.Errorf(".extensions.%q", student)
		if err := CheckStudent(student); err != nil {
			return s, fmt.Errorf("%w: %w", at, err)
		}
		if s.Due.IsZero() {
			return s, fmt.Errorf("%w: the assignment has no due date to extend", at)
		}
		var due time.Time
		if text, ok := v.(string); ok {
			var by Span
			err = by.UnmarshalText([]byte(text))
			due = by.After(s.Due, s.Zone)
		} else if due, err = c.moment(v); err == nil && due.Before(s.Due) {
			err = fmt.Errorf("%v is before the due date, %v", due, s.Due)
		} else if err != nil {
			err = fmt.Errorf(`%w, or a duration such as "36h", "2d" or "1w"`, err)
		}
		if err != nil {
			return s, fmt.Errorf("%w: %w", at, err)
		}
		s.Extensions[student] = due.Sub(s.Due)
	}
	return s, nil
}

// moment returns a date of TOML as a point in time: one without an offset is in the
// course's zone.
func (c *Course) moment(v any) (time.Time, error) {
	switch v := v.(type) {
	case toml.LocalDateTime:
		t := v.AsTime(c.config.Zone.Location)
		if t.Hour() != v.Hour || t.Minute() != v.Minute { // Go takes another hour in its place
			return t, fmt.Errorf("%v does not exist in %v, where summer time begins: want another hour, or an offset such as %v", v, c.config.Zone.Location, t.Format(time.RFC3339))
		}
		return t, nil
	case time.Time:
		return v, nil
	}
	return time.Time{}, fmt.Errorf("%v: want a date and a time without quotes, such as 2026-11-30T23:59:00", v)
}

func first[T any](own, all *T) *T {
	if own != nil {
		return own
	}
	return all
}

// InTime returns until when a student's submission is in time: due date, extension and
// grace; zero if it always is.
func (s Settings) InTime(student string) time.Time {
	if s.Due.IsZero() {
		return s.Due
	}
	return s.Grace.After(s.Due.Add(s.Extensions[student]), s.Zone)
}

// Penalty is what a notebook with this score loses that came after it was due. The grace is
// given first: the hours or days of a percentage count from its end, each one that has begun.
func (s Settings) Penalty(score float64, due, submitted time.Time) float64 {
	end := s.Grace.After(due, s.Zone)
	switch {
	case !submitted.After(end) || score <= 0:
		return 0
	case s.Late.Zero:
		return score
	case s.Late.Percent == 0:
		return 0
	}
	begun := s.Late.Every.begun(end, submitted, s.Zone)
	return score * min(float64(begun)*s.Late.Percent, s.Late.Most) / 100
}

// MayImport reports whether answers may import the package. Any may import what %%time and %%bench amount to.
func (s Settings) MayImport(path string) bool {
	return path == "marginalia/timing" || slices.ContainsFunc(s.Imports, func(allowed string) bool {
		root, below := strings.CutSuffix(allowed, "/...")
		return path == root || below && strings.HasPrefix(path, root+"/")
	})
}

// checkHandIn says what is wrong with an address for notebooks. A path that ends in / would have the policy of the pages
// admit all addresses below it.
func checkHandIn(address string) error {
	at, err := url.Parse(address)
	if address == "" {
		return nil
	}
	if err != nil || at.Scheme != "https" && at.Scheme != "http" || at.Hostname() == "" || at.User != nil || strings.ContainsAny(at.Host, ";,*' ") || at.Fragment != "" {
		return fmt.Errorf("%q: want an address such as https://example.org/hand-in", address)
	}
	if at.Path == "" || strings.HasSuffix(at.Path, "/") {
		return fmt.Errorf("%q: want a path behind the host that does not end in /, such as https://example.org/hand-in", address)
	}
	return nil
}
