// Package mnistfiles describes the four files of MNIST: their names and sums, where to
// look for them, and how to install a copy in the user's cache. marginalia/datasets
// shares it with the downloader, which is a program of its own (see
// marginalia/datasets/fetch).
package mnistfiles

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"marginalia/internal/base/atomicfile"
)

// A File is one file of the data set.
type File struct {
	Name string // without .gz
	Size int64  // uncompressed
	Sum  string // SHA-256 of the uncompressed content, in hex
}

// Files are the files of Y. LeCun, C. Cortes, C. J. C. Burges, The MNIST database
// of handwritten digits, 1998.
var Files = []File{
	{"train-images-idx3-ubyte", 47040016, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
	{"train-labels-idx1-ubyte", 60008, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
	{"t10k-images-idx3-ubyte", 7840016, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
	{"t10k-labels-idx1-ubyte", 10008, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"},
}

// A SumError reports a file that can be read but has the wrong sum.
type SumError struct {
	Path, Got, Want string
}

func (e *SumError) Error() string {
	return fmt.Sprintf("%s: the uncompressed content has SHA-256 %s, want %s: the file is damaged or another data set", e.Path, e.Got, e.Want)
}

// CacheDir returns the directory of the verified copies.
func CacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "marginalia", "mnist"), nil
}

// Cached reports whether dir has the file, uncompressed. It checks only the size, since
// a file gets its name there only after its sum has been verified.
func (f File) Cached(dir string) bool {
	fi, err := os.Stat(filepath.Join(dir, f.Name))
	return err == nil && fi.Mode().IsRegular() && fi.Size() == f.Size
}

// Find looks for the file in $MARGINALIA_DATA/mnist and $MARGINALIA_DATA, plain or
// compressed, and then in the directory cache, compressed. It doesn't read the file.
func (f File) Find(cache string) (path string, ok bool) {
	var paths []string
	if root := os.Getenv("MARGINALIA_DATA"); root != "" {
		for _, dir := range []string{filepath.Join(root, "mnist"), root} {
			paths = append(paths, filepath.Join(dir, f.Name), filepath.Join(dir, f.Name+".gz"))
		}
	}
	if cache != "" {
		paths = append(paths, filepath.Join(cache, f.Name+".gz"))
	}
	for _, path := range paths {
		if fi, err := os.Stat(path); err == nil && fi.Mode().IsRegular() {
			return path, true
		}
	}
	return "", false
}

// Read returns the uncompressed content of the file at path, plain or compressed, after
// verifying its sum.
func (f File) Read(path string) ([]byte, error) {
	var content bytes.Buffer
	content.Grow(int(f.Size) + 1)
	if err := f.verify(&content, path); err != nil {
		return nil, err
	}
	return content.Bytes(), nil
}

// Install puts the uncompressed content of the file at path, plain or compressed, into
// dir, which it creates if necessary. The file gets its name only when it is complete and
// its sum verified, hence any number of processes may call Install at once.
func (f File) Install(dir, path string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return atomicfile.Stream(filepath.Join(dir, f.Name), func(w io.Writer) error { return f.verify(w, path) })
}

// verify copies the uncompressed content of path to w and checks its sum.
func (f File) verify(w io.Writer, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	br := bufio.NewReaderSize(file, 1<<16)
	var r io.Reader = br
	if head, _ := br.Peek(2); len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		if r, err = gzip.NewReader(br); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	sum := sha256.New()
	// One byte too many suffices to recognize another file.
	n, err := io.Copy(io.MultiWriter(w, sum), io.LimitReader(r, f.Size+1))
	var onDisk *os.PathError
	if errors.As(err, &onDisk) {
		return err
	}
	if err != nil {
		return fmt.Errorf("%s: damaged after %d bytes of content: %w", path, n, err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.Sum {
		return &SumError{path, got, f.Sum}
	}
	return nil
}
