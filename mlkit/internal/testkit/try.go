package testkit

// Tried holds the results of a call without whose value a test can't go on.
type Tried[T any] struct {
	value T
	err   error
}

// Try takes the results of a call:
//
//	m := testkit.Try(svm.Classifier{}.Fit(X, y)).Or(t)
func Try[T any](value T, err error) Tried[T] { return Tried[T]{value, err} }

// Or returns the value. An error ends t, a test, a fuzz test or a property of rapid's.
func (r Tried[T]) Or(t interface {
	Helper()
	Fatal(args ...any)
}) T {
	t.Helper()
	if r.err != nil {
		t.Fatal(r.err)
	}
	return r.value
}
