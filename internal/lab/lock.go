package lab

import (
	"context"
	"os"

	"marginalia/internal/lockfile"
)

// lock takes the exclusive lock of path, and tells p while it waits for another
// process that has it. Programs that write to what is locked get the file
// along, so that one that outlives a kill -9 of this process is waited for.
func lock(ctx context.Context, path string, p Progress) (held *os.File, err error) {
	end := func(error) {}
	held, err = lockfile.Take(ctx, path, lockfile.Exclusive, func(holder string) {
		end = p.begin("waiting for " + holder + ", which is setting up")
	})
	end(err)
	if err != nil {
		return nil, fileCause(err)
	}
	return held, nil
}
