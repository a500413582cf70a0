package celltest

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// noInput is what the kernel says when a cell reads and its client answers no questions
// (patch 0003 in internal/kernel/patches).
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

// reads reports whether a process waits for what comes by its standard input, or one that it has
// started and given that input does.
func reads(pid int) bool {
	input, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/0", pid))
	return err == nil && readsFrom(input, pid)
}

func readsFrom(input string, pid int) bool {
	own, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/0", pid)) // nothing, if the process has ended
	read := fmt.Sprintf("%d 0x0 ", syscall.SYS_READ)
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid)) // the pattern is well-formed
	for _, thread := range threads {
		if call, err := os.ReadFile(filepath.Join(thread, "syscall")); err == nil && own == input && strings.HasPrefix(string(call), read) {
			return true
		}
		children, _ := os.ReadFile(filepath.Join(thread, "children"))
		for _, child := range strings.Fields(string(children)) {
			if pid, err := strconv.Atoi(child); err == nil && readsFrom(input, pid) {
				return true
			}
		}
	}
	return false
}
