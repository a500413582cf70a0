// Package moment reads the times that other programs write: nbgrader and its zip_collect,
// Moodle, Canvas, Blackboard and Gradescope. A time that could mean two moments is an error.
package moment

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The forms, with Go's names of their parts:
//
//	2006-01-02 15:04:05.999999 MST   nbgrader's timestamp.txt and exchange (Exchange.timestamp_format);
//	                                 zip_collect writes it without a zone, and means UTC
//	2006-01-02 15:04:05 -0700        Gradescope, and Python with a zone; also T, Z, -07:00, a comma
//	2006-01-02-15-04-05              Blackboard's names of files
//	20060102150405000                Sakai's timestamp.txt, in UTC, with milliseconds
//	Monday, 2 January 2006, 3:04 PM  Moodle's worksheet, in Moodle's languages; Blackboard's .txt,
//	                                 as Monday, January 2, 2006 3:04:05 PM MST
var (
	numbers = regexp.MustCompile(`^(\d{4})-(\d\d?)-(\d\d?)(?:[T ]\s*|-)(\d\d?)[:-](\d\d)(?:[:-](\d\d)(?:[.,](\d{1,9}))?)?(?:\s*(\S.*))?$`)
	digits  = regexp.MustCompile(`^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})$`)
	clock   = regexp.MustCompile(`(?i)\b(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s*([ap])\.?\s?m\b\.?)?(?:\s*o'clock\b)?`)
	years   = regexp.MustCompile(`\b\d{4}\b`)
	days    = regexp.MustCompile(`\b\d{1,2}\b`)
	letters = regexp.MustCompile(`[\p{L}\p{M}]+`)
	offset  = regexp.MustCompile(`^(?:UTC|GMT)?([+-])(\d\d?)(?::?(\d\d))?(?::?(\d\d))?$`)
)

// Parse returns the moment that a text names. One without a zone is in the zone bare; an
// abbreviation means what it does in the course's zone.
func Parse(text string, bare, course *time.Location) (time.Time, error) {
	if len(text) > 100 {
		return time.Time{}, errors.New("not a date and time: more than 100 letters")
	}
	t, err := parse(strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")), bare, course) // Windows' editor begins files so
	switch {
	case err != nil:
		return time.Time{}, fmt.Errorf("%q: %w; write it as 2026-11-30 23:59:00 UTC, or with an offset such as +01:00", text, err)
	case t.Year() <= 1970 || t.Year() >= 3000:
		return time.Time{}, fmt.Errorf("%q: the year %d", text, t.Year())
	}
	return t.UTC(), nil
}

func parse(text string, bare, course *time.Location) (t time.Time, err error) {
	if m := digits.FindStringSubmatch(text); m != nil {
		text = fmt.Sprintf("%s-%s-%s %s:%s:%s.%s", m[1], m[2], m[3], m[4], m[5], m[6], m[7])
	}
	if m := numbers.FindStringSubmatch(text); m != nil {
		var part [7]int
		for i := range part {
			number := m[i+1]
			if i == 6 {
				number = (number + "000000000")[:9]
			}
			part[i], _ = strconv.Atoi(number) // "" is 0
		}
		return date(part, m[8], bare, course)
	}
	return written(text, bare, course)
}

// written reads a date with the name of its month.
func written(text string, bare, course *time.Location) (t time.Time, err error) {
	at := clock.FindStringSubmatchIndex(text)
	if at == nil {
		return t, errors.New("not a date and time in a known form")
	}
	m := clock.FindStringSubmatch(text)
	before, zone := text[:at[0]], strings.TrimSpace(text[at[1]:])
	year, day, month := years.FindString(before), days.FindString(before), 0
	for _, word := range letters.FindAllString(before, -1) {
		if month == 0 {
			month = monthOf(word)
		}
	}
	hour, _ := strconv.Atoi(m[1])
	if m[4] != "" {
		if hour < 1 || hour > 12 {
			return t, fmt.Errorf("%d o'clock of twelve", hour)
		}
		hour %= 12
		if strings.EqualFold(m[4], "p") {
			hour += 12
		}
	}
	if month == 0 || year == "" || day == "" {
		return t, errors.New("not a date with a day, a year and the name of a month")
	}
	part := [7]int{1: month, 3: hour}
	for i, number := range map[int]string{0: year, 2: day, 4: m[2], 5: m[3]} {
		part[i], _ = strconv.Atoi(number)
	}
	return date(part, zone, bare, course)
}

// date makes a time of year, month, day, hour, minute, second and nanosecond.
func date(part [7]int, zone string, bare, course *time.Location) (t time.Time, err error) {
	in := func(l *time.Location) time.Time {
		return time.Date(part[0], time.Month(part[1]), part[2], part[3], part[4], part[5], part[6], l)
	}
	if u := in(time.UTC); int(u.Month()) != part[1] || u.Day() != part[2] || u.Hour() != part[3] || u.Minute() != part[4] || u.Second() != part[5] {
		return t, errors.New("no such date or time")
	}
	name := strings.ToUpper(zone)
	if m := offset.FindStringSubmatch(name); m != nil {
		var seconds int
		for i, unit := range []int{3600, 60, 1} {
			n, _ := strconv.Atoi(m[i+2])
			seconds += n * unit
		}
		if m[1] == "-" {
			seconds = -seconds
		}
		return in(time.FixedZone(zone, seconds)), nil
	}
	switch {
	case zone == "":
		return in(bare), nil
	case strings.Contains(zone, "/"):
		named, err := time.LoadLocation(zone)
		if err != nil {
			return t, fmt.Errorf("no zone %q", zone)
		}
		return in(named), nil
	}
	if seconds, found := abbreviated(name, in(time.UTC), course); found {
		return in(time.FixedZone(name, seconds)), nil
	}
	return t, fmt.Errorf("%q does not name a single time zone", zone)
}

// certain are abbreviations that mean the same everywhere, in hours. EST, CST, IST and the
// like mean several.
var certain = map[string]int{"Z": 0, "UTC": 0, "GMT": 0, "UT": 0, "WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3}

// abbreviated returns the offset of a zone's abbreviation, in seconds: the one that the
// course's zone has in that year, or the one that all have.
func abbreviated(name string, at time.Time, course *time.Location) (seconds int, found bool) {
	for month := range 12 { // each of the year's offsets holds on the first of some month
		own, seconds := time.Date(at.Year(), time.Month(month+1), 1, 0, 0, 0, 0, time.UTC).In(course).Zone()
		if strings.ToUpper(own) == name {
			return seconds, true
		}
	}
	hours, found := certain[name]
	return hours * 3600, found
}

// monthOf returns the number of a month by its name, 0 if it is none.
func monthOf(word string) int {
	word = strings.ToLower(word)
	for _, names := range months {
		if i := slices.Index(names, word); i >= 0 {
			return i + 1
		}
	}
	return 0
}

// months are the names that strftime's %B has in some of Moodle's languages.
var months = [][]string{
	strings.Fields("january february march april may june july august september october november december"),
	strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec"),
	strings.Fields("januar februar märz april mai juni juli august september oktober november dezember"),
	strings.Fields("jänner feber maerz - - - - - sept - - -"),
	strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
	strings.Fields("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
	strings.Fields("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
	strings.Fields("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
	strings.Fields("januari februari maart april mei juni juli augustus september oktober november december"),
	strings.Fields("januari februari mars april maj juni juli augusti september oktober november december"),
	strings.Fields("januar februar marts april maj juni juli august september oktober november december"),
	strings.Fields("stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"),
	strings.Fields("ledna února března dubna května června července srpna září října listopadu prosince"),
}
