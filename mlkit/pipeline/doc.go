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
//   - ManyClasses: any labels. *multiclass.OneVsOneModel[*svm.Model], *leastsquares.ClassesModel
//   - ManyProbable: any labels, with probabilities. *logistic.SoftmaxModel, *neighbors.Model,
//     *discriminant.GaussianNBClassesModel, *multiclass.ProbableOneVsOneModel[*logistic.Model]
//   - Regression: numbers. *leastsquares.Model, *kernelized.RidgeModel
//
// Fit learns the maps of the Steps one after the other, each from the samples as mapped by
// those before, and then the model. Step lists the steps, and how to write one.
//
// Algorithm is any algorithm with a method FitContext, FitClassesContext, Fit or FitClasses
// that takes X and y and returns the model and an error. A pipeline uses the first of these
// methods that returns its type of model, so logistic.Regression fits two classes in a
// Probable[*logistic.Model], and any number in a ManyProbable[*logistic.SoftmaxModel].
//
// # Measures and searches
//
// A pipeline is an algorithm for eval.CrossValidate, and its model has what the measures of
// package eval look for. eval.Search varies fields of its steps and of its algorithm:
//
//	fields := []eval.Field{eval.Values("Steps[1].Components", 2, 5), eval.Values("Algorithm.C", 1, 10)}
//	s, err := eval.Search(ctx, plan, p, fields, pipeline.Classifier[*svm.Model].FitContext, eval.AUC, X, y)
//
// # Errors
//
// The error of a step ends with its index and type. If the algorithm ends before its goal, the
// error is its own *mlkit.NotConvergedError or *mlkit.NotSeparableError with the pipeline's
// model in place of the algorithm's. If the context ends during a step, there is no model yet:
// Fit returns nil, and an error that wraps the context's.
//
// There are no fits with weights: a step would have to learn from weighted samples too, or a
// sample of weight 0 would still move the mean of a Scaling.
//
// # Encoding
//
// A fitted pipeline encodes as JSON, and package modelfile keeps it in a file. Its type parameter says which model it has; its maps are stored with the names
// of their types, so a map of your own has to be passed to Register. A pipeline is decoded
// whole, or not at all: each map must take what the map before it gives, and the model what
// the last one gives.
//
// Package mlkit documents the conventions of all algorithms.
//
// In scikit-learn, a pipeline of each kind is a Pipeline.
package pipeline
