//go:build unix

package host

import (
	"syscall"
	"time"
)

// cpu returns what this process has taken of the processors so far.
func cpu() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
