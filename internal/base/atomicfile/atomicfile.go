// Package atomicfile replaces files whole or not at all.
package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write makes data the content of the file. Whoever reads the file sees the old
// content or the new one, never a part. The file keeps its permissions, a new one
// gets those of any new file, and a symbolic link stays one. A file that has this
// content already is left alone.
func Write(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return Stream(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Stream replaces the file as Write does, with the content that write writes. An
// error of write leaves the file as it was.
func Stream(path string, write func(io.Writer) error) error {
	real, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		real = path
	case err != nil:
		return err
	}
	err = replace(real, write)
	// The user knows the file, not the temporary one.
	if at := (*fs.PathError)(nil); errors.As(err, &at) && strings.HasPrefix(at.Path, temporary(real)) {
		err = fmt.Errorf("writing %s: %w", path, at.Err)
	}
	return err
}

// temporary is how the paths of the temporary files for a file begin; digits follow.
func temporary(real string) string {
	return filepath.Join(filepath.Dir(real), "."+filepath.Base(real))
}

// Clean removes what a program left beside the file that was killed while it
// wrote it.
func Clean(path string) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		name := filepath.Join(filepath.Dir(path), e.Name())
		if digits, ours := strings.CutPrefix(name, temporary(path)); ours && digits != "" && strings.Trim(digits, "0123456789") == "" {
			os.Remove(name)
		}
	}
}
