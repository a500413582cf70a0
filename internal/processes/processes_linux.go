package processes

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// AdoptOrphans makes this process the parent of all its descendants whose own
// parent dies, so that none gets out of sight.
func AdoptOrphans() { unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// Attributes puts a program into a process group of its own, and has it killed
// when the thread that starts it ends, be it by kill -9 of this process.
func Attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// ticks is USER_HZ: times in /proc are in hundredths of a second on every processor that Go supports.
const ticks = 100

// all returns the processes as /proc has them: an image need not have ps.
func all() map[int]process {
	found := map[int]process{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
	for _, file := range files {
		stat, _ := os.ReadFile(file) // nothing, if the process has ended since
		// pid (name) state ppid …, and the name may have spaces and brackets. See proc_pid_stat(5).
		var pid int
		_, err := fmt.Sscan(string(stat), &pid)
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if err != nil || len(fields) < 22 {
			continue
		}
		number := func(i int) int { n, _ := strconv.Atoi(fields[i-3]); return n } // field i, the state is 3
		taken := number(14) + number(15) + number(16) + number(17)
		found[pid] = process{number(4), Load{time.Duration(taken) * time.Second / ticks, int64(number(24) * os.Getpagesize())}}
	}
	return found
}
