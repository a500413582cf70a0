package datasets

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A table collects the samples of a file, row by row, whatever its format. Its options are
// those of a CSV.
type table struct {
	name string
	form string // of places in errors
	opt  CSV
	ys   *outcomes

	classesFrom string // what lists opt.Classes

	slots   []int       // what becomes of each field of a row: the index of a feature, or one of the slots below
	columns []feature   // the features, in the order of X
	target  feature     // the column of the class or target
	rows    []string    // the names of the samples, if the file has them
	values  []float64   // row by row: a number, the index of a category, or NaN for a missing value
	blocks  [][]float64 // the values before them, in blocks of blockSize, while the file is read
	leftOut int

	noOutcome   int       // samples without a class or target
	numberMarks []float64 // those texts of opt.NA that are numbers

	// Of the row being read:
	skip      bool  // a value is missing, and the sample is left out
	unseen    error // the first category that is none of the allowed ones; it matters unless the sample is left out
	row       []float64
	outcome   string
	outcomeAt place
	rowName   string
}

// blockSize is the number of values in a block. Blocks are copied once, when the file has
// been read; a slice that grows is copied some five times.
const blockSize = 1 << 16

// Fields that are not features.
const (
	slotNone    = -1 - iota // left out
	slotOutcome             // the class or target
	slotName                // the name of the sample
)

// A feature is a column of the file that becomes one or more of X.
type feature struct {
	name    string // in the header, "" if there is none
	number  int    // in the file, from 1
	kind    kind
	missing int // missing values so far

	example string // the value that decided the kind, if one did, and its place
	at      place

	categories []category     // of a column of categories, by their index in table.values
	index      map[string]int // of each category's name
	fixed      bool           // no further categories are allowed
	listed     bool           // in CSV.Categories, or declared by the file
	whose      string         // what fixed the categories
}

type category struct {
	name string
	at   place // the first
	rows int   // samples that have it
}

// The kind of a column is known from its first value on.
type kind int

const (
	unknown kind = iota
	numbers
	categories
)

// String names the column in errors.
func (c *feature) String() string {
	if c.name == "" {
		return "column " + strconv.Itoa(c.number)
	}
	return fmt.Sprintf("column %d, %q", c.number, c.name)
}

// newTable returns an empty table. form is the form of places in errors.
func newTable(name, form string, opt CSV) *table {
	t := &table{name: name, form: form, ys: newOutcomes(name, form), classesFrom: "Classes"}
	t.opt.Decimal = opt.Decimal
	opt.NA, opt.Classes = t.written(opt.NA), t.written(opt.Classes)
	for _, mark := range opt.NA {
		if v, ok := finite(mark); ok {
			t.numberMarks = append(t.numberMarks, v)
		}
	}
	t.opt = opt
	return t
}

// written returns texts of the options as the table takes those of the file: without white
// space around them and with a decimal point.
func (t *table) written(texts []string) []string {
	texts = slices.Clone(texts)
	for k, s := range texts {
		texts[k] = t.point(trimmed(s))
	}
	return texts
}

// bad returns an error about a place in the file.
func (t *table) bad(at place, format string, args ...any) error {
	return fmt.Errorf("datasets: %s: %s", t.name+fmt.Sprintf(t.form, at.line, at.column), fmt.Sprintf(format, args...))
}

// add adds a sample, the fields of a line. literal[j] says that field j is quoted in a
// format where a quoted text is never a missing value; nil means none is. at returns the
// place of a field.
func (t *table) add(fields []string, literal []bool, at func(field int) place) error {
	t.skip, t.rowName, t.unseen = false, "", nil
	slots, columns, row, direct := t.slots, t.columns, t.row, t.opt.Decimal != ',' && t.numberMarks == nil
	for j, field := range fields {
		field = trimmed(field)
		k := slots[j]
		if k >= 0 && columns[k].kind == numbers && direct {
			if v, ok := finite(field); ok {
				row[k] = v
				continue
			}
		}
		value := literal != nil && literal[j] && field != "" || !t.isMissing(field)
		var err error
		switch {
		case k == slotNone:
		case k == slotName:
			t.rowName = strings.Clone(field)
			if fault := nameFault(field); fault != "" {
				err = t.bad(at(j), "the name of the sample %s", fault)
			}
		case k == slotOutcome:
			t.outcome, t.outcomeAt = t.point(field), at(j)
			if !value {
				err = t.missingOutcome(field, at(j))
			} else if _, ok := finite(field); ok && t.opt.Decimal == ',' && strings.Contains(field, ".") {
				err = t.bad(at(j), "%q has a decimal point, and Decimal is ','; remove separators of thousands, or correct Decimal", field)
			}
		case !value:
			t.row[k] = math.NaN()
			err = t.missing(&t.columns[k], field, at(j))
		default:
			t.row[k], err = t.cell(&t.columns[k], field, at(j))
		}
		if err != nil {
			return err
		}
	}
	return t.finishRow()
}

// finishRow keeps the row, unless a value is missing and such samples are left out.
func (t *table) finishRow() error {
	if t.skip {
		t.leftOut++
		return nil
	}
	if t.unseen != nil {
		return t.unseen
	}
	if slices.Contains(t.slots, slotName) {
		t.rows = append(t.rows, t.rowName)
	}
	if len(t.values)+len(t.row) > blockSize && len(t.values) > 0 {
		t.blocks = append(t.blocks, t.values)
		t.values = make([]float64, 0, max(blockSize, len(t.row)))
	}
	t.values = append(t.values, t.row...)
	return t.ys.add(t.outcome, t.outcomeAt)
}

// dataset returns the samples.
func (t *table) dataset() (*Dataset, error) {
	n := len(t.ys.of)
	if n == 0 {
		return nil, t.noSamples()
	}
	if t.blocks != nil {
		t.values = slices.Concat(append(t.blocks, t.values)...)
		t.blocks = nil
	}
	d := &Dataset{Name: t.name, Source: t.name, RowNames: t.rows, LeftOut: t.leftOut}
	if err := t.setX(d, n); err != nil {
		return nil, err
	}
	var err error
	switch c := t.opt; {
	case c.Like != nil:
		err = t.ys.setLike(d, c.Like)
	case c.Classes != nil:
		err = t.ys.setClasses(d, c.Classes, labelsFor(len(c.Classes)), t.classesFrom)
	default:
		err = t.ys.setTo(d, c.Task)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// setX sets X and the names of its columns.
func (t *table) setX(d *Dataset, n int) error {
	width, plain, named := 0, true, false
	for k := range t.columns {
		c := &t.columns[k]
		code, err := t.code(k, n)
		if err != nil {
			return err
		}
		d.coding = append(d.coding, code)
		width += code.width()
		plain = plain && c.kind != categories
		named = named || c.name != "" || c.kind == categories
	}
	if width == 0 {
		return fmt.Errorf("datasets: %s: no feature is left, since each column has one category; want at least one column of numbers or of two categories", t.name)
	}
	if width > maxValues/n {
		return fmt.Errorf("datasets: %s: %d samples of %d features are too many for a dense matrix, which may have %d numbers; leave out columns of many categories with Drop", t.name, n, width, maxValues)
	}
	if named {
		for k, code := range d.coding {
			d.Features = append(d.Features, code.names(t.columns[k].number)...)
		}
	}
	if plain {
		for i, v := range t.values {
			if math.IsNaN(v) {
				t.values[i] = d.coding[i%width].fill
			}
		}
		d.X = mat.NewDense(n, width, t.values)
		return nil
	}
	d.X = mat.NewDense(n, width, nil)
	for i := range n {
		x := d.X.RawRowView(i)
		for k, v := range t.values[i*len(t.columns) : (i+1)*len(t.columns)] {
			x = x[d.coding[k].put(x, v):]
		}
	}
	return nil
}
