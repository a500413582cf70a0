package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"marginalia/internal/install/venv"
)

// environment is that of every side's process: no library may have more threads than
// there are cores for.
func environment(cores int) []string {
	env := venv.Without(os.Environ(), "PYTHON", "GOMAXPROCS=")
	for _, name := range []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "GOMAXPROCS"} {
		env = append(env, name+"="+strconv.Itoa(cores))
	}
	return env
}

// pinned is command on the given number of cores of this machine, always the same
// ones, or as it is where there is no taskset to say so.
func pinned(cores int, command []string) ([]string, error) {
	taskset, err := exec.LookPath("taskset")
	allowed := allowedCores()
	if err != nil || allowed == nil {
		return command, nil
	}
	if cores > len(allowed) {
		return nil, fmt.Errorf("bench: %d cores are asked for, and there are %d", cores, len(allowed))
	}
	// The last ones: interrupts and other programs tend to be on the first.
	return append([]string{taskset, "-c", strings.Join(allowed[len(allowed)-cores:], ",")}, command...), nil
}
