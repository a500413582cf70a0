"""nbgrader's formgrader, as an extension of Jupyter's server, for submissions that nobody
trusts.

Formgrader shows them on a page of the server's own origin, where a script could do all that
the server can, and nbconvert passes on what students write. So here: what is shown of a
submission is rebuilt from what is known to be harmless; names are escaped; and the buttons
Generate, Collect, Autograde and Generate Feedback have marginalia do so: nbgrader would run
students' code on this machine, and neither search a release for solutions nor refuse what is
not a student's.
"""

import html
import os
import re
import subprocess
import sysconfig

import bleach
from jinja2 import FileSystemLoader, pass_context
from markupsafe import Markup
from nbconvert.exporters import HTMLExporter
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.server_extensions.formgrader import formgrader, handlers
from nbgrader.utils import is_locked
from tornado.web import StaticFileHandler
from traitlets.config import Config

TAGS = set("""a b blockquote br code dd del div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i
    img kbd li ol p pre s samp small span strong sub sup table tbody td tfoot th thead tr u ul""".split())


def allowed(tag, name, value):
    """Says which attributes stay: no ids and classes, by which formgrader finds its own
    fields, and no address that is fetched from elsewhere when the page is opened."""
    if (tag, name) == ("a", "href"):
        return re.match(r"https?://|mailto:", value) is not None
    if (tag, name) == ("img", "src"):
        return re.match(r"data:image/(png|jpeg|gif|svg\+xml);base64,", value) is not None
    return name in ("alt", "title") or tag in ("td", "th") and name in ("colspan", "rowspan")


def harmless(markup):
    """Returns HTML in which tags and attributes but the allowed ones are text."""
    return bleach.clean(markup, tags=TAGS, attributes=allowed, protocols={"http", "https", "mailto", "data"})


def of_image(metadata, mime):
    """Returns size and text of an image. They become attributes, the size without quotes."""
    own = metadata.get(mime)
    own = own if isinstance(own, dict) else {}
    kept = {key: own[key] for key in ("width", "height") if isinstance(own.get(key), int)}
    alt = own.get("alt", metadata.get("alt"))
    return kept if alt is None else {**kept, "alt": str(alt)}


def outputs(cell):
    """Returns the outputs of a cell as far as the page can show them without a script."""
    kept = []
    for o in cell.get("outputs", []):
        if o.get("output_type") in ("display_data", "execute_result"):
            data = {}
            for mime, content in o.get("data", {}).items():
                if mime == "text/html":
                    data[mime] = harmless("".join(content))
                elif mime in ("text/plain", "text/markdown", "text/latex", "image/png", "image/jpeg", "image/svg+xml"):
                    data[mime] = content
            if not data:
                continue
            o["data"] = data
            o["metadata"] = {mime: of_image(o.get("metadata", {}), mime) for mime in data if mime.startswith("image/")}
        elif o.get("output_type") not in ("stream", "error"):
            continue
        kept.append(o)
    return kept


def rebuild(nb):
    """Leaves of a notebook what formgrader needs."""
    nb.metadata = type(nb)(language_info=type(nb)(name="go", pygments_lexer="go"))
    for n, cell in enumerate(nb.cells):
        cell.id = f"cell-{n}"
        meta = cell.metadata.get("nbgrader")
        if not isinstance(meta, dict) or not re.fullmatch(r"[\w-]*", str(meta.get("grade_id", ""))):
            meta = None
        cell.metadata = type(nb)(nbgrader=meta) if meta else type(nb)()
        if cell.cell_type == "code":
            if not isinstance(cell.get("execution_count"), int):
                cell.execution_count = None
            cell.outputs = outputs(cell)
        elif cell.cell_type != "markdown":
            cell.cell_type, cell.source = "raw", "<pre>" + html.escape(cell.source) + "</pre>"
    return nb


class Exporter(HTMLExporter):
    """Makes formgrader's page of a submission."""

    coursedir = None

    def from_notebook_node(self, nb, resources=None, **kw):
        nb = self.as_graded(rebuild(nb), resources["assignment_id"], resources["notebook_id"])
        escaped = {key: html.escape(value) if isinstance(value, str) else value for key, value in resources.items()}
        return super().from_notebook_node(nb, escaped, **kw)

    def as_graded(self, nb, assignment, notebook):
        """Shows the lecturer's cells with their mark schemes and hidden tests. autograded has
        them without, since nbgrader's feedback is made of it."""
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as book:
            sources = {cell.name: cell.source for cell in book.find_notebook(notebook, assignment).source_cells}
        for cell in nb.cells:
            if is_locked(cell):
                cell.source = sources.get(cell.metadata.nbgrader.grade_id, cell.source)
        return nb

    @pass_context
    def markdown2html(self, context, source):
        return harmless(super().markdown2html(context, source))


class Templates(FileSystemLoader):
    """Formgrader's other pages put names into scripts, between quotes: as JSON, a name ends
    neither the string nor the script. And one tells which command grades."""

    def get_source(self, environment, template):
        source, *rest = super().get_source(environment, template)
        source = source.replace("nbgrader autograde", "marginalia course grade")
        return re.sub(r'var (\w+) = "\{\{ (\w+) \}\}";', r"var \1 = {{ \2 | tojson }};", source), *rest


def marginalia(app, verb, flags=(), files=()):
    """Runs marginalia course VERB NAME for the assignment that a button of formgrader is for."""
    course = app.coursedir
    command = [os.environ["MARGINALIA_COMMAND"], "course", verb, "--course", course.root, *flags, "--", course.assignment_id, *files]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    app.log.info("%s", run.stdout)
    if run.returncode:
        raise NbGraderException(run.stdout + run.stderr)


def generate(converter):
    marginalia(converter, "release")


def of_student(converter):
    student = converter.coursedir.student_id
    return [] if student == "*" else ["--student=" + student]


def grade(converter):
    marginalia(converter, "grade", of_student(converter))


def feedback(converter):
    marginalia(converter, "feedback", of_student(converter))


def collect(exchange):
    """Collects from the exchange. On our hub each student has an inbound of their own in the
    place of a common one, and what lies there is of that student or of nobody."""
    inbound = os.path.join(exchange.root, exchange.coursedir.course_id, "inbound")
    students = [name for name in sorted(os.listdir(inbound)) if "+" not in name]
    if not students:
        return marginalia(exchange, "collect", files=[inbound])
    faults = []
    for student in students:
        try:
            marginalia(exchange, "collect", ["--student=" + student], [os.path.join(inbound, student)])
        except NbGraderException as e:  # the others are collected
            faults.append(str(e))
    if faults:
        raise NbGraderException("\n".join(faults))


def _load_jupyter_server_extension(app):
    GenerateAssignment.start, ExchangeCollect.start, Autograde.start, GenerateFeedback.start = generate, collect, grade, feedback
    # Each page says so again if this computer has no exchange.
    app.log.addFilter(lambda record: "Unwritable directory" not in record.getMessage())
    formgrader.load_jupyter_server_extension(app)
    settings = app.web_app.settings
    templates = settings["nbgrader_jinja2_env"]
    templates.autoescape, templates.loader = True, Templates([handlers.template_path])

    config = Config(settings["nbgrader_formgrader"].config)
    config.HTMLExporter.sanitize_html = config.HTMLExporter.exclude_anchor_links = True
    exporter = settings["nbgrader_exporter"] = Exporter(
        config=config, extra_loaders=[FileSystemLoader(os.path.dirname(__file__))])  # mathjax.html.j2
    exporter.coursedir = settings["nbgrader_formgrader"].coursedir
    mathjax = settings["base_url"] + "marginalia/mathjax/"
    exporter.environment.globals["include_js"] = lambda name: Markup(f'<script src="{mathjax}{name}"></script>')
    folder = os.path.join(sysconfig.get_path("purelib"), "sphinx-mathjax-offline", "static", "mathjax")
    app.web_app.add_handlers(".*$", [(re.escape(mathjax) + "(.*)", StaticFileHandler, {"path": folder})])


def _jupyter_server_extension_points():
    return [{"module": "marginalia_formgrader"}]
