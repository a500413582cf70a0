package datasets

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A dense matrix read from a sparse file may have maxValues numbers (2 GiB). If only the
// file determines the number of features, the limit is sparsity numbers for each value in
// the file, or smallValues (32 MiB) if that is more: one wrong index must not exhaust the
// memory.
const (
	maxValues   = 1 << 28
	sparsity    = 1000
	smallValues = 1 << 22
)

// indicesFrom are the comments of scikit-learn's dump_svmlight_file about the first index, 0
// or 1.
var indicesFrom = [...]string{"Column indices are zero-based", "Column indices are one-based"}

// LIBSVM describes a file in the format of LIBSVM and SVMlight. The zero value infers the
// number of features, and whether the samples have classes or targets.
//
// Whether the first index is 1 or 0 does not always show in a file. LIBSVM and LIBLINEAR
// count from 1, scikit-learn's dump_svmlight_file by default from 0. A file counted from 0
// that never mentions the index 0 is read without an error by the zero value, and each
// feature is then one column too far left, unless scikit-learn's comment in the file says
// how it counts. Set both ZeroBased and Features if they are known: the number of features
// does not show in a file either, since zeros at the end of a sample are not written.
type LIBSVM struct {
	Features  int      // number of features; 0 means as many as the largest index in the file asks for
	ZeroBased bool     // the first feature has the index 0, as in files of scikit-learn; otherwise 1
	Task      Task     // whether the samples have classes or targets; the zero value infers it
	Like      *Dataset // the training set if this file has test samples: same features and labels
}

// OpenLIBSVM is [LIBSVM.Open] with only the number of features set.
func OpenLIBSVM(path string, features int) (*Dataset, error) {
	return LIBSVM{Features: features}.Open(path)
}

// ReadLIBSVM is [LIBSVM.Read] with only the number of features set.
func ReadLIBSVM(r io.Reader, name string, features int) (*Dataset, error) {
	return LIBSVM{Features: features}.Read(r, name)
}

// Open reads the file with the given path, which may be compressed with gzip. See
// [LIBSVM.Read].
func (l LIBSVM) Open(path string) (*Dataset, error) {
	return opened(path, l.Read)
}

// Read reads one sample per line,
//
//	label index:value index:value ...
//
// with indices in ascending order, from 1 or, with ZeroBased, from 0; values that are not
// there are 0. Text from a # on is a comment. Numbers are written as in [CSV.Read], and a
// missing value ([Missing]) in place of one is an error. Depending on [Task], the first
// field is a target, or an integer label that is mapped as in CSV.Read: the smaller of two
// becomes -1, the other +1. X is dense, n×d. A field qid:number after each label, as in
// files for ranking, goes into Dataset.Query.
//
// Read returns an error if the matrix would take more than 2 GiB or, without a given
// number of features, if it is large and fewer than one number in 1000 is in the file.
// name stands for the data in errors, which name line and column (in bytes, from 1), and
// becomes the name of the Dataset.
//
// Source of the format: C.-C. Chang, C.-J. Lin, LIBSVM: a library for support vector
// machines, 2011, and its README.
func (l LIBSVM) Read(r io.Reader, name string) (*Dataset, error) {
	features, err := l.features(r, name)
	if err != nil {
		return nil, err
	}
	type entry struct {
		index int
		value float64
	}
	body, err := text(r, 0)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	base := 1 // the index of the first feature
	if l.ZeroBased {
		base = 0
	}
	var (
		rows  [][]entry
		query []int
		ys    = newOutcomes(name, inText)
		width = features
		count int // values in the file
	)
	s := bufio.NewScanner(body)
	s.Buffer(nil, 1<<26)
	line := 0
	for s.Scan() {
		line++
		text, comment, _ := strings.Cut(s.Text(), "#")
		if strings.Contains(comment, indicesFrom[1-base]) {
			return nil, fmt.Errorf("datasets: %s:%d: the comment says %q, and ZeroBased is %t; set it to %t", name, line, strings.TrimSpace(comment), l.ZeroBased, !l.ZeroBased)
		}
		var row []entry
		last, fields := base-1, 0
		for col, field := range fieldsWithColumn(text) {
			bad := func(format string, args ...any) error {
				return fmt.Errorf("datasets: %s:%d:%d: %s", name, line, col, fmt.Sprintf(format, args...))
			}
			fields++
			if fields == 1 {
				if isMissing(field, nil) {
					return nil, bad("the label is missing (%q); fill it in, or leave the line out", field)
				}
				if _, ok := finite(field); !ok {
					return nil, bad("label %q is not a finite number, want one label or target before the index:value pairs", field)
				}
				if err := ys.add(field, place{line, col}); err != nil {
					return nil, err
				}
				continue
			}
			is, vs, ok := strings.Cut(field, ":")
			if !ok {
				return nil, bad("%q, want index:value", field)
			}
			if is == "qid" && fields == 2 && len(query) < len(rows) {
				return nil, bad("a sample with a query (qid) after one without, want all or none with it")
			}
			if is == "qid" && fields == 2 {
				q, err := strconv.Atoi(vs)
				if err != nil {
					return nil, bad("query %q, want an integer", vs)
				}
				query = append(query, q)
				continue
			}
			index, err := strconv.Atoi(is)
			if err == nil && index == 0 && base == 1 {
				return nil, bad("index 0, want at least 1; set ZeroBased if the file counts from 0, as scikit-learn's dump_svmlight_file does by default")
			}
			if err != nil || index < base {
				return nil, bad("index %q, want an integer, at least %d", is, base)
			}
			if index <= last {
				return nil, bad("index %d after %d, want ascending indices", index, last)
			}
			if features > 0 && index >= features+base {
				more := "set Features if the samples have more"
				if l.Like != nil {
					more = "the number of features of " + l.Like.Name + " goes by Like"
				}
				return nil, bad("index %d, want at most %d; %s", index, features+base-1, more)
			}
			if isMissing(vs, nil) {
				return nil, bad("the value of index %d is missing (%q); fill it in, or leave the line out", index, vs)
			}
			value, ok := finite(vs)
			if !ok {
				return nil, bad("value %q of index %d is not a finite number", vs, index)
			}
			last = index
			row = append(row, entry{index, value})
		}
		if fields > 0 {
			rows = append(rows, row)
			count += len(row)
			width = max(width, last-base+1)
			if len(query) > 0 && len(query) != len(rows) {
				return nil, fmt.Errorf("datasets: %s:%d: a sample with a query (qid) and one without, want all or none with it", name, line)
			}
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("datasets: %s:%d: %w", name, line+1, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("datasets: %s: no samples", name)
	}
	if width == 0 {
		return nil, fmt.Errorf("datasets: %s: no sample has a nonzero feature; set Features, their number", name)
	}
	limit, hint := maxValues, ""
	if known := max(smallValues, sparsity*count); features == 0 && known < limit {
		limit, hint = known, fmt.Sprintf(" with %d values in the file, unless Features is given", count)
	}
	if width > limit/len(rows) {
		return nil, fmt.Errorf("datasets: %s: %d samples of %d features are too many for a dense matrix, which may have %d numbers%s", name, len(rows), width, limit, hint)
	}
	d := &Dataset{Name: name, Source: name, X: mat.NewDense(len(rows), width, nil), Query: query}
	if l.Like != nil {
		err = ys.setLike(d, l.Like)
	} else {
		err = ys.setTo(d, l.Task)
	}
	if err != nil {
		return nil, err
	}
	for i, row := range rows {
		for _, e := range row {
			d.X.Set(i, e.index-base, e.value)
		}
	}
	return d, nil
}

// features returns the required number of features, 0 for any.
func (l LIBSVM) features(r io.Reader, name string) (int, error) {
	if r == nil {
		return 0, fmt.Errorf("datasets: %s: the reader is nil", name)
	}
	if l.Features < 0 {
		return 0, fmt.Errorf("datasets: %s: features = %d, want at least 0", name, l.Features)
	}
	if l.Like == nil {
		return l.Features, nil
	}
	if err := l.Like.check("LIBSVM.Like"); err != nil {
		return 0, err
	}
	_, d := l.Like.X.Dims()
	if l.Task != ByValues || l.Features != 0 && l.Features != d {
		return 0, fmt.Errorf("datasets: %s: LIBSVM.Like has the task and %d features, want no LIBSVM.Task and no other LIBSVM.Features beside it", name, d)
	}
	return d, nil
}

// fieldsWithColumn yields the fields of a line with their first columns, counted from 1.
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
