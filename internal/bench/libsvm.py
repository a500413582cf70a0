"""LIBSVM's and LIBLINEAR's side (it runs behind side.py): their C libraries, called with dense samples in memory, so
that no time goes into files. The variant is "PyPI", what the authors publish there, built
from source, or "system", what the system's package manager has installed. With the argument
"builds" the program says which of them there are."""
import ctypes
import glob
import importlib.util
import os
import re
from ctypes import POINTER, Structure, byref, c_bool, c_char_p, c_double, c_int, c_void_p
from ctypes.util import find_library


def library(name, variant):
    """The shared library "svm" or "linear", or None."""
    if variant == "system":
        path = find_library(name)
    else:
        package = importlib.util.find_spec("lib" + name)
        found = glob.glob(os.path.join(package.submodule_search_locations[0], "clib*")) if package else []
        path = found[0] if found else None
    return ctypes.CDLL(path) if path else None


def number(name, variant):
    """The version as the library has it, 337 for 3.37, or 0 if there is none."""
    lib = library(name, variant)
    return c_int.in_dll(lib, f"lib{name}_version").value if lib else 0


NODE = np.dtype([("index", np.int32), ("value", np.float64)], align=True)


class Problem(Structure):  # struct svm_problem
    _fields_ = [("l", c_int), ("y", c_void_p), ("x", c_void_p)]


class Parameter(Structure):  # struct svm_parameter
    _fields_ = [("svm_type", c_int), ("kernel_type", c_int), ("degree", c_int), ("gamma", c_double), ("coef0", c_double),
                ("cache_size", c_double), ("eps", c_double), ("C", c_double), ("nr_weight", c_int), ("weight_label", c_void_p),
                ("weight", c_void_p), ("nu", c_double), ("p", c_double), ("shrinking", c_int), ("probability", c_int)]


class Model(Structure):  # the first fields of struct svm_model; those behind differ between versions
    _fields_ = [("param", Parameter), ("nr_class", c_int), ("l", c_int), ("SV", c_void_p),
                ("sv_coef", POINTER(POINTER(c_double))), ("rho", POINTER(c_double))]


class LinearProblem(Structure):  # struct problem
    _fields_ = [("l", c_int), ("n", c_int), ("y", c_void_p), ("x", c_void_p), ("bias", c_double)]


def linear_parameter(version):
    """struct parameter of LIBLINEAR."""
    fields = [("solver_type", c_int), ("eps", c_double), ("C", c_double), ("nr_weight", c_int),
              ("weight_label", c_void_p), ("weight", c_void_p), ("p", c_double)]
    if version >= 240:
        # Versions before 2.48 have no w_recalc, and don't look beyond regularize_bias.
        fields += [("nu", c_double), ("init_sol", c_void_p), ("regularize_bias", c_int), ("w_recalc", c_bool)]
    else:
        fields += [("init_sol", c_void_p)]
    return type("LinearParameter", (Structure,), {"_fields_": fields})


PRINT = ctypes.CFUNCTYPE(None, c_char_p)
silent = PRINT(lambda text: None)


class Rows:
    """Samples as arrays of nodes, without zeros, each ended by a node of index -1."""

    def __init__(self, X, bias=0):
        n, d = X.shape
        counts = np.array([np.count_nonzero(row) for row in X]) + (2 if bias else 1)
        starts = np.concatenate([[0], np.cumsum(counts)])
        self.nodes = np.zeros(starts[-1], NODE)
        for i, row in enumerate(X):
            at = self.nodes[starts[i] : starts[i + 1]]
            columns = np.flatnonzero(row)
            at["index"][: len(columns)] = columns + 1
            at["value"][: len(columns)] = row[columns]
            if bias:
                at[-2] = (d + 1, bias)
            at[-1] = (-1, 0)
        self.pointers = self.nodes.ctypes.data + starts[:-1].astype(np.uint64) * np.uint64(NODE.itemsize)


def prepare(p, X, y, variant):
    """The library, a function that fits, and what must be kept until it has."""
    lib = library("svm", variant)
    lib.svm_train.restype = POINTER(Model)
    lib.svm_set_print_string_function(silent)
    rows, labels = Rows(X), y.astype(float)
    problem = Problem(len(y), labels.ctypes.data, rows.pointers.ctypes.data)
    parameter = Parameter(svm_type=0, kernel_type=2, degree=3, gamma=p["gamma"], cache_size=p["cache_mb"], eps=p["tol"], C=p["c"], shrinking=1)
    return lib, lambda: lib.svm_train(byref(problem), byref(parameter)), (rows, labels)


def machines(lib, model, y):
    m = model.contents
    labels, rows = np.zeros(m.nr_class, np.int32), np.zeros(m.l, np.int32)
    lib.svm_get_labels(model, labels.ctypes.data_as(c_void_p))
    lib.svm_get_sv_indices(model, rows.ctypes.data_as(c_void_p))
    coef = np.array([m.sv_coef[k][: m.l] for k in range(m.nr_class - 1)])
    b = [-m.rho[k] for k in range(m.nr_class * (m.nr_class - 1) // 2)]
    own = y[rows - 1]
    return pairs(labels, [int(np.sum(own == label)) for label in labels], rows - 1, coef, b)


def svc(p, train, test, variant):
    lib, fit, keep = prepare(p, *train, variant)
    model, time = timed(fit)
    return {**time, "machines": machines(lib, model, train[1])}


def predict_all(lib, model, rows, results):
    """The classes of the samples; results are their scores, a row each."""
    lib.svm_predict_values.restype = c_double
    width = results.shape[1] * results.itemsize
    return [lib.svm_predict_values(model, c_void_p(int(x)), c_void_p(results.ctypes.data + i * width)) for i, x in enumerate(rows.pointers)]


def svc_classes(p, train, test, variant):
    lib, fit, keep = prepare(p, *train, variant)
    model, time = timed(fit)
    rows = Rows(test[0])
    k = model.contents.nr_class
    results = np.zeros((len(test[0]), k * (k - 1) // 2))
    labels, predicting = timed(lambda: predict_all(lib, model, rows, results))
    return {**time, "predict_wall": predicting["wall"], "predict_cpu": predicting["cpu"], "machines": machines(lib, model, train[1]),
            "labels": [int(label) for label in labels]}


def svc_predict(p, train, test, variant):
    lib, fit, keep = prepare(p, *train, variant)
    model = fit()
    rows, results = Rows(test[0]), np.zeros((len(test[0]), 1))
    _, time = timed(lambda: predict_all(lib, model, rows, results))
    return {**time, "machines": machines(lib, model, train[1]), "predicted": results[:, 0].tolist()}


def linear(solver, regularize_bias=True):
    """A model of LIBLINEAR, by the number of its option -s."""

    def fit(p, train, test, variant):
        X, y = train
        version = number("linear", variant)
        if not regularize_bias and version < 240:
            raise SystemExit(f"LIBLINEAR {version / 100:.2f} cannot leave the bias out of the penalty")
        lib = library("linear", variant)
        lib.train.restype = c_void_p
        lib.get_decfun_coef.restype = lib.get_decfun_bias.restype = c_double
        lib.get_decfun_coef.argtypes = [c_void_p, c_int, c_int]
        lib.get_decfun_bias.argtypes = [c_void_p, c_int]
        said = []
        listen = PRINT(said.append)
        lib.set_print_string_function(listen)
        rows, labels = Rows(X, 1), y.astype(float)
        problem = LinearProblem(len(y), X.shape[1] + 1, labels.ctypes.data, rows.pointers.ctypes.data, 1)
        parameter = linear_parameter(version)(solver_type=solver, eps=p["tol"], C=p["c"])
        if not regularize_bias:
            parameter.regularize_bias = 0
        elif version >= 240:
            parameter.regularize_bias = 1
        model, time = timed(lambda: lib.train(byref(problem), byref(parameter)))
        w = [lib.get_decfun_coef(model, j + 1, 0) for j in range(X.shape[1])]
        b = lib.get_decfun_bias(model, 0)
        first = np.zeros(2, np.int32)
        lib.get_labels(c_void_p(model), first.ctypes.data_as(c_void_p))
        sign = 1 if first[0] == 1 else -1
        passes = re.search(r"#iter = (\d+)", b"".join(said).decode())
        return {**time, "w": [[sign * v for v in w]], "b": [sign * b], "passes": int(passes[1]) if passes else 0}

    return fit


LINEAR = {"linear-primal": linear(2), "linear-dual": linear(3), "logistic": linear(0, regularize_bias=False),
          "logistic-default": linear(0, regularize_bias=False), "logistic-l1": linear(6, regularize_bias=False)}
KERNEL = {"svc": svc, "svc-classes": svc_classes, "svc-predict": svc_predict}

if sys.argv[1:] == ["builds"]:
    print(json.dumps({name: {variant: number(name, variant) for variant in ("PyPI", "system")} for name in ("svm", "linear")}))
else:
    main({**LINEAR, **KERNEL}, lambda variant: variant)
