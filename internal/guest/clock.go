package guest

import (
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/sys"
)

// A clock is a guest's: nanoseconds since its start, which is the same moment in every run. It
// goes on a microsecond at each look, and by what the guest sleeps, at once.
type clock int64

// start is when a guest starts: 2025-01-01 00:00:00 UTC, in seconds since 1970.
const start = 1735689600

func (c *clock) now() int64 { *c += 1000; return int64(*c) }

// set has a guest use the clock.
func (c *clock) set(config wazero.ModuleConfig) wazero.ModuleConfig {
	return config.
		WithNanotime(c.now, sys.ClockResolution(1)).
		WithWalltime(func() (sec int64, nsec int32) {
			t := c.now()
			return start + t/1e9, int32(t % 1e9)
		}, sys.ClockResolution(1)).
		WithNanosleep(func(ns int64) { *c += clock(max(ns, 0)) })
}
