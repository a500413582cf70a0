package main

// A task is what every side is given, as JSON: which model to fit to which samples.
type task struct {
	Model   string  `json:"model"`   // a key of models
	Variant string  `json:"variant"` // of the side: a solver of scikit-learn, a build of LIBSVM
	Params  params  `json:"params"`
	Train   stored  `json:"train"`
	Test    *stored `json:"test,omitempty"`
}

// params are the numbers of a model; each model says which it has.
type params struct {
	C         float64 `json:"c,omitempty"`      // price of slack; of a unit of loss with the logistic models
	Gamma     float64 `json:"gamma,omitempty"`  // γ of the kernel exp(-γ‖x-z‖²)
	Lambda    float64 `json:"lambda,omitempty"` // of ridge regression
	Tol       float64 `json:"tol,omitempty"`    // the stopping rule
	Gap       float64 `json:"gap,omitempty"`    // that of mlkit's linear SVMs, which is another one: gap over primal value
	K         int     `json:"k,omitempty"`      // clusters, or components
	Neighbors int     `json:"neighbours,omitempty"`
	Passes    int     `json:"passes,omitempty"`   // through the samples
	CacheMB   int     `json:"cache_mb,omitempty"` // for rows of the Gram matrix
}

// A solution is what a side answers, as JSON: what it learnt, and what that cost.
// Which fields of what was learnt it has depends on the model.
type solution struct {
	Version string  `json:"version"`
	Wall    float64 `json:"wall"`       // seconds of the fit (of the prediction with the model predict)
	CPU     float64 `json:"cpu"`        // the same in seconds of processors
	Peak    int64   `json:"peak_bytes"` // of memory that was in use by the process, at any time
	Passes  int     `json:"passes,omitempty"`

	PredictWall float64 `json:"predict_wall,omitempty"` // of the samples Test
	PredictCPU  float64 `json:"predict_cpu,omitempty"`

	Machines  []machine   `json:"machines,omitempty"`  // of SVMs with a kernel
	W         [][]float64 `json:"w,omitempty"`         // weights of a class a row; of two classes one row
	B         []float64   `json:"b,omitempty"`         // biases of the same
	Centers   [][]float64 `json:"centres,omitempty"`   // of k-means
	Labels    []int       `json:"labels,omitempty"`    // clusters of the samples, or predicted classes of Test
	Vectors   [][]float64 `json:"vectors,omitempty"`   // eigenvectors, one a row, of any length; the first samples, scaled
	Alpha     []float64   `json:"alpha,omitempty"`     // of ridge regression
	Predicted []float64   `json:"predicted,omitempty"` // scores of the samples; the squared lengths of their images
}

// A machine is an SVM for two classes: f(x) = Σ Coef[k] k(x_Rows[k], x) + B. Rows are
// those of Train; Positive and Negative the labels of the classes.
type machine struct {
	Positive int       `json:"positive"`
	Negative int       `json:"negative"`
	Rows     []int     `json:"rows"`
	Coef     []float64 `json:"coef"` // αy
	B        float64   `json:"b"`
}

// A model is what every side can fit, under the name that a task gives it.
type model struct {
	fit fitter // mlkit's

	objective objective

	// exact says that all have to come to the same objective, because it is not what
	// they minimise: a lower one is as wrong as a higher one.
	exact bool

	oneDAL bool // has an algorithm of its own for it
}

// A fitter solves a task, and lets the clock measure what it is about.
type fitter func(t task, train, test samples, c *clock) (solution, error)

// learn is the fitter that measures fit alone, and answers with what it learnt.
func learn[M any](fit func(p params, train samples) (M, error), answer func(M) solution) fitter {
	return func(t task, train, _ samples, c *clock) (solution, error) {
		var m M
		var err error
		c.fitting.measure(func() { m, err = fit(t.Params, train) })
		if err != nil {
			return solution{}, err
		}
		return answer(m), nil
	}
}

// An objective is the number that says how good a solution is: smaller is better.
// It is computed anew in float64 from what was learnt, whoever learnt it. The error
// says that what was learnt is no solution at all.
type objective func(t task, train, test samples, s solution) (float64, error)

var models = map[string]model{
	"svc":              {fit: fitSVC, objective: dualValue, oneDAL: true},
	"svc-classes":      {fit: fitSVCClasses, objective: dualValue, oneDAL: true},
	"svc-predict":      {fit: fitSVCPredict, objective: predictionError, oneDAL: true},
	"linear-primal":    {fit: fitLinearPrimal, objective: squaredHinge},
	"linear-dual":      {fit: fitLinearDual, objective: hinge},
	"logistic":         {fit: signs(lbfgs), objective: logisticLoss, oneDAL: true},
	"softmax":          {fit: classes(lbfgs), objective: softmaxLoss, oneDAL: true},
	"logistic-default": {fit: signs(byDefault), objective: logisticLoss, oneDAL: true},
	"logistic-l1":      {fit: signs(sparse), objective: sparseLogisticLoss},
	"softmax-default":  {fit: classes(byDefault), objective: softmaxLoss, oneDAL: true},
	"least-squares":    {fit: fitLeastSquares, objective: squaredError, oneDAL: true},
	"lda":              {fit: fitLDA, objective: fisher},
	"perceptron":       {fit: fitPerceptron, objective: perceptronCost, exact: true},
	"k-means":          {fit: fitKMeans, objective: inertia, exact: true, oneDAL: true},
	"kernel-pca":       {fit: fitKernelPCA, objective: lostVariance},
	"neighbours":       {fit: fitNeighbours, objective: wrongLabels, exact: true},
	"standardise":      {fit: fitStandardise, objective: notStandard},
	"nystroem":         {fit: fitNystroem, objective: projectionError},
	"kernel-ridge":     {fit: fitKernelRidge, objective: ridgeValue},
	"spectral":         {fit: fitSpectral, objective: normalisedCut, exact: true},
}
