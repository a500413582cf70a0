"""Draws the picture of field_test.go with matplotlib, as a lecture would.

For each line in, "png" or "svg", it draws the picture once from the beginning and
answers with the seconds that took, those of the processors, and the size of the file. The first line out is the
version of matplotlib.
"""

import io
import sys
import time

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

NODES, POINTS, WIDTH, HEIGHT = 400, 2000, 6, 4.5
CANVAS = {"png": FigureCanvasAgg, "svg": FigureCanvasSVG}
SHADES = LinearSegmentedColormap.from_list("score", ["#69aad4", "#ffffff", "#eb9d67"])


def score(x, y):
    return np.sin(2 * x) * np.cos(1.5 * y) + 0.5 * x * y - 0.3 * x


def samples():
    i = np.arange(1, POINTS + 1)
    x = 4 * np.modf(i * 0.7548776662466927)[0] - 2
    y = 4 * np.modf(i * 0.5698402909980532)[0] - 2
    return x, y, score(x, y) >= 0


def picture(kind, x, y, upper):
    fig = Figure(figsize=(WIDTH, HEIGHT))
    CANVAS[kind](fig)
    ax = fig.add_subplot()
    t = np.linspace(-2, 2, NODES)
    z = score(*np.meshgrid(t, t))
    shaded = ax.imshow(z, extent=(-2, 2, -2, 2), origin="lower", aspect="auto", cmap=SHADES, vmin=-2, vmax=2)
    fig.colorbar(shaded, label="score")
    ax.contour(t, t, z, levels=[-1, 0, 1], colors="#262626", linestyles=["dashed", "solid", "dashed"])
    for k, marker, colour, name in ((~upper, "o", "#0072b2", "y = −1"), (upper, "s", "#d55e00", "y = +1")):
        ax.scatter(x[k], y[k], s=16, c=colour, marker=marker, edgecolors="white", linewidths=0.6, label=name)
    ax.set(title="a field, its lines, and 2000 points", xlabel="x₁", ylabel="x₂", xlim=(-2, 2), ylim=(-2, 2))
    ax.legend(loc="upper right")
    out = io.BytesIO()
    fig.savefig(out, format=kind, dpi=96)
    return out.getbuffer()


def main():
    data = samples()
    print(matplotlib.__version__, flush=True)
    for line in sys.stdin:
        kind = line.strip()
        start, busy = time.perf_counter(), time.process_time()
        drawn = picture(kind, *data)
        seconds, busy = time.perf_counter() - start, time.process_time() - busy
        print(seconds, busy, len(drawn), flush=True)


main()
