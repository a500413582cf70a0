#!/usr/bin/env bash
# LIBSVM 3.37 (libsvm-official 3.37.0): svm_save_model writes coefficients with 17 digits and the values of
# support vectors with 8. Samples that agree in their first 8 digits become one: here 16 places on a line, 5 cm
# apart and 1234 km from the origin, as northings are. In memory the model of a Gaussian kernel has all training
# samples right. Saved and loaded, it has 7 of 16, without a word.
# Subtracting a constant from the column before training avoids it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q libsvm-official==3.37.0
cd "$dir"
"$dir/venv/bin/python" - <<'PY'
from libsvm.svmutil import svm_load_model, svm_predict, svm_save_model, svm_train

for origin in (1234567, 0):
    rows = [{1: origin + k / 20} for k in range(1, 17)]
    labels = [1 if k % 2 else -1 for k in range(1, 17)]
    m = svm_train(labels, rows, "-t 2 -g 800 -c 10 -q")
    svm_save_model("model", m)
    right = [svm_predict(labels, rows, each, "-q")[1][0] for each in (m, svm_load_model("model"))]
    print(f"from {origin} m on: {right[0]} % right in memory, {right[1]} % from the file")
    assert right == ([100, 43.75] if origin else [100, 100])
PY
echo "as described"
