package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// parentPoll is how often the parent is looked at.
const parentPoll = 200 * time.Millisecond

// untilOrphaned returns a context that is canceled, as by Ctrl-C, when this
// process was started by `go run` and that is killed: whoever did so meant us,
// and a signal that kills never gets here.
func untilOrphaned(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	if processName(parent) != "go" {
		return ctx, cancel
	}
	go func() {
		tick := time.NewTicker(parentPoll)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if os.Getppid() != parent {
					cancel()
					removeGoBuild()
					return
				}
			}
		}
	}()
	return ctx, cancel
}

// goRunExecutable is where `go run` builds a program: $WORK/b001/exe/name.
var goRunExecutable = regexp.MustCompile(`^(.*/go-build\d+)/b001/exe/[^/]+$`)

// removeGoBuild removes the temporary folder of the `go run` that was killed,
// which holds this program and which only `go run` itself removes.
func removeGoBuild() {
	if self, err := os.Executable(); err == nil {
		if m := goRunExecutable.FindStringSubmatch(self); m != nil {
			os.RemoveAll(m[1])
		}
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
