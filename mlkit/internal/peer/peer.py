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
from sklearn.linear_model import Perceptron
from sklearn.metrics.pairwise import pairwise_kernels

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


def kernel_parameters(p):
    names = {"poly": ["gamma", "coef0", "degree"], "sigmoid": ["gamma", "coef0"], "linear": []}
    return {k: p[k] for k in names.get(p["kernel"], ["gamma"])}


@model
def gram(p):
    X, Z = matrix(p["X"]), matrix(p["Z"])

    def of(*args):
        return pairwise_kernels(*args, metric=p["kernel"], **kernel_parameters(p))

    return {"gram": of(X), "cross": of(X, Z)}


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
