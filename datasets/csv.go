package datasets

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// CSV describes a table of comma-separated values with one sample per line: numbers,
// and one column with the class or the regression target. The zero value reads a file
// without a header that has this column at the end, like those of the UCI repository,
// and infers whether it holds classes or targets.
//
//	train, err := datasets.CSV{Header: true}.Open("train.csv")
//	…
//	test, err := datasets.CSV{Header: true, Like: train}.Open("test.csv")
type CSV struct {
	Comma   rune   // separator; 0 means ','
	Comment rune   // start of lines to skip; 0 means none
	Header  bool   // the first line names the columns
	Label   string // column of the class or target: its name in the header or its number from 1; "" means the last

	// Task says whether that column has classes or targets. The zero value, ByValues,
	// infers it from the values.
	Task Task

	// Classes lists all classes as they are written in the file. Two classes get the
	// labels -1 and +1 in this order; otherwise class k gets the label k, from 0. nil
	// means the classes that occur in the file.
	Classes []string

	// Like is the training set if this file has test samples. The file must have the
	// same columns, and its classes get the labels of the training set. Without Like a
	// test set that lacks a class may number the others differently.
	Like *Dataset
}

// Open reads the file with the given path, which may be compressed with gzip. See
// [CSV.Read].
func (c CSV) Open(path string) (*Dataset, error) {
	r, err := openData(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer r.Close()
	return c.Read(r, filepath.Base(path))
}

// Read reads a table. name stands for it in errors and becomes the name of the Dataset.
// Two classes get the labels -1 and +1, in numerical or else alphabetical order. More
// classes keep their labels if all are integers; otherwise they are numbered from 0 in
// alphabetical order. Dataset.Classes keeps the classes as written. Errors name the line
// and the column (in bytes, from 1) of the mistake, such as a missing value.
func (c CSV) Read(r io.Reader, name string) (*Dataset, error) {
	if err := c.check(r, name); err != nil {
		return nil, err
	}
	br := bufio.NewReader(r)
	if bom, _ := br.Peek(3); string(bom) == "\ufeff" { // byte order mark of spreadsheets
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
		header []string
		label  = -1 // column of the class or target; -1 until the first line is read
		values []float64
		ys     = newOutcomes(name)
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
			hint := ""
			if label < 0 {
				hint = fmt.Sprintf("; set Comma if the separator is not %q", cr.Comma)
			}
			return nil, fmt.Errorf("datasets: %s:%d:%d: %w%s", name, syntax.Line, syntax.Column, syntax.Err, hint)
		}
		if err != nil {
			return nil, fmt.Errorf("datasets: %s: %w", name, err)
		}
		first := label < 0
		if first {
			if len(rec) < 2 {
				return nil, bad(0, "one column, want at least one number and a class or target, separated by %q; set Comma if the file has another separator", cr.Comma)
			}
			if c.Header {
				header = slices.Clone(rec)
			}
			if label, err = c.labelColumn(header, len(rec)); err != nil {
				return nil, fmt.Errorf("datasets: %s: %w", name, err)
			}
			if field, err := c.unlike(header, label, len(rec)); err != nil {
				return nil, bad(field, "%v", err)
			}
			if c.Header {
				continue
			}
		}
		for j, field := range rec {
			field = strings.TrimSpace(field)
			if j == label {
				if field == "" {
					return nil, bad(j, "the class or target is missing; fill it in, or leave the line out")
				}
				line, column := cr.FieldPos(j)
				ys.add(field, place{line, column})
				continue
			}
			v, ok := finite(field)
			if !ok {
				return nil, bad(j, "%q is not a finite number%s", field, c.advice(field, header, j, first))
			}
			values = append(values, v)
		}
	}
	n := len(ys.of)
	if n == 0 {
		return nil, fmt.Errorf("datasets: %s: no samples", name)
	}
	d := &Dataset{Name: name, Source: name}
	d.X = mat.NewDense(n, len(values)/n, values)
	if header != nil {
		d.Features = slices.Delete(header, label, label+1)
	}
	var err error
	switch {
	case c.Like != nil:
		err = ys.setLike(d, c.Like)
	case c.Classes != nil:
		err = ys.setClasses(d, c.Classes, labelsFor(len(c.Classes)), "CSV.Classes")
	default:
		err = ys.setTo(d, c.Task)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// check returns an error if the fields contradict each other.
func (c CSV) check(r io.Reader, name string) error {
	switch {
	case r == nil:
		return fmt.Errorf("datasets: %s: the reader is nil", name)
	case c.Like != nil && (c.Classes != nil || c.Task != ByValues):
		return fmt.Errorf("datasets: %s: CSV.Like has the task and the classes, want neither CSV.Task nor CSV.Classes beside it", name)
	case c.Classes != nil && c.Task == Regression:
		return fmt.Errorf("datasets: %s: CSV.Task is Regression, want no CSV.Classes", name)
	case c.Like != nil:
		return c.Like.check("CSV.Like")
	}
	return nil
}

// labelColumn returns the index of the class or target among n columns.
func (c CSV) labelColumn(header []string, n int) (int, error) {
	if c.Label == "" {
		return n - 1, nil
	}
	if j := slices.Index(header, c.Label); j >= 0 {
		if k := slices.Index(header[j+1:], c.Label); k >= 0 {
			return 0, fmt.Errorf("the columns %d and %d are both called %q; set Label to the number of one", j+1, j+k+2, c.Label)
		}
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

// unlike returns an error, and the field it concerns, if the columns of the file differ
// from those of c.Like.
func (c CSV) unlike(header []string, label, n int) (field int, err error) {
	if c.Like == nil {
		return 0, nil
	}
	if _, d := c.Like.X.Dims(); n != d+1 {
		return 0, fmt.Errorf("%d columns, want %d, the features of %s and a class or target", n, d+1, c.Like.Name)
	}
	if header == nil || c.Like.Features == nil {
		return 0, nil
	}
	features := slices.Delete(slices.Clone(header), label, label+1)
	for j, feature := range features {
		if want := c.Like.Features[j]; feature != want {
			if j >= label {
				j++
			}
			return j, fmt.Errorf("the column is called %q, want %q as in %s", feature, want, c.Like.Name)
		}
	}
	return 0, nil
}

// advice suggests a remedy for a field of column j that is not a number.
func (c CSV) advice(field string, header []string, j int, first bool) string {
	column := fmt.Sprintf(", in column %d", j+1)
	if header != nil {
		column += fmt.Sprintf(", %q", header[j])
	}
	switch strings.ToLower(field) {
	case "", "?", "-", "na", "n/a", "nan", "null", "none":
		return column + "; fill missing values in, or leave the line out"
	}
	if first {
		return column + fmt.Sprintf(" (if the first line names the columns, set Header; if this column has the classes, set Label to \"%d\")", j+1)
	}
	return column
}
