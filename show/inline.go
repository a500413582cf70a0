package show

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// How much of a value is shown.
const (
	mostItems = 10     // of a list in one line
	mostDepth = 4      // lists in lists, pointers to pointers
	mostInner = 120    // characters of a value in a table
	mostText  = 10_000 // characters of a text
)

// inline returns a value in one line, or a text as it is.
func inline(v reflect.Value) string { return (&line{}).value(v, 0) }

// A line is a value in one line.
type line struct{ values int }

func (l *line) value(v reflect.Value, depth int) string {
	if !v.IsValid() {
		return "nil"
	}
	if l.values++; l.values > 1000 {
		return "…"
	}
	if text, ok := worded(v); ok {
		return text
	}
	if depth > mostDepth {
		return "…"
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return number(v.Float())
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		sign := "+"
		if math.Signbit(imag(c)) {
			sign = ""
		}
		return "(" + number(real(c)) + sign + number(imag(c)) + "i)"
	case reflect.String:
		if depth == 0 {
			return cut(v.String(), mostText)
		}
		return strconv.Quote(cut(v.String(), mostInner))
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			return "nil"
		}
	}
	switch v.Kind() {
	case reflect.Interface:
		return l.value(v.Elem(), depth)
	case reflect.Pointer:
		return "&" + l.value(v.Elem(), depth+1)
	case reflect.Chan:
		return fmt.Sprintf("%s with %d of %d", v.Type(), v.Len(), v.Cap())
	case reflect.Func, reflect.UnsafePointer:
		return v.Type().String()
	case reflect.Slice, reflect.Array:
		return "[" + strings.Join(l.list(v.Len(), func(i int) string { return l.value(v.Index(i), depth+1) }), " ") + "]" + many(v.Len())
	case reflect.Map:
		all := sorted(v)
		return "map[" + strings.Join(l.list(len(all), func(i int) string {
			return l.value(all[i].key, depth+1) + ":" + l.value(all[i].value, depth+1)
		}), " ") + "]" + many(len(all))
	}
	// A struct.
	var fields []string
	for _, f := range fieldsOf(v) {
		fields = append(fields, f.name+": "+l.value(f.value, depth+1))
	}
	return shortType(v.Type()) + "{" + strings.Join(fields, ", ") + "}"
}

// list returns the items of a list, without those in the middle if there are many.
func (l *line) list(n int, item func(int) string) (items []string) {
	for _, i := range ends(n, mostItems) {
		if i < 0 {
			items = append(items, "…")
			continue
		}
		items = append(items, item(i))
	}
	return items
}

// ends returns the indices below n of a list that shows at most most of them: all, or the first and
// the last with -1 between them.
func ends(n, most int) (at []int) {
	for i := range n {
		if n > most && i == most/2 {
			at = append(at, -1)
		}
		if n <= most || i < most/2 || i >= n-most/2 {
			at = append(at, i)
		}
		if n > most && i == most/2 {
			for j := n - most/2; j < n; j++ {
				at = append(at, j)
			}
			return at
		}
	}
	return at
}

// many says how long a list is that is cut.
func many(n int) string {
	if n <= mostItems {
		return ""
	}
	return fmt.Sprintf(" (%d)", n)
}

// number writes a number with four digits, as lectures do, and all those before the point up to a
// million.
func number(x float64) string {
	if a := math.Abs(x); a >= 9999.5 && a < 1e6 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// cut cuts the middle out of a long text.
func cut(text string, most int) string {
	if len(text) <= most { // no longer in characters
		return text
	}
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	return string(r[:most/2]) + " … " + string(r[len(r)-most/2:])
}

// worded returns what the value says of itself, or which matrix it is.
func worded(v reflect.Value) (text string, ok bool) {
	if !v.CanInterface() || v.Kind() == reflect.Interface {
		return "", false
	}
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return "nil", true
	}
	x := speaking(v)
	if rows, cols, ok := shape(x); ok {
		return fmt.Sprintf("%d×%d %s", rows, cols, shortType(v.Type())), true
	}
	switch x := x.(type) {
	case error:
		return cut(guarded(x, "Error", x.Error), mostText), true
	case fmt.Stringer:
		return cut(guarded(x, "String", x.String), mostText), true
	}
	return "", false
}

// guarded calls a method of a value, and says so if it panics.
func guarded(x any, method string, call func() string) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("%T, whose method %s panics: %s", x, method, cut(fmt.Sprint(r), mostInner))
		}
	}()
	return call()
}

// A field is an exported one of a struct.
type field struct {
	name  string
	value reflect.Value
}

// fieldsOf returns the exported fields of a struct, with those of embedded structs in their place.
func fieldsOf(v reflect.Value) (fields []field) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			fields = append(fields, fieldsOf(v.Field(i))...)
		case f.IsExported():
			fields = append(fields, field{f.Name, v.Field(i)})
		}
	}
	return fields
}

// An entry is one of a map.
type entry struct {
	key, value reflect.Value
	text       string // see sortText
}

// sorted returns the entries of a map by their keys, numbers by size and others by their text. No look-up
// finds the value of a key that is NaN.
func sorted(v reflect.Value) (all []entry) {
	for key, value := range v.Seq2() {
		all = append(all, entry{key, value, sortText(key)})
	}
	slices.SortStableFunc(all, compare)
	return all
}

// sortText is by which keys are sorted that are no numbers or strings.
func sortText(k reflect.Value) string {
	switch k.Kind() {
	case reflect.String:
		return k.String()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return ""
	}
	return inline(k)
}

func compare(x, y entry) int {
	a, b := x.key, y.key
	switch {
	case a.Kind() == b.Kind() && a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.Kind() == b.Kind() && a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.Kind() == b.Kind() && a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	}
	return cmp.Compare(x.text, y.text)
}

// shortType is the name of a type, without the package of the cell.
func shortType(t reflect.Type) string {
	name := t.String()
	bare := strings.TrimLeft(name, "*[]0123456789")
	return name[:len(name)-len(bare)] + strings.TrimPrefix(bare, "main.")
}
