"""Solves problems with scikit-learn: one JSON object a line in, one a line out.

A problem's "model" names a function below. X has one sample a row, y its labels
or targets, Z further samples to be scored; the other members are parameters. An
answer is an object of numbers and lists, or {"error": "why not"}.
"""

import importlib
import json
import sys
import warnings

import numpy as np
import sklearn
from scipy.sparse.csgraph import laplacian
from sklearn.calibration import CalibratedClassifierCV, _sigmoid_calibration
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.decomposition import PCA, KernelPCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron, Ridge, RidgeClassifier, SGDClassifier
from sklearn.metrics import (accuracy_score, adjusted_rand_score, confusion_matrix, hinge_loss, log_loss,
                             precision_recall_fscore_support, roc_auc_score, roc_curve)
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel
from sklearn.model_selection import cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, kneighbors_graph
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures, StandardScaler
from sklearn.svm import SVC, LinearSVC

models = {}


def model(f):
    models[f.__name__] = f
    return f


@model
def version(p):
    return {"version": sklearn.__version__}


@model
def names(p):
    """Says which of the dotted names scikit-learn does not have."""
    missing = []
    for name in p["names"]:
        module, _, member = name.rpartition(".")
        if not hasattr(importlib.import_module(module), member):
            missing.append(name)
    return {"missing": missing}


def matrix(rows):
    return np.array(rows, dtype=float)


def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    return value


@model
def perceptron(p):
    m = Perceptron(eta0=p["rate"], max_iter=p["epochs"], tol=None, shuffle=False).fit(matrix(p["X"]), p["y"])
    return {"w": m.coef_[0], "b": m.intercept_[0], "decisions": m.predict(matrix(p["Z"]))}


@model
def averaged_perceptron(p):
    m = SGDClassifier(loss="perceptron", penalty=None, learning_rate="constant", eta0=1, max_iter=p["epochs"],
                      tol=None, shuffle=False, average=True).fit(matrix(p["X"]), p["y"])
    return {"w": np.ravel(m.coef_), "b": np.ravel(m.intercept_)[0]}


@model
def lda(p):
    m = LinearDiscriminantAnalysis(solver=p["solver"], shrinkage=p.get("shrinkage"), tol=1e-12).fit(matrix(p["X"]), p["y"])
    Z = matrix(p["Z"])
    return {"w": m.coef_[0], "b": m.intercept_[0], "probabilities": m.predict_proba(Z), "decisions": m.predict(Z),
            "explained": getattr(m, "explained_variance_ratio_", [])}


@model
def qda(p):
    m = QuadraticDiscriminantAnalysis(tol=1e-12).fit(matrix(p["X"]), p["y"])
    Z = matrix(p["Z"])
    return {"probabilities": m.predict_proba(Z), "decisions": m.predict(Z)}


@model
def gaussian_nb(p):
    m = GaussianNB(priors=p["priors"], var_smoothing=p["smoothing"]).fit(matrix(p["X"]), p["y"], sample_weight=p["weights"])
    Z = matrix(p["Z"])
    return {"probabilities": m.predict_proba(Z), "decisions": m.predict(Z)}


@model
def bernoulli_nb(p):
    m = BernoulliNB(alpha=p["alpha"], binarize=None, class_prior=p["priors"]).fit(matrix(p["X"]), p["y"], sample_weight=p["weights"])
    Z = matrix(p["Z"])
    return {"probabilities": m.predict_proba(Z), "decisions": m.predict(Z)}


@model
def least_squares(p):
    # A singular value is 0 below max(n, d)·eps of the largest, as for mlkit, and not 1e-6.
    X, y = matrix(p["X"]), matrix(p["y"])
    m = LinearRegression(fit_intercept=p["intercept"], tol=max(X.shape) * np.finfo(float).eps).fit(X, y, p.get("weights"))
    return {"w": m.coef_, "b": m.intercept_, "rank": m.rank_, "fitted": m.predict(X), "r2": m.score(X, y)}


@model
def ridge(p):
    m = Ridge(alpha=p["lambda"], solver="svd").fit(matrix(p["X"]), p["y"], p["weights"])
    return {"w": m.coef_, "b": m.intercept_, "predictions": m.predict(matrix(p["Z"]))}


@model
def ridge_classifier(p):
    m = RidgeClassifier(alpha=p["lambda"], solver="svd", class_weight={-1: p["negative"], 1: p["positive"]})
    m.fit(matrix(p["X"]), p["y"], p["weights"])
    return {"w": np.ravel(m.coef_), "b": np.ravel(m.intercept_)[0]}


@model
def logistic(p):
    return logistic_answer(p, LogisticRegression(C=1 / p["L2"] if p["L2"] else np.inf, solver="newton-cholesky", tol=1e-11, max_iter=1000))


@model
def logistic_l1(p):
    # SAGA's step size ignores the weights, so it can diverge if some are above 1.
    weights = np.ones(len(p["y"])) if p["weights"] is None else np.array(p["weights"], dtype=float)
    for label, weight in (p.pop("classes") or {}).items():
        weights[np.array(p["y"]) == int(label)] *= weight
    p["weights"] = weights / max(weights)
    return logistic_answer(p, LogisticRegression(C=max(weights) / p["L1"], penalty="l1", solver="saga", tol=1e-10, max_iter=100000, random_state=0))


def class_weight(p):
    if p.get("balanced"):
        return "balanced"
    return {int(k): w for k, w in (p.get("classes") or {}).items()} or None


def logistic_answer(p, algorithm):
    algorithm.set_params(class_weight=class_weight(p))
    m = algorithm.fit(matrix(p["X"]), p["y"], sample_weight=p["weights"])
    Z = matrix(p["Z"])
    return {"w": m.coef_, "b": m.intercept_, "probabilities": m.predict_proba(Z), "decisions": m.predict(Z),
            "fitted": m.predict_proba(matrix(p["X"]))}


@model
def svc(p):
    # Rows of weight 0 are taken out here: SVC numbers the support vectors without
    # them, in support_, and takes the wrong columns of a precomputed matrix.
    weights = np.array(p["weights"])
    kept = np.flatnonzero(weights)
    all_X = matrix(p["X"])
    X = all_X[kept]
    kernel, of = own_kernel(p, X)
    m = SVC(C=p["C"], tol=1e-6, max_iter=1000000, class_weight=class_weight(p), **kernel)
    m.fit(of(X), np.array(p["y"])[kept], sample_weight=weights[kept])
    alpha = np.zeros(len(all_X))
    alpha[kept[m.support_]] = np.abs(m.dual_coef_[0])
    return {"alpha": alpha, "b": m.intercept_[0], "fitted": m.decision_function(of(all_X)),
            "scores": m.decision_function(of(matrix(p["Z"])))}


def kernel_parameters(p):
    names = {"poly": ["gamma", "coef0", "degree"], "sigmoid": ["gamma", "coef0"], "linear": []}
    return {k: p[k] for k in names.get(p["kernel"], ["gamma"])}


def own_kernel(p, X):
    """The kernel of an algorithm, and what to give it for samples: the matrix of
    the Laplace kernel, which SVC and KernelPCA don't know."""
    if p["kernel"] != "laplacian":
        return {"kernel": p["kernel"], **kernel_parameters(p)}, lambda A: A
    return {"kernel": "precomputed"}, lambda A: pairwise_kernels(A, X, metric="laplacian", gamma=p["gamma"])


@model
def gram(p):
    X, Z = matrix(p["X"]), matrix(p["Z"])

    def of(*args):
        return pairwise_kernels(*args, metric=p["kernel"], **kernel_parameters(p))

    return {"gram": of(X), "cross": of(X, Z)}


@model
def linear_svm(p):
    X, y, weights = matrix(p["X"]), p["y"], p["weights"]
    shared = {"C": p["C"], "class_weight": {-1: p["negative"], 1: p["positive"]}, "tol": 1e-7}
    if p["bias"] == "FreeBias":
        m = SVC(kernel="linear", max_iter=10000000, **shared)
    else:
        loss = "squared_hinge" if p["squared"] else "hinge"
        m = LinearSVC(loss=loss, dual=not p["squared"], fit_intercept=p["bias"] == "PenalizedBias", max_iter=1000000, random_state=0, **shared)
    m.fit(X, y, sample_weight=weights)
    return {"w": m.coef_[0], "b": float(np.ravel(m.intercept_)[0]) if p["bias"] != "NoBias" else 0.0}


@model
def svm_one_against_one(p):
    m = SVC(C=p["C"], kernel=p["kernel"], tol=1e-6, max_iter=10000000, class_weight=class_weight(p), **kernel_parameters(p))
    return {"decisions": m.fit(matrix(p["X"]), p["y"]).predict(matrix(p["Z"]))}


@model
def svm_one_against_all(p):
    m = OneVsRestClassifier(SVC(C=p["C"], kernel=p["kernel"], tol=1e-6, max_iter=10000000, class_weight=class_weight(p), **kernel_parameters(p)))
    return {"decisions": m.fit(matrix(p["X"]), p["y"]).predict(matrix(p["Z"]))}


@model
def platt(p):
    # What CalibratedClassifierCV does with the scores of other folds; it has no
    # public name for scores that are there already.
    a, b = _sigmoid_calibration(np.array(p["scores"], dtype=float), np.array(p["y"]))
    return {"a": a, "b": b}


class LeaveOneSampleOut:
    """Leaves out one distinct sample of a class in each fold: equal ones stay together."""

    def split(self, X, y, groups=None):
        _, sample = np.unique(np.column_stack([X, y]), axis=0, return_inverse=True)
        for s in range(sample.max() + 1):
            yield np.flatnonzero(sample != s), np.flatnonzero(sample == s)

    def get_n_splits(self, X, y, groups=None):
        return len(list(self.split(X, y)))


def calibrated(p):
    machine = SVC(C=p["C"], kernel=p["kernel"], tol=1e-8, max_iter=10000000, **kernel_parameters(p))
    return CalibratedClassifierCV(machine, ensemble=False, cv=LeaveOneSampleOut())


@model
def svm_normalised(p):
    m = OneVsRestClassifier(calibrated(p)).fit(matrix(p["X"]), p["y"])
    P = m.predict_proba(matrix(p["Z"]))
    return {"posteriors": P, "loss": log_loss(p["z"], P, labels=m.classes_)}


@model
def svm_coupled(p):
    # scikit-learn has coupling only within LIBSVM, which stops early and divides at random.
    X, y, Z = matrix(p["X"]), np.array(p["y"]), matrix(p["Z"])
    classes = np.unique(y)
    M = len(classes)
    r = np.zeros((len(Z), M, M))
    for i in range(M):
        for j in range(i):
            pair = (y == classes[i]) | (y == classes[j])
            r[:, [j, i], [i, j]] = calibrated(p).fit(X[pair], y[pair]).predict_proba(Z)
    A = np.ones((len(Z), M + 1, M + 1))
    A[:, :M, :M] = -r * r.transpose(0, 2, 1)
    A[:, range(M), range(M)] = (r**2).sum(1)
    A[:, M, M] = 0
    P = np.linalg.solve(A, np.eye(M + 1)[:, [M]])[:, :M, 0]
    return {"posteriors": P, "loss": log_loss(p["z"], P, labels=classes)}


@model
def kernel_ridge(p):
    m = KernelRidge(alpha=p["lambda"], kernel=p["kernel"], **kernel_parameters(p)).fit(matrix(p["X"]), p["y"], p["weights"])
    return {"coefficients": m.dual_coef_, "predictions": m.predict(matrix(p["Z"]))}


@model
def kernel_pca(p):
    kernel, of = own_kernel(p, matrix(p["X"]))
    m = KernelPCA(p["components"], eigen_solver="dense", **kernel).fit(of(matrix(p["X"])))
    return {"eigenvalues": m.eigenvalues_, "components": m.transform(of(matrix(p["Z"])))}


@model
def pca(p):
    m = PCA(svd_solver="full").fit(matrix(p["X"]))
    z = m.transform(matrix(p["Z"]))
    return {"variances": m.explained_variance_,
            "projected": [plain(z[:, :k] @ m.components_[:k] + m.mean_) for k in range(1, len(m.components_) + 1)]}


@model
def spectral(p):
    X = matrix(p["X"])
    if p["nearest"]:
        links = kneighbors_graph(X, p["nearest"], include_self=False).toarray()
        W = np.minimum(links, links.T) if p["mutual"] else np.maximum(links, links.T)
    else:
        W = rbf_kernel(X, gamma=p["gamma"])
    labels = SpectralClustering(p["k"], affinity="precomputed", random_state=0).fit(W).labels_
    # The eigenvalues of the random walk are those of the symmetric Laplacian.
    eigenvalues = np.linalg.eigvalsh(laplacian(W, normed=p["laplacian"] != 2))
    return {"labels": labels, "eigenvalues": eigenvalues, "cut": normalised_cut(W, labels), "cut_of_ours": normalised_cut(W, np.array(p["ours"]))}


def normalised_cut(W, labels):
    cut = 0
    for k in np.unique(labels):
        inside = labels == k
        volume = W[inside].sum()
        if volume > 0:  # otherwise no link is cut
            cut += W[inside][:, ~inside].sum() / volume
    return cut


@model
def kmeans(p):
    start = matrix(p["start"])
    m = KMeans(len(start), init=start, n_init=1, max_iter=300, tol=0, algorithm="lloyd").fit(matrix(p["X"]))
    return {"labels": m.labels_, "centers": m.cluster_centers_, "inertia": m.inertia_}


@model
def ari(p):
    return {"ari": adjusted_rand_score(p["a"], p["b"])}


@model
def scaling(p):
    X, Z = matrix(p["X"]), matrix(p["Z"])
    return {"standardised": StandardScaler().fit(X).transform(Z),
            "minmax": MinMaxScaler((p["low"], p["high"])).fit(X).transform(Z)}


@model
def polynomial(p):
    return {"features": PolynomialFeatures(p["degree"]).fit_transform(matrix(p["X"]))}


@model
def knn(p):
    m = KNeighborsClassifier(p["k"], algorithm="brute").fit(matrix(p["X"]), p["y"])
    Z = matrix(p["Z"])
    return {"shares": m.predict_proba(Z), "decisions": m.predict(Z)}


@model
def pipeline(p):
    X, y = matrix(p["X"]), np.array(p["y"])
    m = make_pipeline(StandardScaler(), PolynomialFeatures(p["degree"]), Ridge(p["lambda"], solver="svd"))
    folds = [(f["Train"], f["Test"]) for f in p["folds"]]
    return {"held": cross_val_predict(m, X, y, cv=folds)}


@model
def confusion(p):
    y, predicted = p["y"], p["predicted"]
    per_class = precision_recall_fscore_support(y, predicted, zero_division=0)[:3]
    rates = list(np.transpose(per_class).ravel())
    for average in "micro", "macro":
        rates += precision_recall_fscore_support(y, predicted, average=average, zero_division=0)[:3]
    return {"counts": confusion_matrix(y, predicted), "rates": np.array(rates + [accuracy_score(y, predicted)])}


@model
def roc(p):
    fpr, tpr, thresholds = roc_curve(p["y"], p["scores"], drop_intermediate=False)
    return {"auc": roc_auc_score(p["y"], p["scores"]), "fpr": fpr, "tpr": tpr, "rest": thresholds[1:]}


@model
def losses(p):
    return {"log": log_loss(p["y"], p["p"]), "many": log_loss(p["three"], matrix(p["P"]), labels=[-1, 1, 5]),
            "hinge": hinge_loss(p["y"], p["scores"])}


def main():
    # Which warnings matter is for the comparison to see; they are not answers.
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        problem = json.loads(line)
        try:
            answer = plain(models[problem["model"]](problem))
        except Exception as e:
            answer = {"error": f"{problem['model']}: {type(e).__name__}: {e}"}
        # A NaN or an infinity is no JSON and ends the process with a traceback.
        print(json.dumps(answer, allow_nan=False), flush=True)


main()
