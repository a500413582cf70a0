package celltest

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// noInput is what the kernel says when a cell reads and its client answers no questions
// (input.go.txt in internal/kernel/gonb).
const noInput = "This cell reads what somebody types, and here nobody can: its standard input ends.\n"

// An input is the standard input of a program for which nobody types: it stays open and
// empty until the program reads, and then it ends.
type input struct {
	end func() // closes it, once
	rec *recorder
}

func newInput(pipe io.Closer, rec *recorder) *input {
	return &input{end: sync.OnceFunc(func() { pipe.Close() }), rec: rec}
}

// refuse ends the input and says so.
func (in *input) refuse() {
	in.rec.stream("stderr", noInput)
	in.end()
}

// watch waits until the process reads or the context is done. It looks twice in a row, as
// the kernel does, since a program that calls gonbui.RequestInput asks before it reads. On
// systems that do not show what a process waits for, the input ends at once without a word.
func (in *input) watch(ctx context.Context, pid int) {
	if _, err := os.Stat("/proc/self/task"); err != nil {
		in.end()
		return
	}
	ticks := time.NewTicker(50 * time.Millisecond)
	defer ticks.Stop()
	for waited := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		waits := reads(pid)
		if waits && waited {
			in.refuse()
			return
		}
		waited = waits
	}
}

// reads reports whether a thread of the process is in the system call read of file 0.
func reads(pid int) bool {
	read := fmt.Sprintf("%d 0x0 ", syscall.SYS_READ)
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/syscall", pid)) // the pattern is well-formed
	for _, thread := range threads {
		if call, err := os.ReadFile(thread); err == nil && strings.HasPrefix(string(call), read) {
			return true
		}
	}
	return false
}
