package lab

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// shutdownTime is what JupyterLab gets to shut its kernels down.
const shutdownTime = 15 * time.Second

// runJupyter runs JupyterLab until it ends by itself, or until ctx ends and
// it has been shut down.
func runJupyter(ctx context.Context, v venv, dir string, port int, o Options, stderr *os.File) error {
	args := []string{
		v.own("launch.py"),
		"--ServerApp.ip=" + o.Host,
		"--ServerApp.port=" + strconv.Itoa(port),
		"--ServerApp.port_retries=0",
		"--ServerApp.root_dir=" + dir,
	}
	if !o.Browser {
		args = append(args, "--no-browser")
	}
	if os.Geteuid() == 0 {
		args = append(args, "--allow-root") // as in a container; the address and the token are the guard
	}
	cmd := exec.Command(v.python(), args...)
	cmd.Dir = dir
	cmd.Env = v.environ()
	cmd.Stdout, cmd.Stderr = stderr, stderr
	// A process group of its own: Ctrl-C reaches this process alone, which
	// then ends JupyterLab in order.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	lifeline, err := cmd.StdinPipe()
	if err != nil {
		return faultf("%w", err)
	}
	if err := cmd.Start(); err != nil {
		return faultf("JupyterLab does not start: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil && ctx.Err() == nil {
			return faultf("JupyterLab has ended (%w): its last lines above say why", err)
		}
		return nil
	case <-ctx.Done():
	}
	lifeline.Close() // launch.py then sends SIGTERM; a second one would meet the first one's handler
	select {
	case <-ended:
		return nil
	case <-time.After(shutdownTime):
	}
	// Kernels are sessions of their own, so the group does not hold them.
	for _, pid := range append(descendants(cmd.Process.Pid), cmd.Process.Pid) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	<-ended
	return faultf("JupyterLab did not end in %v and was killed with its kernels", shutdownTime)
}

// descendants lists the processes below pid.
func descendants(pid int) []int {
	out, err := exec.Command("ps", "-A", "-o", "pid=,ppid=").Output()
	if err != nil {
		return nil
	}
	children := map[int][]int{}
	for line := range bytes.Lines(out) {
		f := strings.Fields(string(line))
		if len(f) != 2 {
			continue
		}
		child, err1 := strconv.Atoi(f[0])
		parent, err2 := strconv.Atoi(f[1])
		if err1 == nil && err2 == nil {
			children[parent] = append(children[parent], child)
		}
	}
	var all []int
	for queue := children[pid]; len(queue) > 0; queue = queue[1:] {
		all = append(all, queue[0])
		queue = append(queue, children[queue[0]]...)
	}
	return all
}
