package datasets

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// CSV describes a table of comma-separated values with one sample per line: numbers,
// and one column with the class or the regression target. The zero value reads a file
// without a header that has this column at the end, like those of the UCI repository,
// and infers whether it holds classes or targets.
//
//	train, err := datasets.CSV{Header: true}.Open("train.csv")
//	…
//	test, err := datasets.CSV{Header: true, Like: train}.Open("test.csv")
//
// A file with names, text and gaps needs more words:
//
//	penguins, err := datasets.CSV{
//		Header: true, Label: "species", Drop: []string{"year"},
//		Encode: datasets.Dummies, Missing: datasets.DropRows,
//	}.Open("penguins.csv")
//
// A field that names a column takes its name in the header or its number from 1. White
// space around names, numbers and classes does not count.
type CSV struct {
	Comma   rune   // separator; 0 means ','; ' ' means one or more blanks or tabs
	Decimal rune   // decimal point, '.' or ','; 0 means '.'
	Comment rune   // start of lines to skip; 0 means none
	Skip    int    // number of lines to skip before the header or the first sample
	Header  bool   // the first line names the columns
	Label   string // column of the class or target; "" means the last that is not left out

	// RowNames is a column that names the samples; it is no feature, and becomes
	// Dataset.RowNames. "" means the first column if the header does not name it and two
	// others follow, as R's write.csv and write.table and pandas' to_csv write them. If there
	// are further columns without a name, it is an error, unless the other fields name them.
	RowNames string

	Columns []string // the features, in the order of X; nil means all columns but those above
	Drop    []string // columns left out

	Encode     Encoding // what becomes of columns with text; the zero value makes them an error
	Categories []string // columns with categories even if they are numbers, such as codes

	Missing Missing  // what becomes of missing values; the zero value makes them an error
	Fill    float64  // the number for FillValue
	NA      []string // the texts that mark a missing value, beside the empty one; nil means those of Missing

	// Task says whether the column Label has classes or targets. The zero value, ByValues,
	// infers it from the values.
	Task Task

	// Classes lists all classes as they are written in the file. Two classes get the
	// labels -1 and +1 in this order; otherwise class k gets the label k, from 0. nil
	// means the classes that occur in the file.
	Classes []string

	// Like is the training set if this file has test samples. The file must have the
	// same columns, and its classes get the labels of the training set. Without Like a
	// test set that lacks a class may number the others differently. Categories are
	// encoded, and means filled in, as in the training set.
	Like *Dataset
}

// Open reads the file with the given path, which may be compressed with gzip. See
// [CSV.Read].
func (c CSV) Open(path string) (*Dataset, error) {
	return opened(path, c.Read)
}

// Read reads a table. name stands for it in errors and becomes the name of the Dataset.
// Two classes get the labels -1 and +1, in numerical or else alphabetical order. More
// classes keep their labels if all are integers; otherwise they are numbered from 0 in
// alphabetical order. Dataset.Classes keeps the classes as written. Errors name the line
// and the column (in bytes, from 1) of the mistake, such as a missing value.
//
// The text is UTF-8, with or without a byte order mark, and its lines end in \n, \r\n or
// \r. A number has an optional sign, decimal digits with at most one decimal point, and an
// optional exponent, and is finite: 1_000, 0x10, "1,000", Inf and 1e400 are no numbers.
func (c CSV) Read(r io.Reader, name string) (*Dataset, error) {
	if err := c.check(r, name); err != nil {
		return nil, err
	}
	body, err := text(r, c.Skip)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	cr := csv.NewReader(body)
	if c.Comma == ' ' {
		cr = csv.NewReader(blanks{body})
	}
	if c.Comma != 0 {
		cr.Comma = c.Comma
	}
	cr.Comment = c.Comment
	cr.ReuseRecord = true
	cr.FieldsPerRecord = -1
	cr.TrimLeadingSpace = c.Comma != '\t'
	at := func(field int) place {
		line, column := cr.FieldPos(field)
		return place{line + c.Skip, column}
	}
	t := newTable(name, inText, c)
	var h headings
	for {
		rec, err := cr.Read()
		if err == io.EOF {
			return t.dataset()
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			hint := "; put a field that has quotes in quotes, and write each of its own twice"
			switch {
			case syntax.StartLine < syntax.Line:
				hint = fmt.Sprintf(", in the sample that begins in line %d%s", syntax.StartLine+c.Skip, hint)
			case t.slots == nil && h.names == nil:
				hint = fmt.Sprintf("; set Comma if the separator is not %q", cr.Comma)
			}
			return nil, t.bad(place{syntax.Line + c.Skip, syntax.Column}, "%v%s", syntax.Err, hint)
		}
		if err != nil {
			return nil, fmt.Errorf("datasets: %s: %w", name, err)
		}
		last := len(rec) - 1
		if c.Comma == ' ' && last > 0 && rec[last] == "" { // blanks at the end of the line
			rec = rec[:last]
		}
		switch {
		case len(rec) == 1 && trimmed(rec[0]) == "":
			continue // a line of blanks
		case len(rec) == 1 && t.slots == nil:
			return nil, t.bad(at(0), "one column, want at least one number and a class or target, separated by %q%s", cr.Comma, separator(rec[0]))
		case c.Header && h.names == nil:
			for j, field := range rec {
				if fault := nameFault(heading(field)); fault != "" {
					return nil, t.bad(at(j), "the name of the column %s", fault)
				}
				h.names, h.places = append(h.names, heading(field)), append(h.places, at(j))
			}
			continue
		case t.slots == nil:
			if h.names != nil && len(rec) == len(h.names) && h.names[last] == "" && trimmed(rec[last]) == "" && c.Label == "" && c.Columns == nil && c.Drop == nil {
				return nil, t.bad(at(last), "the lines end in a separator; leave column %d out with Drop", last+1)
			}
			if h.names != nil && len(rec) == len(h.names)+1 && trimmed(rec[len(rec)-1]) == "" {
				return nil, t.bad(at(len(rec)-1), "the line ends in a separator, and the header names %d columns; remove it at the ends of lines", len(h.names))
			}
			if h.names != nil && len(rec) != len(h.names) && len(rec) != len(h.names)+1 {
				return nil, t.bad(at(0), "%d columns, want %d as in the header; set Skip if lines stand before the header", len(rec), len(h.names))
			}
			if err := t.plan(h, len(rec)); err != nil {
				return nil, err
			}
		}
		if len(rec) != len(t.slots) {
			return nil, t.bad(at(0), "%d columns, want %d as in the first sample%s", len(rec), len(t.slots), t.ragged(len(rec)))
		}
		if err := t.add(rec, nil, at); err != nil {
			return nil, err
		}
	}
}

// ragged suggests what may be wrong with a line of n columns: if it is the second, with the
// first.
func (t *table) ragged(n int) string {
	switch {
	case len(t.ys.of) == 1 && !t.opt.Header:
		return "; set Skip if the file begins with other lines, or Header if the first line names the columns"
	case n > len(t.slots):
		return "; put a field that has the separator in quotes"
	}
	return "; fill in the missing ones, or remove the line"
}

// separator suggests a separator that occurs in a line without commas.
func separator(line string) string {
	for _, comma := range ";\t| ," {
		if strings.ContainsRune(strings.TrimSpace(line), comma) {
			return fmt.Sprintf("; set Comma to %q if that separates the columns, or Skip if this line does not belong to the table", comma)
		}
	}
	return "; set Comma if the file has another separator, or Skip if this line does not belong to the table"
}

// check returns an error if the fields contradict each other.
func (c CSV) check(r io.Reader, name string) error {
	comma := c.Comma
	if comma == 0 {
		comma = ','
	}
	switch {
	case r == nil:
		return fmt.Errorf("datasets: %s: the reader is nil", name)
	case c.Skip < 0:
		return fmt.Errorf("datasets: %s: Skip = %d, want at least 0", name, c.Skip)
	case !separates(comma):
		return fmt.Errorf("datasets: %s: Comma = %q, want a separator, such as ';' or '|'", name, comma)
	case c.Comment != 0 && (!separates(c.Comment) || c.Comment == comma):
		return fmt.Errorf("datasets: %s: Comment = %q, want another rune than Comma, such as '#'", name, c.Comment)
	case c.Decimal != 0 && c.Decimal != '.' && c.Decimal != ',':
		return fmt.Errorf("datasets: %s: Decimal = %q, want '.' or ','", name, c.Decimal)
	case c.Decimal == ',' && comma == ',':
		return fmt.Errorf("datasets: %s: Decimal is ',', want another Comma, such as ';'", name)
	}
	return c.checkValues(name)
}

// separates reports whether package csv takes r as a separator or as the start of a comment.
func separates(r rune) bool {
	return r != '"' && r != '\r' && r != '\n' && utf8.ValidRune(r) && r != utf8.RuneError
}

// checkValues does the same for the fields that do not depend on the format.
func (c CSV) checkValues(name string) error {
	switch {
	case c.Encode < NoEncoding || c.Encode > Dummies:
		return fmt.Errorf("datasets: %s: Encode = %d, want NoEncoding, OneHot or Dummies", name, c.Encode)
	case c.Categories != nil && c.Encode == NoEncoding && c.Like == nil:
		return fmt.Errorf("datasets: %s: Categories without Encode, want OneHot or Dummies", name)
	case c.Missing < Refuse || c.Missing > FillValue:
		return fmt.Errorf("datasets: %s: Missing = %d, want Refuse, DropRows, FillMean or FillValue", name, c.Missing)
	case math.IsNaN(c.Fill) || math.IsInf(c.Fill, 0):
		return fmt.Errorf("datasets: %s: Fill = %v, want a finite number", name, c.Fill)
	case c.Fill != 0 && c.Missing != FillValue:
		return fmt.Errorf("datasets: %s: Fill = %v, want Missing to be FillValue", name, c.Fill)
	case c.Columns != nil && c.Drop != nil:
		return fmt.Errorf("datasets: %s: both Columns and Drop, want one of them", name)
	case c.Like != nil && (c.Classes != nil || c.Task != ByValues):
		return fmt.Errorf("datasets: %s: Like has the task and the classes, want neither Task nor Classes beside it", name)
	case c.Classes != nil && c.Task == Regression:
		return fmt.Errorf("datasets: %s: Task is Regression, want no Classes", name)
	case c.Like != nil:
		return c.Like.check("Like")
	}
	return nil
}
