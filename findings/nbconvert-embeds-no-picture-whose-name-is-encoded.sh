#!/usr/bin/env bash
# nbconvert 7.17.2, to HTML with embed_images: ![](plain.png) becomes a data: address in the page, and
# ![](my%20pic.png), which names the file "my pic.png" and which JupyterLab shows, stays a path: the address is looked up
# as a file name without being decoded. There is no warning, and nbconvert's exit status is 0.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv
venv/bin/pip install --quiet nbconvert==7.17.2 nbformat==5.10.4 >pip.log 2>&1 || { cat pip.log; exit 1; }
venv/bin/python - <<'PY'
import base64, nbformat
png = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
for name in ("plain.png", "my pic.png"):
    open(name, "wb").write(png)
cell = nbformat.v4.new_markdown_cell("![one](plain.png)\n\n![two](my%20pic.png)", id="a")
nbformat.write(nbformat.v4.new_notebook(cells=[cell]), "pictures.ipynb")
PY
said=$(venv/bin/python -m nbconvert --to html --embed-images pictures.ipynb 2>&1)
pictures=$(grep -o '<img[^>]*alt="\(one\|two\)"[^>]*>' pictures.html | cut -c1-80)
printf 'nbconvert:\n%s\n\nin the page:\n%s\n\n' "$said" "$pictures"
[ "$(grep -c 'data:image/png;base64' <<<"$pictures")" = 1 ]
grep -q 'src="my%20pic.png"' <<<"$pictures"
! grep -qi 'warn\|pic' <<<"$(grep -v pictures <<<"$said")"
echo "as described"
