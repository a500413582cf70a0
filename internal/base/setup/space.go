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
	sum, name := map[uint64]uint64{}, map[uint64]string{}
	for path, n := range need {
		_, info, err := nearest(path)
		if err != nil {
			return err
		}
		device := uint64(info.Sys().(*syscall.Stat_t).Dev)
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
	existing, _, err := nearest(path)
	if err != nil {
		return 0, err
	}
	var s syscall.Statfs_t
	if err := syscall.Statfs(existing, &s); err != nil {
		return 0, fmt.Errorf("setup: free space of %s: %w", path, err)
	}
	return s.Bavail * uint64(s.Bsize), nil
}

// nearest is path or, where it is not there yet, the nearest folder above that is.
func nearest(path string) (string, fs.FileInfo, error) {
	for at := path; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil {
			return at, info, nil
		}
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			return "", nil, fmt.Errorf("setup: free space of %s: %w", path, err)
		}
	}
}
