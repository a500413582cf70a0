// Package buildcache keeps what is built from sources in folders of the user's cache. The name of a
// folder, KIND-KEY, holds the hash of all that it is built from, so a change makes another folder.
//
//	dir := filepath.Join(cache, "tools-"+key)
//	err := buildcache.Get(ctx, dir, waiting, func(tmp string, held *os.File) error { … build into tmp … })
package buildcache

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marginalia/internal/base/lockfile"
)

// unused is how long a folder is kept that nobody uses.
const unused = 30 * 24 * time.Hour

// Get makes the folder dir unless it is there: fill fills a temporary one, which is then renamed. So
// it is made whole or not at all, whatever is killed when, and two processes do not meet. One of a
// kind is made at a time; who has to wait has waiting told for whom, and when that is over, unless it
// is nil. Programs that fill starts get the lock held along, so that one that outlives a kill -9 of
// this process is waited for.
func Get(ctx context.Context, dir string, waiting func(holder string) (end func(error)), fill func(tmp string, held *os.File) error) error {
	if used(dir) {
		return nil
	}
	cache := filepath.Dir(dir)
	kind, _, _ := strings.Cut(filepath.Base(dir), "-")
	end := func(error) {}
	held, err := lockfile.Take(ctx, filepath.Join(cache, kind+".lock"), lockfile.Exclusive, func(holder string) {
		if waiting != nil {
			end = waiting(holder)
		}
	})
	end(err)
	if err != nil {
		return err
	}
	defer held.Close()
	if used(dir) {
		return nil
	}
	clean(cache, kind)
	tmp, err := os.MkdirTemp(cache, building(kind))
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := fill(tmp, held); err != nil {
		return err
	}
	return os.Rename(tmp, dir)
}

// used reports whether dir is there, and marks it as in use today.
func used(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil {
		return false
	}
	if now := time.Now(); now.Sub(info.ModTime()) > 24*time.Hour {
		_ = os.Chtimes(dir, now, now) // a cache that cannot be written to still serves
	}
	return true
}

func building(kind string) string { return ".building-" + kind + "-" }

// clean removes what killed processes have left of this kind (the caller has
// its lock, so no one builds it now) and what nobody has used for long.
func clean(cache, kind string) {
	entries, _ := os.ReadDir(cache)
	for _, e := range entries {
		left := strings.HasPrefix(e.Name(), building(kind))
		if strings.HasPrefix(e.Name(), kind+"-") {
			info, err := e.Info()
			left = err == nil && time.Since(info.ModTime()) > unused
		}
		if left && e.IsDir() {
			_ = os.RemoveAll(filepath.Join(cache, e.Name()))
		}
	}
}
