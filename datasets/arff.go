package datasets

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ARFF describes a file in Weka's attribute-relation file format. The zero value takes the
// last attribute as the class or target. The fields are those of [CSV]; those that name a
// column take the name of an attribute or its number from 1.
type ARFF struct {
	Label    string   // attribute of the class or target; "" means the last that is not left out
	RowNames string   // attribute that names the samples; "" means none
	Columns  []string // the features, in the order of X; nil means all attributes but those above
	Drop     []string // attributes left out

	Encode     Encoding // what becomes of nominal and string attributes; the zero value makes them an error
	Categories []string // numeric attributes with categories, such as codes

	Missing Missing  // what becomes of missing values; the zero value makes them an error
	Fill    float64  // the number for FillValue
	NA      []string // the texts that mark a missing value, beside the empty one; nil means those of Missing

	Task Task     // whether the samples have classes or targets; the zero value goes by the attribute's type
	Like *Dataset // the training set if this file has test samples
}

// Open reads the file with the given path, which may be compressed with gzip. See
// [ARFF.Read].
func (a ARFF) Open(path string) (*Dataset, error) {
	return opened(path, a.Read)
}

// Read reads a dense file: attributes of type numeric, real, integer, nominal or string,
// then one sample per line, with values between commas or tabs. Names and values may stand
// in quotes of either kind, with a backslash before a quote in them. Lines that begin with
// % are comments. A sparse file, a date that is not left out, a relational attribute, and
// weights of samples are errors.
//
// A nominal class gets its labels in the order of declaration: -1 and +1 if there are two,
// from 0 otherwise. A numeric one is a target, unless Task is Classification. The
// categories of a nominal feature are the declared ones, in that order, even if no sample
// has them. A text without quotes is a missing value if it is ? or another one that
// [Missing] lists; between the braces of a declaration it is then no value.
//
// Source of the format: I. H. Witten, E. Frank, M. A. Hall, Data Mining, 3rd edition,
// Morgan Kaufmann 2011, section 2.4.
func (a ARFF) Read(r io.Reader, name string) (*Dataset, error) {
	if r == nil {
		return nil, fmt.Errorf("datasets: %s: the reader is nil", name)
	}
	opt := CSV{Label: a.Label, RowNames: a.RowNames, Columns: a.Columns, Drop: a.Drop, Encode: a.Encode, Categories: a.Categories,
		Missing: a.Missing, Fill: a.Fill, NA: a.NA, Task: a.Task, Like: a.Like, Header: true}
	if err := opt.checkValues(name); err != nil {
		return nil, err
	}
	body, err := text(r, 0)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	t := newTable(name, inText, opt)
	var (
		attributes []attribute
		data       bool // the line @data has been read
		line       int
		fields     fieldsOfLine
	)
	at := func(j int) place { return place{line, fields.columns[j]} }
	s := bufio.NewScanner(body)
	s.Buffer(nil, 1<<26)
	for s.Scan() {
		line++
		text := s.Text()
		if rest := strings.TrimSpace(text); rest == "" || rest[0] == '%' {
			continue
		}
		if !data {
			word, rest := firstWord(text)
			switch strings.ToLower(word) {
			case "@relation":
			case "@attribute":
				a, err := newAttribute(rest, t.opt.NA)
				if err != nil {
					return nil, t.bad(place{line, len(text) - len(rest) + 1}, "%v", err)
				}
				a.at = place{line, len(text) - len(rest) + 1}
				attributes = append(attributes, a)
			case "@data":
				if err := t.planARFF(attributes); err != nil {
					return nil, err
				}
				data = true
			default:
				return nil, t.bad(place{line, 1}, "%q, want @relation, @attribute or @data; read a table without them with CSV", word)
			}
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(text), "{") {
			return nil, t.bad(place{line, 1}, "a sparse sample, want a value for each attribute; save the file as dense ARFF or in the format of LIBSVM")
		}
		if err := fields.split(text); err != nil {
			return nil, t.bad(place{line, 1}, "%v", err)
		}
		if n := len(fields.texts); n == len(attributes)+1 && strings.HasPrefix(fields.texts[n-1], "{") {
			return nil, t.bad(at(n-1), "the sample has a weight, want none")
		} else if n != len(attributes) {
			return nil, t.bad(place{line, 1}, "%d values, want %d, one for each attribute, between commas or tabs", n, len(attributes))
		}
		if err := t.add(fields.texts, fields.quoted, at); err != nil {
			return nil, err
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("datasets: %s:%d: %w", name, line+1, err)
	}
	if !data {
		return nil, fmt.Errorf("datasets: %s: no line @data", name)
	}
	return t.dataset()
}

// planARFF decides what becomes of each attribute.
func (t *table) planARFF(attributes []attribute) error {
	if len(attributes) < 2 {
		return fmt.Errorf("datasets: %s: %d attributes, want at least one feature and a class or target", t.name, len(attributes))
	}
	var h headings
	for _, a := range attributes {
		h.names, h.places = append(h.names, a.name), append(h.places, a.at)
	}
	if err := t.plan(h, len(attributes)); err != nil {
		return err
	}
	for j, slot := range t.slots {
		a := attributes[j]
		switch {
		case slot == slotNone || slot == slotName:
		case a.kind == "date":
			return t.bad(a.at, "attribute %q is a date, want numbers or nominal values; leave it out with Drop", a.name)
		case slot == slotOutcome:
			t.classes(a)
		case t.opt.Like != nil: // see alike
		case a.kind == "numeric" && t.columns[slot].kind == unknown:
			t.columns[slot].kind = numbers
		case a.kind == "numeric": // listed in Categories
		case t.opt.Encode == NoEncoding:
			return t.bad(a.at, "attribute %q is %s; set Encode if it is a feature, or leave it out with Drop", a.name, a.kind)
		case a.kind == "nominal":
			t.columns[slot].fix(a.values, "the declaration")
			t.columns[slot].listed = true
		default:
			t.columns[slot].kind, t.columns[slot].index = categories, map[string]int{}
		}
	}
	return nil
}

// classes takes the task and the classes from the attribute with the outcome.
func (t *table) classes(a attribute) {
	switch {
	case t.opt.Like != nil || t.opt.Task == Regression:
	case a.kind == "nominal":
		t.opt.Classes, t.classesFrom = slices.Clone(a.values), "the declaration"
	case a.kind == "numeric" && t.opt.Task == ByValues:
		t.opt.Task = Regression
	}
}
