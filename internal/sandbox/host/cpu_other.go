//go:build !unix

package host

import "time"

var start = time.Now()

// cpu returns the time since the start: these systems count a process's time otherwise.
func cpu() time.Duration { return time.Since(start) }
