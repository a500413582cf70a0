"""Writes what an image consists of, as CycloneDX 1.6 in JSON.

    python sbom.py FOLDER VERSION > sbom.cdx.json

FOLDER has the image's files, VERSION is the image's. Debian's packages are found by
debsbom. Python's are the distributions in the image's virtual environment; Go's
modules are those that "go version -m" reads from the programs, and those whose
sources are there for cells to import. README.md in the folder above says how to get
the files out of an image.
"""

import importlib.metadata
import json
import os
import re
import subprocess
import sys

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

folder, version = sys.argv[1:]


def inside(path):
    return os.path.join(folder, path)


def debian():
    command = [os.path.join(os.path.dirname(sys.executable), "debsbom"), "generate", "--sbom-type", "cdx",
               "--cdx-schema-version", "1.6", "--with-licenses", "--root", folder, "--out", "-"]
    found = subprocess.run(command, capture_output=True, text=True)  # it warns of each package without a supplier
    if found.returncode:
        sys.exit(f"sbom: debsbom: {found.stderr}")
    return Bom.from_json(json.loads(found.stdout))


def python():
    lib = inside("opt/marginalia/.venv/lib")
    paths = [os.path.join(lib, name, "site-packages") for name in os.listdir(lib)]
    for found in importlib.metadata.distributions(path=paths):
        yield PackageURL("pypi", None, re.sub(r"[-_.]+", "-", found.metadata["Name"]).lower(), found.version)


def go(path, version):
    namespace, _, name = path.rpartition("/")
    return PackageURL("golang", namespace or None, name, version)


def modules():
    programs = [inside("usr/local/bin/marginalia"), inside("usr/local/go/bin")]
    programs += [inside("opt/cache/marginalia/" + name) for name in os.listdir(inside("opt/cache/marginalia"))]
    said = subprocess.run(["go", "version", "-m", *programs], check=True, text=True, stdout=subprocess.PIPE).stdout
    for line in said.splitlines():
        if built := re.fullmatch(r"\S.*: go(\S+).*", line):
            yield go("stdlib", "v" + built[1])
        # The repository's own module has no version but the image's.
        if module := re.fullmatch(r"\t(?:mod|dep|=>)\t(\S+)\t(v\S+)(\t.*)?", line):
            yield go(module[1], module[2])
    sources = inside("opt/cache/mod")
    for place, names, _ in os.walk(sources):
        for name in names:
            if "@" in name:
                # A capital letter is written as "!" and the small one (golang.org/ref/mod, "Module cache").
                path, at = os.path.relpath(os.path.join(place, name), sources).split("@")
                yield go(*(re.sub("!(.)", lambda m: m[1].upper(), part) for part in (path, at)))
        names[:] = [name for name in names if "@" not in name and not (place == sources and name == "cache")]


bom = debian()
image = Component(type=ComponentType.CONTAINER, name="marginalia", version=version, bom_ref="marginalia")
parts = [bom.metadata.component]
for purl in sorted({*python(), *modules()}, key=str):
    name = "/".join(filter(None, (purl.namespace, purl.name)))
    parts.append(Component(type=ComponentType.LIBRARY, name=name, version=purl.version, purl=purl, bom_ref=str(purl)))
bom.components.update(parts)
bom.metadata.component = image
bom.register_dependency(image, parts)
text = make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string(indent=1)
if wrong := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
    sys.exit(f"sbom: not valid: {wrong}")
print(text)
