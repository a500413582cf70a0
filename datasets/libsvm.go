package datasets

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A matrix that is made from a sparse file may have maxValues numbers (2 GiB); and
// where the file alone says how many features there are, sparsity numbers for each
// that it has, or smallValues (32 MiB): one wrong index is an error and not the end of
// the memory.
const (
	maxValues   = 1 << 28
	sparsity    = 1000
	smallValues = 1 << 22
)

// OpenLIBSVM reads the file with the given path, which may be compressed by gzip.
// See [ReadLIBSVM].
func OpenLIBSVM(path string, features int) (*Dataset, error) {
	r, err := openData(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer r.Close()
	return ReadLIBSVM(r, filepath.Base(path), features)
}

// ReadLIBSVM reads data in the format of LIBSVM and SVMlight: a line is a sample,
//
//	label index:value index:value ...
//
// with an integer label, indices from 1 in ascending order, and what is not there
// is 0. Text from a # on is a comment. The result is dense, n×d, where d is features,
// or the largest index that occurs if features is 0: a test set is read with the
// number of features of its training set. A matrix of more than 2 GiB is refused, and
// if features is 0, a large one of which less than one number in 1000 is in the file.
// name stands for the data in errors, which name line and column (in bytes, from 1),
// and becomes the name of the Dataset.
//
// The format is described in C.-C. Chang, C.-J. Lin, LIBSVM: a library for support
// vector machines, 2011, and its README.
func ReadLIBSVM(r io.Reader, name string, features int) (*Dataset, error) {
	if features < 0 {
		return nil, fmt.Errorf("datasets: %s: features = %d, want at least 0", name, features)
	}
	type entry struct {
		index int
		value float64
	}
	var (
		rows  [][]entry
		y     []int
		width = features
		count int // values that the file has
	)
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<26)
	line := 0
	for s.Scan() {
		line++
		text, _, _ := strings.Cut(s.Text(), "#")
		var row []entry
		last, fields := 0, 0
		for col, field := range fieldsWithColumn(text) {
			bad := func(format string, args ...any) error {
				return fmt.Errorf("datasets: %s:%d:%d: %s", name, line, col, fmt.Sprintf(format, args...))
			}
			fields++
			if fields == 1 {
				v, err := strconv.ParseFloat(field, 64)
				if err != nil || v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 {
					return nil, bad("label %q is not an integer", field)
				}
				y = append(y, int(v))
				continue
			}
			is, vs, ok := strings.Cut(field, ":")
			if !ok {
				return nil, bad("%q, want index:value", field)
			}
			index, err := strconv.Atoi(is)
			if err != nil || index < 1 {
				return nil, bad("index %q, want an integer, at least 1", is)
			}
			if index <= last {
				return nil, bad("index %d after %d, want ascending indices", index, last)
			}
			if features > 0 && index > features {
				return nil, bad("index %d, want at most %d", index, features)
			}
			value, err := strconv.ParseFloat(vs, 64)
			if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
				return nil, bad("value %q of index %d is not a finite number", vs, index)
			}
			last = index
			row = append(row, entry{index, value})
		}
		if fields > 0 {
			rows = append(rows, row)
			count += len(row)
			width = max(width, last)
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("datasets: %s:%d: %w", name, line+1, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("datasets: %s: no samples", name)
	}
	if width == 0 {
		return nil, fmt.Errorf("datasets: %s: no sample has a feature that is not 0, so their number is not known; give it", name)
	}
	limit, hint := maxValues, ""
	if known := max(smallValues, sparsity*count); features == 0 && known < limit {
		limit, hint = known, fmt.Sprintf(" with %d values in the file, unless the number of features is given", count)
	}
	if width > limit/len(rows) {
		return nil, fmt.Errorf("datasets: %s: %d samples of %d features are too many for a dense matrix, which may have %d numbers%s", name, len(rows), width, limit, hint)
	}
	d := &Dataset{Name: name, Source: name, X: mat.NewDense(len(rows), width, nil), Y: y, Labels: labelsOf(y)}
	for _, label := range d.Labels {
		d.Classes = append(d.Classes, strconv.Itoa(label))
	}
	for i, row := range rows {
		for _, e := range row {
			d.X.Set(i, e.index-1, e.value)
		}
	}
	return d, nil
}

// fieldsWithColumn yields the fields of a line with the column, from 1, where each
// begins.
func fieldsWithColumn(line string) func(yield func(col int, field string) bool) {
	return func(yield func(int, string) bool) {
		for i := 0; i < len(line); {
			if strings.IndexByte(" \t\r", line[i]) >= 0 {
				i++
				continue
			}
			end := len(line)
			if n := strings.IndexAny(line[i:], " \t\r"); n >= 0 {
				end = i + n
			}
			if !yield(i+1, line[i:end]) {
				return
			}
			i = end
		}
	}
}
