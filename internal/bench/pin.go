package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// environment is that of every side's process: no library may have more threads than
// there are cores for.
func environment(cores int) []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "PYTHON") || strings.HasPrefix(kv, "GOMAXPROCS=")
	})
	for _, name := range []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "GOMAXPROCS"} {
		env = append(env, name+"="+strconv.Itoa(cores))
	}
	return env
}

// pinned is command on the given number of cores of this machine, always the same
// ones, or as it is where there is no taskset to say so.
func pinned(cores int, command []string) ([]string, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return command, nil
	}
	taskset, err := exec.LookPath("taskset")
	if err != nil {
		return command, nil
	}
	m := allowedList.FindSubmatch(status)
	if m == nil {
		return command, nil
	}
	allowed, err := cpuList(string(m[1]))
	if err != nil {
		return nil, fmt.Errorf("bench: /proc/self/status: %w", err)
	}
	if cores > len(allowed) {
		return nil, fmt.Errorf("bench: %d cores are asked for, and there are %d", cores, len(allowed))
	}
	// The last ones: interrupts and other programs tend to be on the first.
	return append([]string{taskset, "-c", strings.Join(allowed[len(allowed)-cores:], ",")}, command...), nil
}

var allowedList = regexp.MustCompile(`(?m)^Cpus_allowed_list:\s*(\S+)$`)

// cpuList is what "0-2,5" stands for: 0, 1, 2 and 5.
func cpuList(list string) ([]string, error) {
	var cpus []string
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.Atoi(first)
		if err != nil {
			return nil, fmt.Errorf("list of processors %q", list)
		}
		to, err := strconv.Atoi(last)
		if err != nil {
			return nil, fmt.Errorf("list of processors %q", list)
		}
		for cpu := from; cpu <= to; cpu++ {
			cpus = append(cpus, strconv.Itoa(cpu))
		}
	}
	return cpus, nil
}
