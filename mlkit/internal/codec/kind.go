package codec

import "reflect"

// Kind returns the name that models of type M, a model or a pointer to one, have in files:
// what their method ModelKind returns. A type without this method has the name of the type
// after a question mark, which no file may have.
func Kind[M any]() string { return KindOf(reflect.TypeFor[M]()) }

// KindOf is Kind for the type t.
func KindOf(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if m, ok := reflect.New(t).Interface().(interface{ ModelKind() string }); ok {
		return m.ModelKind()
	}
	return "?" + t.String()
}
