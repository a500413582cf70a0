package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// untilOrphaned returns a context that is canceled, as by Ctrl-C, when this
// process was started by `go run` and that is killed: whoever did so meant us,
// and a signal that kills never gets here.
func untilOrphaned(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if parent := os.Getppid(); processName(parent) == "go" {
		go func() {
			for os.Getppid() == parent {
				time.Sleep(200 * time.Millisecond)
			}
			cancel()
			removeGoBuild()
		}()
	}
	return ctx, cancel
}

// removeGoBuild removes the temporary folder of the `go run` that was killed: it
// has built this program there, and only `go run` itself removes it. A program
// that it has built before it takes from Go's cache.
func removeGoBuild() {
	self, _ := os.Executable()
	if work, _, ok := strings.Cut(self, "/b001/exe/"); ok && strings.HasPrefix(filepath.Base(work), "go-build") {
		os.RemoveAll(work)
	}
}

// processName returns the name of a process's program, "" if it cannot be found out.
func processName(pid int) string {
	name, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
	if err != nil {
		name, err = exec.Command("ps", "-o", "comm=", "-p", strconv.Itoa(pid)).Output()
	}
	if err != nil {
		return ""
	}
	return filepath.Base(strings.TrimSpace(string(name)))
}
