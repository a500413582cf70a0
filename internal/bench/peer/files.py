"""Trains models of LIBSVM and LIBLINEAR, and predicts with them: one JSON object a line in, one a line out."""

import json
import sys

from liblinear import liblinearutil
from libsvm import svmutil

libraries = {"svm": (svmutil.svm_train, svmutil.svm_save_model, svmutil.svm_load_model, svmutil.svm_predict),
             "linear": (liblinearutil.train, liblinearutil.save_model, liblinearutil.load_model, liblinearutil.predict)}

for line in sys.stdin:
    p = json.loads(line)
    train, save, load, predict = libraries[p["library"]]
    nodes = lambda rows: [{j + 1: v for j, v in enumerate(row) if v != 0} for row in rows]
    if "options" in p:
        save(p["file"], train(p["y"], nodes(p["X"]), p["options"] + " -q"))
    model = load(p["file"])
    labels, _, scores = predict([], nodes(p["Z"]), model, "-q")
    answer = {"labels": [int(v) for v in labels], "scores": scores, "order": model.get_labels()}
    if p["probable"]:
        labels, _, answer["probabilities"] = predict([], nodes(p["Z"]), model, "-q -b 1")
        answer["probable"] = [int(v) for v in labels]
    print(json.dumps(answer), flush=True)
