//go:build unix

package timing

import (
	"syscall"
	"time"
)

// processor returns the time that all processors have worked for this program.
func processor() (used time.Duration, known bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
