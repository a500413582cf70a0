package datasets

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// CSV describes a table of comma-separated values with one sample a line: numbers,
// and one column with the class. Its zero value reads a file without a header that
// has the class in the last column, like those of the UCI repository.
type CSV struct {
	Comma   rune   // separator; 0 is ','
	Comment rune   // lines that begin with it are skipped; 0 is none
	Header  bool   // the first line names the columns
	Label   string // column of the class: its name in the header, or its number from 1; "" is the last
}

// Open reads the file with the given path, which may be compressed by gzip. See
// [CSV.Read].
func (c CSV) Open(path string) (*Dataset, error) {
	r, err := openData(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer r.Close()
	return c.Read(r, filepath.Base(path))
}

// Read reads a table; name stands for it in errors, and becomes the name of the
// Dataset. If every class is written as an integer, these are the labels; otherwise
// the classes are numbered from 0 in alphabetical order. Errors name the line and
// the column (in bytes, from 1) where the file is wrong.
func (c CSV) Read(r io.Reader, name string) (*Dataset, error) {
	br := bufio.NewReader(r)
	if bom, _ := br.Peek(3); string(bom) == "\ufeff" { // spreadsheets write it
		br.Discard(3)
	}
	cr := csv.NewReader(br)
	if c.Comma != 0 {
		cr.Comma = c.Comma
	}
	cr.Comment = c.Comment
	cr.ReuseRecord = true
	bad := func(field int, format string, args ...any) error {
		line, col := cr.FieldPos(field)
		return fmt.Errorf("datasets: %s:%d:%d: %s", name, line, col, fmt.Sprintf(format, args...))
	}
	var (
		header  []string
		label   = -1 // column of the class; -1 until the first line is read
		values  []float64
		classes []string
	)
	for {
		rec, err := cr.Read()
		if err == io.EOF {
			break
		}
		if errors.Is(err, csv.ErrFieldCount) {
			return nil, bad(0, "%d columns, want %d as in the first line", len(rec), cr.FieldsPerRecord)
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("datasets: %s:%d:%d: %w", name, syntax.Line, syntax.Column, syntax.Err)
		}
		if err != nil {
			return nil, fmt.Errorf("datasets: %s: %w", name, err)
		}
		if label < 0 {
			if len(rec) < 2 {
				return nil, bad(0, "one column, want at least one number and a class, separated by %q", cr.Comma)
			}
			if c.Header {
				header = slices.Clone(rec)
			}
			if label, err = c.labelColumn(header, len(rec)); err != nil {
				return nil, fmt.Errorf("datasets: %s: %w", name, err)
			}
			if c.Header {
				continue
			}
		}
		for j, field := range rec {
			field = strings.TrimSpace(field)
			if j == label {
				if field == "" {
					return nil, bad(j, "the class is empty")
				}
				classes = append(classes, field)
				continue
			}
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				hint := ""
				if len(classes) == 0 && !c.Header {
					hint = " (if the first line names the columns, set Header)"
				}
				return nil, bad(j, "%q is not a number%s", field, hint)
			}
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, bad(j, "%q is not a finite number", field)
			}
			values = append(values, v)
		}
	}
	if len(classes) == 0 {
		return nil, fmt.Errorf("datasets: %s: no samples", name)
	}
	d := &Dataset{Name: name, Source: name}
	d.X = mat.NewDense(len(classes), len(values)/len(classes), values)
	if header != nil {
		d.Features = slices.Delete(header, label, label+1)
	}
	d.setClasses(classes)
	return d, nil
}

// labelColumn finds the column of the class among n.
func (c CSV) labelColumn(header []string, n int) (int, error) {
	if c.Label == "" {
		return n - 1, nil
	}
	if j := slices.Index(header, c.Label); j >= 0 {
		return j, nil
	}
	if j, err := strconv.Atoi(c.Label); err == nil && 1 <= j && j <= n {
		return j - 1, nil
	}
	if header == nil {
		return 0, fmt.Errorf("label %q is not a column number, want 1 to %d", c.Label, n)
	}
	return 0, fmt.Errorf("no column is called %q; there are %q", c.Label, header)
}

// setClasses sets Y, Labels and Classes from the classes as they were written.
func (d *Dataset) setClasses(written []string) {
	d.Y = make([]int, len(written))
	numbers := true
	for i, s := range written {
		y, err := strconv.Atoi(s)
		numbers = numbers && err == nil
		d.Y[i] = y
	}
	if numbers {
		d.Labels = labelsOf(d.Y)
		for _, y := range d.Labels {
			d.Classes = append(d.Classes, strconv.Itoa(y))
		}
		return
	}
	d.Classes = slices.Clone(written)
	slices.Sort(d.Classes)
	d.Classes = slices.Compact(d.Classes)
	for k := range d.Classes {
		d.Labels = append(d.Labels, k)
	}
	for i, s := range written {
		d.Y[i], _ = slices.BinarySearch(d.Classes, s)
	}
}

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
