package libsvm

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Format says what the files do not. The zero value infers the number of features.
type Format struct {
	D         int  // number of features; 0 means the largest index in the file
	ZeroBased bool // the first feature has the index 0, as in files of scikit-learn; otherwise 1
}

// A model that is dense may have maxNumbers (2 GiB). If only the file determines the number of
// features, the limit is sparsity numbers for each in the file, or fewNumbers if that is more: one
// wrong index must not exhaust the memory.
const (
	maxNumbers = 1 << 28
	fewNumbers = 1 << 22
	sparsity   = 1000
)

// base returns the index of the first feature.
func (f Format) base() int {
	if f.ZeroBased {
		return 0
	}
	return 1
}

// lines are the lines of a file.
type lines struct {
	*bufio.Scanner
	name   string
	number int // of the current line, from 1
}

func newLines(r io.Reader, name string) *lines {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<28)
	return &lines{Scanner: s, name: name}
}

// next returns the fields of the next line that has some, and false at the end.
func (l *lines) next() ([]string, bool) {
	for l.Scan() {
		l.number++
		if fields := strings.Fields(l.Text()); len(fields) > 0 {
			return fields, true
		}
	}
	return nil, false
}

// bad returns an error in the current line.
func (l *lines) bad(format string, args ...any) error {
	return fmt.Errorf("libsvm: %s:%d: %s", l.name, l.number, fmt.Sprintf(format, args...))
}

// short returns the error of a file that ends before what it should have.
func (l *lines) short(want string) error {
	if err := l.Err(); err != nil {
		return l.bad("%v", err)
	}
	return fmt.Errorf("libsvm: %s: the file ends after line %d, want %s", l.name, l.number, want)
}

// numbers returns fields as finite numbers. what names one in errors.
func (l *lines) numbers(what string, fields []string) ([]float64, error) {
	v := make([]float64, len(fields))
	for i, field := range fields {
		x, err := strconv.ParseFloat(field, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsInf(x, 0) || math.IsNaN(x) {
			return nil, l.bad("%s %q is not a finite number", what, field)
		}
		v[i] = x
	}
	return v, nil
}

// integers returns fields as integers, at least least.
func (l *lines) integers(what string, fields []string, least int) ([]int, error) {
	v := make([]int, len(fields))
	for i, field := range fields {
		x, err := strconv.Atoi(field)
		if err != nil || x < least {
			return nil, l.bad("%s %q, want an integer%s", what, field, atLeast(least))
		}
		v[i] = x
	}
	return v, nil
}

func atLeast(least int) string {
	if least == math.MinInt {
		return ""
	}
	return fmt.Sprintf(" of at least %d", least)
}

// header is what stands before the numbers of a model: a word and values in each line.
type header struct {
	lines *lines
	of    map[string][]string // values by word
	at    map[string]int      // lines
}

// readHeader reads lines up to the one with the word end. known are the words that there may be.
func readHeader(l *lines, end string, known ...string) (*header, error) {
	h := &header{l, map[string][]string{}, map[string]int{}}
	for {
		fields, ok := l.next()
		if !ok {
			return nil, l.short(fmt.Sprintf("a line %q", end))
		}
		word := fields[0]
		switch {
		case word == end && len(fields) == 1:
			return h, nil
		case !slices.Contains(known, word):
			return nil, l.bad("%q, want one of %s, %s", short(word), strings.Join(known, ", "), end)
		case h.at[word] > 0:
			return nil, l.bad("%s stands in line %d too", word, h.at[word])
		}
		h.of[word], h.at[word] = fields[1:], l.number
	}
}

func short(word string) string {
	if len(word) > 40 {
		return word[:40] + "…"
	}
	return word
}

// bad returns an error in the line of a word, or at the end of the header if there is none.
func (h *header) bad(word, format string, args ...any) error {
	l := *h.lines
	if at := h.at[word]; at > 0 {
		l.number = at
	}
	return l.bad(format, args...)
}

// values returns what stands after a word: count fields, or any number of them if count is
// negative.
func (h *header) values(word string, count int) ([]string, error) {
	fields, ok := h.of[word]
	if !ok {
		return nil, h.bad(word, "there is no line %q above this one", word)
	}
	if count >= 0 && len(fields) != count {
		return nil, h.bad(word, "%s has %d values, want %d", word, len(fields), count)
	}
	return fields, nil
}

// number returns the one number after a word.
func (h *header) number(word string) (float64, error) {
	v, err := h.numbers(word, 1)
	if err != nil {
		return 0, err
	}
	return v[0], nil
}

// numbers returns count numbers after a word.
func (h *header) numbers(word string, count int) ([]float64, error) {
	fields, err := h.values(word, count)
	if err != nil {
		return nil, err
	}
	l := *h.lines
	l.number = h.at[word]
	return l.numbers(word, fields)
}

// integers returns count integers after a word, each at least least.
func (h *header) integers(word string, count, least int) ([]int, error) {
	fields, err := h.values(word, count)
	if err != nil {
		return nil, err
	}
	l := *h.lines
	l.number = h.at[word]
	return l.integers(word, fields, least)
}

// labels returns the labels of count classes, which differ.
func (h *header) labels(count int) ([]int, error) {
	labels, err := h.integers("label", count, math.MinInt)
	if err != nil {
		return nil, err
	}
	seen := make(map[int]bool, len(labels))
	for _, label := range labels {
		if seen[label] {
			return nil, h.bad("label", "the label %d stands there twice", label)
		}
		seen[label] = true
	}
	return labels, nil
}

// entry is an index, from 0, and its value.
type entry struct {
	index int
	value float64
}

// entries returns the fields index:value of a line as entries with ascending indices.
func (f Format) entries(l *lines, fields []string) ([]entry, error) {
	row := make([]entry, 0, len(fields))
	last := f.base() - 1
	for _, field := range fields {
		is, vs, ok := strings.Cut(field, ":")
		if !ok {
			return nil, l.bad("%q, want index:value", short(field))
		}
		index, err := strconv.Atoi(is)
		switch {
		case err != nil || index < f.base():
			return nil, l.bad("index %q, want an integer of at least %d%s", short(is), f.base(), f.zeroBased(is))
		case index <= last:
			return nil, l.bad("index %d after %d, want ascending indices", index, last)
		case f.D > 0 && index >= f.D+f.base():
			return nil, l.bad("index %d, want at most %d; set D if the samples have more", index, f.D+f.base()-1)
		}
		v, err := l.numbers(fmt.Sprintf("the value of index %d,", index), []string{vs})
		if err != nil {
			return nil, err
		}
		last = index
		row = append(row, entry{index - f.base(), v[0]})
	}
	return row, nil
}

func (f Format) zeroBased(index string) string {
	if index == "0" {
		return "; set ZeroBased if the file counts from 0"
	}
	return ""
}

// dense returns rows as slices of f.D numbers, or of as many as the largest index asks for. The
// caller makes more rows of that length.
func (f Format) dense(name string, rows [][]entry, more int) ([][]float64, int, error) {
	d, count := f.D, 0
	for _, row := range rows {
		count += len(row)
		if len(row) > 0 {
			d = max(d, min(row[len(row)-1].index, math.MaxInt-1)+1)
		}
	}
	limit, hint := maxNumbers, ""
	if few := max(fewNumbers, sparsity*count); f.D == 0 && few < limit {
		limit, hint = few, fmt.Sprintf(" with %d values in the file, unless D is", count)
	}
	if n := max(1, len(rows)+more); d > limit/n {
		return nil, 0, fmt.Errorf("libsvm: %s: %d rows of %d features are too many for dense ones, which may have %d numbers%s", name, n, d, limit, hint)
	}
	values := make([]float64, len(rows)*d)
	dense := make([][]float64, len(rows))
	for i, row := range rows {
		dense[i] = values[i*d : (i+1)*d : (i+1)*d]
		for _, e := range row {
			dense[i][e.index] = e.value
		}
	}
	return dense, d, nil
}

// check returns an error if f or the reader is invalid.
func (f Format) check(r io.Reader, name string) error {
	if r == nil {
		return fmt.Errorf("libsvm: %s: the reader is nil", name)
	}
	if f.D < 0 {
		return fmt.Errorf("libsvm: D = %d, want at least 0", f.D)
	}
	return nil
}

// writer writes what the programs read. It keeps the first error.
type writer struct {
	*bufio.Writer
}

// line writes a word and values.
func (w writer) line(word string, values ...string) {
	w.WriteString(strings.Join(append([]string{word}, values...), " ") + "\n")
}

// number is v with as many digits as it takes to read the same number.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func numbers(v []float64) []string {
	s := make([]string, len(v))
	for i, x := range v {
		s[i] = number(x)
	}
	return s
}

func integers(v []int) []string {
	s := make([]string, len(v))
	for i, x := range v {
		s[i] = strconv.Itoa(x)
	}
	return s
}
