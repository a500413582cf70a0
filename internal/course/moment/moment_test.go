package moment

import (
	"strings"
	"testing"
	"time"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// The forms of each program, in a course of Berlin's. "" is an error.
func TestParse(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	for text, want := range map[string]string{
		"20261122100000123": "2026-11-22T09:00:00.123Z", // Sakai
		"20261322100000123": "",
		// nbgrader
		"2026-11-22 10:00:00.123456 UTC":                             "2026-11-22T10:00:00.123456Z",
		"\ufeff2026-11-22 10:00:00 UTC\r\n":                          "2026-11-22T10:00:00Z",
		"2026-11-22 10:00:00 UTC\n":                                  "2026-11-22T10:00:00Z",
		"2026-11-22 10:00:00 Europe/Berlin":                          "2026-11-22T09:00:00Z",
		"2026-07-22 10:00:00 Europe/Berlin":                          "2026-07-22T08:00:00Z",
		"2026-11-22 10:00:00 Etc/GMT+2":                              "2026-11-22T12:00:00Z", // POSIX's sign
		"2026-11-22 10:00:00.5 CET":                                  "2026-11-22T09:00:00.5Z",
		"2026-07-22 10:00:00 CEST":                                   "2026-07-22T08:00:00Z",
		"2026-07-22 10:00:00 CET":                                    "2026-07-22T09:00:00Z", // as it says
		"2026-11-22 10:00:00 EET":                                    "2026-11-22T08:00:00Z",
		"2026-11-22 10:00:00 UTC+02:00":                              "2026-11-22T08:00:00Z", // Python's name of an offset
		"2026-11-22 10:00:00+02:00":                                  "2026-11-22T08:00:00Z",
		"2026-11-22 10:00:00.000001 +02:00":                          "2026-11-22T08:00:00.000001Z",
		"2026-11-22 10:00:00 -0800":                                  "2026-11-22T18:00:00Z",
		"2026-11-22 10:00:00 -03":                                    "2026-11-22T13:00:00Z", // %Z of America/Sao_Paulo
		"2026-11-22 10:00:00":                                        "2026-11-22T09:00:00Z", // in the bare zone
		"2026-11-22 10:00":                                           "2026-11-22T09:00:00Z",
		"2026-11-22T10:00:00Z":                                       "2026-11-22T10:00:00Z",
		"2026-11-22T10:00:00.25+01:00":                               "2026-11-22T09:00:00.25Z",
		"2026-11-22T10:00:00,25":                                     "2026-11-22T09:00:00.25Z",
		"2026-11-22 10:00:00.123456789 Z":                            "2026-11-22T10:00:00.123456789Z", // Gradescope
		"2026-11-22-10-00-00":                                        "2026-11-22T09:00:00Z",           // Blackboard
		"Sunday, 22 November 2026, 10:05 PM":                         "2026-11-22T21:05:00Z",           // Moodle
		"Sunday, 22 November 2026, 12:05 AM":                         "2026-11-21T23:05:00Z",
		"Sunday, 22 November 2026, 12:05 PM":                         "2026-11-22T11:05:00Z",
		"Sunday, 22 November 2026, 22:05":                            "2026-11-22T21:05:00Z",
		"Sonntag, 22. November 2026, 22:05":                          "2026-11-22T21:05:00Z",
		"Sonntag, 1. März 2026, 9:05":                                "2026-03-01T08:05:00Z",
		"dimanche 22 août 2026, 22:05":                               "2026-08-22T20:05:00Z",
		"domingo, 22 de marzo de 2026, 22:05":                        "2026-03-22T21:05:00Z",
		"Sunday, November 22, 2026 10:05:06 AM EST":                  "", // whose?
		"Sunday, November 22, 2026 10:05:06 AM CET":                  "2026-11-22T09:05:06Z",
		"Sunday, 22 November 2026 10:05:06 o'clock CET":              "2026-11-22T09:05:06Z",
		"2026-11-22 10:00:00 EST":                                    "",
		"2026-11-22 10:00:00 PST":                                    "",
		"2026-11-22 10:00:00 BST":                                    "",
		"2026-13-22 10:00:00":                                        "",
		"2026-02-30 10:00:00 UTC":                                    "",
		"2026-11-22 24:00:00":                                        "",
		"2026-11-22 10:00:00 in the morning":                         "",
		"":                                                           "",
		"-":                                                          "",
		"1":                                                          "",
		"10:00":                                                      "",
		"Sunday, 22 Nonember 2026, 10:05 PM":                         "",
		"Sunday, 22 November 2026, 13:05 PM":                         "",
		"11/12/2026 10:00":                                           "", // whose order?
		"2026-11-22 10:00:00 ../../../etc/passwd":                    "",
		"9999-11-22 10:00:00 UTC":                                    "",
		"0001-01-01 00:00:00 UTC":                                    "",
		"2026-11-22 10:00:00 UTC" + strings.Repeat(" ", 100) + "UTC": "",
	} {
		got, err := Parse(text, berlin, berlin)
		if (err == nil) != (want != "") || err == nil && got.Format(time.RFC3339Nano) != want {
			t.Errorf("%q: %v, %v; want %q", text, got, err, want)
		}
	}
}

// An abbreviation means what it does in the course's zone, and is never taken for UTC.
func TestAbbreviations(t *testing.T) {
	for _, c := range []struct{ zone, text, want string }{
		{"America/New_York", "2026-11-22 10:00:00 EST", "2026-11-22T15:00:00Z"},
		{"America/New_York", "2026-07-22 10:00:00 EDT", "2026-07-22T14:00:00Z"},
		{"America/Chicago", "2026-11-22 10:00:00 CST", "2026-11-22T16:00:00Z"},
		{"Asia/Shanghai", "2026-11-22 10:00:00 CST", "2026-11-22T02:00:00Z"},
		{"Asia/Kolkata", "2026-11-22 10:00:00 IST", "2026-11-22T04:30:00Z"},
		{"Europe/London", "2026-07-22 10:00:00 BST", "2026-07-22T09:00:00Z"},
		{"UTC", "2026-11-22 10:00:00 CET", "2026-11-22T09:00:00Z"},
		{"UTC", "2026-11-22 10:00:00 EST", ""},
		{"America/Los_Angeles", "2026-11-22 10:00:00 EST", ""},
		{"Europe/London", "2026-07-22 10:00:00 LMT", ""}, // of the year 1847
	} {
		got, err := Parse(c.text, time.UTC, zone(t, c.zone))
		if (err == nil) != (c.want != "") || err == nil && got.Format(time.RFC3339Nano) != c.want {
			t.Errorf("%s, %q: %v, %v; want %q", c.zone, c.text, got, err, c.want)
		}
		if err != nil && !strings.Contains(err.Error(), "write it as 2026-11-30 23:59:00 UTC") {
			t.Errorf("%v does not say what to write", err)
		}
	}
}

// What nbgrader and Python print of a time is read back as that time, in any zone.
func FuzzParse(f *testing.F) {
	f.Add("2026-11-22 10:00:00.123456 UTC", int64(1.7e9))
	f.Add("Sunday, 22 November 2026, 10:05 PM", int64(0))
	f.Fuzz(func(t *testing.T, text string, seconds int64) {
		if at, err := Parse(text, time.UTC, time.UTC); err == nil && (at.Year() <= 1969 || at.Year() > 3000) {
			t.Errorf("%q: %v", text, at)
		}
		at := time.Unix(1e8+(seconds%(1<<34)+1<<34)%(1<<34), 0)
		for _, layout := range []string{"2006-01-02 15:04:05.000000 MST", "2006-01-02T15:04:05-07:00", "Monday, 2 January 2006, 3:04:05 PM MST"} {
			zurich := zone(t, "Europe/Zurich")
			if got, err := Parse(at.In(zurich).Format(layout), time.UTC, zurich); err != nil || !got.Equal(at) {
				t.Errorf("%s: %v, %v, want %v", at.In(zurich).Format(layout), got, err, at.UTC())
			}
		}
	})
}
