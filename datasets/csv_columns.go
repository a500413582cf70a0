package datasets

import (
	"fmt"
	"slices"
	"strconv"
)

// headings are the names of the columns in the first line of a file.
type headings struct {
	names  []string
	places []place
}

// plan decides what becomes of each of the n fields of a line: the class or target, the
// name of the sample, a feature, or nothing.
func (t *table) plan(h headings, n int) error {
	c := t.opt
	if h.names != nil && len(h.names) == n-1 { // as R's write.table names the columns
		h.names = slices.Insert(h.names, 0, "")
		h.places = slices.Insert(h.places, 0, h.places[0])
	}
	drop, err := t.findAll(h.names, n, "Drop", c.Drop)
	if err != nil {
		return err
	}
	chosen, err := t.findAll(h.names, n, "Columns", c.Columns)
	if err != nil {
		return err
	}
	listed, err := t.findAll(h.names, n, "Categories", c.Categories)
	if err != nil {
		return err
	}
	name, err := t.rowNames(h.names, n, slices.Concat(drop, chosen, listed))
	if err != nil {
		return err
	}
	label, err := t.label(h.names, n, name, drop)
	if err != nil {
		return err
	}
	t.slots = make([]int, n)
	features := chosen
	for j := range n {
		t.slots[j] = slotNone
		if c.Columns == nil && j != label && j != name && !slices.Contains(drop, j) {
			features = append(features, j)
		}
	}
	if name >= 0 {
		t.slots[name] = slotName
	}
	for _, j := range slices.Concat(drop, features) {
		if j == label {
			return fmt.Errorf("datasets: %s: column %d is the class or target, and in Columns or Drop; set Label to another", t.name, j+1)
		}
	}
	if label == name {
		return fmt.Errorf("datasets: %s: column %d is both Label and RowNames, want two columns", t.name, label+1)
	}
	t.slots[label] = slotOutcome
	t.target = newFeature(h, label)
	for k, j := range features {
		if t.slots[j] != slotNone {
			return fmt.Errorf("datasets: %s: Columns has column %d twice, or the one of RowNames", t.name, j+1)
		}
		t.slots[j] = k
		col := newFeature(h, j)
		if slices.Contains(listed, j) {
			col.kind, col.listed, col.index = categories, true, map[string]int{}
		}
		t.columns = append(t.columns, col)
	}
	if len(features) == 0 {
		return fmt.Errorf("datasets: %s: no column is left for the features", t.name)
	}
	t.row = make([]float64, len(features))
	return t.alike(h, features)
}

// newFeature returns column j of the file, without its kind.
func newFeature(h headings, j int) feature {
	c := feature{number: j + 1}
	if h.names != nil {
		c.name = h.names[j]
	}
	return c
}

// label returns the column of the class or target: without Label the last one that is not
// left out and does not name the samples.
func (t *table) label(header []string, n, name int, drop []int) (int, error) {
	if t.opt.Label != "" {
		return t.find(header, n, "Label", t.opt.Label)
	}
	for j := n - 1; j >= 0; j-- {
		if j != name && !slices.Contains(drop, j) {
			return j, nil
		}
	}
	return 0, fmt.Errorf("datasets: %s: no column is left for the class or target", t.name)
}

// rowNames returns the column with the names of the samples, -1 if there is none. Without
// RowNames it is the first column if this is the only one that the header does not name
// and that no field of the options names.
func (t *table) rowNames(header []string, n int, mentioned []int) (int, error) {
	if t.opt.RowNames != "" {
		return t.find(header, n, "RowNames", t.opt.RowNames)
	}
	if header == nil || n < 3 || slices.Index(header, "") != 0 ||
		trimmed(t.opt.Label) == "1" || slices.Contains(mentioned, 0) {
		return -1, nil
	}
	for k := 1; k < n; k++ {
		if header[k] != "" || t.opt.Columns != nil || slices.Contains(mentioned, k) || trimmed(t.opt.Label) == strconv.Itoa(k+1) {
			continue
		}
		return 0, fmt.Errorf("datasets: %s: the header has no name for the columns 1 and %d; name them, leave them out with Drop, or list the features in Columns", t.name, k+1)
	}
	return 0, nil
}

// find returns the index of a column, given by its name in the header or its number from 1.
func (t *table) find(header []string, n int, field, column string) (int, error) {
	column = trimmed(column)
	if j := slices.Index(header, column); j >= 0 {
		if k := slices.Index(header[j+1:], column); k >= 0 {
			return 0, fmt.Errorf("datasets: %s: the columns %d and %d are both called %q; set %s to the number of one", t.name, j+1, j+k+2, column, field)
		}
		return j, nil
	}
	if j, err := strconv.Atoi(column); err == nil && 1 <= j && j <= n {
		return j - 1, nil
	}
	if header == nil {
		return 0, fmt.Errorf("datasets: %s: %s = %q is not a column number, want 1 to %d", t.name, field, column, n)
	}
	return 0, fmt.Errorf("datasets: %s: %s: no column is called %q; there are %s", t.name, field, column, listed(header))
}

// findAll does the same for a list of columns.
func (t *table) findAll(header []string, n int, field string, columns []string) ([]int, error) {
	var found []int
	for k, column := range columns {
		j, err := t.find(header, n, fmt.Sprintf("%s[%d]", field, k), column)
		if err != nil {
			return nil, err
		}
		found = append(found, j)
	}
	return found, nil
}

// alike gives the columns the categories of the training set, if the options name one. It
// returns an error if the features of the file differ from those of the training set.
func (t *table) alike(h headings, features []int) error {
	l := t.opt.Like
	if l == nil {
		return nil
	}
	coding, width := l.coding, 0
	for _, code := range coding {
		width += code.width()
	}
	if _, d := l.X.Dims(); coding != nil && width != d {
		return fmt.Errorf("datasets: %s: X of %s has %d columns, and had %d when it was read; want the training set as it was read", t.name, l.Name, d, width)
	} else if coding == nil { // not from a file, or after Dataset.Columns
		coding = make([]coded, d)
		for j, name := range l.Features {
			coding[j].name = name
		}
	}
	if len(features) != len(coding) {
		return fmt.Errorf("datasets: %s: %d features, want %d as in %s, and a class or target", t.name, len(features), len(coding), l.Name)
	}
	for k, code := range coding {
		c := &t.columns[k]
		if c.name != "" && code.name != "" && c.name != code.name {
			return t.bad(h.places[features[k]], "the column is called %q, want %q as in %s; list its features in Columns if the order is another", c.name, code.name, l.Name)
		}
		if code.categories == nil {
			c.kind = numbers
		} else {
			c.fix(code.categories, l.Name)
		}
	}
	return nil
}
