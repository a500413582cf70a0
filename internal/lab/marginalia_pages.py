"""Pictures in pages and slides that nbconvert makes.

nbconvert (7.17.2) looks for an attachment by the name as an address has it, with %20 for a space, and
makes no page where there is none. To put pictures beside the notebook into the page it takes the
HTML in a text apart, tag by tag, so that <b> ends before its text begins, and fails where an address is that of
a folder.
"""

import os
from urllib.parse import unquote

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
