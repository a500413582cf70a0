package datasets

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// opened returns what read gives for the file with the given path.
func opened[T any](path string, read func(r io.Reader, name string) (*T, error)) (*T, error) {
	r, err := openData(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer r.Close()
	return read(r, filepath.Base(path))
}

// openData opens a file, which may be compressed with gzip, recognized by its first bytes.
func openData(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := uncompressed(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{r, f}, nil
}

// uncompressed returns a reader for the content of r, decompressed if it is gzip.
func uncompressed(r io.Reader) (io.Reader, error) {
	br := bufio.NewReaderSize(r, 1<<16)
	if head, _ := br.Peek(2); len(head) < 2 || head[0] != 0x1f || head[1] != 0x8b {
		return br, nil
	}
	return gzip.NewReader(br)
}
