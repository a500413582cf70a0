package kernel

import (
	"context"
	"fmt"
	"os"

	"marginalia/internal/base/buildcache"
	"marginalia/internal/base/setup"
)

// install has fill make the folder dir in the cache unless it is there. The step is announced to p.
func (t *Toolchain) install(ctx context.Context, p setup.Progress, step, dir string, fill func(tmp string, held *os.File) error) error {
	waiting := func(holder string) func(error) { return p.Begin("waiting for " + holder + ", which is setting up") }
	err := buildcache.Get(ctx, dir, waiting, func(tmp string, held *os.File) error {
		if err := setup.Space(t.spaceToBuild()); err != nil {
			return err
		}
		end := p.Begin(step)
		err := fill(tmp, held)
		end(err)
		return err
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("kernel: %s: %w", step, err)
	}
	return nil
}
