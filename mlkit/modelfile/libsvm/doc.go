// Package libsvm reads and writes the files of LIBSVM, LIBLINEAR and svm-scale, so that a model
// trained by one of them predicts here, and one trained here predicts there.
//
//	f, err := os.Open("digits.model") // what svm-train wrote
//	…
//	m, err := libsvm.Format{D: 784}.ReadSVM(f, "digits.model")
//	…
//	fmt.Println(m.Predict(x)) // as svm-predict does
//
// and back, with the model of a svm.Classifier, of multiclass.OneVsOne or ProbableOneVsOne:
//
//	err := (&libsvm.SVM{Labels: []int{+1, -1}, Machines: []*svm.Model{m}}).Write(f)
//	err := (&libsvm.SVM{Labels: m.Classes, Machines: m.Machines}).Write(f)
//	err := libsvm.OfProbable(m).Write(f)
//
// [SVM] is a model of LIBSVM, [Linear] one of LIBLINEAR, [Scaling] what svm-scale -s stores. Samples
// are dense here: those files leave zeros out, and do not say how many features there are. Format
// does. Package datasets reads the samples themselves. Files of mlkit's own are in package modelfile.
//
// # What differs
//
// SVM and Linear predict as svm-predict and LIBLINEAR's predict do, ties and scores of 0 included:
// the label that stands first in the file wins a tie of votes, and a score of 0 is for the second
// label of a machine. The models of mlkit that they become, with OneVsOne, ProbableOneVsOne and
// ProbableOneVsRest, let the smallest label win, and a score of 0 is for the first.
// svm-predict -b 1 finds the probabilities of three or more classes by iterations that stop at a
// difference of 0.005 divided by their number; ProbableOneVsOne solves for them exactly.
//
// Scores differ by rounding. LIBSVM stores support vectors with 8 digits and coefficients with
// 17, Write with as many as it takes. Files have no multipliers, slacks or ‖w‖: a svm.Model
// that was read has no Solution, and its Norm is 0 unless the kernel is linear.
//
// # What is refused
//
// An error names the line. Regression, one-class machines and precomputed kernels are refused, since
// mlkit has none, and in a Model to be written the kernels that LIBSVM lacks: Laplace, Chi2,
// Scaled, sums, products and functions.
//
// # Sources
//
// Chih-Chung Chang, Chih-Jen Lin, "LIBSVM: a library for support vector machines", 2011, and
// Rong-En Fan et al., "LIBLINEAR: a library for large linear classification", 2008, with the
// programs themselves, LIBSVM 3.37 and LIBLINEAR 2.50. In scikit-learn, there is nothing like it:
// SVC holds a model of LIBSVM and cannot store it as one.
package libsvm
