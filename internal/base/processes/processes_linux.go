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
		if pid, p, ok := read(file); ok {
			found[pid] = p
		}
	}
	return found
}

// tree returns the process root and those below it, and others if the kernel was built without lists of
// children (CONFIG_PROC_CHILDREN). A machine has hundreds of processes: to read all takes 10 ms. While children
// end, the kernel may leave out others (proc_pid_task(5)), which the next look finds.
func tree(root int) map[int]process {
	if _, err := os.Stat("/proc/thread-self/children"); err != nil {
		return all()
	}
	found := map[int]process{}
	for todo := []int{root}; len(todo) > 0; todo = todo[1:] {
		dir := filepath.Join("/proc", strconv.Itoa(todo[0]))
		if pid, p, ok := read(filepath.Join(dir, "stat")); ok {
			found[pid] = p
		}
		threads, _ := os.ReadDir(filepath.Join(dir, "task")) // each has the children that it has started
		for _, thread := range threads {
			children, _ := os.ReadFile(filepath.Join(dir, "task", thread.Name(), "children"))
			for field := range strings.FieldsSeq(string(children)) {
				if pid, err := strconv.Atoi(field); err == nil {
					todo = append(todo, pid)
				}
			}
		}
	}
	return found
}

// read returns a process from its file in /proc: pid (name) state ppid …, and the name may have spaces and brackets. See
// proc_pid_stat(5).
func read(file string) (pid int, p process, ok bool) {
	stat, _ := os.ReadFile(file) // nothing, if the process has ended since
	_, err := fmt.Sscan(string(stat), &pid)
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if err != nil || len(fields) < 22 {
		return 0, process{}, false
	}
	number := func(i int) int { n, _ := strconv.Atoi(fields[i-3]); return n } // field i, the state is 3
	taken := number(14) + number(15) + number(16) + number(17)
	return pid, process{number(4), Load{time.Duration(taken) * time.Second / ticks, int64(number(24) * os.Getpagesize())}}, true
}
