package checks

import (
	"strings"
	"testing"
)

// What Go 1.26.8 printed with -test.v of tests that log, fail, skip, have subtests, also
// parallel ones, and write into lines that they have begun; the last calls os.Exit(3).
const printed = `=== RUN   TestA
partial    main_test.go:3: hello
        world
own
--- PASS: TestA (0.00s)
=== RUN   TestB
    main_test.go:4: first
=== RUN   TestB/sub
    n.ipynb#cell:4: deep 1
=== NAME  TestB
    main_test.go:99: second
unfinished--- FAIL: TestB (0.00s)
    --- FAIL: TestB/sub (0.00s)
=== RUN   TestC
    main_test.go:5: no data
--- SKIP: TestC (0.00s)
=== RUN   TestP
=== RUN   TestP/x
=== PAUSE TestP/x
=== RUN   TestP/y
=== PAUSE TestP/y
=== CONT  TestP/x
    main_test.go:6: px
=== CONT  TestP/y
    main_test.go:6: py
--- FAIL: TestP (0.00s)
    --- PASS: TestP/x (0.00s)
    --- FAIL: TestP/y (0.00s)
PASS
it is the cell that says PASS
=== RUN   TestZ
    main_test.go:7: last words
`

const reworded = `partial
own
✓ TestA
    line 3: hello
        world
unfinished
✗ TestB, line 4: first
    main_test.go, line 99: second
    ✗ TestB/sub, line 4: deep 1
– TestC, line 5: no data
✗ TestP
    ✓ TestP/x
        line 6: px
    ✗ TestP/y, line 6: py
PASS
it is the cell that says PASS
TestZ, line 7: last words
`

func place(file, line string) string {
	if line == "99" {
		return ""
	}
	return "line " + line
}

func TestReword(t *testing.T) {
	if got := Reword(printed, place); got != reworded {
		t.Errorf("got\n%s\nwant\n%s", got, reworded)
	}
	if again := Reword(reworded, place); again != reworded {
		t.Errorf("in words already, it becomes\n%s", again)
	}
	// However it comes in pieces.
	w := Words{Place: place}
	var b strings.Builder
	for _, char := range printed {
		b.WriteString(w.Take(string(char)))
	}
	if got := b.String() + w.Rest(); got != reworded {
		t.Errorf("letter by letter\n%s", got)
	}
	for text, want := range map[string]string{
		"":                                "",
		"PASS\n":                          "",
		"FAIL":                            "",
		"no line":                         "no line",
		"--- PASS: TestA (0.00s)\nPASS\n": "✓ TestA\n",
		"BenchmarkD\n    main_test.go:5: wrong\n--- FAIL: BenchmarkD\nBenchmarkS\nBenchmarkS/x\n    main_test.go:9: sub\n--- FAIL: BenchmarkS/x\n--- FAIL: BenchmarkS\nFAIL\n": "BenchmarkD\n✗ BenchmarkD, line 5: wrong\nBenchmarkS\nBenchmarkS/x\n✗ BenchmarkS/x, line 9: sub\n✗ BenchmarkS\n",
		"--- a heading ---\n=== another\n":       "--- a heading ---\n=== another\n",
		"BenchmarkA-2   \t  100\t  20.5 ns/op\n": "BenchmarkA-2   \t  100\t  20.5 ns/op\n",
	} {
		if got := Reword(text, place); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
