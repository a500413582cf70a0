"""What scikit.py and libsvm.py share: the task comes in, as JSON, the solution goes out."""
import json
import re
import resource
import sys
import time

import numpy as np


def load(stored):
    n, d = stored["n"], stored["d"]
    with open(stored["path"], "rb") as f:
        X = np.fromfile(f, "<f8", n * d).reshape(n, d)
        return X, np.fromfile(f, "<f8", n).astype(np.int32)


def timed(do):
    """do's result, and the seconds it took, of the wall clock and of the processors."""
    start, before = time.perf_counter(), time.process_time()
    result = do()
    return result, {"wall": time.perf_counter() - start, "cpu": time.process_time() - before}


def peak():
    """Bytes. See child.go for why it is not ru_maxrss."""
    try:
        with open("/proc/self/status") as f:
            return int(re.search(r"VmHWM:\s*(\d+) kB", f.read())[1]) * 1024
    except FileNotFoundError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def pairs(classes, counts, support, coef, b):
    """The machines of a one-against-one SVM, from the arrays of LIBSVM: support vectors are
    sorted by class, and those of class i have their coefficient against class j in row
    j-1 if j > i, and else in row j."""
    ends = np.cumsum(counts)
    starts = ends - counts
    machines = []
    for i in range(len(classes)):
        for j in range(i + 1, len(classes)):
            first, second = slice(starts[i], ends[i]), slice(starts[j], ends[j])
            alpha = np.concatenate([coef[j - 1, first], coef[i, second]])
            rows = np.concatenate([support[first], support[second]])
            used = alpha != 0
            machines.append({"positive": int(classes[i]), "negative": int(classes[j]), "rows": rows[used].tolist(),
                             "coef": alpha[used].tolist(), "b": float(b[len(machines)])})
    return machines


def main(models, version):
    task = json.load(sys.stdin)
    train = load(task["train"])
    test = load(task["test"]) if task.get("test") else (None, None)
    p = {"c": 0, "gamma": 0, "lambda": 0, "tol": 0, "k": 0, "neighbours": 0, "passes": 0, "cache_mb": 0, **task["params"]}
    fit = models[task["model"]]
    few = lambda data: tuple(a if a is None else a[:300] for a in data)
    try:  # the first samples first; see child.go
        fit(p, few(train), few(test), task["variant"])
    except Exception:
        pass
    solution = fit(p, train, test, task["variant"])
    solution["version"] = version(task["variant"])
    solution["peak_bytes"] = peak()
    json.dump(solution, sys.stdout)
