package libsvm_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit/kernel"
	"marginalia/mlkit/modelfile/libsvm"
	"marginalia/mlkit/svm"
)

func ExampleFormat_ReadSVM() {
	const file = `svm_type c_svc
kernel_type rbf
gamma 0.5
nr_class 2
total_sv 2
rho 0
label 3 8
nr_sv 1 1
SV
1 1:1
-1 1:-1 2:0.5
`
	m, err := libsvm.Format{D: 2}.ReadSVM(strings.NewReader(file), "threes.model")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Predict([]float64{1, 0}), m.Predict([]float64{-1, 0}))
	fmt.Printf("%.4f\n", m.Machines[0].Score([]float64{1, 0}))
	// Output:
	// 3 8
	// 0.8806
}

func ExampleSVM_Write() {
	X := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 2, 0, 2, 1})
	m, err := svm.Classifier{C: 10, Kernel: kernel.Polynomial{Degree: 1}}.Fit(X, []int{-1, -1, 1, 1})
	if err != nil {
		log.Fatal(err)
	}
	m.B = -1 // without the rounding of the fit
	if err := (&libsvm.SVM{Labels: []int{+1, -1}, Machines: []*svm.Model{m}}).Write(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// svm_type c_svc
	// kernel_type polynomial
	// degree 1
	// gamma 1
	// coef0 0
	// nr_class 2
	// total_sv 2
	// rho 1
	// label 1 -1
	// nr_sv 1 1
	// SV
	// 0.5 1:2
	// -0.5
}
