package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Space returns an error when a file system has fewer free bytes for this user
// than need says, by folder: what lies on one file system is added up. The
// folders need not be there yet.
func Space(need map[string]uint64) error {
	sum := map[uint64]uint64{}
	name := map[uint64]string{}
	for path, n := range need {
		var s syscall.Stat_t
		existing, err := nearest(path)
		if err == nil {
			err = syscall.Stat(existing, &s)
		}
		if err != nil {
			return fmt.Errorf("setup: free space of %s: %w", path, err)
		}
		device := uint64(s.Dev)
		sum[device] += n
		if name[device] == "" || path < name[device] {
			name[device] = path
		}
	}
	for device, n := range sum {
		free, err := Free(name[device])
		if err != nil {
			return err
		}
		if free < n {
			return fmt.Errorf("setup: the disk of %s has %d MB free, and %d MB are needed: free some space and start again", name[device], free>>20, n>>20)
		}
	}
	return nil
}

// Free returns the free bytes of the file system that holds, or is to hold, path.
func Free(path string) (uint64, error) {
	var s syscall.Statfs_t
	existing, err := nearest(path)
	if err == nil {
		err = syscall.Statfs(existing, &s)
	}
	if err != nil {
		return 0, fmt.Errorf("setup: free space of %s: %w", path, err)
	}
	return s.Bavail * uint64(s.Bsize), nil
}

// nearest is path or, where it is not there yet, the nearest folder above that is.
func nearest(path string) (string, error) {
	for {
		_, err := os.Stat(path)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
			return "", err
		}
		path = filepath.Dir(path)
	}
}
