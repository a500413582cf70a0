#!/usr/bin/env bash
# numpy 2.4.6: numpy.histogram of the whole numbers 0 to n with equal bins counts some of them
# in the bin below the one that they begin. With 0, 1, …, 14 and 50 bins, 7 is the border of
# bins 24 and 25 in exact arithmetic and belongs to bin 25; numpy counts it in bin 24, since the
# border that it computes is 7.000000000000001. Of the 39,900 pairs of a range from 0 or 1 up to at
# most 200 and 1 to 100 bins, 475 have at least one such number.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q numpy==2.4.6
"$dir/venv/bin/python" - <<'PY'
import numpy as np

counts, edges = np.histogram(np.arange(15), bins=50)
print("7 is in bin", [k for k in range(50) if counts[k] and edges[k] <= 7 < edges[k + 1]], "border", repr(edges[25]))
assert counts[24] == 1 and counts[25] == 0 and edges[25] > 7

wrong = pairs = 0
for low in (0, 1):
    for high in range(low + 1, 201):
        for bins in range(1, 101):
            pairs += 1
            exact = np.zeros(bins, int)
            for x in range(low, high + 1):
                exact[min((x - low) * bins // (high - low), bins - 1)] += 1
            wrong += not np.array_equal(np.histogram(np.arange(low, high + 1), bins=bins)[0], exact)
print(wrong, "of", pairs)
assert (wrong, pairs) == (475, 39900)
PY
echo "as described"
