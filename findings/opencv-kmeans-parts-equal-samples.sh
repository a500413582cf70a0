#!/usr/bin/env bash
# OpenCV 5.0.0 (opencv-python-headless 5.0.0.93): cv2.kmeans with K = 3 and six samples at two places gives three
# clusters. Samples that are equal are in different ones.
# Compactness is 0, so nothing hints at it. KMeans of scikit-learn 1.9.1 finds two
# clusters and warns. Equal samples with different labels surprise; whether K is larger than the
# number of different samples has to be checked before.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q opencv-python-headless==5.0.0.93 scikit-learn==1.9.1 scipy==1.17.1 numpy==2.4.6
"$dir/venv/bin/python" - <<'PY'
import warnings

import cv2
import numpy as np
from sklearn.cluster import KMeans

X = np.float32([[0], [0], [0], [5], [5], [5]])
stop = (cv2.TERM_CRITERIA_MAX_ITER, 100, 0)
for seed in range(4):
    cv2.setRNGSeed(seed)
    compactness, labels, centers = cv2.kmeans(X, 3, None, stop, 1, cv2.KMEANS_PP_CENTERS)
    print("cv2", labels.ravel(), "centres", centers.ravel(), "compactness", compactness)
    assert len(set(labels.ravel())) == 3 and compactness == 0
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    labels = KMeans(3).fit(X).labels_
print("scikit-learn", labels, [str(w.message)[:60] for w in seen])
assert len(set(labels)) == 2 and seen
PY
echo "as described"
