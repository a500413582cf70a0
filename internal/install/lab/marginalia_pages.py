"""Pictures in pages and slides that nbconvert (7.17.2) makes, and sanitized pages.

nbconvert looks for an attachment by the name as an address has it, with %20 for a space, and makes no page
where there is none. To put pictures beside the notebook into the page it takes the HTML in a text
apart, tag by tag, so that <b> ends before its text begins, and fails where an address is a folder's. What
it sanitizes, as JupyterLab proposes, keeps <p> as text and loses its pictures.
"""

import html
import os
import re
from urllib.parse import unquote

import bleach
from bleach.css_sanitizer import CSSSanitizer
from bs4 import BeautifulSoup
from nbconvert.filters.markdown_mistune import IPythonRenderer
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from traitlets.log import get_logger


class Attachments(Preprocessor):
    """Gives each cell attachments that are found."""

    def preprocess_cell(self, cell, resources, index):
        cell["attachments"] = Found(cell.get("attachments", {}))
        cell["attachments"].__dict__["place"] = index + 1
        return cell, resources


class Found(NotebookNode):
    """The attachments of a cell. Each name that is asked for is there: decoded, or else without content, so
    that a browser shows the alternative text."""

    place = 0

    def __contains__(self, name):
        if not self.get(name):
            plain = unquote(name)
            if not self.get(plain):
                get_logger().warning("Cell %d has no attachment %s", self.place, plain)
            self[name] = self.get(plain) or {"image/png": ""}
        return True


def embedded(page, cell, resources):
    """Return a part of a page with its pictures: attachments, and files in the folder of the notebook or below."""
    path = resources["metadata"].get("path", "")
    renderer = IPythonRenderer(attachments=cell["attachments"], embed_images=True, path=path)
    soup = BeautifulSoup(page, "html.parser")
    for picture in soup.find_all("img", src=True):
        for address in picture["src"], unquote(picture["src"]):
            if address.startswith("attachment:") or os.path.isfile(os.path.join(path, address)):
                picture["src"] = renderer._embed_image_or_attachment(address)
                break
    return str(soup)


# What Markdown becomes, and what authors write in it that runs nothing.
TAGS = """a abbr acronym b big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure
font h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q s samp small span strike strong sub summary sup
table tbody td tfoot th thead tr tt u ul var""".split()
ATTRIBUTES = "align alt checked class color colspan dir disabled height href id lang open rowspan src start style title type width".split()


def harmless(tag, name, value):
    """Report whether an attribute may stay: a picture may be in its address, a page behind a link may not."""
    data = re.sub(r"[\x00-\x20]", "", html.unescape(value)).lower().startswith("data:")
    return name in ATTRIBUTES and (tag == "img" if name == "src" else not data)


def clean_html(page):
    """Return a part of a page without what could run."""
    page = page.decode() if isinstance(page, bytes) else str(page)
    return bleach.clean(page, tags=TAGS, attributes=harmless, protocols=["http", "https", "mailto", "data", "attachment"], css_sanitizer=CSSSanitizer())
