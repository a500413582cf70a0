// Package timing measures cells: %%time and %%bench in the first line of a cell call it.
//
//	%%time
//	model, err := svm.Classifier{C: 1}.Fit(X, y)
//
// A line below what the cell prints says how long it took, without the build:
//
//	⏱ 12.4 ms, processor 23.1 ms, 1.21 MB in 345 allocations
//
// With %%bench the cell is run many times, as a benchmark of package testing is, and what it prints and
// shows is that of its first run:
//
//	⏱ 12.4 ms a run, the median of 80; quartiles 12.2 ms and 12.9 ms; 1.21 MB in 345 allocations
package timing

import (
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"runtime"
	"slices"
	"time"

	"marginalia/internal/cell/display"
)

// Start begins to measure. The function that it returns prints what has been used since: time on the
// clock, time of all processors, where the system says it, and memory that was allocated, whether or
// not it was freed.
func Start() (stop func()) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, known := processor()
	begin := time.Now()
	return func() {
		took := time.Since(begin)
		text := "⏱ " + short(took)
		if now, _ := processor(); known {
			text += ", processor " + short(now-cpu)
		}
		runtime.ReadMemStats(&after)
		fmt.Println(text + ", " + memory(after.TotalAlloc-before.TotalAlloc, after.Mallocs-before.Mallocs))
	}
}

// TimeEnv is an environment variable: how long Repeat goes on, "1s" unless it says otherwise.
const TimeEnv = "MARGINALIA_BENCH_TIME"

// fewest is the least number of samples; of these the quartiles are the least and the greatest.
const fewest = 3

// Repeat runs f once, and then again and again without what it prints and shows, for about a second and
// at least three times, and prints the median time of a run. Runs that take less than a tenth of a
// millisecond are timed together.
func Repeat(f func()) {
	f()
	patience, err := time.ParseDuration(os.Getenv(TimeEnv))
	if err != nil {
		patience = time.Second
	}
	unmute := mute()
	begin := time.Now()
	f()
	runs := 1
	if took := max(time.Since(begin), 1); patience > 0 {
		runs = int((100*time.Microsecond-1)/took) + 1
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var samples []float64
	for begin = time.Now(); len(samples) < fewest || time.Since(begin) < patience; {
		one := time.Now()
		for range runs {
			f()
		}
		samples = append(samples, float64(time.Since(one))/float64(runs))
	}
	runtime.ReadMemStats(&after)
	unmute()
	all := uint64(len(samples) * runs)
	slices.Sort(samples)
	at := func(share float64) string {
		return short(time.Duration(samples[int(math.Round(share*float64(len(samples)-1)))]))
	}
	fmt.Printf("⏱ %s a run, the median of %d; quartiles %s and %s; %s\n", at(0.5), all, at(0.25), at(0.75),
		memory((after.TotalAlloc-before.TotalAlloc)/all, (after.Mallocs-before.Mallocs)/all))
}

// mute drops what is printed and shown.
func mute() (unmute func()) {
	stdout, stderr, logged, show := os.Stdout, os.Stderr, log.Writer(), display.Mute()
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		nowhere = nil // as in pages: what is written to it is an error that fmt's callers do not look at
	}
	os.Stdout, os.Stderr = nowhere, nowhere
	if logged == stderr {
		log.SetOutput(io.Discard)
	}
	return func() {
		os.Stdout, os.Stderr = stdout, stderr
		log.SetOutput(logged)
		show()
		if nowhere != nil {
			nowhere.Close()
		}
	}
}

// short writes a time with three digits.
func short(d time.Duration) string { return digits(d.Seconds(), "s", "ms", "µs", "ns") }

func memory(bytes, allocations uint64) string {
	text := fmt.Sprintf("%d B", bytes)
	if bytes >= 1000 {
		text = digits(float64(bytes)/1e9, "GB", "MB", "kB")
	}
	if allocations == 1 {
		return text + " in 1 allocation"
	}
	return fmt.Sprintf("%s in %d allocations", text, allocations)
}

// digits writes a value with three digits, in the largest unit that makes it at least 1. A unit is a thousandth
// of the one before.
func digits(v float64, units ...string) string {
	for len(units) > 1 && v < 0.9995 {
		v, units = v*1000, units[1:]
	}
	places := 0
	for scale := 99.95; places < 2 && v < scale; scale /= 10 {
		places++
	}
	return fmt.Sprintf("%.*f %s", places, v, units[0])
}
