//go:build unix

package conventions_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/bench/adapter"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

var update = flag.Bool("update", false, "write docs/peers.md")

// chapter is a table of the page: a library each row, a question each column.
type chapter struct {
	title, text string
	questions   []question
	libraries   []library
}

type options = map[string]any

var (
	ofClasses   = []question{{"positive scores are of the label", positive}, {"a score of 0", zero}, {"labels", labels}, {"one class", alone}}
	ofSolutions = []question{{"the origin matters", bias}, {"units matter", standardised}, {"each sample twice gives", twice}, {"constant column", constant}, {"separable samples", separable}}
)

var chapters = []chapter{
	{
		"Labels and scores",
		"Two classes. \"Larger\" is the larger of the two labels, and \"first in the data\" that of the first sample; with the labels -1 and +1, LIBSVM and LIBLINEAR have positive scores for +1 wherever it stands. A dash stands where the library gives no score, or none that is exactly 0.",
		ofClasses,
		[]library{
			signed(ourOwn("`perceptron.Perceptron`", "perceptron", nil)),
			sklearn("Perceptron", "perceptron", nil),
			{title: "mlxtend `Perceptron`", side: "python", peer: "mlxtend_perceptron"},
			{title: "river `Perceptron`", side: "python", peer: "river_perceptron"},
			ourOwn("`logistic.Regression`", "logistic", nil),
			sklearn("LogisticRegression", "logistic", nil),
			{title: "LIBLINEAR `-s 0`", side: "libsvm", peer: "liblinear", parameters: options{"options": "-s 0 -B 1"}},
			{title: "statsmodels `Logit`", side: "python", peer: "statsmodels_logit"},
			{title: "OpenCV `ml.LogisticRegression`", side: "python", peer: "opencv_logistic"},
			{title: "mlxtend `LogisticRegression`", side: "python", peer: "mlxtend_logistic"},
			{title: "river `LogisticRegression`", side: "python", peer: "river_logistic"},
			{title: "XGBoost `gblinear`", side: "python", peer: "xgboost_linear"},
			{title: "ml-logistic-regression", side: "js", peer: "ml_logistic"},
			signed(ourOwn("`svm.Classifier`", "svc", nil)),
			sklearn("SVC", "svc", options{"kernel": "linear"}),
			{title: "LIBSVM `-t 0`", side: "libsvm", peer: "libsvm", parameters: options{"options": "-t 0"}},
			{title: "OpenCV `ml.SVM`", side: "python", peer: "opencv_svm"},
			{title: "libsvm-js", side: "js", peer: "libsvm_js"},
			signed(library{title: "ml-svm", side: "js", peer: "ml_svm"}),
			signed(ourOwn("`svm.DualDescent`", "linear_svc", nil)),
			sklearn("LinearSVC", "linear_svc", nil),
			{title: "LIBLINEAR `-s 3`", side: "libsvm", peer: "liblinear", parameters: options{"options": "-s 3 -B 1"}},
			sklearn("SGDClassifier", "sgd", options{"random_state": 1}),
			ourOwn("`discriminant.LDA`", "lda", nil),
			sklearn("LinearDiscriminantAnalysis", "lda", nil),
			ourOwn("`discriminant.GaussianNB`", "nb", nil),
			sklearn("GaussianNB", "nb", nil),
			{title: "river `GaussianNB`", side: "python", peer: "river_nb"},
			{title: "OpenCV `ml.NormalBayesClassifier`", side: "python", peer: "opencv_bayes"},
			ourOwn("`leastsquares.Classifier`", "least_squares", nil),
			sklearn("RidgeClassifier", "least_squares", nil),
		},
	},
	{
		"Penalties and what they do",
		"With the hyperparameters that stand there, the others as the library sets them. Samples on a line, some on their wrong side; what is separable is -2, -1 against 1, 2. The origin matters if b is in the penalty, or if the fit ends before it has converged.",
		ofSolutions,
		[]library{
			ourOwn("`logistic.Regression{}`", "logistic", nil),
			ourOwn("`logistic.Regression{L2: 1}`", "logistic_l2", nil),
			sklearn("LogisticRegression", "logistic", nil),
			{title: "scikit-learn `LogisticRegression(C=np.inf)`", side: "python", peer: "sklearn_logistic", parameters: options{"C": 1e300}},
			{title: "LIBLINEAR `-s 0 -B 1`", side: "libsvm", peer: "liblinear", parameters: options{"options": "-s 0 -B 1 -e 1e-6"}},
			{title: "LIBLINEAR `-s 0 -B 1 -R`", side: "libsvm", peer: "liblinear", parameters: options{"options": "-s 0 -B 1 -R -e 1e-6"}},
			{title: "statsmodels `Logit`", side: "python", peer: "statsmodels_logit"},
			{title: "OpenCV `ml.LogisticRegression`", side: "python", peer: "opencv_logistic"},
			{title: "mlxtend `LogisticRegression`", side: "python", peer: "mlxtend_logistic"},
			{title: "mlxtend `LogisticRegression(l2_lambda=1)`", side: "python", peer: "mlxtend_logistic", parameters: options{"l2_lambda": 1.0}},
			{title: "XGBoost `gblinear`", side: "python", peer: "xgboost_linear"},
			{title: "XGBoost `gblinear`, `lambda` 1", side: "python", peer: "xgboost_linear", parameters: options{"lambda": 1}},
			{title: "ml-logistic-regression", side: "js", peer: "ml_logistic"},
			signed(ourOwn("`svm.Classifier{C: 1}`", "svc", nil)),
			sklearn("SVC", "svc", options{"kernel": "linear"}),
			{title: "LIBSVM `-t 0`", side: "libsvm", peer: "libsvm", parameters: options{"options": "-t 0"}},
			{title: "OpenCV `ml.SVM`, C 1", side: "python", peer: "opencv_svm"},
			signed(library{title: "ml-svm", side: "js", peer: "ml_svm"}),
			signed(ourOwn("`svm.DualDescent{C: 1}`", "linear_svc", nil)),
			sklearn("LinearSVC", "linear_svc", options{"loss": "hinge", "max_iter": 1000000}),
			{title: "LIBLINEAR `-s 3 -B 1`", side: "libsvm", peer: "liblinear", parameters: options{"options": "-s 3 -B 1 -e 1e-6"}},
			ourOwn("`leastsquares.Classifier{}`", "least_squares", nil),
			sklearn("RidgeClassifier", "least_squares", nil),
			ourOwn("`discriminant.LDA{}`", "lda", nil),
			sklearn("LinearDiscriminantAnalysis", "lda", nil),
		},
	},
	{
		"Gaussian classes",
		"The variances are divided by n, the number of samples of a class, or n - 1; LDA pools those of M classes, and n is that of all samples.",
		[]question{{"divisor", gaussians}, {"constant column", constant}, {"one class", alone}},
		[]library{
			ourOwn("`discriminant.LDA{}`", "lda", nil), sklearn("LinearDiscriminantAnalysis", "lda", nil),
			{title: "scikit-learn `LinearDiscriminantAnalysis(solver=\"lsqr\")`", side: "python", peer: "sklearn_lda", parameters: options{"solver": "lsqr"}},
			ourOwn("`discriminant.QDA{}`", "qda", nil), sklearn("QuadraticDiscriminantAnalysis", "qda", nil),
			ourOwn("`discriminant.GaussianNB{}`", "nb", nil), sklearn("GaussianNB", "nb", nil),
			{title: "river `GaussianNB`", side: "python", peer: "river_nb"},
		},
	},
	{
		"More than two classes",
		"Votes are those of six samples that turn around the origin, whose machines of two classes each prefer another class there. The second column is of four classes.",
		[]question{{"three votes for three classes", cycle}, {"scores of a sample", machines}},
		[]library{
			ourOwn("`multiclass.OneVsOne` of `svm.Classifier`", "svc_classes", nil),
			ourOwn("`libsvm.SVM`, the same machines in the order of a file of LIBSVM", "svc_file", nil),
			sklearn("SVC", "svc_votes", options{"kernel": "linear"}),
			{title: "LIBSVM `-t 0`", side: "libsvm", peer: "libsvm_votes", parameters: options{"options": "-t 0 -c 100"}},
			{title: "OpenCV `ml.SVM`", side: "python", peer: "opencv_svm_votes"},
			{title: "libsvm-js", side: "js", peer: "libsvm_js", parameters: options{"cost": 100}},
		},
	},
	{
		"Nearest neighbours",
		"Two neighbours, of two classes.",
		[]question{{"at equal distances", votes}, {"at unequal distances", nearer}},
		[]library{
			ourOwn("`neighbors.KNN{K: 2}`", "knn", options{"n_neighbors": 2}),
			sklearn("KNeighborsClassifier", "knn", options{"n_neighbors": 2}),
			{title: "OpenCV `ml.KNearest`", side: "python", peer: "opencv_knn", parameters: options{"n_neighbors": 2}},
			{title: "river `KNNClassifier`", side: "python", peer: "river_knn", parameters: options{"n_neighbors": 2}},
			{title: "ml-knn", side: "js", peer: "ml_knn", parameters: options{"n_neighbors": 2}},
		},
	},
	{
		"Principal components",
		"The sign of a component is a convention. \"Units\" says whether the columns are standardised first.",
		[]question{{"sign", signs}, {"variances divided by", variance}, {"units are taken out", units}, {"constant column", flat}},
		[]library{
			ourOwn("`feature.PCA{}`", "pca", nil),
			{title: "scikit-learn `PCA`", side: "python", peer: "sklearn_pca"},
			{title: "OpenCV `PCACompute2`", side: "python", peer: "opencv_pca"},
			{title: "statsmodels `PCA`", side: "python", peer: "statsmodels_pca"},
			{title: "statsmodels `PCA(standardize=False)`", side: "python", peer: "statsmodels_pca", parameters: options{"standardize": false}},
			{title: "mlxtend `PrincipalComponentAnalysis`", side: "python", peer: "mlxtend_pca"},
			{title: "ml-pca", side: "js", peer: "ml_pca"},
		},
	},
	{
		"Standardisation",
		"",
		[]question{{"variances divided by", scale}, {"constant column", flat}},
		[]library{
			ourOwn("`feature.Standardize{}`", "scale", nil),
			{title: "scikit-learn `StandardScaler`", side: "python", peer: "sklearn_scale"},
			{title: "SciPy `stats.zscore`", side: "python", peer: "scipy_scale"},
			{title: "mlxtend `standardize`", side: "python", peer: "mlxtend_scale"},
			{title: "river `StandardScaler`", side: "python", peer: "river_scale"},
		},
	},
	{
		"k-means",
		"Three clusters. The last column is of clusters far apart, ten times, with the seed that the library takes by itself.",
		[]question{{"samples at two places", crowded}, {"two samples", many}, {"numbers of the clusters in another run", again}},
		[]library{
			ourOwn("`cluster.KMeans{K: 3}`", "kmeans", nil),
			{title: "scikit-learn `KMeans`", side: "python", peer: "sklearn_kmeans", parameters: options{"n_clusters": 3}},
			{title: "SciPy `cluster.vq.kmeans2`", side: "python", peer: "scipy_kmeans", parameters: options{"n_clusters": 3}},
			{title: "OpenCV `kmeans`", side: "python", peer: "opencv_kmeans", parameters: options{"n_clusters": 3}},
			{title: "ml-kmeans", side: "js", peer: "ml_kmeans", parameters: options{"n_clusters": 3}},
		},
	},
}

func ourOwn(title, algorithm string, p options) library {
	return library{title: "**mlkit** " + title, side: "mlkit", peer: algorithm, parameters: p, ask: ours}
}

// signed is a library whose labels are -1 and +1.
func signed(l library) library {
	l.signs = true
	return l
}

func sklearn(name, peer string, p options) library {
	title := "scikit-learn `" + name
	if len(p) > 0 {
		var fields []string
		for _, k := range slices.Sorted(maps.Keys(p)) {
			fields = append(fields, fmt.Sprintf("%s=%#v", k, p[k]))
		}
		title += "(" + strings.Join(fields, ", ") + ")"
	}
	return library{title: title + "`", side: "python", peer: "sklearn_" + peer, parameters: p}
}

// row returns the row of a library in the table of a chapter.
func (c chapter) row(l library) string {
	cells := []string{l.title}
	for _, q := range c.questions {
		cells = append(cells, q.ask(l))
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

const page = "docs/peers.md"

func readPage(t *testing.T) (path, text string) {
	path = filepath.Join(repotest.Root(t), filepath.FromSlash(page))
	return path, string(must.Get(os.ReadFile(path)).Or(t))
}

// The rows of mlkit on the page are what it does.
func TestOwnRows(t *testing.T) {
	_, text := readPage(t)
	rows := 0
	for _, c := range chapters {
		_, table, _ := strings.Cut(text, "\n## "+c.title+"\n")
		table, _, _ = strings.Cut(table, "\n## ")
		for _, l := range c.libraries {
			if l.side != "mlkit" {
				continue
			}
			rows++
			if want := c.row(l); !strings.Contains(table, want) {
				t.Errorf("%s does not have, under %q,\n%s", page, c.title, want)
			}
		}
	}
	if rows < 20 {
		t.Errorf("%d rows of mlkit", rows)
	}
}

// The page is what all libraries say now.
func TestPage(t *testing.T) {
	tier.Peer(t)
	p := peers{t, map[string]*adapter.Adapter{}}
	path, old := readPage(t)
	before, _, found := strings.Cut(old, "\n<!-- what follows is written by go test ./internal/bench/conventions -update -->\n")
	if !found {
		t.Fatalf("%s has no line that says what is written", page)
	}
	var b strings.Builder
	b.WriteString(before + "\n<!-- what follows is written by go test ./internal/bench/conventions -update -->\n")
	cells, names := 0, map[string]bool{}
	for _, c := range chapters {
		fmt.Fprintf(&b, "\n## %s\n\n", c.title)
		if c.text != "" {
			b.WriteString(c.text + "\n\n")
		}
		b.WriteString("| |")
		for _, q := range c.questions {
			b.WriteString(" " + q.title + " |")
		}
		b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(c.questions)) + "\n")
		for _, l := range c.libraries {
			if l.ask == nil {
				side := l.side
				l.ask = func(q problem) (answer, error) { return p.ask(side, q) }
			}
			b.WriteString(c.row(l))
			cells += len(c.questions)
			names[strings.Fields(l.title)[0]] = true
		}
	}
	b.WriteString("\n## The same fit\n\nWhich hyperparameters give the fit of mlkit, to 0.005 of its scores (peers stop at their own tolerances). n is the number of samples, 8 here, d that of columns, 2. The first sample has the smaller label, whose scores LIBSVM and LIBLINEAR have positive.\n\n| | | scores of the peer, beside ours |\n| --- | --- | --- |\n")
	for _, each := range pairs {
		side := each.theirs.side
		each.theirs.ask = func(q problem) (answer, error) { return p.ask(side, q) }
		fmt.Fprintf(&b, "| %s | %s | %s |\n", each.ours.title, each.theirs.title, each.same())
		cells += 2
	}
	fmt.Fprintf(&b, "\n## Versions\n\n%s.\n", strings.Join(p.versions(), ", "))
	t.Logf("%d cells, %d libraries", cells, len(names))
	if b.String() == old {
		return
	}
	if !*update {
		got, want := strings.Split(b.String(), "\n"), strings.Split(old, "\n")
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Errorf("%s:%d is\n%s\nwant\n%s", page, i+1, want[i], got[i])
			}
		}
		t.Fatalf("%s is not what the libraries say: go test ./internal/bench/conventions -update", page)
	}
	must.Do(t, os.WriteFile(path, []byte(b.String()), 0o666))
}

// versions are the versions of all libraries.
func (p peers) versions() []string {
	p.Helper()
	asked := map[string][]string{
		"python": {"scikit-learn", "scipy", "numpy", "statsmodels", "opencv-contrib-python-headless", "mlxtend", "river", "xgboost-cpu"},
		"libsvm": {"libsvm-official", "liblinear-official"},
		"js":     {"libsvm-js", "ml-kmeans", "ml-knn", "ml-logistic-regression", "ml-pca", "ml-svm"},
	}
	var all []string
	for _, side := range []string{"python", "libsvm", "js"} {
		a := must.Get(p.ask(side, problem{Peer: "versions", X: [][]float64{}, Y: []int{}, Z: [][]float64{}, Parameters: options{"names": asked[side]}})).Or(p.T)
		for _, name := range asked[side] {
			all = append(all, name+" "+a.Versions[name])
		}
	}
	return all
}
