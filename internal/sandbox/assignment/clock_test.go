package assignment

import "testing"

// What measures by the clock is refused in tests; what only asks for a time, or subtracts dates, is not.
func TestClock(t *testing.T) {
	given := [3]string{"given", "lib", "import (\n\t\"testing\"\n\t\"time\"\n)\n\nvar day = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)"}
	for line, want := range map[string]string{
		"begun := time.Now(); Two(); if time.Now().Sub(begun) > time.Second { t.Error() }": "time.Now().Sub",
		"begun := time.Now(); Two(); if time.Since(begun) > time.Second { t.Error() }":     "time.Since",
		"if time.NewTimer(time.Second) == nil { t.Error() }":                               "time.NewTimer",
		"if day.AddDate(0, 0, 1).Sub(day) != 24*time.Hour { t.Error() }":                   "",
		"seed := time.Now().UnixNano(); if seed == 0 { t.Error() }":                        "",
	} {
		a := readSheet(t, sheet(given, [3]string{"answer", "two", "func Two() int { return 2 }"}, [3]string{"tests", "two-test", "%test\nfunc TestTwo(t *testing.T) { Two(); " + line + " }"}))
		got, _ := a.clock()
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || got[0].Cell != "two-test" || got[0].Line != 2 || got[0].Text[:len(want)+8] != want+" follows") {
			t.Errorf("%s: %v, want %q", line, got, want)
		}
	}
}
