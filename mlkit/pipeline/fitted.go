package pipeline

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"marginalia/mlkit"
	"marginalia/mlkit/feature"
	"marginalia/mlkit/internal/check"
	"marginalia/mlkit/internal/codec"
	"marginalia/mlkit/internal/rows"
)

// Fitted is what all fitted pipelines are made of: the maps that the steps have learnt, and
// the model that the algorithm has learnt from the samples mapped by them.
type Fitted[M any] struct {
	Maps  Maps `json:"maps"` // of each step in order; a chain counts as the maps in it
	Model M    `json:"model"`
}

// Inputs returns the number of features of a sample: what the first map takes, or without
// maps the model. It is 0 if that is unknown. It panics unless m comes from a fit or a file.
func (m *Fitted[M]) Inputs() int {
	if check.Nil(m.Model) || slices.ContainsFunc(m.Maps, func(φ feature.Map) bool { return check.Nil(φ) }) {
		panic("pipeline: Inputs of a pipeline that is not fitted")
	}
	if len(m.Maps) > 0 {
		return m.Maps[0].Inputs()
	}
	if model, ok := any(m.Model).(interface{ Inputs() int }); ok {
		return model.Inputs()
	}
	return 0
}

// mapped returns what the model gets to see of a sample. It panics if the sample has the
// wrong length.
func (m *Fitted[M]) mapped(method string, x []float64) []float64 {
	if len(m.Maps) == 0 {
		return x
	}
	mustHave(method, len(x), m.Maps[0].Inputs())
	return feature.Chain(m.Maps).TransformSample(nil, x)
}

// block is the number of samples that are mapped at once.
const block = 4096

// mappedRows calls do with what the model gets to see of the rows from to to-1 of X, in
// blocks. It panics if X has the wrong number of columns.
func (m *Fitted[M]) mappedRows(method string, X mat.Matrix, do func(from, to int, Z mat.Matrix)) {
	n, d, row := rows.Of(X)
	if len(m.Maps) == 0 {
		do(0, n, X)
		return
	}
	mustHave(method, d, m.Maps[0].Inputs())
	φ := feature.Chain(m.Maps)
	for from := 0; from < n; from += block {
		to := min(n, from+block)
		Z := mat.NewDense(to-from, φ.Dim(), nil)
		for i := from; i < to; i++ {
			φ.TransformSample(Z.RawRowView(i-from), row(i))
		}
		do(from, to, Z)
	}
}

// eachRow is the plural of a model's method: it sets dst[i] to its result for row i of X and
// returns dst, a new slice if dst is nil.
func eachRow[T int | float64, M any](m *Fitted[M], method string, dst []T, X mat.Matrix, all func(dst []T, Z mat.Matrix) []T) []T {
	n, _ := X.Dims()
	dst = rows.Destination("pipeline", method, dst, n)
	m.mappedRows(method, X, func(from, to int, Z mat.Matrix) { all(dst[from:to], Z) })
	return dst
}

func mustHave(method string, d, want int) {
	if d != want {
		panic(fmt.Sprintf("pipeline: %s: a sample has %d features, want %d", method, d, want))
	}
}

// check returns an error unless every map takes as many numbers as the one before gives, and
// the model as many as the last. Many models don't say how many they take, and maps and models
// may be the user's, so it tries the model, and a panic is an error.
func (m *Fitted[M]) check() (err error) {
	if check.Nil(m.Model) {
		return errors.New("model is null, want a model")
	}
	asked := "maps"
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s panics: %v; want maps and a model that fit together", asked, v)
		}
	}()
	given := 0
	for i, φ := range m.Maps {
		asked = fmt.Sprintf("maps[%d]", i)
		inputs, dim := φ.Inputs(), φ.Dim()
		if inputs < 1 || dim < 1 || dim > maxFeatures {
			return fmt.Errorf("maps[%d] maps %d numbers to %d, want at least one, and at most %d", i, inputs, dim, maxFeatures)
		}
		if i > 0 && inputs != given {
			return fmt.Errorf("maps[%d] takes %d numbers, want %d, as many as maps[%d] gives", i, inputs, given, i-1)
		}
		given = dim
	}
	if len(m.Maps) == 0 {
		return nil
	}
	asked = fmt.Sprintf("model, asked for a sample of %d numbers, as the last map gives,", given)
	if model, ok := any(m.Model).(interface{ Inputs() int }); ok && model.Inputs() > 0 && model.Inputs() != given {
		return fmt.Errorf("model takes %d numbers, want %d, as many as the last map gives", model.Inputs(), given)
	}
	z := make([]float64, given)
	// Predict first: a model of many classes has no Score.
	switch model := any(m.Model).(type) {
	case mlkit.Predictor:
		model.Predict(z)
	case mlkit.Scorer:
		model.Score(z)
	}
	return nil
}

// maxFeatures is the largest number of features for the model. It limits the memory that a
// corrupted file can allocate.
const maxFeatures = 1 << 24

// UnmarshalJSON decodes a pipeline. It returns an error, and leaves m unchanged, if a field is
// missing, unknown or invalid, or if a map or the model does not take what the map before it
// gives.
func (m *Fitted[M]) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, m, (*Fitted[M]).check)
}

// UnmarshalJSON decodes a pipeline as Fitted does. A model of more than two classes is an error
// too.
func (m *ClassifierModel[M]) UnmarshalJSON(data []byte) error {
	return codec.Decode(data, &m.Fitted, func(f *Fitted[M]) error {
		return codec.First(f.check(), codec.TwoClasses("model", f.Model))
	})
}

// ModelKind names the pipeline in files: see package modelfile.
func (*ClassifierModel[M]) ModelKind() string { return kindOf[M]("ClassifierModel") }

// ModelKind names the pipeline in files: see package modelfile.
func (*ProbableModel[M]) ModelKind() string { return kindOf[M]("ProbableModel") }

// ModelKind names the pipeline in files: see package modelfile.
func (*ManyClassesModel[M]) ModelKind() string { return kindOf[M]("ManyClassesModel") }

// ModelKind names the pipeline in files: see package modelfile.
func (*ManyProbableModel[M]) ModelKind() string { return kindOf[M]("ManyProbableModel") }

// ModelKind names the pipeline in files: see package modelfile.
func (*RegressionModel[M]) ModelKind() string { return kindOf[M]("RegressionModel") }

func kindOf[M any](name string) string { return "pipeline." + name + "[" + codec.Kind[M]() + "]" }
