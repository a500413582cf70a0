package nbformat

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// WriteFile writes the notebook to the named file, all of it or nothing: to a
// temporary file in the same folder first, which then takes the name. The
// file keeps its mode, and a symbolic link stays one. A file that has these
// bytes already is left alone.
func (nb *Notebook) WriteFile(name string) error {
	data, err := nb.Encode()
	if err != nil {
		return fmt.Errorf("%w (nothing was written to %s)", err, name)
	}
	if err := writeAtomically(name, data); err != nil {
		return fmt.Errorf("nbformat: %w", err)
	}
	return nil
}

// TemporaryFiles returns the glob pattern (filepath.Match) of the temporary
// files that WriteFile of the process with this pid makes beside the named
// file. They can outlive only a process that is killed while it writes, so
// whoever watches over that process can remove them.
func TemporaryFiles(name string, pid int) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	return filepath.Join(quoteMeta(filepath.Dir(name)), fmt.Sprintf(".ipynb-%d-*.tmp", pid))
}

// quoteMeta returns a pattern that matches exactly the path.
func quoteMeta(path string) string {
	var b bytes.Buffer
	for _, r := range path {
		switch r {
		case '*', '?', '[', '\\':
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func writeAtomically(name string, data []byte) (err error) {
	var mode fs.FileMode // of the file as it is; 0 for a new one, which the umask shapes
	switch real, err := filepath.EvalSymlinks(name); {
	case err == nil:
		name = real
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		mode = info.Mode().Perm()
		if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, data) {
			return nil
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	f, err := createTemporary(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if mode != 0 {
		if err = f.Chmod(mode); err != nil {
			return err
		}
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// createTemporary is os.CreateTemp, but for the mode, which is that of any new file.
func createTemporary(dir string) (*os.File, error) {
	for {
		name := filepath.Join(dir, fmt.Sprintf(".ipynb-%d-%08x.tmp", os.Getpid(), rand.Uint32()))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
