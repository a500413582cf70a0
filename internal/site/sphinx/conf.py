# Sphinx's settings for the site. Pages are staged by internal/site; settings.json has what
# depends on the build.
import json
import pathlib
import sys

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here / "_ext"))
settings = json.loads((here / "settings.json").read_text(encoding="utf-8"))

project = settings["title"]
html_title = project
language = "en"
extensions = ["myst_nb", "marginalia_site", "marginalia_markdown"]
authored = settings["authored"]
exclude_patterns = ["_ext"]
highlight_language = "text"
smartquotes = False  # JupyterLab has no typography either
templates_path = ["_templates"]

nb_execution_mode = "off"
nb_merge_streams = True
nb_render_error_lexer = "text"  # no Python: its lexer warns of what it cannot read
nb_render_markdown_format = "myst"
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
myst_enable_extensions = ["dollarmath"]
myst_dmath_double_inline = True
myst_heading_anchors = 6
# Jupyter lets a notebook leave out a level of headings.
suppress_warnings = ["myst.header"]

html_theme = "furo"
html_math_renderer = "svg"
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_use_index = False
html_permalinks_icon = "#"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
