"""Writes each corpus/*.json as corpus/*.ipynb, with Python's own nbformat.

The .ipynb files beside this script were made by nbformat 5.11.1:
    python3 -m venv venv && venv/bin/pip install nbformat==5.11.1
    venv/bin/python make.py
"""
import pathlib
import nbformat

for source in sorted((pathlib.Path(__file__).parent / "corpus").glob("*.json")):
    nb = nbformat.read(source, as_version=4)
    nbformat.write(nb, source.with_suffix(".ipynb"))
