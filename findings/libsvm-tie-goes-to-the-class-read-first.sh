#!/usr/bin/env bash
# LIBSVM 3.37 (libsvm-official 3.37.0): three classes of two samples each form a pinwheel. In the
# middle each of the three machines clearly votes for another class, so the vote is a tie.
# svm_predict answers with the class whose sample stands first in the training data: the same point
# is of class 1, 2 or 3 depending on the order of the lines. SVC of scikit-learn 1.9.1, which is
# built on LIBSVM's code, sorts the classes first and answers 1 for all orders.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q libsvm-official==3.37.0 scikit-learn==1.9.1 scipy==1.17.1 numpy==2.4.6
"$dir/venv/bin/python" - <<'PY'
from itertools import permutations
from math import cos, pi, sin

from libsvm.svmutil import svm_predict, svm_train
from sklearn.svm import SVC


def turned(x, y, by):
    return [x * cos(by) - y * sin(by), x * sin(by) + y * cos(by)]


blades = {k: [turned(1, 0, 2 * pi * k / 3), turned(1, 2, 2 * pi * k / 3)] for k in (1, 2, 3)}
for order in permutations(blades):
    rows = [row for k in order for row in blades[k]]
    labels = [k for k in order for _ in blades[k]]
    m = svm_train(labels, rows, "-s 0 -t 0 -c 100 -q")
    (ours,), _, ((*scores,),) = svm_predict([0], [[0.0, 0.0]], m, "-q")
    theirs = SVC(kernel="linear", C=100).fit(rows, labels).predict([[0.0, 0.0]])[0]
    print("lines", order, "scores", [round(v, 3) for v in scores], "LIBSVM", int(ours), "scikit-learn", theirs)
    assert min(abs(v) for v in scores) > 0.1
    assert ours == order[0] and theirs == 1
PY
echo "as described"
