package show

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// How large a table is.
const (
	mostRows    = 10
	mostColumns = 10
	firstRows   = 5 // of a data set
)

// A matrix is one of gonum/mat, also a vector.
type matrix interface {
	Dims() (r, c int)
	At(i, j int) float64
}

// A dataset is a *datasets.Dataset. Its fields are read by their names.
type dataset interface {
	Len() int
	Class(y int) string
	Count(y int) int
}

// formsOf returns the parts that a value becomes.
func formsOf(x any) (parts []part) {
	defer func() {
		if r := recover(); r != nil {
			parts = []part{words(fmt.Sprintf("%T, which panics when it is read: %s", x, cut(fmt.Sprint(r), mostInner)))}
		}
	}()
	v := reflect.ValueOf(x)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return []part{words(nilOf(v))}
	}
	switch x := speaking(v).(type) {
	case error:
		return []part{red(cut(guarded(x, "Error", x.Error), mostText))}
	case matrix:
		rows, cols := x.Dims()
		parts = []part{words(fmt.Sprintf("%d×%d %s", rows, cols, shortType(v.Type())))}
		if rows > 0 && cols > 0 {
			parts = append(parts, grid(rows, cols, func(i, j int) string { return number(x.At(i, j)) }))
		}
		return parts
	case dataset:
		if parts := samples(x, reflect.ValueOf(x)); parts != nil {
			return parts
		}
	case fmt.Stringer:
		return []part{words(inline(v))}
	}
	if v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		if t := list(v); t != nil {
			return t
		}
	case reflect.Map:
		if v.Len() > 0 {
			return entries(v)
		}
	case reflect.Struct:
		if fields := fieldsOf(v); len(fields) > 0 {
			t := table{}
			for _, f := range fields {
				t.rows = append(t.rows, []string{f.name, cell(f.value)})
			}
			return []part{words(shortType(reflect.TypeOf(x))), t}
		}
	}
	return []part{words(inline(v))}
}

// speaking returns a value, or a pointer to a copy of it if only that has the methods by which values are
// shown, as after var C mat.Dense.
func speaking(v reflect.Value) any {
	x := v.Interface()
	switch x.(type) {
	case error, matrix, dataset, fmt.Stringer:
		return x
	}
	if v.Kind() == reflect.Struct {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		switch x := p.Interface().(type) {
		case error, matrix, dataset, fmt.Stringer:
			return x
		}
	}
	return x
}

// nilOf says what is nil.
func nilOf(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	return "nil, a " + shortType(v.Type())
}

// cell is a value in a cell of a table.
func cell(v reflect.Value) string {
	return cut(strings.Join(strings.Fields((&line{}).value(v, 1)), " "), mostInner)
}

// shape returns the dimensions of a matrix.
func shape(x any) (rows, cols int, ok bool) {
	m, ok := x.(matrix)
	if !ok {
		return 0, 0, false
	}
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	rows, cols = m.Dims()
	return rows, cols, true
}

// grid is a table of numbers with the numbers of its rows and columns.
func grid(rows, cols int, at func(i, j int) string) table {
	columns := ends(cols, mostColumns)
	t := table{head: []string{""}}
	for _, j := range columns {
		t.head = append(t.head, index(j))
	}
	for _, i := range ends(rows, mostRows) {
		row := []string{index(i)}
		for _, j := range columns {
			if i < 0 || j < 0 {
				row = append(row, "…")
			} else {
				row = append(row, at(i, j))
			}
		}
		t.rows = append(t.rows, row)
	}
	return t
}

func index(i int) string {
	if i < 0 {
		return "…"
	}
	return strconv.Itoa(i)
}

// list returns rows of numbers or structs as a table, nil if a list has neither.
func list(v reflect.Value) []part {
	n := v.Len()
	if n == 0 {
		return nil
	}
	caption := words(fmt.Sprintf("%s of %d", shortType(v.Type()), n))
	elem := v.Type().Elem()
	switch {
	case elem.Kind() == reflect.Slice || elem.Kind() == reflect.Array:
		cols := v.Index(0).Len()
		for i := range n {
			if v.Index(i).Len() != cols {
				return nil
			}
		}
		if cols == 0 || !numeric(elem.Elem().Kind()) {
			return nil
		}
		return []part{
			words(fmt.Sprintf("%d×%d %s", n, cols, shortType(v.Type()))),
			grid(n, cols, func(i, j int) string { return cell(v.Index(i).Index(j)) }),
		}
	case elem.Kind() == reflect.Struct:
		if _, says := worded(v.Index(0)); says {
			return nil
		}
		fields := fieldsOf(v.Index(0))
		if len(fields) == 0 || len(fields) > mostColumns {
			return nil
		}
		t := table{head: []string{""}}
		for _, f := range fields {
			t.head = append(t.head, f.name)
		}
		for _, i := range ends(n, mostRows) {
			row := []string{index(i)}
			for k := range fields {
				if i < 0 {
					row = append(row, "…")
				} else {
					row = append(row, cell(fieldsOf(v.Index(i))[k].value))
				}
			}
			t.rows = append(t.rows, row)
		}
		return []part{caption, t}
	}
	return nil
}

func numeric(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Complex128 }

// entries returns a map as a table, sorted by its keys.
func entries(v reflect.Value) []part {
	all := sorted(v)
	t := table{}
	for _, i := range ends(len(all), 2*mostRows) {
		if i < 0 {
			t.rows = append(t.rows, []string{"…", "…"})
			continue
		}
		key := cell(all[i].key)
		if k := all[i].key; k.Kind() == reflect.String && legible(k.String()) {
			key = cut(k.String(), mostInner)
		}
		t.rows = append(t.rows, []string{key, cell(all[i].value)})
	}
	return []part{words(fmt.Sprintf("%s of %d", shortType(v.Type()), len(all))), t}
}

// legible reports whether a text can be read without quotes: its blanks are seen.
func legible(text string) bool {
	return text != "" && text == strings.Join(strings.Fields(text), " ")
}

// samples returns the classes and the first rows of a data set, nil if it is none.
func samples(d dataset, p reflect.Value) []part {
	v := reflect.Indirect(p)
	if v.Kind() != reflect.Struct {
		return nil
	}
	get := func(name string) any {
		f := v.FieldByName(name)
		if !f.IsValid() || !f.CanInterface() {
			return nil
		}
		return f.Interface()
	}
	x, isMatrix := get("X").(matrix)
	y, _ := get("Y").([]int)
	labels, isData := get("Labels").([]int)
	if !isMatrix || !isData {
		return nil
	}
	name, _ := get("Name").(string)
	targets, _ := get("Targets").([]float64)
	features, _ := get("Features").([]string)
	n, cols := x.Dims()
	caption := fmt.Sprintf("%s: %d samples, %d features", name, n, cols)
	var parts []part
	if len(labels) > 0 && targets == nil {
		caption += fmt.Sprintf(", %d classes", len(labels))
		t := table{head: []string{"label", "class", "samples"}}
		for _, k := range ends(len(labels), 2*mostRows) {
			if k < 0 {
				t.rows = append(t.rows, []string{"…", "…", "…"})
				continue
			}
			t.rows = append(t.rows, []string{strconv.Itoa(labels[k]), d.Class(labels[k]), strconv.Itoa(d.Count(labels[k]))})
		}
		parts = append(parts, t)
	}
	t := grid(min(n, firstRows), cols, func(i, j int) string { return number(x.At(i, j)) })
	for k, j := range ends(cols, mostColumns) {
		if j >= 0 && len(features) == cols {
			t.head[k+1] = features[j]
		}
	}
	target := func(i int) string { return number(targets[i]) }
	heading := "target"
	if targets == nil {
		heading, target = "class", func(i int) string { return d.Class(y[i]) }
	}
	t.head = append(t.head, heading)
	names, _ := get("RowNames").([]string)
	for i := range t.rows {
		t.rows[i] = append(t.rows[i], target(i))
		if len(names) == n {
			t.rows[i][0] = cut(names[i], mostInner)
		}
	}
	if n > firstRows {
		parts = append(parts, words(fmt.Sprintf("The first %d samples:", firstRows)))
	}
	return append(append([]part{words(caption)}, parts...), t)
}
