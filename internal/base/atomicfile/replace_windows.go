package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// renameio leaves Windows out, where a rename fails while another program reads
// the file. Then the file stays as it was.
func replace(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path))
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
