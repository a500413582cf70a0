package multiclass_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"marginalia/datasets"
	"marginalia/mlkit"
	"marginalia/mlkit/kernel"
	"marginalia/mlkit/multiclass"
	"marginalia/mlkit/svm"
)

// Several goroutines call a kernel or report that panics, or calls
// runtime.Goexit as t.FailNow does. Both must reach the caller: a panic in another
// goroutine would end the process.
func TestPanicsOfMachines(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // at least two goroutines
	iris := datasets.Iris()
	brokenKernel := func(x, z []float64) float64 { panic(io.ErrUnexpectedEOF) }
	brokenReport := mlkit.Options{Report: func(mlkit.Progress) { panic(io.ErrUnexpectedEOF) }}
	fits := map[string]func() error{
		"OneVsOne, kernel": func() error {
			return second(multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{Kernel: kernel.Func(brokenKernel)}}.Fit(iris.X, iris.Y))
		},
		"OneVsRest, kernel": func() error {
			return second(multiclass.OneVsRest[*svm.Model]{Binary: svm.Classifier{Kernel: kernel.Func(brokenKernel)}}.Fit(iris.X, iris.Y))
		},
		"OneVsOne, report": func() error {
			return second(multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{}}.FitWith(brokenReport, iris.X, iris.Y))
		},
		"OneVsRest, report": func() error {
			return second(multiclass.OneVsRest[*svm.Model]{Binary: svm.Classifier{}}.FitWith(brokenReport, iris.X, iris.Y))
		},
	}
	for name, fit := range fits {
		func() {
			defer func() {
				e, ok := recover().(*mlkit.PanicError)
				if !ok || !errors.Is(e, io.ErrUnexpectedEOF) || !strings.Contains(string(e.Stack), "TestPanicsOfMachines") {
					t.Errorf("%s: %v, want the panic and its stack", name, e)
				}
			}()
			t.Errorf("%s: no panic, error %v", name, fit())
		}()
	}
	ended := make(chan bool)
	go func() {
		returned := false
		defer func() { ended <- !returned }()
		_, _ = multiclass.OneVsOne[*svm.Model]{Binary: svm.Classifier{}}.FitWith(mlkit.Options{Report: func(mlkit.Progress) { runtime.Goexit() }}, iris.X, iris.Y)
		returned = true
	}()
	if !<-ended {
		t.Error("Goexit in Report does not end the goroutine that called")
	}
}
