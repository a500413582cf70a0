package collect

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Who hands in the same files again has handed them in the first time; files with others in
// between count from the last time, so nobody goes back to an earlier attempt when the due
// date is over.
func TestSameFilesAgain(t *testing.T) {
	type attempt struct{ when, text string }
	for name, c := range map[string]struct {
		attempts []attempt
		want     string // the time of the one that counts, on days of November 2026
	}{
		"the same, late":         {[]attempt{{"20 10:00:00", "a"}, {"22 10:00:00", "a"}}, "20 10:00:00"},
		"three times":            {[]attempt{{"20 10:00:00", "a"}, {"21 10:00:00", "a"}, {"22 10:00:00", "a"}}, "20 10:00:00"},
		"another, then the same": {[]attempt{{"19 10:00:00", "b"}, {"20 10:00:00", "a"}, {"22 10:00:00", "a"}}, "20 10:00:00"},
		"back to an earlier one": {[]attempt{{"19 10:00:00", "a"}, {"20 10:00:00", "b"}, {"22 10:00:00", "a"}}, "22 10:00:00"},
	} {
		t.Run(name, func(t *testing.T) {
			course := newCourse(t)
			for range 2 { // and again what was collected
				for _, a := range c.attempts {
					in := t.TempDir()
					files, dir := attemptOf(a.when, a.text)
					files["inbound/"+dir+"/timestamp.txt"] = "2026-11-" + a.when + ".000000 UTC" // as nbgrader submit adds it
					write(t, in, files)
					collect(t, course, Options{Inputs: []string{in}})
				}
				if got := record(t, course, "ada").Timestamp.Format("02 15:04:05"); got != c.want {
					t.Errorf("counts: that of %s, want %s", got, c.want)
				}
			}
		})
	}
}

// The clock that said when earlier attempts came may have been ahead: what is collected now is
// newer all the same.
func TestClockGoesBack(t *testing.T) {
	course := newCourse(t)
	now := noon.AddDate(4, 0, 0)
	for _, text := range []string{"first", "second", "third"} {
		in := t.TempDir()
		write(t, in, map[string]string{"ada/ps1.ipynb": right(text)})
		collect(t, course, Options{Inputs: []string{in}, Now: func() time.Time { return now }})
		if got := tree(t, course)["submitted/ada/ps1/ps1.ipynb"]; got != right(text) {
			t.Errorf("collected at %v, the %s attempt does not count", now, text)
		}
		now = noon
	}
}

// A time that can't be read is said, and what it belongs to is not taken: it would be in time.
// The others are.
func TestTimesThatCannotBeRead(t *testing.T) {
	course, in := newCourse(t), t.TempDir()
	write(t, course, map[string]string{"submitted/eve/ps1/ps1.ipynb": right("by hand"), "submitted/eve/ps1/timestamp.txt": "yesterday"})
	write(t, in, map[string]string{
		"ada/ps1/ps1.ipynb": right("ada"), "ada/ps1/timestamp.txt": "2026-11-21 12:00:00 EST",
		"ben/ps1/ps1.ipynb": right("ben"), "ben/ps1/timestamp.txt": "2026-11-21 12:00:00+02:00",
		"cid/ps1/ps1.ipynb": right("cid"), "cid/ps1/timestamp.txt": "2026-11-21 12:00:00", // as zip_collect writes it
	})
	exchange := t.TempDir()
	write(t, exchange, map[string]string{
		"inbound/dan+ps1+2026-11-21 10:00:00 EST+MTIz/ps1.ipynb": right("dan"),
		"inbound/eve+ps1+2026-11-21 10:00:00 UTC+MTIz/ps1.ipynb": right("eve"),
	})
	res := collect(t, course, Options{Inputs: []string{in, exchange}})
	var said []string
	for _, r := range res.Refused {
		said = append(said, r.String())
	}
	all := strings.Join(said, "\n")
	for _, want := range []string{"ada: when it was handed in: timestamp.txt", "dan: when it was handed in", filepath.Join("submitted", "eve", "ps1") + ": when it was handed in", "+01:00"} {
		if len(said) != 3 || !strings.Contains(all, want) {
			t.Errorf("refused:\n%s\nwant %s", all, want)
		}
	}
	for id, want := range map[string]string{"ben": "10:00:00", "cid": "12:00:00"} {
		if got := record(t, course, id).Timestamp.UTC().Format(time.TimeOnly); got != want {
			t.Errorf("%s handed in at %s, want %s", id, got, want)
		}
	}
	files := tree(t, filepath.Join(course, "submitted"))
	if files["eve/ps1/ps1.ipynb"] != right("by hand") || files["ada/ps1/ps1.ipynb"] != "" || files["dan/ps1/ps1.ipynb"] != "" {
		t.Errorf("submissions %v, want eve's as it was", names(t, course))
	}
}

// A worksheet's time in words that nobody knows is an error with its student.
func TestRosterTimes(t *testing.T) {
	const head = "Identifier,Full name,Last modified (submission)\n"
	for line, want := range map[string]string{
		"Participant 1,Ada,\"Sonntag, 22. November 2026, 10:05\"\n": "",
		"Participant 1,Ada,-\n": "",
		"Participant 1,Ada,\n":  "",
		"Participant 1,Ada,\"Sunday, 22 Nonember 2026, 10:05 PM\"\n": "when Participant 1 handed in",
		"Participant 1,Ada,\"2026-11-22 10:05 EST\"\n":               "write it as",
	} {
		_, err := ReadRoster(strings.NewReader(head+line), time.UTC)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}
