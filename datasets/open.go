package datasets

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
)

// openData opens a file that may be compressed by gzip, told by its first bytes.
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

// uncompressed returns what r holds, without the gzip around it if there is one.
func uncompressed(r io.Reader) (io.Reader, error) {
	br := bufio.NewReaderSize(r, 1<<16)
	if head, _ := br.Peek(2); len(head) < 2 || head[0] != 0x1f || head[1] != 0x8b {
		return br, nil
	}
	return gzip.NewReader(br)
}
