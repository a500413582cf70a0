// Package mlkit is the contract that the learning algorithms of marginalia
// share. The algorithms themselves live in the packages below it, one subject
// of the lectures each: linear, svm, kernel and so on. They stand on gonum and
// the standard library alone, so each of them can be used in any program.
//
//	X := mat.NewDense(4, 2, []float64{-1, 0, 0, 1, 0, -1, 1, 0})
//	y := []int{+1, +1, -1, -1}
//	model, err := linear.Perceptron{}.Fit(X, y)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(model.W, model.B, model.Predict([]float64{-2, 1}))
//
// # Data
//
// X is n×d, one sample a row. Two classes carry the labels -1 and +1, many
// classes any ints; targets of regression are float64. Rows and columns are
// counted from 0, in the results as in the messages.
//
// # Algorithms and models
//
// An algorithm is a struct of hyperparameters. Its zero value is the lecture's
// algorithm with the lecture's constants; every field says what its zero means.
// Fit has a value receiver and returns what was learnt as a new value that keeps
// no reference to X or y: nothing is ever half fitted. FitContext is Fit for long
// runs; it gives up when its context ends.
//
// A model is plain data, exported fields and all. It may be copied, and may be read by
// many goroutines. It gives a real number for a sample (Scorer) and, for classification,
// a label (Predictor). The plural methods take many samples at once and a destination:
// nil asks for a new slice, anything else must have one element a row and is
// returned.
//
// A model that is a hyperplane has a Hyperplane in it, with distances, feet of
// perpendiculars and margins.
//
// # Encoding
//
// A model encodes itself with encoding/json and encoding/gob; a gob holds its JSON. Every
// number comes back bit by bit. Margins and eval.ROC may hold infinities and NaN, which
// JSON lacks: there they are the strings "+Inf", "-Inf" and "NaN". Your own types in a
// model, such as a kernel or a machine of svm.OneAgainstAll, have to encode themselves as
// JSON, too.
//
// A model is decoded whole or not at all: lengths have to fit together, indices to be in
// range, and numbers to be finite, or decoding is an error that says what is wrong,
//
//	svm: decoding a Model: len(coef) = 3, want 4, one for each of vectors
//
// and the model that was decoded into is as it was. JSON must have every field of the
// model and no others, so that no misspelt parameter becomes its default. No method of a
// decoded model panics for samples of the right length.
//
// Keep a model as a named field of a struct of your own. A struct that embeds one has its
// methods, so that gob encodes the model alone, and JSON refuses the fields around it.
// Hyperplane, and other types that models embed, may be embedded: they encode as plain
// structs, and nothing checks them.
//
// # Traces
//
// A hyperparameter named Trace is a function that is called with every step of
// the fit, as one value that holds all a picture of this step needs. Slices in
// it are not written to again, so the values may be collected, unless a field
// says otherwise. Returning false ends the fit: the model is then the state at
// that moment, without an error, because stopping was asked for.
//
// # Errors
//
// Whatever is wrong with the data is an error that names the argument, the row
// and the rule, such as
//
//	linear: y[17] = 3, want -1 or +1
//
// No data make this library panic. Methods without an error result (Score,
// Predict, …) panic on a slice of the wrong length, as gonum does, since that
// is a slip in the calling program; a NaN that is given to them comes out as
// NaN. What a function panics with that was given to the library, such as a kernel or
// a Trace, comes to the caller as it is, or as *PanicError if the library called it in
// another goroutine; nothing is ever left to panic where nobody can recover it.
//
// A fit that ends without having reached its goal returns *NotConvergedError; if
// it has proof that the goal can't be reached, *NotSeparableError, which wraps
// the former. Both carry the best model so far, and Fit returns this model
// beside the error as well, so the caller decides what it is worth.
//
// # Randomness
//
// What is random follows from a Seed, a hyperparameter. On one type of processor the same
// input gives the same bits, however many of them there are (GOMAXPROCS). Types differ in
// the vector instructions that they have, AVX2, AVX-512 or none of these, and so in the
// order and the rounding of sums. An algorithm that uses them says from which size of the
// data on. Below that, and without them, only the architecture matters: amd64 rounds a
// product before it is added to a sum, and others may not. Two types then agree to what
// the stopping rule leaves open.
package mlkit

import "gonum.org/v1/gonum/mat"

// A Scorer gives samples a real number. For two classes its sign is the class
// and its size, in a unit of the model's own, how far the sample is from the
// decision boundary.
type Scorer interface {
	// Score returns the score of one sample x of length d.
	Score(x []float64) float64
	// Scores sets dst[i] to the score of row i of X (n×d) and returns dst. If
	// dst is nil a slice of length n is allocated.
	Scores(dst []float64, X mat.Matrix) []float64
}

// A Predictor gives samples a class label.
type Predictor interface {
	// Predict returns the label of one sample x of length d.
	Predict(x []float64) int
	// Predictions sets dst[i] to the label of row i of X (n×d) and returns
	// dst. If dst is nil a slice of length n is allocated.
	Predictions(dst []int, X mat.Matrix) []int
}

// A Classifier is a model of two classes, labelled -1 and +1, whose label is
// +1 where the score is at least 0 and -1 elsewhere.
type Classifier interface {
	Scorer
	Predictor
}
