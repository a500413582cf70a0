package timing

import (
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"testing"
	"time"

	"marginalia/internal/cell/display"
)

// printed returns what f prints.
func printed(t *testing.T, f func()) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stdout
	os.Stdout = write
	f()
	os.Stdout = before
	write.Close()
	text, err := io.ReadAll(read)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var sink []byte

func TestStart(t *testing.T) {
	got := printed(t, func() {
		defer Start()()
		sink = make([]byte, 5_000_000)
		fmt.Println("x")
	})
	// 5 MB are what make allocates; the little that fmt and others add does not reach the third digit.
	if want := regexp.MustCompile(`^x\n⏱ [\d.]+ (ns|µs|ms|s), processor [\d.]+ (ns|µs|ms|s), 5\.0\d MB in \d+ allocations?\n$`); !want.MatchString(got) {
		t.Errorf("it prints %q, want a match of %s", got, want)
	}
}

type counter struct{ n *int }

func (c counter) Send(display.Data) error { *c.n++; return nil }

// What is printed and shown comes once; afterwards all is as it was.
func TestRepeat(t *testing.T) {
	t.Setenv(TimeEnv, "2ms")
	shown, runs := 0, 0
	display.Use(counter{&shown})
	defer display.Use(nil)
	logger := log.Writer()
	got := printed(t, func() {
		Repeat(func() {
			runs++
			fmt.Println("x")
			display.Send(display.Data{})
			sink = make([]byte, 100_000)
		})
		fmt.Println("after")
	})
	want := regexp.MustCompile(`^x\n⏱ [\d.]+ \S+ a run, the median of (\d+); quartiles [\d.]+ \S+ and [\d.]+ \S+; 1\d\d kB in \d+ allocations?\nafter\n$`)
	all := want.FindStringSubmatch(got)
	if all == nil || all[1] != fmt.Sprint(runs-2) { // the first, and the one that says how long a run takes, are not timed
		t.Errorf("%d runs print %q, want a match of %s", runs, got, want)
	}
	if display.Send(display.Data{}); shown != 2 || log.Writer() != logger {
		t.Errorf("%d displays reach the page, want that of the first run and the one after", shown)
	}
}

// In tests of cells a cell need not run for a second.
func TestRepeatInTests(t *testing.T) {
	t.Setenv(TimeEnv, "0s")
	runs := 0
	printed(t, func() { Repeat(func() { runs++ }) })
	if runs != 2+fewest {
		t.Errorf("%d runs, want %d", runs, 2+fewest)
	}
}

func TestDigits(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.00 ns", 1: "1.00 ns", 999: "999 ns", 12345: "12.3 µs", 999_600: "1.00 ms", 99_960_000: "100 ms", time.Minute: "60.0 s", 1234 * time.Second: "1234 s",
	} {
		if got := short(d); got != want {
			t.Errorf("%d ns is %q, want %q", d, got, want)
		}
	}
	for bytes, want := range map[uint64]string{0: "0 B in 1 allocation", 999: "999 B in 1 allocation", 1000: "1.00 kB in 1 allocation", 2_345_678: "2.35 MB in 1 allocation"} {
		if got := memory(bytes, 1); got != want {
			t.Errorf("%d bytes are %q, want %q", bytes, got, want)
		}
	}
}
