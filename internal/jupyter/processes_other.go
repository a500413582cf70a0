//go:build unix && !linux

package jupyter

import (
	"bytes"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

func adoptOrphans() {}

// kernelAttributes puts the kernel and what it starts in a process group.
func kernelAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

const politeTime = 200 * time.Millisecond // between interrupt and kill

// killAll interrupts, then kills, the kernel's process group and its
// descendants as ps has them.
func (k *kernelProcess) killAll() {
	pids := append(descendants(k.cmd.Process.Pid), -k.cmd.Process.Pid)
	for _, pid := range pids {
		syscall.Kill(pid, syscall.SIGINT)
	}
	select {
	case <-k.ended:
	case <-time.After(politeTime):
	}
	for _, pid := range append(descendants(k.cmd.Process.Pid), pids...) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

func descendants(root int) []int {
	out, err := exec.Command("ps", "-A", "-o", "pid=,ppid=").Output()
	if err != nil {
		return nil
	}
	children := map[int][]int{}
	for line := range bytes.Lines(out) {
		f := bytes.Fields(line)
		if len(f) != 2 {
			continue
		}
		pid, err1 := strconv.Atoi(string(f[0]))
		ppid, err2 := strconv.Atoi(string(f[1]))
		if err1 == nil && err2 == nil {
			children[ppid] = append(children[ppid], pid)
		}
	}
	all := children[root]
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}
