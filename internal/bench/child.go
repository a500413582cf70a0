package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// childArgument makes the program solve one task with mlkit: in a process of its own,
// as every side is measured.
const childArgument = "solve-with-mlkit"

// A clock measures what a child is there for.
type clock struct{ fitting, predicting span }

// A span is a time in seconds, of the wall clock and of the processors.
type span struct{ wall, cpu float64 }

func (s *span) measure(do func()) {
	start, before := time.Now(), processorTime()
	do()
	*s = span{time.Since(start).Seconds(), processorTime() - before}
}

func processorTime() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic("bench: " + err.Error()) // of a wrong argument only
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// child reads a task, solves it, and writes the solution.
func child(in io.Reader, out io.Writer) error {
	var t task
	if err := json.NewDecoder(in).Decode(&t); err != nil {
		return fmt.Errorf("bench: task: %w", err)
	}
	m, ok := models[t.Model]
	if !ok {
		return fmt.Errorf("bench: there is no model %q", t.Model)
	}
	train, test, err := t.load()
	if err != nil {
		return err
	}
	// The first samples first: pages of the program are then in memory, and what
	// is made at first use is there. What comes of it does not matter.
	warmTest := test
	if test.X != nil {
		warmTest = test.first(300)
	}
	m.fit(t, train.first(300), warmTest, new(clock))
	runtime.GC()

	var c clock
	s, err := m.fit(t, train, test, &c)
	if err != nil {
		return err
	}
	s.Version = runtime.Version() + " " + runtime.GOARCH
	if simd := os.Getenv("MARGINALIA_SIMD"); simd != "" {
		s.Version += ", MARGINALIA_SIMD=" + simd
	}
	s.Wall, s.CPU = c.fitting.wall, c.fitting.cpu
	s.PredictWall, s.PredictCPU = c.predicting.wall, c.predicting.cpu
	if s.Peak, err = peak(); err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(s)
}

func (t task) load() (train, test samples, err error) {
	if train, err = t.Train.load(); err == nil && t.Test != nil {
		test, err = t.Test.load()
	}
	return train, test, err
}

var highWater = regexp.MustCompile(`(?m)^VmHWM:\s*(\d+) kB$`)

// peak is the most memory that this process has had in use, in bytes. On Linux it
// comes from /proc: ru_maxrss there begins with the size of the process that started
// this one.
func peak() (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		if m := highWater.FindSubmatch(status); m != nil {
			kB, err := strconv.ParseInt(string(m[1]), 10, 64)
			return kB << 10, err
		}
		err = errors.New("/proc/self/status has no VmHWM")
	}
	if runtime.GOOS == "linux" {
		return 0, err
	}
	var r syscall.Rusage
	err = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return int64(r.Maxrss), err // bytes on macOS
}
