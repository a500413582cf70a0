"""Sphinx that stays: for each line on its standard input it makes those pages anew whose sources have
changed, and says in a line of JSON which, with its warnings or the error.

Each build of the command line would load Sphinx, the pages read before and MathJax again. While it waits,
it draws the formulas of all pages: those of a long lecture take a second, which the first page would wait for.
"""

import io
import json
import select
import sys

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.console import nocolor

src, out, doctrees = sys.argv[1:]
nocolor()  # NO_COLOR is for the command line alone
warnings, pages = io.StringIO(), []
app = Sphinx(src, src, out, doctrees, "html", status=None, warning=warnings)
app.builder.search = False  # the site has its own
app.connect("html-page-context", lambda app, name, *rest: pages.append(name + ".html"))


def formulas():
    """Draw the formulas of all pages, and yield after each."""
    import marginalia_site  # whose folder conf.py has found

    for name in sorted(app.env.found_docs):
        try:
            doctree = app.env.get_doctree(name)
        except OSError:  # its source has gone meanwhile
            continue
        for node in doctree.findall(lambda n: isinstance(n, (nodes.math, nodes.math_block))):
            marginalia_site.drawn(node, isinstance(node, nodes.math_block))
            yield


print(flush=True)
drawing = formulas()
while True:
    while not select.select([sys.stdin], [], [], 0)[0] and next(drawing, drawing) is not drawing:
        pass
    if not sys.stdin.readline():
        break
    said = {}
    try:
        app.build()
    except Exception as error:
        said["error"] = f"{type(error).__name__}: {error}"
    print(json.dumps(said | {"pages": pages, "warnings": warnings.getvalue()}), flush=True)
    pages.clear()
    warnings.seek(0)
    warnings.truncate()
