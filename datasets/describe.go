package datasets

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A Description summarises a Dataset. It prints as a table.
type Description struct {
	Name    string
	Samples int
	LeftOut int          // as in Dataset
	Classes []ClassCount // those of Labels and Y, by label; nil for regression
	Columns []Column     // of X
	Target  *Column      // nil for classes
	Images  bool         // the columns are pixels
}

// A ClassCount is a class and how many samples it has.
type ClassCount struct {
	Label   int
	Name    string
	Samples int
}

// A Column summarises the numbers of one column. All but NotFinite are about those of its
// numbers that are finite, and NaN if they need more of them.
type Column struct {
	Name      string  // its number if the columns have no names
	Mean      float64 // x̄
	Std       float64 // √(Σ (xᵢ - x̄)²/(n - 1)), as in R and pandas (feature.Standardize divides by n); 0 if the column is constant, NaN for one sample
	Min       float64
	Q1        float64 // a quarter of the numbers are smaller
	Median    float64
	Q3        float64 // a quarter are larger
	Max       float64
	Distinct  int // how many different ones there are
	NotFinite int // NaN or infinite: 0 in data that a function of this package has read
}

// Describe summarises the classes or targets and each column:
//
//	fmt.Println(d.Describe())
//
// The quartiles are those of R (type 7), NumPy and pandas: with the numbers sorted and counted
// from 0, the quantile of p is the one at position p(n - 1), interpolated linearly between
// its neighbours (Rob Hyndman and Yanan Fan, "Sample Quantiles in Statistical Packages", 1996).
// Describe panics if X is empty or the fields contradict each other, where Subset returns an
// error.
func (d *Dataset) Describe() Description {
	if err := d.check("Describe"); err != nil {
		panic(err.Error())
	}
	s := Description{Name: d.Name, Samples: d.Len(), LeftOut: d.LeftOut, Images: d.Height > 0}
	_, cols := d.X.Dims()
	for j := range cols {
		name := strconv.Itoa(j)
		if d.Features != nil {
			name = d.Features[j]
		}
		s.Columns = append(s.Columns, newColumn(name, mat.Col(nil, j, d.X)))
	}
	if d.Targets != nil {
		target := newColumn("target", slices.Clone(d.Targets))
		s.Target = &target
		return s
	}
	for _, y := range labelsOf(slices.Concat(d.Labels, d.Y)) {
		s.Classes = append(s.Classes, ClassCount{y, d.Class(y), d.Count(y)})
	}
	return s
}

// newColumn summarises the numbers v, which it sorts.
func newColumn(name string, v []float64) Column {
	n := len(v)
	v = slices.DeleteFunc(v, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
	c := Column{Name: name, NotFinite: n - len(v)}
	if n = len(v); n == 0 {
		nan := math.NaN()
		c.Mean, c.Std, c.Min, c.Q1, c.Median, c.Q3, c.Max = nan, nan, nan, nan, nan, nan, nan
		return c
	}
	slices.Sort(v)
	quantile := func(p float64) float64 {
		at := p * float64(n-1)
		below, part := int(at), at-math.Floor(at)
		return (1-part)*v[below] + part*v[min(below+1, n-1)]
	}
	c.Min, c.Q1, c.Median, c.Q3, c.Max = v[0], quantile(0.25), quantile(0.5), quantile(0.75), v[n-1]
	c.Mean = min(max(floats.Sum(v)/float64(n), c.Min), c.Max) // rounding leaves a constant as it is
	c.Distinct = len(slices.Compact(slices.Clone(v)))
	floats.AddConst(-c.Mean, v)
	c.Std = floats.Norm(v, 2) / math.Sqrt(float64(n-1))
	return c
}

// String returns the numbers of samples, columns and classes, and a table with a row for each
// column, the first 40 if there are more, and one for the target. It marks constant columns,
// and advises to standardise if one standard deviation is more than ten times another, unless
// the columns are pixels, which have one unit.
func (s Description) String() string {
	const most, ratio = 40, 10
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d samples", cmp.Or(s.Name, "data"), s.Samples)
	if s.LeftOut > 0 {
		fmt.Fprintf(&b, " and %d left out, where a value is missing", s.LeftOut)
	}
	fmt.Fprintf(&b, ", %d columns\n", len(s.Columns))
	for k, c := range s.Classes {
		if k == most {
			fmt.Fprintf(&b, ", … %d more", len(s.Classes)-most)
			break
		}
		name := c.Name
		if label := strconv.Itoa(c.Label); name != label {
			name += " (" + label + ")"
		}
		fmt.Fprintf(&b, "%s%s: %d", []string{"classes: ", ", "}[min(k, 1)], name, c.Samples)
	}
	if s.Classes != nil {
		fmt.Fprintln(&b)
	}

	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "column\tmean\tstd\tmin\t25 %\tmedian\t75 %\tmax\tdistinct")
	shown := s.Columns[:min(most, len(s.Columns))]
	for _, c := range shown {
		c.write(w)
	}
	if s.Target != nil {
		s.Target.write(w)
	}
	w.Flush()
	if more := s.Columns[len(shown):]; len(more) > 0 {
		fmt.Fprintf(&b, "… %d more columns, %d of them constant\n", len(more), len(more)-len(varying(more)))
	}
	if v := varying(s.Columns); len(v) > 0 && !s.Images {
		byStd := func(c, d Column) int { return cmp.Compare(c.Std, d.Std) }
		if least, largest := slices.MinFunc(v, byStd), slices.MaxFunc(v, byStd); largest.Std > ratio*least.Std {
			fmt.Fprintf(&b, "standard deviations from %.4g (%s) to %.4g (%s): standardise them, with feature.Standardize\n",
				least.Std, least.Name, largest.Std, largest.Name)
		}
	}
	return b.String()
}

// varying returns the columns that are not constant.
func varying(columns []Column) []Column {
	return slices.DeleteFunc(slices.Clone(columns), func(c Column) bool { return !(c.Std > 0) })
}

// write writes a row of the table.
func (c Column) write(w io.Writer) {
	fmt.Fprintf(w, "%s\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%d", c.Name, c.Mean, c.Std, c.Min, c.Q1, c.Median, c.Q3, c.Max, c.Distinct)
	if c.Std == 0 {
		fmt.Fprint(w, "\tconstant")
	}
	if c.NotFinite > 0 {
		fmt.Fprintf(w, "\t%d not finite", c.NotFinite)
	}
	fmt.Fprintln(w)
}
