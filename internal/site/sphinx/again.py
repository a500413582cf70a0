"""Sphinx that stays: for each line on its standard input it makes those pages anew whose sources have
changed, and says in a line of JSON which, with its warnings or the error.

Each build of the command line would load Sphinx, the pages read before and MathJax again.
"""

import io
import json
import sys

from sphinx.application import Sphinx

src, out, doctrees = sys.argv[1:]
warnings, pages = io.StringIO(), []
app = Sphinx(src, src, out, doctrees, "html", status=None, warning=warnings)
app.builder.search = False  # the site has its own
app.connect("html-page-context", lambda app, name, *rest: pages.append(name + ".html"))
print(flush=True)
for _ in sys.stdin:
    said = {}
    try:
        app.build()
    except Exception as error:
        said["error"] = f"{type(error).__name__}: {error}"
    print(json.dumps(said | {"pages": pages, "warnings": warnings.getvalue()}), flush=True)
    pages.clear()
    warnings.seek(0)
    warnings.truncate()
