package datasets

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// An IDX is the content of an IDX file: an array of numbers of one type, with any
// number of dimensions. MNIST is distributed in such files.
//
// Y. LeCun, C. Cortes, C. J. C. Burges, The MNIST database of handwritten digits,
// describe the format: a magic number 0, 0, type, number of dimensions; the dimensions
// as 32-bit integers; the elements, last index fastest. All numbers are big-endian.
type IDX struct {
	Type  IDXType
	Shape []int  // dimensions, outermost first
	Data  []byte // the elements as stored in the file; for IDXUint8 one byte each
}

// An IDXType is the type of the elements of an IDX file, given by its code in the magic
// number.
type IDXType byte

const (
	IDXUint8   IDXType = 0x08
	IDXInt8    IDXType = 0x09
	IDXInt16   IDXType = 0x0B
	IDXInt32   IDXType = 0x0C
	IDXFloat32 IDXType = 0x0D
	IDXFloat64 IDXType = 0x0E
)

// idxKinds are the names of the types for numberOf.
var idxKinds = map[IDXType]string{IDXUint8: "u1", IDXInt8: "i1", IDXInt16: "i2", IDXInt32: "i4", IDXFloat32: "f4", IDXFloat64: "f8"}

// size returns the bytes per element, 0 for an unknown type.
func (t IDXType) size() int {
	_, size := numberOf(idxKinds[t], binary.BigEndian)
	return size
}

// OpenIDX reads the file with the given path, which may be compressed with gzip.
func OpenIDX(path string) (*IDX, error) {
	return opened(path, ReadIDX)
}

// ReadIDX reads an uncompressed IDX file to its end. name stands for it in errors. It
// returns an error if the length of the file does not match its dimensions.
func ReadIDX(r io.Reader, name string) (*IDX, error) {
	if r == nil {
		return nil, fmt.Errorf("datasets: %s: the reader is nil", name)
	}
	br := bufio.NewReader(r)
	typ, shape, size, err := readIDXHeader(br)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	// The buffer grows with the data read, not with the size that the header claims.
	var data bytes.Buffer
	data.Grow(int(min(size, 1<<20)))
	if n, err := io.CopyN(&data, br, size); err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, truncated(n, size, err))
	}
	if err := atEnd(br); err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	return &IDX{typ, shape, data.Bytes()}, nil
}

// Float64s returns the elements as numbers, last index fastest. It panics if Type is not
// one of the types above.
func (x *IDX) Float64s() []float64 {
	number, step := numberOf(idxKinds[x.Type], binary.BigEndian)
	if step == 0 {
		panic(fmt.Sprintf("datasets: IDX of type %#02x, want IDXUint8 or another of the six", byte(x.Type)))
	}
	v := make([]float64, len(x.Data)/step)
	for i := range v {
		v[i] = number(x.Data[i*step:])
	}
	return v
}

// readIDXHeader reads the magic number and the dimensions; size is the number of bytes
// that must follow.
func readIDXHeader(r io.Reader) (typ IDXType, shape []int, size int64, err error) {
	var magic [4]byte
	if _, err := io.ReadFull(r, magic[:]); err != nil {
		return 0, nil, 0, fmt.Errorf("not an IDX file: no magic number: %w", unexpected(err))
	}
	if magic[0] == 0x1f && magic[1] == 0x8b {
		return 0, nil, 0, errors.New("not an IDX file: still compressed by gzip")
	}
	typ = IDXType(magic[2])
	if magic[0] != 0 || magic[1] != 0 || typ.size() == 0 {
		return 0, nil, 0, fmt.Errorf("not an IDX file: magic number % x, want 00 00, a type 08, 09 or 0b to 0e, and the number of dimensions", magic)
	}
	if magic[3] == 0 {
		return 0, nil, 0, errors.New("IDX file without dimensions")
	}
	size = int64(typ.size())
	for k := range int(magic[3]) {
		var b [4]byte
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return 0, nil, 0, fmt.Errorf("IDX file ends in dimension %d of %d: %w", k+1, magic[3], unexpected(err))
		}
		n := binary.BigEndian.Uint32(b[:])
		if n == 0 {
			return 0, nil, 0, fmt.Errorf("IDX file: dimension %d of %d is 0", k+1, magic[3])
		}
		if size > math.MaxInt32*8/int64(n) {
			return 0, nil, 0, fmt.Errorf("IDX file: dimensions %v and %d make more than 16 GiB", shape, n)
		}
		size *= int64(n)
		shape = append(shape, int(n))
	}
	return typ, shape, size, nil
}

// truncated returns an error for data that end after n of size bytes.
func truncated(n, size int64, err error) error {
	return fmt.Errorf("data end after %d of %d bytes: %w", n, size, unexpected(err))
}

// unexpected turns io.EOF into io.ErrUnexpectedEOF.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// atEnd returns an error if any data follow.
func atEnd(r io.Reader) error {
	switch n, err := io.CopyN(io.Discard, r, 1); {
	case n > 0:
		return errors.New("more data than the dimensions say")
	case err != io.EOF:
		return err
	}
	return nil
}
