#!/usr/bin/env bash
# nbconvert 7.17.2, to HTML: "A <b>bold *word*</b> here." in a Markdown cell becomes <b>bold <em>word</em></b>. With embed_images, which
# should change pictures alone, it becomes <b></b>bold <em>word</em>: each tag that stands in a line of text is parsed by itself, and an
# element that begins there is ended at once. The cell has no picture; there is no warning, and nbconvert's exit status is 0.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv
venv/bin/pip install --quiet nbconvert==7.17.2 nbformat==5.10.4 >pip.log 2>&1 || { cat pip.log; exit 1; }
venv/bin/python - <<'PY'
import nbformat
cell = nbformat.v4.new_markdown_cell("A <b>bold *word*</b> here.", id="a")
nbformat.write(nbformat.v4.new_notebook(cells=[cell]), "text.ipynb")
PY
plain=$(venv/bin/python -m nbconvert --to html --stdout text.ipynb 2>said | grep '<p>A ')
embedded=$(venv/bin/python -m nbconvert --to html --embed-images --stdout text.ipynb 2>>said | grep '<p>A ')
printf 'without embed_images: %s\nwith embed_images:    %s\n' "$plain" "$embedded"
[ "$plain" = '<p>A <b>bold <em>word</em></b> here.</p>' ]
[ "$embedded" = '<p>A <b></b>bold <em>word</em> here.</p>' ]
! grep -i warn said
echo "as described"
