package datasets

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// npyMagic begins a file with an array of NumPy.
const npyMagic = "\x93NUMPY"

// maxHeader is the longest header that readNPY reads. One of numbers has about 100 bytes.
const maxHeader = 1 << 16

// An array is the content of an .npy file.
//
// R. Kern, A simple file format for NumPy arrays, NumPy enhancement proposal 1, 2007, and
// the documentation of numpy.lib.format describe it: the magic text, two bytes of version,
// the length of the header (2 bytes in version 1, 4 in versions 2 and 3), the header, which
// is a dictionary in Python's notation, and the numbers.
type array struct {
	shape   []int
	fortran bool // the first index is the fastest, not the last
	values  []float64
}

// readNPY reads an array of numbers to the end of r.
func readNPY(r io.Reader) (*array, error) {
	br := bufio.NewReaderSize(r, 1<<16)
	header, err := npyHeader(br)
	if err != nil {
		return nil, err
	}
	find := func(pattern string) (string, bool) {
		m := regexp.MustCompile(pattern).FindStringSubmatch(header)
		if m == nil {
			return "", false
		}
		return m[1], true
	}
	dtype, ok := find(`'descr'\s*:\s*'([^']*)'`)
	if !ok {
		return nil, errors.New("the array has records of several fields, want numbers; save it with numpy.lib.recfunctions.structured_to_unstructured")
	}
	number, size, err := npyNumber(dtype)
	if err != nil {
		return nil, err
	}
	order, hasOrder := find(`'fortran_order'\s*:\s*(True|False)`)
	shape, hasShape := find(`'shape'\s*:\s*\(([0-9, L]*)\)`)
	if !hasOrder || !hasShape {
		return nil, fmt.Errorf("the header %q has no shape or no order of the elements", header)
	}
	a := &array{fortran: order == "True"}
	count := 1
	for text := range strings.SplitSeq(shape, ",") {
		if text = strings.Trim(text, " L"); text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n > 0 && count > maxValues/n {
			return nil, fmt.Errorf("shape (%s), want at most %d numbers", shape, maxValues)
		}
		a.shape, count = append(a.shape, n), count*n
	}
	// The array grows with the data read, not with the size that the header claims.
	a.values = make([]float64, 0, min(count, 1<<17))
	for b := make([]byte, size); len(a.values) < count; {
		if _, err := io.ReadFull(br, b); err != nil {
			return nil, fmt.Errorf("data end after %d of %d numbers: %w", len(a.values), count, unexpected(err))
		}
		a.values = append(a.values, number(b))
	}
	return a, atEnd(br)
}

// npyHeader reads the header of an array.
func npyHeader(r io.Reader) (string, error) {
	var start [8]byte
	if _, err := io.ReadFull(r, start[:]); err != nil || string(start[:6]) != npyMagic {
		return "", errors.New("not an array of NumPy, as numpy.save writes it")
	}
	length := make([]byte, 2)
	switch start[6] {
	case 1:
	case 2, 3:
		length = make([]byte, 4)
	default:
		return "", fmt.Errorf("version %d.%d of the format, want 1 to 3", start[6], start[7])
	}
	if _, err := io.ReadFull(r, length); err != nil {
		return "", fmt.Errorf("the header is missing: %w", unexpected(err))
	}
	n := uint32(binary.LittleEndian.Uint16(length))
	if len(length) == 4 {
		n = binary.LittleEndian.Uint32(length)
	}
	if n > maxHeader {
		return "", fmt.Errorf("a header of %d bytes, want at most %d", n, maxHeader)
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(r, header); err != nil {
		return "", fmt.Errorf("the header ends early: %w", unexpected(err))
	}
	return string(header), nil
}

// npyNumber returns how a number of the given type is read, and its size in bytes.
func npyNumber(dtype string) (number func([]byte) float64, size int, err error) {
	var order binary.ByteOrder = binary.LittleEndian // that of '=' on nearly all machines
	kind := strings.TrimLeft(dtype, "<=|")
	if strings.HasPrefix(dtype, ">") {
		order, kind = binary.BigEndian, dtype[1:]
	}
	if number, size = numberOf(kind, order); size == 0 {
		err = fmt.Errorf("elements of type %q, want bool, integers of 8 to 64 bits, float32 or float64; save a.astype(float), or numbers in place of texts", dtype)
	}
	return number, size, err
}

// numberOf returns how a number is read, and its size in bytes, which is 0 if the kind is unknown: b
// for bool, u or i for integers without and with a sign or f for floating-point numbers, and the size.
func numberOf(kind string, order binary.ByteOrder) (number func([]byte) float64, size int) {
	switch kind {
	case "b1", "u1":
		return func(b []byte) float64 { return float64(b[0]) }, 1
	case "i1":
		return func(b []byte) float64 { return float64(int8(b[0])) }, 1
	case "u2":
		return func(b []byte) float64 { return float64(order.Uint16(b)) }, 2
	case "i2":
		return func(b []byte) float64 { return float64(int16(order.Uint16(b))) }, 2
	case "u4":
		return func(b []byte) float64 { return float64(order.Uint32(b)) }, 4
	case "i4":
		return func(b []byte) float64 { return float64(int32(order.Uint32(b))) }, 4
	case "f4":
		return func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }, 4
	case "u8":
		return func(b []byte) float64 { return float64(order.Uint64(b)) }, 8
	case "i8":
		return func(b []byte) float64 { return float64(int64(order.Uint64(b))) }, 8
	case "f8":
		return func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }, 8
	}
	return nil, 0
}
