"""Lets Jupyter's server find the extension marginalia_formgrader."""

import os
import sys

sys.path.insert(0, os.path.join(os.environ.get("MARGINALIA_ROOT", "/opt/marginalia"), "internal", "course", "formgrade"))
