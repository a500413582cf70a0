package notebook

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Save writes the figure to the named file, in the format that the name ends in.
func Save(name string, p Picture) error {
	ending := filepath.Ext(name)
	format := formats[strings.ToLower(strings.TrimPrefix(ending, "."))]
	if format == nil {
		return fmt.Errorf("plotting: Save: %s ends in %q, want .svg, .pdf or .png", name, ending)
	}
	if err := replace(name, format(p)); err != nil {
		return fmt.Errorf("plotting: Save: %w", err)
	}
	return nil
}

// replace makes data the content of a file, by renaming a temporary one, or leaves the file as it
// is. A file that is there keeps its permissions, and a symbolic link stays one.
// internal/base/atomicfile has a dependency that would be linked into every cell that draws.
func replace(name string, data []byte) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	f, err := temporary(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if old, e := os.Stat(name); err == nil && e == nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = f.Sync() // or a crash may leave the new name with no content
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// temporary creates a file beside the named one, with the permissions of a new file, which
// os.CreateTemp does not give.
func temporary(name string) (*os.File, error) {
	for i := 0; ; i++ {
		beside := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d", filepath.Base(name), i))
		f, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
