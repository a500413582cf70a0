#!/usr/bin/env bash
# nbconvert 7.17.2, to HTML with HTMLExporter.sanitize_html: Markdown is rendered first and its HTML is sanitized then, with a list of tags
# that has em, strong and li, and neither p nor img. Of "Some *text* ![picture](data:…)", which has no HTML of its author's, the page shows
# a reader the tags: <p> stands there as text, and so does <img> in place of the picture. JupyterLab 4 offers this setting when it exports.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv
venv/bin/pip install --quiet nbconvert==7.17.2 nbformat==5.10.4 >pip.log 2>&1 || { cat pip.log; exit 1; }
venv/bin/python - <<'PY'
import nbformat
cell = nbformat.v4.new_markdown_cell("Some *text* ![picture](data:image/png;base64,AAAA)", id="a")
nbformat.write(nbformat.v4.new_notebook(cells=[cell]), "text.ipynb")
PY
page() { venv/bin/python -m nbconvert --to html "$@" --stdout text.ipynb 2>said | grep 'Some <em>' || { cat said; exit 1; }; }
plain=$(page)
sanitized=$(page --HTMLExporter.sanitize_html=True)
printf 'without: %s\nwith:    %s\n' "$plain" "$sanitized"
[ "$plain" = '<p>Some <em>text</em> <img alt="picture" src="data:image/png;base64,AAAA"/></p>' ]
[ "$sanitized" = '&lt;p&gt;Some <em>text</em> &lt;img src="data:image/png;base64,AAAA" alt="picture" /&gt;&lt;/p&gt;' ]
echo "as described"
