package processes

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

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

// children are the processes by their parent, as /proc has them: an image need
// not have ps.
func children() map[int][]int {
	of := map[int][]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
	for _, file := range files {
		stat, _ := os.ReadFile(file) // nothing, if the process has ended since
		// pid (name) state ppid …, and the name may have spaces and brackets.
		var pid, parent int
		var state string
		_, err1 := fmt.Sscan(string(stat), &pid)
		_, err2 := fmt.Sscan(string(stat[bytes.LastIndexByte(stat, ')')+1:]), &state, &parent)
		if err1 == nil && err2 == nil {
			of[parent] = append(of[parent], pid)
		}
	}
	return of
}
