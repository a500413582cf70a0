package datasets

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// NumPy describes arrays that NumPy has saved: the samples X, n×d, and n classes or
// targets y. They are two arrays of an .npz file (numpy.savez), two .npy files
// (numpy.save), or one array with y as one of its columns.
//
//	datasets.NumPy{}.Open("flowers.npz")                             // its arrays X and y
//	datasets.NumPy{X: "x_train", Y: "y_train"}.Open("mnist.npz")
//	datasets.NumPy{Y: "y.npy"}.Open("X.npy")
//	datasets.NumPy{}.Open("table.npy")                               // the last column is y
type NumPy struct {
	X string // the array of the samples in an .npz file; "" means "X"
	Y string // the classes or targets: an array of the same .npz file, "" for "y"; or the path of another .npy file, "" for a column of X

	Label string // the column of the classes or targets if they are in X, counted from 1; "" means the last

	Missing Missing // what becomes of samples with NaN; the zero value makes them an error
	Fill    float64 // the number for FillValue

	Task Task     // whether the samples have classes or targets; the zero value infers it
	Like *Dataset // the training set if these are test samples
}

// Open reads the file with the given path, which may be compressed with gzip. See
// [NumPy.Read].
func (p NumPy) Open(path string) (*Dataset, error) {
	return opened(path, p.Read)
}

// Read reads an .npy or .npz file. Its arrays have elements of type bool, integers of 8 to
// 64 bits, float32 or float64, in either byte order, by rows or by columns (Fortran order).
// X has two dimensions, or three if the samples are images and y is another array. Integers beyond 2⁵³ are
// rounded. NaN is a missing value, see [Missing]; infinities are errors. Labels are those
// of [CSV.Read]. name stands for the data in errors, which name the index of the element,
// counted from 0, and becomes the name of the Dataset.
func (p NumPy) Read(r io.Reader, name string) (*Dataset, error) {
	if r == nil {
		return nil, fmt.Errorf("datasets: %s: the reader is nil", name)
	}
	opt := CSV{Label: p.Label, Missing: p.Missing, Fill: p.Fill, Task: p.Task, Like: p.Like}
	if err := opt.checkValues(name); err != nil {
		return nil, err
	}
	x, y, yName, err := p.arrays(r, name)
	if err != nil {
		return nil, err
	}
	if len(x.shape) < 2 || len(x.shape) > 3 || slices.Contains(x.shape, 0) {
		return nil, fmt.Errorf("datasets: %s: an array of shape %v, want n×d, or n images of h×w, and none of them 0", name, x.shape)
	}
	n, d := x.shape[0], len(x.values)/x.shape[0]
	t := newTable(name, inTable, opt)
	if y != nil {
		if len(y.values) != n || len(y.shape) < 1 || len(y.shape) > 2 || y.shape[0] != n {
			return nil, fmt.Errorf("datasets: %s: an array of shape %v, want %d classes or targets, as %s has samples", yName, y.shape, n, name)
		}
		if p.Label != "" {
			return nil, fmt.Errorf("datasets: %s: Label is %q, and the classes or targets are in %s, want no Label", name, p.Label, yName)
		}
		t.ys = newOutcomes(yName, inList)
		err = t.planAll(d)
	} else if len(x.shape) == 3 {
		err = fmt.Errorf("datasets: %s: images of shape %v without classes; set Y to the file that has them", name, x.shape)
	} else if d < 2 {
		err = fmt.Errorf("datasets: %s: one column, want at least one feature and the class or target; set Y if they are in another file", name)
	} else {
		err = t.plan(headings{}, d)
	}
	if err != nil {
		return nil, err
	}
	for i := range n {
		t.skip = false
		for j, slot := range t.slots {
			if err := t.element(slot, x.values[x.index(i, j)], place{i, j}); err != nil {
				return nil, err
			}
		}
		if y != nil {
			if err := t.element(slotOutcome, y.values[i], place{i, 0}); err != nil {
				return nil, err
			}
		}
		if err := t.finishRow(); err != nil {
			return nil, err
		}
	}
	set, err := t.dataset()
	if err == nil && len(x.shape) == 3 {
		set.Height, set.Width = x.shape[1], x.shape[2]
	}
	return set, err
}

// planAll makes all d columns features.
func (t *table) planAll(d int) error {
	t.row = make([]float64, d)
	var features []int
	for j := range d {
		t.slots = append(t.slots, j)
		t.columns = append(t.columns, feature{number: j + 1})
		features = append(features, j)
	}
	return t.alike(headings{}, features)
}

// element adds a number to the row.
func (t *table) element(slot int, v float64, at place) error {
	switch {
	case math.IsInf(v, 0) && slot == slotOutcome:
		return fmt.Errorf("datasets: %s: %v, want a finite number", t.ys.at(at), v)
	case math.IsInf(v, 0):
		return t.bad(at, "%v, want a finite number", v)
	case slot == slotOutcome && math.IsNaN(v):
		return t.missingOutcome("NaN", at)
	case slot == slotOutcome:
		t.outcome, t.outcomeAt = strconv.FormatFloat(v, 'g', -1, 64), at
	case math.IsNaN(v):
		t.row[slot] = v
		return t.missing(&t.columns[slot], "NaN", at)
	default:
		t.row[slot] = v
	}
	return nil
}

// index returns the position of element (i, j) among the values of an array of n rows. If
// its rows are images, j counts their pixels row by row.
func (a *array) index(i, j int) int {
	n := a.shape[0]
	switch {
	case !a.fortran:
		return i*(len(a.values)/n) + j
	case len(a.shape) == 3:
		h, w := a.shape[1], a.shape[2]
		return i + n*(j/w+h*(j%w))
	}
	return i + n*j
}

// arrays reads X and, unless it is a column of X, y.
func (p NumPy) arrays(r io.Reader, name string) (x, y *array, yName string, err error) {
	br := bufio.NewReader(r)
	if head, _ := br.Peek(4); string(head) == "PK\x03\x04" {
		data, err := io.ReadAll(br)
		if err != nil {
			return nil, nil, "", fmt.Errorf("datasets: %s: %w", name, err)
		}
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return nil, nil, "", fmt.Errorf("datasets: %s: %w", name, err)
		}
		if x, err = member(z, name, "X", cmp.Or(p.X, "X")); err != nil {
			return nil, nil, "", err
		}
		y, err = member(z, name, "Y", cmp.Or(p.Y, "y"))
		return x, y, name, err
	}
	if p.X != "" {
		return nil, nil, "", fmt.Errorf("datasets: %s: X is %q, and the file is not an .npz file with several arrays, want no X", name, p.X)
	}
	if x, err = readNPY(br); err != nil {
		return nil, nil, "", fmt.Errorf("datasets: %s: %w", name, err)
	}
	if p.Y == "" {
		return x, nil, "", nil
	}
	f, err := openData(p.Y)
	if err != nil {
		return nil, nil, "", fmt.Errorf("datasets: Y: %w", err)
	}
	defer f.Close()
	yName = filepath.Base(p.Y)
	if y, err = readNPY(f); err != nil {
		return nil, nil, "", fmt.Errorf("datasets: %s: %w", yName, err)
	}
	return x, y, yName, nil
}

// member reads an array of an .npz file.
func member(z *zip.Reader, name, field, key string) (*array, error) {
	var keys []string
	for _, f := range z.File {
		k := strings.TrimSuffix(f.Name, ".npy")
		keys = append(keys, k)
		if k != key {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("datasets: %s: %s: %w", name, key, err)
		}
		defer r.Close()
		a, err := readNPY(r)
		if err != nil {
			return nil, fmt.Errorf("datasets: %s: %s: %w", name, key, err)
		}
		return a, nil
	}
	return nil, fmt.Errorf("datasets: %s: no array is called %q; set %s to one of %s", name, key, field, listed(keys))
}
