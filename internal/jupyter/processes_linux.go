package jupyter

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this process the parent of all its descendants whose own
// parent dies, so that none gets out of sight.
func adoptOrphans() { unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// kernelAttributes puts the kernel in a process group and has it killed should
// the keeper be killed.
func kernelAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

const (
	politeTime = 200 * time.Millisecond // between interrupt and kill
	killTime   = 10 * time.Second       // a process in the middle of I/O may take a while to die
)

// killAll interrupts, then kills, all descendants of this process.
func (k *kernelProcess) killAll() {
	for _, pid := range descendants() {
		syscall.Kill(pid, syscall.SIGINT)
	}
	if reapUntil(time.Now().Add(politeTime), func([]int) {}) {
		return
	}
	reapUntil(time.Now().Add(killTime), func(pids []int) {
		for _, pid := range pids {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	})
}

// reapUntil waits until this process has no descendants, and does something to
// those there are again and again: a process may beget another before it dies.
func reapUntil(deadline time.Time, do func(pids []int)) bool {
	for {
		pids := descendants()
		if len(pids) == 0 {
			return true
		}
		do(pids)
		for {
			if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 && err != syscall.EINTR {
				break
			}
		}
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// descendants returns the processes under this one, as /proc has them.
func descendants() []int {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	children := map[int][]int{}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		// pid (name) state ppid …, and the name may have spaces and brackets.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 {
			continue
		}
		if ppid, err := strconv.Atoi(string(fields[1])); err == nil {
			children[ppid] = append(children[ppid], pid)
		}
	}
	all := children[os.Getpid()]
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}
