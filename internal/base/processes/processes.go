//go:build unix

// Package processes starts programs that have children of their own, measures
// what they use together, and ends them together.
package processes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Command is exec.CommandContext for programs with children of their own (go,
// pip): they share a process group, and the end of the context kills them all.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}

// Kill kills the process pid and those below it.
func Kill(pid int) {
	for _, pid := range append(below(pid, children()), pid) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

const (
	politeTime = 200 * time.Millisecond // between interrupt and kill
	killTime   = 10 * time.Second       // a process in the middle of I/O may take a while to die
)

// EndAll interrupts, then kills, all processes below this one and all of the
// process group, and returns when they are gone. It reaps every child, so it is
// for a process that waits for no other one.
func EndAll(group int) { endAll(group, children) }

func endAll(group int, children func() map[int][]int) {
	signal := func(s syscall.Signal, pids []int) {
		syscall.Kill(-group, s)
		for _, pid := range pids {
			if g, err := syscall.Getpgid(pid); err == nil && g != group {
				syscall.Kill(pid, s)
			}
		}
	}
	signal(syscall.SIGINT, below(os.Getpid(), children()))
	start := time.Now()
	for {
		for {
			if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 && err != syscall.EINTR {
				break
			}
		}
		pids := below(os.Getpid(), children())
		took := time.Since(start)
		if len(pids) == 0 && errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) || took > killTime {
			return
		}
		if took > politeTime {
			signal(syscall.SIGKILL, pids) // again and again: a process may beget another before it dies
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// below lists the processes below root.
func below(root int, children map[int][]int) []int {
	all := children[root]
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// A Load is what a process and those below it use.
type Load struct {
	CPU    time.Duration // on Linux also by children that have ended and were waited for
	Memory int64         // resident, in bytes; shared pages count for each process
}

// A process is one of the system's.
type process struct {
	parent int
	load   Load
}

// Usage returns the load of the process pid and those below it.
func Usage(pid int) Load { return usage(pid, tree(pid)) }

func usage(pid int, all map[int]process) (sum Load) {
	for _, pid := range append(below(pid, byParent(all)), pid) {
		sum.CPU += all[pid].load.CPU
		sum.Memory += all[pid].load.Memory
	}
	return sum
}

func children() map[int][]int { return byParent(all()) }

func byParent(all map[int]process) map[int][]int {
	of := map[int][]int{}
	for pid, p := range all {
		of[p.parent] = append(of[p.parent], pid)
	}
	return of
}

// listed returns the processes as ps lists them, without ps itself.
func listed() map[int]process {
	ps := exec.Command("ps", "-A", "-o", "pid=,ppid=,rss=,time=")
	out, err := ps.Output()
	if err != nil {
		return nil
	}
	all := map[int]process{}
	for line := range strings.Lines(string(out)) {
		var pid int
		var p process
		var taken string
		if _, err := fmt.Sscan(line, &pid, &p.parent, &p.load.Memory, &taken); err == nil && pid != ps.Process.Pid {
			p.load.Memory <<= 10
			p.load.CPU = clock(taken)
			all[pid] = p
		}
	}
	return all
}

// clock reads a time as ps writes it: [[days-]hours:]minutes:seconds[.hundredths].
func clock(text string) time.Duration {
	days, rest, ok := strings.Cut(text, "-")
	if !ok {
		days, rest = "0", text
	}
	n, _ := strconv.ParseFloat(days, 64)
	seconds := n * 24 / 60 // in units of 60 hours, like all that stands before the hours
	for part := range strings.SplitSeq(rest, ":") {
		n, _ := strconv.ParseFloat(part, 64)
		seconds = seconds*60 + n
	}
	return time.Duration(seconds * float64(time.Second))
}

// KillGroup kills the group of this process, itself included.
func KillGroup() { syscall.Kill(0, syscall.SIGKILL) }
