package mlkit_test

import "regexp"

// A concept is what a word means wherever it stands. A new field takes the word that its
// meaning has here, or a new line.
type concept struct {
	area, concept, word, meaning string
	varies                       bool     // the type depends on the algorithm or the package
	of                           []string // the only places of a second meaning; nil for the first
}

const (
	stopping  = "When a fit ends"
	objective = "What a fit minimises"
	weighting = "Weights and classes"
	plane     = "Hyperplanes and the bias"
	kernels   = "Kernels"
	dual      = "The dual problem"
	steps     = "Steps, starts and random numbers"
	trace     = "What a trace shows"
	fitting   = "Fits"
	using     = "What models compute"
	mapping   = "Maps"
	groups    = "Clusters"
	gauss     = "Distributions"
	measure   = "Measures and evaluation"
	pieces    = "Algorithms made of others"
	language  = "Interfaces of Go and files"
	shared    = "Types that several packages have"
	lectures  = "Derivations, in the letters of the lectures"
	second    = "Words with a second meaning, since the field or a lecture uses them so"
)

var concepts = []concept{
	{stopping, "limit on iterations", "MaxIter", "the fit has not converged if it is still on its way after so many; 0 means the algorithm's own limit", false, nil},
	{stopping, "number of passes", "Epochs", "passes over the samples: those to make, all of them, or those made", false, nil},
	{stopping, "tolerance", "Tol", "of the stopping rule, or of a step of a derivation; 0 means the algorithm's own", false, nil},
	{stopping, "tolerance for the rank", "RankTol", "singular values of at most this times the largest count as 0", false, nil},
	{stopping, "early end", "StopEarly", "end within a pass, as soon as all samples are right", false, nil},
	{stopping, "convergence", "Converged", "whether the stopping rule held", false, nil},
	{stopping, "iterations made", "Iterations", "of the optimiser", false, nil},
	{stopping, "distance from the goal", "Residual", "what the stopping rule compares with Tol, or a condition and by how much it fails", false, nil},
	{stopping, "gap of duality", "Gap", "Primal - Dual, at least 0", false, nil},
	{stopping, "violation of the optimum", "Violation", "m(α) - M(α) of SMO", false, nil},
	{stopping, "reason", "Reason", "why a fit ended, or why a step or a proof holds", false, nil},

	{objective, "price of slack", "C", "the weight of the losses beside ½‖w‖²; the bound on the multipliers", false, nil},
	{objective, "penalty λ", "Lambda", "the weight of ‖w‖² beside a sum or mean of losses", false, nil},
	{objective, "penalty on ½‖w‖²", "L2", "beside a log-likelihood", false, nil},
	{objective, "penalty on ‖w‖₁", "L1", "beside a log-likelihood", false, nil},
	{objective, "loss", "Loss", "of a sample", false, nil},
	{objective, "solver", "Solver", "how the minimum is found", true, nil},
	{objective, "objective", "Objective", "what the fit minimises, at its result or after a step", false, nil},
	{objective, "log-likelihood", "LogLikelihood", "of the training samples, without penalties", false, nil},
	{objective, "rank", "Rank", "of X with its constant column", false, nil},

	{weighting, "weights of classes", "ClassWeights", "factors above 0 of the weights of samples, by label; 1 if absent", false, nil},
	{weighting, "weights", "Weights", "of samples, or of the links of a graph", false, nil},
	{weighting, "weighted", "Weighted", "whether links have weights; an algorithm that takes those of samples", false, nil},
	{weighting, "labels of classes", "Classes", "ascending", false, nil},
	{weighting, "labels", "Labels", "of samples: classes or clusters", false, nil},
	{weighting, "priors", "Priors", "the probabilities of the classes", true, nil},
	{weighting, "tie at 0", "ZeroIsPositive", "a score of 0 is right for a positive sample", false, nil},

	{plane, "bias", "Bias", "whether b is learnt, and whether w's penalty includes it", false, nil},
	{plane, "normal", "W", "of a hyperplane, or of one for each class, target or unit", true, nil},
	{plane, "b", "B", "of w·x + b, or one for each class, target or unit", true, nil},
	{plane, "hyperplane", "Hyperplane", "w and b", true, nil},
	{plane, "norm", "Norm", "a length: ‖w‖, or the size of a Gram matrix", false, nil},
	{plane, "margin", "Margin", "Δ, the distance of the nearest samples from a hyperplane; 1/‖w‖ for a support vector machine", false, nil},
	{plane, "margins", "Margins", "of the samples, functional and geometric", false, nil},
	{plane, "numbers in a sample", "D", "d, the columns of X", false, nil},

	{kernels, "kernel", "Kernel", "k(x, z)", true, nil},
	{kernels, "γ of a kernel", "Gamma", "0 means ½, so σ = 1, in exp(-γ·distance), and 1 in γx·z + c", false, nil},
	{kernels, "c of a kernel", "Coef0", "of γx·z + c", false, nil},
	{kernels, "degree", "Degree", "of a polynomial; 0 means 2", false, nil},
	{kernels, "value of a kernel", "Eval", "k(x, z) of two samples", false, nil},
	{kernels, "Gram matrix", "Gram", "k of all pairs of samples, or that matrix centred", false, nil},
	{kernels, "centring", "Centring", "the means that centre a Gram matrix", false, nil},
	{kernels, "coefficients", "Coef", "of an expansion in kernels or monomials", false, nil},
	{kernels, "constant", "Constant", "a feature that is the same in all samples, and stands for b", false, nil},
	{kernels, "landmarks", "Landmarks", "samples that stand for all, or how many", true, nil},
	{kernels, "memory for kernel rows", "CacheBytes", "of the cache for rows of the Gram matrix", false, nil},
	{kernels, "row", "Row", "of a matrix, or the number of one", true, nil},
	{kernels, "rows", "Rows", "their numbers, or how many", true, nil},

	{dual, "multipliers", "Alpha", "α of the samples; of a perceptron the counts of mistakes", true, nil},
	{dual, "multipliers of the slacks", "Tau", "τ of ξ ≥ 0", false, nil},
	{dual, "dual", "Dual", "the value of the dual problem or a point of it; an algorithm in dual form", true, nil},
	{dual, "primal", "Primal", "the value of the primal problem", false, nil},
	{dual, "support", "Support", "the rows with α > 0", false, nil},
	{dual, "support vectors", "Vectors", "the samples with α > 0", false, nil},
	{dual, "radius", "R", "of a ball about the origin that holds the samples", false, nil},
	{dual, "bound", "Bound", "(R/Δ)² of Novikoff's theorem", false, nil},

	{steps, "step size", "Rate", "ρ", false, nil},
	{steps, "step sizes", "Schedule", "ρ of step t, in units of Rate if there is one", false, nil},
	{steps, "samples for a step", "BatchSize", "drawn with replacement", false, nil},
	{steps, "projection", "Project", "onto a ball, or onto a hyperplane", false, nil},
	{steps, "pocket without a ratchet", "NoRatchet", "the length of its run alone puts a hyperplane into the pocket", false, nil},
	{steps, "start", "Start", "where the fit starts; nil means the algorithm's own", true, nil},
	{steps, "start for many classes", "StartClasses", "Start for FitClasses", false, nil},
	{steps, "restarts", "Restarts", "how often the fit starts anew; the best run counts", false, nil},
	{steps, "restart", "Restart", "the number of a run, 0 for the first", false, nil},
	{steps, "run", "Run", "consecutive draws that were right", false, nil},
	{steps, "random order", "Shuffle", "visit or divide the samples in an order that Seed determines", false, nil},
	{steps, "seed", "Seed", "of all random numbers", false, nil},
	{steps, "runs", "Runs", "training sets to draw, or drawn", false, nil},
	{steps, "workers", "Workers", "concurrent fits; 0 means one per processor", false, nil},

	{trace, "trace", "Trace", "called after every step; returning false ends the fit", true, nil},
	{trace, "trace of passes", "TraceEpoch", "called after every pass; returning false ends the fit", false, nil},
	{trace, "progress", "Progress", "called when a part of the work is done", false, nil},
	{trace, "number of a pass", "Epoch", "0 for the first; what a trace shows of one", false, nil},
	{trace, "number of an iteration", "Iteration", "of the optimiser", false, nil},
	{trace, "step", "Step", "one step of an algorithm, a derivation or a pipeline, or its number, 1 for the first", false, nil},
	{trace, "steps", "Steps", "of a derivation or a pipeline, or how many were made", true, nil},
	{trace, "row visited", "Index", "a row of X", false, nil},
	{trace, "state before", "Before", "a step", true, nil},
	{trace, "state after", "After", "a step", true, nil},
	{trace, "mistake", "Mistake", "whether the step corrected one", false, nil},
	{trace, "mistakes", "Mistakes", "corrections while training", true, nil},
	{trace, "mistakes by pass", "MistakesPerEpoch", "corrections in each pass", false, nil},
	{trace, "errors", "Errors", "samples with a wrong label", false, nil},
	{trace, "first of a pair", "I", "a row", false, nil},
	{trace, "second of a pair", "J", "a row", false, nil},
	{trace, "changed labels", "Changed", "rows with a new cluster", false, nil},
	{trace, "cost", "Cost", "J(w) of the perceptron", false, nil},
	{trace, "pocket", "Pocket", "the best hyperplane so far, and the algorithm that keeps it", false, nil},
	{trace, "total", "Total", "a sum over all", true, nil},

	{fitting, "fit", "Fit", "returns the model of two classes, of numbers, or of samples without labels; as a field, the fit that did not converge", true, nil},
	{fitting, "fit with a context", "FitContext", "Fit that ends when ctx is done", true, nil},
	{fitting, "fit with weights", "FitWeighted", "Fit with a weight for each row; 0 means absent", true, nil},
	{fitting, "fit with weights and a context", "FitWeightedContext", "both", true, nil},
	{fitting, "fit of many classes", "FitClasses", "labels are any ints", true, nil},
	{fitting, "the same with a context", "FitClassesContext", "FitClasses that ends when ctx is done", true, nil},
	{fitting, "the same with weights", "FitClassesWeighted", "FitClasses with a weight for each row", true, nil},
	{fitting, "the same with both", "FitClassesWeightedContext", "both", true, nil},
	{fitting, "fit of a map", "FitMap", "as a step of a pipeline", false, nil},
	{fitting, "fits of many machines", "FitMachines", "at once, so that they share work", true, nil},

	{using, "score", "Score", "of one sample; +1 is predicted from 0 on", false, nil},
	{using, "scores", "Scores", "of the rows of X", false, nil},
	{using, "scores of many machines", "ScoresOfAll", "at once, so that they share work", true, nil},
	{using, "label", "Predict", "of one sample", false, nil},
	{using, "labels", "Predictions", "of the rows of X", false, nil},
	{using, "probability of +1", "Prob", "of one sample, or of a score", true, nil},
	{using, "probabilities of +1", "Probs", "of the rows of X, or of scores", true, nil},
	{using, "the same of many machines", "ProbsOfAll", "at once, so that they share work", true, nil},
	{using, "probabilities of all classes", "Posterior", "of one sample", false, nil},
	{using, "the same for many samples", "Posteriors", "of the rows of X", false, nil},
	{using, "discriminants", "Discriminants", "one for each class; the largest is predicted", false, nil},
	{using, "decisions", "Decisions", "one for each class of many, from machines of two", false, nil},
	{using, "votes", "Votes", "for each class, or of each hyperplane", false, nil},
	{using, "outputs of one sample", "Output", "of targets, units or networks", true, nil},
	{using, "outputs of many samples", "Outputs", "of the rows of X", false, nil},
	{using, "inputs", "Inputs", "how many numbers a sample has for this model or map", false, nil},
	{using, "distances", "Distances", "of one sample to all centres", false, nil},

	{mapping, "map of one sample", "TransformSample", "φ(x)", false, nil},
	{mapping, "map of many samples", "Transform", "of the rows of X", false, nil},
	{mapping, "way back", "Inverse", "the sample with this image", false, nil},
	{mapping, "dimension of the image", "Dim", "how many numbers φ(x) has", false, nil},
	{mapping, "components", "Components", "how many dimensions the image has", false, nil},
	{mapping, "directions", "Directions", "the axes of the image, one per row", true, nil},
	{mapping, "explained variance", "Explained", "of each direction, as a fraction of all", false, nil},
	{mapping, "eigenvalues", "Eigenvalues", "of a Laplacian or a Gram matrix, or how many", true, nil},
	{mapping, "basis", "Basis", "orthonormal vectors as combinations of images", false, nil},
	{mapping, "eigenvectors", "Eigenvectors", "scaled so that the map is a product with them", false, nil},
	{mapping, "whitening", "Whiten", "scale components to variance 1", false, nil},
	{mapping, "shift", "Shift", "what is subtracted from each sample", false, nil},
	{mapping, "offset", "Offset", "what a map adds to each column after it is scaled", false, nil},
	{mapping, "scale", "Scale", "of the numbers", true, nil},
	{mapping, "units", "Units", "of the columns", false, nil},
	{mapping, "lower end", "Low", "of the range of values", false, nil},
	{mapping, "upper end", "High", "of the range of values", false, nil},
	{mapping, "bins", "Bins", "how many", false, nil},
	{mapping, "factors", "Factors", "the features that are multiplied in each monomial", false, nil},
	{mapping, "pairs", "Pairs", "of features or of classes", false, nil},
	{mapping, "map", "Map", "φ, or a step that needs no fit", false, nil},
	{mapping, "maps", "Maps", "the fitted steps of a pipeline", false, nil},

	{groups, "number of clusters, neighbours or parts", "K", "the K of the algorithm's name", false, nil},
	{groups, "centres", "Centres", "of clusters", false, nil},
	{groups, "centre", "Centre", "a point, or to move the origin there", false, nil},
	{groups, "sizes", "Sizes", "of clusters", false, nil},
	{groups, "inertia", "Inertia", "J, the sum of squared distances to the centres", false, nil},
	{groups, "affinity", "Affinity", "how alike two samples are", false, nil},
	{groups, "Laplacian", "Laplacian", "which one of a graph", false, nil},
	{groups, "neighbours in the graph", "Nearest", "how many of each sample", false, nil},
	{groups, "neighbours", "Neighbours", "the rows nearest to a sample", false, nil},
	{groups, "component of each sample", "ComponentLabels", "the part of a disconnected graph, from 0", false, nil},

	{gauss, "shrinkage", "Shrinkage", "how far a covariance is drawn towards a multiple of I, from 0 to 1", false, nil},
	{gauss, "chosen shrinkage", "LedoitWolf", "choose Shrinkage from the samples", false, nil},
	{gauss, "smoothing of counts", "Smoothing", "what is added to each", false, nil},
	{gauss, "smoothing of variances", "VarSmoothing", "what is added to each, relative to that of all samples", false, nil},
	{gauss, "divisor", "Divisor", "of sums of squares: n, or n minus the number of means", false, nil},
	{gauss, "mean", "Mean", "of samples, kernels or predictions", true, nil},
	{gauss, "means", "Means", "of classes, of the columns of a Gram matrix, or of measures", true, nil},
	{gauss, "covariance", "Covariance", "Σ of all classes", false, nil},
	{gauss, "variance", "Variance", "of predictions over training sets", false, nil},
	{gauss, "variances", "Variances", "of columns or directions", true, nil},
	{gauss, "probabilities", "Probabilities", "θ of each column in each class", true, nil},
	{gauss, "offsets", "Offsets", "the part of each discriminant that no sample changes", false, nil},
	{gauss, "Gaussians", "Gaussians", "of the classes", true, nil},

	{measure, "mean squared error", "MSE", "of predictions, or of each target", true, nil},
	{measure, "accuracy", "Accuracy", "the share of right labels", false, nil},
	{measure, "area under the ROC curve", "AUC", "1 ranks all samples rightly", false, nil},
	{measure, "F1", "F1", "the harmonic mean of precision and recall", false, nil},
	{measure, "precision", "Precision", "of a class, or at each threshold", true, nil},
	{measure, "recall", "Recall", "of a class, or at each threshold", true, nil},
	{measure, "thresholds", "Thresholds", "of the score, descending", false, nil},
	{measure, "average", "Average", "of the precision, or of hyperplanes", true, nil},
	{measure, "training samples", "Train", "their rows, or the measure on them", true, nil},
	{measure, "test samples", "Test", "their rows, or the measure on them", true, nil},
	{measure, "fold", "Fold", "one division into training and test samples", false, nil},
	{measure, "folds", "Folds", "several, or how many", true, nil},
	{measure, "division by classes", "Stratified", "each class keeps its share in each part", true, nil},
	{measure, "points", "Points", "of a grid, a curve or a check, or how many", true, nil},
	{measure, "values", "Values", "of a hyperparameter", false, nil},
	{measure, "sum", "Sum", "of parts: of an error, or of kernels", false, nil},

	{pieces, "algorithm", "Algorithm", "the one inside, or its name in an error", true, nil},
	{pieces, "algorithm for two classes", "Binary", "many are made of it", false, nil},
	{pieces, "machines", "Machines", "the models of two classes in one of many", false, nil},
	{pieces, "model", "Model", "what a fit has learnt; an algorithm's name before it says of which", true, nil},
	{pieces, "predictor", "Predictor", "what computes labels; a model without what only training needs", false, nil},
	{pieces, "application", "Apply", "of a map to samples, or of an activation to a score", false, nil},
	{pieces, "activation", "Activation", "of a unit", false, nil},

	{language, "kind of model", "ModelKind", "its name in files", false, nil},
	{language, "kind", "Kind", "of a model, as files name it", false, nil},
	{language, "notes", "Notes", "that go with a model or a derivation", true, nil},
	{language, "name", "Name", "of a field or a condition", false, nil},
	{language, "registration", "Register", "of your own kernel or map, for decoding", true, nil},
	{language, "check", "Check", "returns an error if something is invalid or does not hold", true, nil},
	{language, "value", "Value", "of what the type is about", true, nil},
	{language, "gob", "GobEncode", "holds the JSON", false, nil},
	{language, "gob", "GobDecode", "returns the errors of UnmarshalJSON", false, nil},
	{language, "JSON", "MarshalJSON", "where reflection does not do", false, nil},
	{language, "JSON", "UnmarshalJSON", "checks the whole model", false, nil},
	{language, "JSON of many machines", "MarshalMachines", "which share their support vectors", true, nil},
	{language, "JSON of many machines", "UnmarshalMachines", "which share their support vectors", true, nil},
	{language, "text", "String", "for people", false, nil},
	{language, "message", "Error", "of an error", false, nil},
	{language, "cause", "Unwrap", "of an error", false, nil},

	{shared, "algorithm for two classes", "Classifier", "the linear, kernel or calibrated one of its package", false, nil},
	{shared, "model of two classes", "ClassifierModel", "Classifier's, or any with scores and labels", false, nil},
	{shared, "model of two classes with probabilities", "ProbableClassifierModel", "of +1", false, nil},
	{shared, "algorithm with probabilities of +1", "Probable", "of two classes", false, nil},
	{shared, "model with probabilities of +1", "ProbableModel", "of two classes", false, nil},
	{shared, "algorithm with probabilities of all classes", "ManyProbable", "of many classes", false, nil},
	{shared, "model with probabilities of all classes", "ManyProbableModel", "of many classes", false, nil},
	{shared, "regression", "Regression", "an algorithm for numbers; logistic regression for the log-odds of classes", false, nil},
	{shared, "perceptron", "Perceptron", "with w, or with a kernel", false, nil},
	{shared, "k-means", "KMeans", "of samples, or in the space of a kernel", false, nil},
	{shared, "model of k-means", "KMeansModel", "its clusters", false, nil},
	{shared, "step of k-means", "KMeansStep", "what Trace receives", false, nil},
	{shared, "principal components", "PCA", "of samples, or in the space of a kernel", false, nil},
	{shared, "model of principal components", "PCAModel", "a map", false, nil},
	{shared, "polynomial", "Polynomial", "a kernel, its map, or a step of a pipeline", false, nil},
	{shared, "sigmoid", "Sigmoid", "1/(1 + exp(-s)), or the kernel tanh(γx·z + c)", false, nil},

	{lectures, "samples", "X", "one per row; a single one in a step", true, nil},
	{lectures, "labels or targets", "Y", "one per row; a single one in a step", true, nil},
	{lectures, "a letter", "A", "the slope of Platt's sigmoid; a plane of Yuille's", true, nil},
	{lectures, "â", "AHat", "the normal of the solution", false, nil},
	{lectures, "a letter", "M", "means; the smallest margin before it is divided by ‖w‖", true, nil},
	{lectures, "a letter", "S", "covariances; the standard deviation of a prior", true, nil},
	{lectures, "title", "Title", "of a derivation", false, nil},
	{lectures, "formula", "TeX", "of a step", false, nil},
	{lectures, "relation", "Relation", "of a step to the one before", false, nil},
	{lectures, "difference", "Difference", "of a step from the one before, relative", false, nil},
	{lectures, "text of a derivation", "Markdown", "with its formulas", false, nil},
	{lectures, "normal equations", "NormalEquations", "XᵀXw = Xᵀy", true, nil},

	{second, "Yuille's γ", "Gamma", "the price of slack", false, []string{"derive.SoftMargin"}},
	{second, "bias of an estimate", "Bias", "the mean prediction minus the truth", false, []string{"eval.PointDecomposition"}},
	{second, "support of a class", "Support", "how many samples it has", false, []string{"eval.Rates"}},
}

// synonyms are words that fields, methods and functions don't have, since another has their
// meaning.
var synonyms = []struct{ pattern, word string }{
	{`^Max(Iterations?|Epochs?|Passes|Steps)$`, "MaxIter"},
	{`^(Tolerance|Eps|Epsilon)$`, "Tol"},
	{`^(LearningRate|Eta|StepSize)$`, "Rate"},
	{`^Batch$`, "BatchSize"},
	{`^(RandomState|Random|Rng)$`, "Seed"},
	{`^(Ridge|Penalty|Regulari[sz]ation|Reg)$`, "Lambda, or L1 and L2 beside a likelihood"},
	{`^Method$`, "Solver"},
	{`^(Intercept|FitIntercept|NoIntercept)$`, "Bias or B"},
	{`^(Warm|WarmStart|Init|Initial)$`, "Start"},
	{`^(Callback|Observer|OnStep)$`, "Trace"},
	{`^(NumClusters|NClusters|Clusters)$`, "K"},
	{`^(Features|NumFeatures)$`, "Inputs, or D for a field"},
	{`^(Threshold|Slack|Component)$`, "a plural, if it is a slice"},
	{`^(Proba|PredictProba|Probability)$`, "Prob or Posterior"},
	{`^(DecisionFunction|Decision)$`, "Score"},
	{`^(Centroids?|Prototypes?)$`, "Centres"},
	{`Weighting`, "Weights"},
	{`OneVsAll|OneAgainst`, "OneVsRest or OneVsOne"},
	{`WithContext$|Ctx$`, "the suffix Context"},
	{`Neighbor|Center|Normaliz|Standardiz|Penaliz|Color|Behavior`, "spelt as in Britain"},
}

// letters are the quantities that the lectures name by a letter: a slice of them keeps it.
var letters = regexp.MustCompile(`^([A-Z][0-9]?|Alpha|Tau|Coef)(Hat)?$`)

// singular are the slices whose word is no plural, with what they are.
var singular = map[string]string{
	"After": "a vector", "Before": "a vector", "Direction": "a vector", "Eigenvector": "a vector",
	"Mean": "a vector", "Shift": "a vector", "Value": "a vector",
	"Covariance": "a matrix", "Embedding": "a matrix", "Data": "a matrix", "Stack": "a text",
	"Dual": "a point", "Start": "a point",
	"AtBound": "samples, by an adjective", "Free": "samples, by an adjective",
	"Refilled": "clusters, by an adjective", "Unfinished": "fits, by an adjective",
	"Wrong": "samples, by an adjective", "Explained": "variances, by an adjective",
	"Functional": "margins, by an adjective", "Geometric": "margins, by an adjective",
	"Support": "samples, by the field's term", "Test": "samples, by the field's term", "Train": "samples, by the field's term",
	"FPR": "a rate at each threshold", "TPR": "a rate at each threshold",
	"Precision": "a rate at each threshold", "Recall": "a rate at each threshold",
	"MSE":              "an error of each target",
	"MistakesPerEpoch": "a plural, further left",
}
