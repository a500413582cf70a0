#!/usr/bin/env bash
# scikit-learn 1.9.1: which class a sample with the score 0 is of depends on the estimator. With samples -2, -1 of class
# 0 and 1, 2 of class 1 the score of x = 0 is exactly 0. SVC(kernel="linear") predicts the second class, LinearSVC,
# RidgeClassifier and LinearDiscriminantAnalysis the first. So SVC and LinearSVC with the same hyperplane differ on it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q scikit-learn==1.9.1 scipy==1.17.1 numpy==2.4.6
"$dir/venv/bin/python" - <<'PY'
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import RidgeClassifier
from sklearn.svm import SVC, LinearSVC

X, y = [[-2.0], [-1.0], [1.0], [2.0]], [0, 0, 1, 1]
for m, want in ((SVC(kernel="linear"), 1), (LinearSVC(), 0), (RidgeClassifier(), 0), (LinearDiscriminantAnalysis(), 0)):
    m.fit(X, y)
    score, label = m.decision_function([[0.0]])[0], m.predict([[0.0]])[0]
    print(f"{type(m).__name__}: score {abs(score)}, class {label}")
    assert score == 0 and label == want
PY
echo "as described"
