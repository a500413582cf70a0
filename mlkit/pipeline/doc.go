// Package pipeline fits maps of the samples and the algorithm after them as one thing. The
// scaling, the principal components and whatever else is learnt from samples is then learnt
// from the training rows alone, in each fold of a cross-validation too.
//
//	p := pipeline.Classifier[*svm.Model]{
//		Steps:     []pipeline.Step{feature.Standardize{}, feature.PCA{Components: 5}},
//		Algorithm: svm.Classifier{C: 10},
//	}
//	m, err := p.Fit(X, y) // X is n×d, one sample a row; y[i] is -1 or +1
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(m.Predict(x)) // x is scaled and projected first
//
// # Which pipeline
//
// The type parameter is the type of the algorithm's model, and says what the pipeline needs:
//
//   - Classifier: two classes, labelled -1 and +1, with scores. *svm.Model, *perceptron.Model
//   - Probable: two classes with probabilities. *logistic.Model, *discriminant.LDAModel,
//     *calibration.ClassifierModel[*svm.Model]
//   - ManyClasses: any labels. *multiclass.OneVsOneModel[*svm.Model],
//     *leastsquares.ClassifierModel
//   - ManyProbable: any labels, with probabilities. *logistic.Model, *discriminant.LDAModel,
//     *neighbors.Model, *multiclass.ProbableOneVsOneModel[*logistic.Model]
//   - Regression: numbers. *leastsquares.Model, *kernelized.RidgeModel
//
// Fit learns the maps of the Steps one after the other, each from the samples as mapped by
// those before, and then the model. Step lists the steps, and how to write one.
//
// Algorithm is any mlkit.Algorithm with such models. logistic.Regression, say, fits two classes in
// a Probable[*logistic.Model], and any number in a ManyProbable[*logistic.Model].
//
// # Measures and searches
//
// A pipeline is an algorithm for eval.CrossValidate, and its model has what the measures of
// package eval look for. eval.Search varies fields of its steps and of its algorithm:
//
//	fields := []eval.Field{eval.Values("Steps[1].Components", 2, 5), eval.Values("Algorithm.C", 1, 10)}
//	s, err := eval.Search(mlkit.Options{Context: ctx}, plan, p, fields, eval.AUC, X, y)
//
// # Errors
//
// The error of a step ends with its index and type. If the algorithm ends before its goal, the
// error is its own *mlkit.NotConvergedError or *mlkit.NotSeparableError with the pipeline's
// model in place of the algorithm's. If the context ends during a step, there is no model yet:
// Fit returns nil, and an error that wraps the context's.
//
// Weights of the samples go to the steps and to the algorithm. A step that takes none, such as
// feature.PCA, returns an error: it would learn from a sample of weight 0.
//
// # Encoding
//
// A fitted pipeline encodes as JSON, and package modelfile keeps it in a file. Its type
// parameter says which model it has; its maps are stored with the names of their types, so a
// map of your own has to be passed to Register. A pipeline is decoded whole, or not at all:
// each map must take what the map before it gives, and the model what the last one gives.
//
// Package mlkit documents the conventions of all algorithms.
//
// In scikit-learn, a pipeline of each kind is a Pipeline.
package pipeline
