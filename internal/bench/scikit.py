"""scikit-learn's side (it runs behind side.py). A function a model, named as in task.go."""
import warnings

import sklearn

warnings.simplefilter("ignore")


def svc(p, train, test, variant):
    from sklearn.svm import SVC

    X, y = train
    m = SVC(C=p["c"], gamma=p["gamma"], tol=p["tol"], cache_size=p["cache_mb"])
    _, time = timed(lambda: m.fit(X, y))
    return {**time, "machines": machines(m)}


def machines(m):
    coef, b = m.dual_coef_, m.intercept_
    if len(m.classes_) == 2:  # of two classes the second is positive, here alone
        coef, b = -coef, -b
    return pairs(m.classes_, m.n_support_, m.support_, coef, b)


def svc_classes(p, train, test, variant):
    from sklearn.svm import SVC

    X, y = train
    m = SVC(C=p["c"], gamma=p["gamma"], tol=p["tol"], cache_size=p["cache_mb"])
    _, time = timed(lambda: m.fit(X, y))
    labels, predicting = timed(lambda: m.predict(test[0]))
    return {**time, "predict_wall": predicting["wall"], "predict_cpu": predicting["cpu"], "machines": machines(m), "labels": labels.tolist()}


def svc_predict(p, train, test, variant):
    from sklearn.svm import SVC

    m = SVC(C=p["c"], gamma=p["gamma"], tol=p["tol"], cache_size=p["cache_mb"]).fit(*train)
    scores, time = timed(lambda: m.decision_function(test[0]))
    machine = machines(m)  # the first class, -1, is positive in it
    for one in machine:
        one.update(positive=one["negative"], negative=one["positive"], coef=[-a for a in one["coef"]], b=-one["b"])
    return {**time, "machines": machine, "predicted": scores.tolist()}


def linear_primal(p, train, test, variant):
    from sklearn.svm import LinearSVC

    m = LinearSVC(C=p["c"], dual=False, tol=p["tol"])
    _, time = timed(lambda: m.fit(*train))
    return {**time, **hyperplane(m)}


def linear_dual(p, train, test, variant):
    from sklearn.svm import LinearSVC

    m = LinearSVC(C=p["c"], dual=True, loss="hinge", tol=p["tol"], max_iter=p["passes"], random_state=0)
    _, time = timed(lambda: m.fit(*train))
    return {**time, **hyperplane(m), "passes": int(m.n_iter_)}


def hyperplane(m):
    return {"w": m.coef_.tolist(), "b": m.intercept_.tolist()}


def logistic(p, train, test, variant):
    from sklearn.linear_model import LogisticRegression

    m = LogisticRegression(C=p["c"], solver=variant or "lbfgs", tol=p["tol"], max_iter=1000)
    _, time = timed(lambda: m.fit(*train))
    return {**time, **hyperplane(m)}


def logistic_l1(p, train, test, variant):
    from sklearn.linear_model import LogisticRegression

    m = LogisticRegression(C=p["c"], l1_ratio=1, solver=variant, tol=p["tol"], max_iter=1000, random_state=0)
    _, time = timed(lambda: m.fit(*train))
    return {**time, **hyperplane(m)}


def least_squares(p, train, test, variant):
    from sklearn.linear_model import LinearRegression, Ridge

    X, y = train
    targets = y.astype(float)
    m = Ridge(alpha=p["lambda"]) if p["lambda"] else LinearRegression()
    _, time = timed(lambda: m.fit(X, targets))
    return {**time, "w": [m.coef_.tolist()], "b": [float(m.intercept_)]}


def lda(p, train, test, variant):
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    m = LinearDiscriminantAnalysis()
    _, time = timed(lambda: m.fit(*train))
    return {**time, **hyperplane(m)}


def perceptron(p, train, test, variant):
    from sklearn.linear_model import Perceptron

    m = Perceptron(max_iter=p["passes"], tol=None, shuffle=False)
    _, time = timed(lambda: m.fit(*train))
    return {**time, **hyperplane(m)}


def k_means(p, train, test, variant):
    from sklearn.cluster import KMeans

    X, _ = train
    m = KMeans(p["k"], init=X[: p["k"]], n_init=1, tol=0, algorithm=variant)
    _, time = timed(lambda: m.fit(X))
    return {**time, "centres": m.cluster_centers_.tolist(), "passes": int(m.n_iter_)}


def kernel_pca(p, train, test, variant):
    from sklearn.decomposition import KernelPCA

    m = KernelPCA(p["k"], kernel="rbf", gamma=p["gamma"], eigen_solver=variant, random_state=0)
    _, time = timed(lambda: m.fit(train[0]))
    return {**time, "vectors": m.eigenvectors_.T.tolist()}


def kernel_ridge(p, train, test, variant):
    from sklearn.kernel_ridge import KernelRidge

    X, y = train
    targets = y.astype(float)
    m = KernelRidge(alpha=p["lambda"], kernel="rbf", gamma=p["gamma"])
    _, time = timed(lambda: m.fit(X, targets))
    return {**time, "alpha": m.dual_coef_.tolist()}


def neighbours(p, train, test, variant):
    from sklearn.neighbors import KNeighborsClassifier

    labels, time = timed(lambda: KNeighborsClassifier(1).fit(*train).predict(test[0]))
    return {**time, "labels": labels.tolist()}


def standardise(p, train, test, variant):
    from sklearn.preprocessing import StandardScaler

    Z, time = timed(lambda: StandardScaler().fit_transform(train[0]))
    return {**time, "vectors": Z[:100].tolist()}


def nystroem(p, train, test, variant):
    from sklearn.kernel_approximation import Nystroem

    m = Nystroem(kernel="rbf", gamma=p["gamma"], n_components=min(p["k"], len(train[0])), random_state=0)
    Z, time = timed(lambda: m.fit(train[0]).transform(test[0]))
    return {**time, "predicted": (Z * Z).sum(1).tolist()}


def spectral(p, train, test, variant):
    from sklearn.cluster import SpectralClustering

    graph = {"affinity": "rbf", "gamma": p["gamma"]}
    if p["neighbours"]:
        graph = {"affinity": "nearest_neighbors", "n_neighbors": p["neighbours"]}
    m = SpectralClustering(p["k"], random_state=0, eigen_solver=variant, **graph)
    _, time = timed(lambda: m.fit(train[0]))
    return {**time, "labels": m.labels_.tolist()}


main({"svc": svc, "svc-classes": svc_classes, "svc-predict": svc_predict, "linear-primal": linear_primal,
      "linear-dual": linear_dual, "logistic": logistic, "logistic-default": logistic,
      "logistic-l1": logistic_l1, "softmax": logistic, "softmax-default": logistic,
      "least-squares": least_squares, "lda": lda, "perceptron": perceptron,
      "k-means": k_means, "kernel-pca": kernel_pca, "kernel-ridge": kernel_ridge, "neighbours": neighbours,
      "standardise": standardise, "nystroem": nystroem, "spectral": spectral},
     lambda variant: sklearn.__version__)
