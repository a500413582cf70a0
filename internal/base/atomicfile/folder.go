package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Folder puts the folder tmp, which lies beside out, in the place of out. Where that fails, the old one is put back.
func Folder(tmp, out string) error {
	old := tmp + "-old"
	err := os.Rename(out, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(tmp, out); err != nil {
		return errors.Join(err, ignoreMissing(os.Rename(old, out)))
	}
	if err := os.RemoveAll(old); err != nil {
		return fmt.Errorf("the new folder is in place, but the old one is still at %s: %w", old, err)
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
