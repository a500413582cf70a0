// Package must ends a test at an error that it does not expect.
package must

// TB is what the tests, benchmarks and fuzz tests of testing and those of rapid have.
type TB interface {
	Helper()
	Fatal(args ...any)
}

// Do ends the test if err is not nil.
func Do(t TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Result is a value, or the error in its place.
type Result[T any] struct {
	value T
	err   error
}

// Get takes what a function returns: must.Get(os.ReadFile(name)).Or(t).
func Get[T any](value T, err error) Result[T] { return Result[T]{value, err} }

// Or returns the value, and ends the test if there was an error.
func (r Result[T]) Or(t TB) T {
	t.Helper()
	Do(t, r.err)
	return r.value
}
