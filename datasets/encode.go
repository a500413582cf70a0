package datasets

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Encoding says how a column of categories, such as "female" and "male", becomes columns
// of numbers. Each new column has the name of the old one with a category, "sex=male". It
// is 1 in the samples of this category and 0 in the others. The categories of a column are
// those that occur in it, in alphabetical order, or in numerical order if all are numbers.
//
// A column has categories if its values are not numbers. An error says so if only some of
// them are, since one of the two is probably a mistake, and if there are as many
// categories as [ByValues] takes for names of samples. A column that CSV.Categories lists
// has categories in either case.
type Encoding int

const (
	// NoEncoding makes a text among the features an error.
	NoEncoding Encoding = iota

	// OneHot makes a column for each category, as scikit-learn's OneHotEncoder and pandas'
	// get_dummies do by default. The new columns add up to 1, so a model with a bias has
	// no unique weights unless it is regularised.
	OneHot

	// Dummies makes a column for each category but the first, which is the reference, as R
	// does in regression (treatment contrasts). Two categories become one column.
	Dummies
)

// A coded tells what a column of a file has become in X.
type coded struct {
	name       string   // in the header, "" if there is none
	categories []string // nil if the column has numbers
	order      []int    // the position among categories of each index in table.values; nil if they are the same
	reference  bool     // the first category has no column
	hasMissing bool     // missing is one more category, the last
	fill       float64  // what replaces missing numbers
}

// width returns the number of columns of X.
func (c coded) width() int {
	if c.categories == nil {
		return 1
	}
	w := len(c.categories)
	if c.reference {
		w--
	}
	if c.hasMissing {
		w++
	}
	return w
}

// put writes the columns of a value to the beginning of x and returns how many they are.
func (c coded) put(x []float64, v float64) int {
	w := c.width()
	switch {
	case c.categories == nil && math.IsNaN(v):
		x[0] = c.fill
	case c.categories == nil:
		x[0] = v
	case math.IsNaN(v):
		x[w-1] = 1
	default:
		p := int(v)
		if c.order != nil {
			p = c.order[p]
		}
		if c.reference {
			p--
		}
		if p >= 0 {
			x[p] = 1
		}
	}
	return w
}

// names returns the names of the columns of X that belong to the given column of the
// file.
func (c coded) names(number int) []string {
	name := c.name
	if name == "" {
		name = "column " + strconv.Itoa(number)
	}
	if c.categories == nil {
		return []string{name}
	}
	var names []string
	for k, category := range c.categories {
		if k > 0 || !c.reference {
			names = append(names, name+"="+category)
		}
	}
	if c.hasMissing {
		names = append(names, name+"=NA")
	}
	return names
}

// category returns the index of a category of column c. As with labels, 1.0 and 1 are the
// same one.
func (t *table) category(c *feature, field string, at place) (float64, error) {
	k, ok := c.index[field]
	if ok {
		return float64(k), nil
	}
	if k, ok = c.index[sameNumber(field)]; !ok {
		if c.fixed {
			names := make([]string, len(c.categories))
			for k, category := range c.categories {
				names[k] = category.name
			}
			t.unseen = cmp.Or(t.unseen, t.bad(at, "%q is no category of %s in %s, which has %s", field, c, c.whose, listed(names)))
			return 0, nil
		}
		if fault := nameFault(field); fault != "" {
			return 0, t.bad(at, "%s, in %s", fault, c)
		}
		k = len(c.categories)
		c.categories = append(c.categories, category{name: strings.Clone(field), at: at})
	}
	c.put(field, k)
	return float64(k), nil
}

// put notes the index of a category, for all ways to write it.
func (c *feature) put(name string, k int) {
	name = strings.Clone(name) // don't keep the whole line alive
	c.index[name] = k
	if same := sameNumber(name); same != name {
		if _, taken := c.index[same]; !taken {
			c.index[same] = k
		}
	}
}

// sameNumber returns an integer in its shortest form, and any other text as it is.
func sameNumber(field string) string {
	if v, ok := label(field); ok {
		return strconv.Itoa(v)
	}
	return field
}

// fix gives column c all its categories, in order.
func (c *feature) fix(names []string, whose string) {
	c.kind, c.fixed, c.whose, c.index = categories, true, whose, map[string]int{}
	for k, name := range names {
		c.categories = append(c.categories, category{name: name})
		c.put(name, k)
	}
}

// code decides what column k becomes in X, given n samples.
func (t *table) code(k, n int) (coded, error) {
	c := &t.columns[k]
	var like *coded
	if l := t.opt.Like; l != nil && l.coding != nil {
		like = &l.coding[k]
	}
	if c.kind != categories {
		fill, err := t.fill(k)
		return coded{name: c.name, fill: fill}, err
	}
	missing := t.count(k)
	if like != nil {
		if missing > 0 && !like.hasMissing {
			return coded{}, fmt.Errorf("datasets: %s: %d values are missing in %s, and none is in %s; set Missing to DropRows", t.name, missing, c, t.opt.Like.Name)
		}
		code := *like
		code.order = nil
		return code, nil
	}
	order := c.sorted()
	if few := fewValues(n); len(order) > few && !c.listed {
		last := c.categories[slices.Max(order)]
		return coded{}, t.bad(last.at, "%q is category number %d of %d samples, in %s; leave the column out with Drop, set RowNames if it names the samples, or list it in Categories if there are so many",
			last.name, len(order), n, c)
	}
	code := coded{name: c.name, hasMissing: missing > 0, categories: []string{}}
	if c.fixed {
		for _, category := range c.categories {
			code.categories = append(code.categories, category.name)
		}
	} else {
		code.order = make([]int, len(c.categories))
		for _, i := range order {
			code.order[i] = len(code.categories)
			code.categories = append(code.categories, c.categories[i].name)
		}
	}
	code.reference = t.opt.Encode == Dummies && len(code.categories) > 0
	return code, nil
}

// count counts the samples of each category of column k and returns the number of missing
// values.
func (t *table) count(k int) (missing int) {
	c := &t.columns[k]
	for i := k; i < len(t.values); i += len(t.columns) {
		if v := t.values[i]; math.IsNaN(v) {
			missing++
		} else {
			c.categories[int(v)].rows++
		}
	}
	return missing
}

// sorted returns the indices of the categories that samples have, in alphabetical order or,
// if all are numbers, in numerical order.
func (c *feature) sorted() []int {
	var present []int
	value, allNumbers := make([]float64, len(c.categories)), true
	for k, category := range c.categories {
		if category.rows > 0 {
			var ok bool
			value[k], ok = finite(category.name)
			present, allNumbers = append(present, k), allNumbers && ok
		}
	}
	slices.SortFunc(present, func(a, b int) int {
		names := strings.Compare(c.categories[a].name, c.categories[b].name)
		if allNumbers {
			return cmp.Or(cmp.Compare(value[a], value[b]), names)
		}
		return names
	})
	return present
}
