package toolchain

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/browser/manifest"
)

// A store is a folder with deflated files, each named by the hash of its content. What is there
// already is not deflated again.
type store struct {
	dir  string
	used map[string]bool
}

// add writes content, and returns its file. end is the end of its name.
func (s *store) add(content []byte, end string) (manifest.File, error) {
	sum := sha256.Sum256(content)
	f := manifest.File{Name: hex.EncodeToString(sum[:10]) + end}
	s.used[f.Name] = true
	path := filepath.Join(s.dir, f.Name)
	if info, err := os.Stat(path); err == nil {
		f.Size = info.Size()
		return f, nil
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return f, err
	}
	w.Write(content) // to memory, which never fails
	w.Close()
	f.Size = int64(b.Len())
	if err := atomicfile.Write(path, b.Bytes()); err != nil {
		return f, fmt.Errorf("toolchain: %w", err)
	}
	return f, nil
}

// clean removes the files that an older manifest named.
func (s *store) clean() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return fmt.Errorf("toolchain: %w", err)
	}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".x", ".o", ".wasmz":
			if !s.used[e.Name()] {
				if err := os.Remove(filepath.Join(s.dir, e.Name())); err != nil {
					return fmt.Errorf("toolchain: %w", err)
				}
			}
		}
	}
	return nil
}
