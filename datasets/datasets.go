// Package datasets provides the data of the lectures: the points of their worked
// examples, generators of artificial data, Iris and the 8×8 digits (embedded),
// MNIST (from disk, or downloaded once), and readers for CSV, LIBSVM, ARFF, NumPy and IDX
// files.
//
// All data come as a [Dataset]: a matrix X with one sample per row, and one integer
// label per sample or, for regression, one target. Two classes are labelled -1 and +1
// in the points of the lectures, the generated data, and CSV, LIBSVM, ARFF and NumPy files,
// whatever the file calls them. A selection of two classes out of more (Select,
// MNISTOnly) keeps their labels; [Dataset.Binary] turns them into -1 and +1.
//
//	d := datasets.CMUSix()               // the six points of a worked example
//	for i, y := range d.Y {
//		fmt.Println(d.X.RawRowView(i), y)
//	}
//
//	iris := datasets.Must(datasets.Iris().Binary(0, 1)) // setosa -1, versicolor +1
//	petals := datasets.Must(iris.Columns(2, 3))         // for a figure in the plane
//
//	train, test, err := datasets.MNISTOnly(0, 1)        // two digits, pixels in [0, 1]
//	fmt.Println(train.Describe())                       // a table: means, quartiles, classes
//
// Functions that can fail return an error that says what was wrong. [Must] shortens
// calls that fail only if the source code is wrong, as in the cells of a notebook.
//
// Randomness comes from an explicit seed (PCG of math/rand/v2): the same call returns
// the same data on every run.
//
// # Data of your own
//
// [CSV] reads tables as spreadsheets, pandas, R and the UCI repository write them. Its
// fields choose columns, encode text ([Encoding]), and say what becomes of missing values
// ([Missing]). [ARFF] reads Weka's files, [LIBSVM] sparse ones, and [NumPy] arrays. Numbers,
// missing values and labels follow the same rules in all of them, and an error names the
// place and the field that helps:
//
//	d, err := datasets.CSV{Header: true, Label: "species"}.Open("penguins.csv")
//	// datasets: penguins.csv:2:10: "Torgersen" is not a finite number, in column 3, "island"; set Encode if the column has categories, or leave it out with Drop
//
// # Where MNIST comes from
//
// [MNIST] and [MNISTOnly] need the four files of the data set. They look for each, as
// NAME or NAME.gz, in
//
//   - $MARGINALIA_DATA/mnist and $MARGINALIA_DATA, if that variable is set,
//   - marginalia/mnist in the user's cache directory ([os.UserCacheDir]),
//
// and download missing files into the cache. The download reports its progress in a
// few lines on standard error, never on standard output. If it is interrupted, the next
// one resumes it. $MARGINALIA_MNIST_URL names a mirror to try before the public ones. A
// file is used only if its SHA-256 is that of LeCun's file, hence the data are the same
// wherever they were found. The sum is checked when an uncompressed copy is put into
// the cache (55 MB); later runs read that copy. Directories named by $MARGINALIA_DATA
// are never written to.
package datasets

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Dataset is a set of samples with labels or, for regression, targets. Treat it as
// read-only: methods that return a new Dataset may share memory with the old one.
// Copy X before changing it (mat.DenseCopyOf).
type Dataset struct {
	Name   string     // short, for a title
	X      *mat.Dense // n×d, one sample per row
	Y      []int      // n labels; nil for regression
	Source string     // author, title, year, place

	Targets []float64 // n targets of regression; nil for classes

	Labels   []int    // the labels of the classes, ascending
	Classes  []string // Classes[k] is the name of the class with label Labels[k]
	Features []string // d names of the columns of X; nil if they have none, such as pixels

	RowNames []string // n names of the samples, or nil
	Query    []int    // n numbers of the queries in ranking ("qid" in a LIBSVM file), or nil
	LeftOut  int      // samples that were left out when the file was read, since a value was missing

	// Height and Width are the shape of samples that are images, stored row by row;
	// 0 for other data.
	Height, Width int

	coding []coded // what the columns of the file have become, for a test set; nil if X is not as it was read
}

// Must returns d and panics if err is not nil. Use it for calls that fail only if the
// source code is wrong: datasets.Must(datasets.Iris().Binary(0, 1)).
func Must(d *Dataset, err error) *Dataset {
	if err != nil {
		panic(err)
	}
	return d
}

// Len returns n, the number of samples.
func (d *Dataset) Len() int { return max(len(d.Y), len(d.Targets)) }

// Class returns the name of the class with label y, or y in decimal digits if the class
// has no name.
func (d *Dataset) Class(y int) string {
	if k := slices.Index(d.Labels, y); k >= 0 && k < len(d.Classes) {
		return d.Classes[k]
	}
	return fmt.Sprint(y)
}

// Count returns the number of samples with label y.
func (d *Dataset) Count(y int) int {
	n := 0
	for _, v := range d.Y {
		if v == y {
			n++
		}
	}
	return n
}

// Subset returns the samples with the given row numbers, in that order. A number may
// occur more than once. X is a copy. Subset returns an error if rows is empty or a
// number is out of range.
func (d *Dataset) Subset(rows []int) (*Dataset, error) {
	if err := d.check("Subset"); err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("datasets: Subset of %s: no rows asked for", d.Name)
	}
	for k, i := range rows {
		if i < 0 || i >= d.Len() {
			return nil, fmt.Errorf("datasets: Subset of %s: rows[%d] = %d, want 0 to %d", d.Name, k, i, d.Len()-1)
		}
	}
	_, cols := d.X.Dims()
	s := *d
	s.X = mat.NewDense(len(rows), cols, nil)
	for k, i := range rows {
		s.X.SetRow(k, d.X.RawRowView(i))
	}
	s.Y, s.Targets = picked(d.Y, rows), picked(d.Targets, rows)
	s.RowNames, s.Query = picked(d.RowNames, rows), picked(d.Query, rows)
	return &s, nil
}

// Head returns the first n samples, 1 ≤ n ≤ d.Len(). X shares memory with d.X.
func (d *Dataset) Head(n int) (*Dataset, error) {
	if err := d.check("Head"); err != nil {
		return nil, err
	}
	if n < 1 || n > d.Len() {
		return nil, fmt.Errorf("datasets: Head of %s: n = %d, want 1 to %d", d.Name, n, d.Len())
	}
	_, cols := d.X.Dims()
	s := *d
	s.X = d.X.Slice(0, n, 0, cols).(*mat.Dense)
	s.Y, s.Targets, s.RowNames, s.Query = first(d.Y, n), first(d.Targets, n), first(d.RowNames, n), first(d.Query, n)
	return &s, nil
}

// Columns returns the data with only the given columns of X, in that order. X is a
// copy. Columns returns an error if no columns are given or a number is out of range.
func (d *Dataset) Columns(columns ...int) (*Dataset, error) {
	if err := d.check("Columns"); err != nil {
		return nil, err
	}
	n, cols := d.X.Dims()
	if len(columns) == 0 {
		return nil, fmt.Errorf("datasets: Columns of %s: no columns asked for", d.Name)
	}
	s := *d
	s.X = mat.NewDense(n, len(columns), nil)
	s.Y, s.Targets = slices.Clone(d.Y), slices.Clone(d.Targets)
	s.Features, s.coding = nil, nil
	s.Height, s.Width = 0, 0
	for k, j := range columns {
		if j < 0 || j >= cols {
			return nil, fmt.Errorf("datasets: Columns of %s: column %d, want 0 to %d", d.Name, j, cols-1)
		}
		for i := range n {
			s.X.Set(i, k, d.X.At(i, j))
		}
		if d.Features != nil {
			s.Features = append(s.Features, d.Features[j])
		}
	}
	return &s, nil
}

// Select returns the samples of the classes with the given labels, in the order of d
// and with unchanged labels. X is a copy, or d.X itself if no sample is left out.
// Select returns an error if a label has no samples.
func (d *Dataset) Select(labels ...int) (*Dataset, error) {
	if err := d.check("Select"); err != nil {
		return nil, err
	}
	if d.Targets != nil {
		return nil, fmt.Errorf("datasets: Select from %s: it has targets of regression and no classes", d.Name)
	}
	for _, y := range labels {
		if d.Count(y) == 0 {
			return nil, fmt.Errorf("datasets: Select from %s: no sample has label %d; there are %v", d.Name, y, d.Labels)
		}
	}
	var rows []int
	for i, y := range d.Y {
		if slices.Contains(labels, y) {
			rows = append(rows, i)
		}
	}
	s := *d
	if len(rows) < d.Len() {
		sub, err := d.Subset(rows)
		if err != nil {
			return nil, err
		}
		s = *sub
	} else {
		s.Y = slices.Clone(d.Y)
	}
	s.Labels, s.Classes = labelsOf(labels), nil
	for _, y := range s.Labels {
		s.Classes = append(s.Classes, d.Class(y))
	}
	return &s, nil
}

// Binary returns the samples of two classes: label neg of d becomes -1, and pos
// becomes +1. X is a copy, or d.X itself if no sample is left out. For a slice of labels
// without a Dataset, mlkit.Signs does the same with the smaller label as neg.
func (d *Dataset) Binary(neg, pos int) (*Dataset, error) {
	if err := d.check("Binary"); err != nil {
		return nil, err
	}
	if neg == pos {
		return nil, fmt.Errorf("datasets: Binary of %s: both classes are %d, want two different labels", d.Name, neg)
	}
	s, err := d.Select(neg, pos)
	if err != nil {
		return nil, err
	}
	for i, y := range s.Y {
		s.Y[i] = -1
		if y == pos {
			s.Y[i] = +1
		}
	}
	s.Labels = []int{-1, +1}
	s.Classes = []string{d.Class(neg), d.Class(pos)}
	return s, nil
}

// Split shuffles the samples with the given seed and returns the first n of them and
// the rest, 1 ≤ n < d.Len(). The results share no memory with d. To keep each class's
// share of the samples in both, pass the rows of a stratified eval.Holdout to Subset.
func (d *Dataset) Split(seed uint64, n int) (first, rest *Dataset, err error) {
	if err := d.check("Split"); err != nil {
		return nil, nil, err
	}
	if n < 1 || n >= d.Len() {
		return nil, nil, fmt.Errorf("datasets: Split of %s: n = %d, want 1 to %d so that neither part is empty", d.Name, n, d.Len()-1)
	}
	p := newRand(seed).Perm(d.Len())
	if first, err = d.Subset(p[:n]); err != nil {
		return nil, nil, err
	}
	if rest, err = d.Subset(p[n:]); err != nil {
		return nil, nil, err
	}
	return first, rest, nil
}

// clone returns a deep copy of d.
func (d *Dataset) clone() *Dataset {
	c := *d
	c.X = mat.DenseCopyOf(d.X)
	c.Y, c.Targets = slices.Clone(d.Y), slices.Clone(d.Targets)
	c.Labels = slices.Clone(d.Labels)
	c.Classes = slices.Clone(d.Classes)
	c.Features = slices.Clone(d.Features)
	c.RowNames, c.Query = slices.Clone(d.RowNames), slices.Clone(d.Query)
	return &c
}

// check returns an error if the fields of d contradict each other.
func (d *Dataset) check(op string) error {
	if d == nil {
		return fmt.Errorf("datasets: %s: the Dataset is nil", op)
	}
	if d.X == nil || d.X.IsEmpty() {
		return fmt.Errorf("datasets: %s of %s: X is empty", op, d.Name)
	}
	n, cols := d.X.Dims()
	if d.Y != nil && d.Targets != nil {
		return fmt.Errorf("datasets: %s of %s: it has both Y and Targets, want one of them", op, d.Name)
	}
	if d.Targets != nil && n != len(d.Targets) {
		return fmt.Errorf("datasets: %s of %s: X has %d rows and Targets %d elements, want equal numbers", op, d.Name, n, len(d.Targets))
	}
	if d.Targets == nil && n != len(d.Y) {
		return fmt.Errorf("datasets: %s of %s: X has %d rows and Y %d labels, want equal numbers", op, d.Name, n, len(d.Y))
	}
	if d.Features != nil && len(d.Features) != cols {
		return fmt.Errorf("datasets: %s of %s: X has %d columns and Features %d names, want equal numbers", op, d.Name, cols, len(d.Features))
	}
	if d.RowNames != nil && len(d.RowNames) != n || d.Query != nil && len(d.Query) != n {
		return fmt.Errorf("datasets: %s of %s: X has %d rows, RowNames %d elements and Query %d, want equal numbers or nil", op, d.Name, n, len(d.RowNames), len(d.Query))
	}
	return nil
}

// picked returns the elements of v at the given indices, nil if v is nil.
func picked[T any](v []T, at []int) []T {
	if v == nil {
		return nil
	}
	p := make([]T, len(at))
	for k, i := range at {
		p[k] = v[i]
	}
	return p
}

// first returns a copy of the first n elements of v, nil if v is nil.
func first[T any](v []T, n int) []T { return slices.Clone(v[:min(n, len(v))]) }

// newRand returns the random number generator for a seed.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// labelsOf returns the distinct labels of y, ascending.
func labelsOf(y []int) []int {
	labels := slices.Clone(y)
	slices.Sort(labels)
	return slices.Compact(labels)
}
