package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"marginalia/internal/base/atomicfile"

	"gonum.org/v1/gonum/mat"
)

// A stored is samples in a file that every side reads: X row by row as float64,
// and then the labels as float64, little-endian.
type stored struct {
	Path string `json:"path"`
	N    int    `json:"n"`
	D    int    `json:"d"`
}

// store returns the file of the source's samples in the folder dir, which it writes
// if it is not there.
func store(dir string, from source) (stored, error) {
	path := filepath.Join(dir, from.name+".f64")
	header := path + ".shape"
	s := stored{Path: path}
	if b, err := os.ReadFile(header); err == nil {
		info, err := os.Stat(path)
		if _, scan := fmt.Sscan(string(b), &s.N, &s.D); scan == nil && err == nil && info.Size() == int64(8*s.N*(s.D+1)) {
			return s, nil
		}
	}
	drawn, err := from.make()
	if err != nil {
		return stored{}, fmt.Errorf("bench: samples %s: %w", from.name, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return stored{}, err
	}
	s.N, s.D = drawn.X.Dims()
	if err := atomicfile.Stream(path, drawn.write); err != nil {
		return stored{}, err
	}
	return s, atomicfile.Write(header, fmt.Appendln(nil, s.N, s.D))
}

func (s samples) write(file io.Writer) error {
	w := bufio.NewWriter(file)
	n, _ := s.X.Dims()
	for i := range n {
		if err := binary.Write(w, binary.LittleEndian, s.X.RawRowView(i)); err != nil {
			return err
		}
	}
	return errors.Join(binary.Write(w, binary.LittleEndian, s.targets()), w.Flush())
}

// load reads the samples, with no more memory than they take: what a side needs
// beyond that is its own.
func (s stored) load() (samples, error) {
	f, err := os.Open(s.Path)
	if err != nil {
		return samples{}, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	read := samples{mat.NewDense(s.N, s.D, nil), make([]int, s.N)}
	buffer := make([]byte, 8*max(s.N, s.D)) // binary.Read would make one for each row, and the garbage doubles the peak
	numbers := func(dst []float64) error {
		if _, err := io.ReadFull(r, buffer[:8*len(dst)]); err != nil {
			return fmt.Errorf("%s: %w", s.Path, err)
		}
		for j := range dst {
			dst[j] = math.Float64frombits(binary.LittleEndian.Uint64(buffer[8*j:]))
		}
		return nil
	}
	for i := range s.N {
		if err := numbers(read.X.RawRowView(i)); err != nil {
			return samples{}, err
		}
	}
	labels := make([]float64, s.N)
	if err := numbers(labels); err != nil {
		return samples{}, err
	}
	for i, label := range labels {
		read.y[i] = int(label)
	}
	return read, nil
}
