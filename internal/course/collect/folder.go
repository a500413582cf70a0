package collect

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
)

// readFolder lists the files below the root of a folder, in the order of their
// names. Links of both kinds are refused: in an exchange that students write to they
// would hand in what the lecturer can read and they cannot.
func readFolder(root *os.Root) ([]file, error) {
	var files []file
	err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		parts := strings.Split(name, "/")
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			files = append(files, file{path: parts, refused: "it cannot be read: " + cause(err)})
			return nil
		case len(files) >= maxEntries:
			return fmt.Errorf("more than %d files", maxEntries)
		case d.IsDir() && len(parts) >= maxDepth:
			files = append(files, file{path: parts, refused: fmt.Sprintf("it is %d folders deep, more than %d", len(parts), maxDepth-1)})
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		f := file{path: parts, open: func() (io.ReadCloser, error) { return root.Open(name) }}
		info, err := d.Info()
		switch {
		case err != nil:
			f.refused = "it cannot be read: " + cause(err)
		case info.Mode()&fs.ModeSymlink != 0:
			f.refused = "it is a symbolic link"
		case !info.Mode().IsRegular():
			f.refused = "it is a device, a pipe or a socket"
		case links(info) > 1:
			f.refused = "it is a hard link, one of several names of a file: copy it"
		case info.Size() > maxFile && !isZip(path.Base(name)):
			f.size, f.refused = info.Size(), fmt.Sprintf("it has %s, more than %s", bytesOf(info.Size()), bytesOf(maxFile))
		default:
			f.size = info.Size()
		}
		files = append(files, f)
		return nil
	})
	return files, err
}

// links returns how many names a file has.
func links(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

// cause returns the words of an error without the path, which the line has.
func cause(err error) string {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// isJunk reports whether a file is no student's: programs leave it beside theirs.
// nbgrader ignores .ipynb_checkpoints and __pycache__ too (CourseDirectory.ignore).
func isJunk(parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool {
		switch part {
		case "__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".ipynb_checkpoints", "__pycache__", ".git":
			return true
		}
		return strings.HasPrefix(part, "._") || strings.HasPrefix(part, "~$")
	})
}

func isZip(name string) bool      { return strings.EqualFold(path.Ext(name), ".zip") }
func isNotebook(name string) bool { return strings.EqualFold(path.Ext(name), ".ipynb") }
