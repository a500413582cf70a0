#!/usr/bin/env bash
# ml-knn 3.0.0 (npm): with k = 2 and a neighbour of each class, the class of the farther one wins. One sample of class 0 at -1 and one
# of class 1 at 1: -0.5 is classified as 1, and 0.5 as 0, in either order of the samples. One would expect
# the nearer one to win, or a fixed class.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent ml-knn@3.0.0 >npm.log 2>&1 || { cat npm.log; exit 1; }
cat >knn.mjs <<'JS'
import KNN from 'ml-knn';
for (const [X, y] of [[[[-1], [1]], [0, 1]], [[[1], [-1]], [1, 0]]]) {
  const knn = new KNN(X, y, { k: 2 });
  console.log(`${JSON.stringify(X)}: -0.5 is ${knn.predict([-0.5])}, 0.5 is ${knn.predict([0.5])}`);
}
JS
got=$(node knn.mjs)
printf '%s\n' "$got"
[ "$got" = '[[-1],[1]]: -0.5 is 1, 0.5 is 0
[[1],[-1]]: -0.5 is 1, 0.5 is 0' ]
echo "as described"
