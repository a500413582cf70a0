"""What Python's peers of mlkit do with small problems: one JSON object a line in, one a line out.

A problem's "peer" names a function below. X has one sample a row, y its labels, Z the samples asked about.
An answer has what the peer itself says of them: labels, scores (one a sample), probabilities and the
classes of their columns, w, b, "support", how many support vectors; or {"error": "the peer's words"}.
"warnings" counts what it warned of.
"""

import importlib
import importlib.metadata
import json
import os
import sys
import tempfile
import warnings

import numpy as np

peers = {}


def peer(f):
    peers[f.__name__] = f
    return f


@peer
def versions(X, y, Z, p):
    return {"versions": {name: importlib.metadata.version(name) for name in p["names"]}}


def of_sklearn(m, X, y, Z):
    m.fit(X, y)
    answer = {"labels": m.predict(Z), "classes": getattr(m, "classes_", []), "support": np.sum(getattr(m, "n_support_", 0))}
    if hasattr(m, "decision_function"):
        answer["scores"] = m.decision_function(Z)
    if hasattr(m, "predict_proba"):
        answer["probabilities"] = m.predict_proba(Z)
    if hasattr(m, "coef_"):
        answer |= {"w": np.ravel(m.coef_), "b": np.ravel(m.intercept_)[0]}
    return answer


def sklearn(path):
    def f(X, y, Z, p):
        module, name = path.rsplit(".", 1)
        return of_sklearn(getattr(importlib.import_module("sklearn." + module), name)(**p), X, y, Z)

    return f


peers |= {"sklearn_" + name: sklearn(path) for name, path in {
    "perceptron": "linear_model.Perceptron", "logistic": "linear_model.LogisticRegression", "svc": "svm.SVC", "linear_svc": "svm.LinearSVC",
    "sgd": "linear_model.SGDClassifier", "lda": "discriminant_analysis.LinearDiscriminantAnalysis",
    "qda": "discriminant_analysis.QuadraticDiscriminantAnalysis", "nb": "naive_bayes.GaussianNB", "knn": "neighbors.KNeighborsClassifier",
    "least_squares": "linear_model.RidgeClassifier"}.items()}


@peer
def sklearn_call(X, y, Z, p):
    """The estimator that a lecture names, such as "LogisticRegression(tol=1e-9)"."""
    from sklearn.utils import all_estimators

    return of_sklearn(eval(p["call"], dict(all_estimators())), X, y, Z)


@peer
def statsmodels_logit(X, y, Z, p):
    import statsmodels.api as sm

    r = sm.Logit(y, sm.add_constant(X, has_constant="add")).fit(disp=0)
    P = r.predict(sm.add_constant(Z, has_constant="add"))
    scores = r.predict(sm.add_constant(Z, has_constant="add"), which="linear")
    return {"scores": scores, "probabilities": np.column_stack([1 - P, P]), "classes": [0, 1], "w": r.params[1:], "b": r.params[0]}


@peer
def mlxtend_perceptron(X, y, Z, p):
    from mlxtend.classifier import Perceptron

    m = Perceptron(epochs=50, random_seed=1, **p).fit(X, y)
    return {"labels": m.predict(Z), "w": np.ravel(m.w_), "b": np.ravel(m.b_)[0], "scores": np.ravel(Z @ m.w_ + m.b_)}


@peer
def mlxtend_logistic(X, y, Z, p):
    from mlxtend.classifier import LogisticRegression

    m = LogisticRegression(eta=0.1, epochs=2000, minibatches=1, random_seed=1, **p).fit(X, y)
    P = m.predict_proba(Z)
    return {"labels": m.predict(Z), "w": np.ravel(m.w_), "b": np.ravel(m.b_)[0], "scores": np.ravel(Z @ m.w_ + m.b_), "probabilities": np.column_stack([1 - P, P]), "classes": [0, 1]}


def river(name, module):
    def f(X, y, Z, p):
        m = getattr(importlib.import_module("river." + module), name)(**p)
        rows = lambda X: [dict(enumerate(row)) for row in X.tolist()]
        for x, label in zip(rows(X), y.tolist()):
            m.learn_one(x, label)
        answer = {"labels": [m.predict_one(x) for x in rows(Z)]}
        P = [m.predict_proba_one(x) for x in rows(Z)]
        classes = sorted(P[0], key=float)
        answer |= {"classes": [float(c) for c in classes], "probabilities": [[each.get(c, 0) for c in classes] for each in P]}
        if hasattr(m, "weights"):
            answer |= {"w": [m.weights.get(j, 0) for j in range(X.shape[1])], "b": m.intercept}
        return answer

    return f


peers |= {"river_logistic": river("LogisticRegression", "linear_model"), "river_perceptron": river("Perceptron", "linear_model"), "river_nb": river("GaussianNB", "naive_bayes"), "river_knn": river("KNNClassifier", "neighbors")}


@peer
def xgboost_linear(X, y, Z, p):
    import xgboost

    m = xgboost.train({"booster": "gblinear", "objective": "binary:logistic", "verbosity": 0, "updater": "coord_descent", **p}, xgboost.DMatrix(X, y), 500)
    d = xgboost.DMatrix(Z)
    P = m.predict(d)
    return {"scores": m.predict(d, output_margin=True), "probabilities": np.column_stack([1 - P, P]), "classes": [0, 1],
            "w": [v for v in m.get_score(importance_type="weight").values()]}


@peer
def opencv_logistic(X, y, Z, p):
    import cv2

    m = cv2.ml.LogisticRegression_create()
    m.setLearningRate(0.1)
    m.setIterations(5000)
    if p.get("none"):
        m.setRegularization(cv2.ml.LogisticRegression_REG_DISABLE)
    m.train(np.float32(X), cv2.ml.ROW_SAMPLE, np.float32(y).reshape(-1, 1))
    theta = np.ravel(m.get_learnt_thetas())
    return {"labels": np.ravel(m.predict(np.float32(Z))[1]), "w": theta[1:], "b": theta[0]}


@peer
def opencv_svm(X, y, Z, p):
    import cv2

    m = cv2.ml.SVM_create()
    m.setType(cv2.ml.SVM_C_SVC)
    m.setKernel(cv2.ml.SVM_LINEAR)
    m.setC(p.get("C", 1))
    m.setTermCriteria((cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 100000, 1e-9))
    m.train(np.float32(X), cv2.ml.ROW_SAMPLE, np.int32(y))
    scores = np.ravel(m.predict(np.float32(Z), flags=cv2.ml.STAT_MODEL_RAW_OUTPUT)[1])
    return {"labels": np.ravel(m.predict(np.float32(Z))[1]), "scores": scores, **straight(X, lambda X: np.ravel(m.predict(np.float32(X), flags=cv2.ml.STAT_MODEL_RAW_OUTPUT)[1]))}


def straight(X, scores):
    """w and b of a linear function of the samples."""
    d = X.shape[1]
    f = scores(np.vstack([np.zeros(d), np.eye(d)]))
    return {"w": f[1:] - f[0], "b": f[0]}


@peer
def opencv_bayes(X, y, Z, p):
    import cv2

    m = cv2.ml.NormalBayesClassifier_create()
    m.train(np.float32(X), cv2.ml.ROW_SAMPLE, np.int32(y))
    return {"labels": np.ravel(m.predict(np.float32(Z))[1])}


@peer
def opencv_knn(X, y, Z, p):
    import cv2

    m = cv2.ml.KNearest_create()
    m.train(np.float32(X), cv2.ml.ROW_SAMPLE, np.float32(y))
    return {"labels": np.ravel(m.findNearest(np.float32(Z), p["n_neighbors"])[1])}


@peer
def sklearn_svc_votes(X, y, Z, p):
    from sklearn.svm import SVC

    m = SVC(C=100, **p).fit(X, y)
    return {"labels": m.predict(Z), "scores": m.decision_function(Z)[0]}


@peer
def opencv_svm_votes(X, y, Z, p):
    import cv2

    m = cv2.ml.SVM_create()
    m.setType(cv2.ml.SVM_C_SVC)
    m.setKernel(cv2.ml.SVM_LINEAR)
    m.setC(100)
    m.setTermCriteria((cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 100000, 1e-9))
    m.train(np.float32(X), cv2.ml.ROW_SAMPLE, np.int32(y))
    return {"labels": np.ravel(m.predict(np.float32(Z))[1])}


def nodes(rows):
    return [{j + 1: v for j, v in enumerate(row) if v != 0} for row in rows.tolist()]


def library(package, module, train):
    def f(X, y, Z, p):
        u = importlib.import_module(f"{package}.{module}")
        predict = getattr(u, "svm_predict" if train == "svm_train" else "predict")
        m = getattr(u, train)(y.tolist(), nodes(X), p["options"] + " -q")
        scores = lambda Z: np.array([v[0] for v in predict([], nodes(Z), m, "-q")[2]])
        answer = {"labels": predict([], nodes(Z), m, "-q")[0], "scores": scores(Z), "classes": m.get_labels(), "support": getattr(m, "l", 0), **straight(X, scores)}
        if m.is_probability_model():
            answer["probabilities"] = predict([], nodes(Z), m, "-q -b 1")[2]
        return answer

    return f


peers |= {"libsvm": library("libsvm", "svmutil", "svm_train"), "liblinear": library("liblinear", "liblinearutil", "train")}


@peer
def libsvm_votes(X, y, Z, p):
    from libsvm.svmutil import svm_predict, svm_train

    labels, _, scores = svm_predict([], nodes(Z), svm_train(y.tolist(), nodes(X), p["options"] + " -q"), "-q")
    return {"labels": labels, "scores": scores[0]}


@peer
def sklearn_pca(X, y, Z, p):
    from sklearn.decomposition import PCA

    m = PCA(**p).fit(X)
    return {"components": m.components_, "variances": m.explained_variance_}


@peer
def opencv_pca(X, y, Z, p):
    import cv2

    _, components, values = cv2.PCACompute2(X, mean=None)
    return {"components": components, "variances": np.ravel(values)}


@peer
def statsmodels_pca(X, y, Z, p):
    from statsmodels.multivariate.pca import PCA

    m = PCA(X, **p)
    return {"components": m.loadings.T, "variances": m.eigenvals}


@peer
def mlxtend_pca(X, y, Z, p):
    from mlxtend.feature_extraction import PrincipalComponentAnalysis

    m = PrincipalComponentAnalysis(**p).fit(X)
    return {"components": m.w_.T, "variances": m.e_vals_}


@peer
def sklearn_scale(X, y, Z, p):
    from sklearn.preprocessing import StandardScaler

    return {"scaled": StandardScaler().fit(X).transform(Z)}


@peer
def scipy_scale(X, y, Z, p):
    from scipy.stats import zscore

    return {"scaled": zscore(X)}


@peer
def mlxtend_scale(X, y, Z, p):
    from mlxtend.preprocessing import standardize

    return {"scaled": standardize(X)}


@peer
def river_scale(X, y, Z, p):
    from river.preprocessing import StandardScaler

    m = StandardScaler()
    for row in X.tolist():
        m.learn_one(dict(enumerate(row)))
    return {"scaled": [[m.transform_one(dict(enumerate(row)))[j] for j in range(X.shape[1])] for row in Z.tolist()]}


@peer
def sklearn_kmeans(X, y, Z, p):
    from sklearn.cluster import KMeans

    return {"assigned": KMeans(**p).fit(X).labels_}


@peer
def scipy_kmeans(X, y, Z, p):
    from scipy.cluster.vq import kmeans2

    return {"assigned": kmeans2(X, p["n_clusters"], minit="++")[1]}


@peer
def opencv_kmeans(X, y, Z, p):
    import cv2

    return {"assigned": np.ravel(cv2.kmeans(np.float32(X), p["n_clusters"], None, (cv2.TERM_CRITERIA_MAX_ITER, 100, 0), 1, cv2.KMEANS_PP_CENTERS)[1])}


def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (bool, np.bool_, int, float, np.generic)):
        v = float(value)
        return v if np.isfinite(v) else str(v)
    return value


os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what C libraries print
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for line in sys.stdin:
    p = json.loads(line)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            X, Z = np.array(p["X"], dtype=float), np.array(p["Z"], dtype=float)
            answer = peers[p["peer"]](X, np.array(p["y"]), Z, p["parameters"] or {})
        except Exception as e:
            answer = {"error": f"{type(e).__name__}: {e}"}
    answer["warnings"] = len([w for w in seen if not issubclass(w.category, (DeprecationWarning, FutureWarning, PendingDeprecationWarning))])
    print(json.dumps(plain(answer)), file=answers, flush=True)
