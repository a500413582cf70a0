package main

// A model is what every side can fit, under the name that a task gives it.
type model struct {
	fit fitter // mlkit's

	objective objective

	// exact says that all have to come to the same objective, because it is not what
	// they minimise: a lower one is as wrong as a higher one.
	exact bool
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
	"svc":              {fit: fitSVC, objective: dualValue},
	"svc-classes":      {fit: fitSVCClasses, objective: dualValue},
	"svc-predict":      {fit: fitSVCPredict, objective: predictionError},
	"linear-primal":    {fit: fitLinearPrimal, objective: squaredHinge},
	"linear-dual":      {fit: fitLinearDual, objective: hinge},
	"logistic":         {fit: signs(lbfgs), objective: logisticLoss},
	"softmax":          {fit: classes(lbfgs), objective: softmaxLoss},
	"logistic-default": {fit: signs(byDefault), objective: logisticLoss},
	"logistic-l1":      {fit: signs(sparse), objective: sparseLogisticLoss},
	"softmax-default":  {fit: classes(byDefault), objective: softmaxLoss},
	"least-squares":    {fit: fitLeastSquares, objective: squaredError},
	"lda":              {fit: fitLDA, objective: fisher},
	"perceptron":       {fit: fitPerceptron, objective: perceptronCost, exact: true},
	"k-means":          {fit: fitKMeans, objective: inertia, exact: true},
	"kernel-pca":       {fit: fitKernelPCA, objective: lostVariance},
	"kernel-ridge":     {fit: fitKernelRidge, objective: ridgeValue},
	"spectral":         {fit: fitSpectral, objective: normalisedCut, exact: true},
}
