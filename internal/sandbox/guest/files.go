package guest

import (
	"io"
	"io/fs"
	"testing/fstest"
	"time"

	experimentalsys "github.com/tetratelabs/wazero/experimental/sys"
	"github.com/tetratelabs/wazero/experimental/sysfs"
)

// files are what a guest can read, and how many of them it has open. What it has open lies with the host, so the
// state of an instance that has files open is not in its memory: no other instance can start from it.
type files struct {
	fstest.MapFS
	open int
	root bool // the host has the folder itself open, which it does at first use, for ever
}

func filesOf(all map[string][]byte) *files {
	f := &files{MapFS: fstest.MapFS{}}
	for path, data := range all {
		f.MapFS[path] = &fstest.MapFile{Data: data, Mode: 0o444, ModTime: time.Unix(start, 0)}
	}
	return f
}

func (f *files) Open(name string) (fs.File, error) {
	opened, err := f.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	if name == "." && !f.root {
		f.root = true
		return opened, nil
	}
	f.open++
	if d, ok := opened.(fs.ReadDirFile); ok {
		return &dir{d, f}, nil
	}
	return &file{opened.(regular), f}, nil
}

type dir struct {
	fs.ReadDirFile
	of *files
}

func (d *dir) Close() error { d.of.open--; return d.ReadDirFile.Close() }

// regular is what a file of an fstest.MapFS is.
type regular interface {
	fs.File
	io.Seeker
	io.ReaderAt
}

type file struct {
	regular
	of *files
}

func (f *file) Close() error { f.of.open--; return f.regular.Close() }

// A folder has files that can't be written, and says so as Linux does.
type folder struct{ sysfs.ReadFS }

func readOnly(f *files) *folder { return &folder{sysfs.ReadFS{FS: &sysfs.AdaptFS{FS: f}}} }

func (f *folder) OpenFile(path string, flag experimentalsys.Oflag, perm fs.FileMode) (experimentalsys.File, experimentalsys.Errno) {
	const write = experimentalsys.O_WRONLY | experimentalsys.O_RDWR | experimentalsys.O_CREAT | experimentalsys.O_TRUNC
	if flag&write != 0 && flag&experimentalsys.O_DIRECTORY == 0 {
		return nil, experimentalsys.EROFS
	}
	return f.ReadFS.OpenFile(path, flag, perm)
}
