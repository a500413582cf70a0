package main

// A model is what every side can fit, under the name that a task gives it.
type model struct {
	// fit is mlkit's.
	fit func(t task, train, test samples, c *clock) (solution, error)

	// objective is the number that says how good a solution is: smaller is better.
	// It is computed anew in float64 from what was learnt, whoever learnt it. The error
	// says that what was learnt is no solution at all.
	objective func(t task, train, test samples, s solution) (float64, error)

	// exact says that all have to come to the same objective, because it is not what
	// they minimise: a lower one is as wrong as a higher one.
	exact bool
}

var models = map[string]model{
	"svc":              {fit: fitSVC, objective: dualValue},
	"svc-classes":      {fit: fitSVCClasses, objective: dualValue},
	"svc-predict":      {fit: fitSVCPredict, objective: predictionError},
	"linear-primal":    {fit: fitLinearPrimal, objective: squaredHinge},
	"linear-dual":      {fit: fitLinearDual, objective: hinge},
	"logistic":         {fit: fitLogistic, objective: logisticLoss},
	"softmax":          {fit: fitSoftmax, objective: softmaxLoss},
	"logistic-default": {fit: fitLogisticDefault, objective: logisticLoss},
	"logistic-l1":      {fit: fitLogisticL1, objective: sparseLogisticLoss},
	"softmax-default":  {fit: fitSoftmaxDefault, objective: softmaxLoss},
	"least-squares":    {fit: fitLeastSquares, objective: squaredError},
	"lda":              {fit: fitLDA, objective: fisher},
	"perceptron":       {fit: fitPerceptron, objective: perceptronCost, exact: true},
	"k-means":          {fit: fitKMeans, objective: inertia, exact: true},
	"kernel-pca":       {fit: fitKernelPCA, objective: lostVariance},
	"kernel-ridge":     {fit: fitKernelRidge, objective: ridgeValue},
	"spectral":         {fit: fitSpectral, objective: normalisedCut, exact: true},
}
