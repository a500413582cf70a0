package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Missing says what becomes of a sample with a missing value.
//
// A field is a missing value if it is empty, or one of these texts in capital or small
// letters: NA, N/A, #N/A, <NA>, NaN, -NaN, NULL, and ?. So are "." and Python's None. They
// are the marks of R, pandas, SQL, spreadsheets, Weka and SAS. The same holds in all
// columns, with the class or target among them. The field NA of [CSV] and [ARFF] replaces
// this list, for example where NA is Namibia. A number in it, such as -999, stands for all
// ways to write it.
//
// A sample without a class or target can't be filled in: it is an error with Refuse and
// left out otherwise. [Dataset.LeftOut] counts the samples left out.
type Missing int

const (
	// Refuse makes a missing value an error that names its place.
	Refuse Missing = iota

	// DropRows leaves out each sample with a missing value.
	DropRows

	// FillMean puts the mean of the column's other numbers in place of a missing one. For
	// a test set this is the mean of the training set, CSV.Like. In columns of categories,
	// missing is a category of its own, such as "sex=NA".
	FillMean

	// FillValue puts the number Fill in place of a missing one. Columns of categories are
	// as with FillMean.
	FillValue
)

// isMissing reports whether a field stands for a missing value. marks are those of the
// caller, nil for the list of [Missing].
func isMissing(field string, marks []string) bool {
	if field == "" {
		return true
	}
	if marks != nil {
		return slices.Contains(marks, field)
	}
	switch field {
	case "?", ".", "None":
		return true
	}
	switch strings.ToUpper(field) {
	case "NA", "N/A", "#N/A", "<NA>", "NAN", "-NAN", "NULL":
		return true
	}
	return false
}

// isMissing reports whether a field stands for a missing value. The marks -999 and -999.0
// are the same.
func (t *table) isMissing(field string) bool {
	if t.numberMarks != nil {
		if v, ok := t.number(field); ok {
			return slices.Contains(t.numberMarks, v)
		}
	}
	return isMissing(field, t.opt.NA)
}

// missing deals with a missing value in column c: it leaves the sample out, or returns an
// error.
func (t *table) missing(c *feature, field string, at place) error {
	if t.opt.Missing != Refuse {
		t.skip = t.skip || t.opt.Missing == DropRows
		c.missing++
		return nil
	}
	if t.form != inText {
		return t.bad(at, "a value is missing%s; set Missing to DropRows or FillMean", quoted(field))
	}
	return t.bad(at, "a value is missing%s, in %s%s; set Missing to DropRows or FillMean, or leave the column out with Drop", quoted(field), c, t.keep(field))
}

// missingOutcome does the same for the class or target.
func (t *table) missingOutcome(field string, at place) error {
	if t.opt.Missing != Refuse {
		t.skip = true
		t.noOutcome++
		return nil
	}
	where := ""
	if t.form == inText {
		where = ", in " + t.target.String()
	}
	return fmt.Errorf("datasets: %s: the class or target is missing%s%s%s; set Missing to DropRows to leave such samples out%s", t.ys.at(at), quoted(field), where, t.keep(field), t.elsewhere())
}

// elsewhere suggests another column for the class or target than the last.
func (t *table) elsewhere() string {
	if t.opt.Label != "" || t.ys.form == inList {
		return ""
	}
	return ", or Label if it is in another column"
}

// keep says how a text becomes a value rather than a missing one.
func (t *table) keep(field string) string {
	if field == "" || t.form != inText {
		return ""
	}
	return fmt.Sprintf(" (if %q is a value, list in NA what marks missing ones)", field)
}

// quoted returns a text in brackets, "" for no text.
func quoted(field string) string {
	if field == "" {
		return ""
	}
	return fmt.Sprintf(" (%q)", field)
}

// fill returns what replaces the missing values among the numbers of column k: the number
// of the options, or the mean of the others.
func (t *table) fill(k int) (float64, error) {
	if t.opt.Missing != FillMean {
		return t.opt.Fill, nil
	}
	values, stride, first := t.values, len(t.columns), k
	if l := t.opt.Like; l != nil {
		raw := l.X.RawMatrix()
		values, stride = raw.Data, raw.Stride
		if l.coding != nil {
			first = 0
			for _, c := range l.coding[:k] {
				first += c.width()
			}
		}
	}
	n := 0
	for i := first; i < len(values); i += stride {
		if !math.IsNaN(values[i]) {
			n++
		}
	}
	if n == 0 {
		return 0, fmt.Errorf("datasets: %s: all values are missing in %s, so it has no mean; leave it out with Drop", t.name, &t.columns[k])
	}
	// The sum of numbers near the largest is taken in units of n.
	sum, inUnits := 0.0, 0.0
	for i := first; i < len(values); i += stride {
		if v := values[i]; !math.IsNaN(v) {
			sum += v
			inUnits += v / float64(n)
		}
	}
	if math.IsInf(sum, 0) || math.IsNaN(sum) {
		return inUnits, nil
	}
	return sum / float64(n), nil
}

// noSamples returns the error for a file of which no sample is left.
func (t *table) noSamples() error {
	if t.leftOut == 0 {
		return fmt.Errorf("datasets: %s: no samples", t.name)
	}
	worst := slices.MaxFunc(t.columns, func(a, b feature) int { return a.missing - b.missing })
	if t.noOutcome >= worst.missing {
		return fmt.Errorf("datasets: %s: no samples: all %d have missing values, %d of them the class or target; set Label to another column", t.name, t.leftOut, t.noOutcome)
	}
	return fmt.Errorf("datasets: %s: no samples: all %d have missing values, %d of them in %s; leave that column out with Drop, or set Missing to FillMean", t.name, t.leftOut, worst.missing, &worst)
}
