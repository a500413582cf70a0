"""Solves problems with scikit-learn: one JSON object a line in, one a line out.

A problem's "model" names a function below. X has one sample a row, y its labels
or targets, Z further samples to be scored; the other members are parameters. An
answer is an object of numbers and lists, or {"error": "why not"}.
"""

import json
import sys
import warnings

import numpy as np
import sklearn
from sklearn.cluster import KMeans
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import Perceptron, SGDClassifier
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.svm import SVC

models = {}


def model(f):
    models[f.__name__] = f
    return f


@model
def version(p):
    return {"version": sklearn.__version__}


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
    return {"w": m.coef_[0], "b": m.intercept_[0]}


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
def svc(p):
    X = matrix(p["X"])
    kernel = {"kernel": "precomputed"} if p["kernel"] == "laplacian" else {"kernel": p["kernel"], **kernel_parameters(p)}

    def of(A):  # LIBSVM has no Laplace kernel: it gets the matrix
        return pairwise_kernels(A, X, metric="laplacian", gamma=p["gamma"]) if p["kernel"] == "laplacian" else A

    m = SVC(C=p["C"], tol=1e-6, max_iter=1000000, class_weight={-1: p["negative"], 1: p["positive"]}, **kernel)
    m.fit(of(X), p["y"], sample_weight=p["weights"])
    alpha = np.zeros(len(X))
    alpha[m.support_] = np.abs(m.dual_coef_[0])
    return {"alpha": alpha, "b": m.intercept_[0], "fitted": m.decision_function(of(X)),
            "scores": m.decision_function(of(matrix(p["Z"])))}


def kernel_parameters(p):
    names = {"poly": ["gamma", "coef0", "degree"], "sigmoid": ["gamma", "coef0"], "linear": []}
    return {k: p[k] for k in names.get(p["kernel"], ["gamma"])}


@model
def gram(p):
    X, Z = matrix(p["X"]), matrix(p["Z"])

    def of(*args):
        return pairwise_kernels(*args, metric=p["kernel"], **kernel_parameters(p))

    return {"gram": of(X), "cross": of(X, Z)}


@model
def kmeans(p):
    start = matrix(p["start"])
    m = KMeans(len(start), init=start, n_init=1, max_iter=300, tol=0, algorithm="lloyd").fit(matrix(p["X"]))
    return {"labels": m.labels_, "centres": m.cluster_centers_, "inertia": m.inertia_}


@model
def ari(p):
    return {"ari": adjusted_rand_score(p["a"], p["b"])}


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
