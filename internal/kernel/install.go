package kernel

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marginalia/internal/base/setup"
)

// install makes the folder dir in the cache unless it is there: fill fills a
// temporary one, which is then renamed. So it is there whole or not at all,
// whatever is killed when, and two processes do not meet. The step is announced
// to p.
func (t *Toolchain) install(ctx context.Context, p setup.Progress, step, dir string, fill func(tmp string, held *os.File) error) error {
	if used(dir) {
		return nil
	}
	cache := filepath.Dir(dir)
	kind, _, _ := strings.Cut(filepath.Base(dir), "-")
	held, err := setup.Lock(ctx, filepath.Join(cache, kind+".lock"), p)
	if err != nil {
		return err
	}
	defer held.Close()
	if used(dir) {
		return nil
	}
	clean(cache, kind)
	if err := setup.Space(t.spaceToBuild()); err != nil {
		return err
	}
	end := p.Begin(step)
	tmp, err := os.MkdirTemp(cache, ".building-"+kind+"-")
	if err == nil {
		defer os.RemoveAll(tmp)
		err = os.Chmod(tmp, 0o755)
	}
	if err == nil {
		err = fill(tmp, held)
	}
	if err == nil {
		err = os.Rename(tmp, dir)
	}
	end(err)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("kernel: %s: %w", step, err)
	}
	return nil
}

// used reports whether dir is there, and marks it as in use today.
func used(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil {
		return false
	}
	if time.Since(info.ModTime()) > 24*time.Hour {
		now := time.Now()
		_ = os.Chtimes(dir, now, now) // a cache that cannot be written to still serves
	}
	return true
}

// clean removes what killed processes have left of this kind (the caller has
// its lock, so no one builds it now) and what nobody has used for a month.
func clean(cache, kind string) {
	entries, _ := os.ReadDir(cache)
	for _, e := range entries {
		left := strings.HasPrefix(e.Name(), ".building-"+kind+"-")
		if strings.HasPrefix(e.Name(), kind+"-") {
			info, err := e.Info()
			left = err == nil && time.Since(info.ModTime()) > 30*24*time.Hour
		}
		if left && e.IsDir() {
			_ = os.RemoveAll(filepath.Join(cache, e.Name()))
		}
	}
}
