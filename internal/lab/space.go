package lab

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// Free bytes asked for before a step begins: what the step was measured to
// take, and half as much again.
const (
	spaceTools = 600 << 20 // module cache, build cache and the programs
	spaceVenv  = 400 << 20 // the virtual environment, 270 MB
	spaceWarm  = 300 << 20 // what cells link, in the build cache
)

// checkSpace returns an error when the file system that is to hold path has
// fewer than need free bytes for this user.
func checkSpace(path string, need uint64) error {
	free, err := freeSpace(path)
	if err != nil {
		return faultf("free space of %s: %w", path, err)
	}
	if free < need {
		return faultf("the disk of %s has %d MB free, and %d MB are needed: free some space and start again", path, free>>20, need>>20)
	}
	return nil
}

// freeSpace measures the file system of path or, where path is not there yet,
// of the nearest folder above.
func freeSpace(path string) (uint64, error) {
	for {
		var s syscall.Statfs_t
		err := syscall.Statfs(path, &s)
		if err == nil {
			return s.Bavail * uint64(s.Bsize), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
			return 0, err
		}
		path = filepath.Dir(path)
	}
}
