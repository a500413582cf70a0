package lab

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Free bytes asked for before a step begins: what the step was measured to
// take, and half as much again.
const (
	spacePrograms = 80 << 20  // the programs that are built
	spaceModules  = 700 << 20 // their sources, in the module cache
	spaceBuild    = 350 << 20 // what they are linked from, in the build cache
	spaceVenv     = 400 << 20 // the virtual environment
	spaceWarm     = 150 << 20 // what cells link, in the build cache
)

// spaceToBuild is what the build of a tool into dir needs, by folder.
func (g goEnv) spaceToBuild(dir string) map[string]uint64 {
	return map[string]uint64{dir: spacePrograms, g.GOCACHE: spaceBuild, g.GOMODCACHE: spaceModules}
}

// checkSpace returns an error when the file system that is to hold path has
// fewer than need free bytes for this user.
func checkSpace(path string, need uint64) error {
	return checkSpaces(map[string]uint64{path: need})
}

// checkSpaces is checkSpace for several paths at once: what lies on one file
// system is added up.
func checkSpaces(need map[string]uint64) error {
	sum := map[uint64]uint64{}
	name := map[uint64]string{}
	for path, n := range need {
		existing, err := nearest(path)
		if err != nil {
			return faultf("%w", err)
		}
		var s syscall.Stat_t
		if err := syscall.Stat(existing, &s); err != nil {
			return faultf("free space of %s: %w", path, err)
		}
		device := uint64(s.Dev)
		sum[device] += n
		if name[device] == "" || path < name[device] {
			name[device] = path
		}
	}
	for device, n := range sum {
		free, err := freeSpace(name[device])
		if err != nil {
			return faultf("free space of %s: %w", name[device], err)
		}
		if free < n {
			return faultf("the disk of %s has %d MB free, and %d MB are needed: free some space and start again", name[device], free>>20, n>>20)
		}
	}
	return nil
}

// freeSpace measures the file system that holds, or is to hold, path.
func freeSpace(path string) (uint64, error) {
	existing, err := nearest(path)
	if err != nil {
		return 0, err
	}
	var s syscall.Statfs_t
	if err := syscall.Statfs(existing, &s); err != nil {
		return 0, err
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
