"""Puts new files and copies of the lectures' JupyterLab into a folder of their own.

Git ignores that folder: what readers write is never taken for a lecture, and does not
conflict with an update of the clone.

The lectures link to the library, which is beside their folder. JupyterLab leaves out the
".." of such a link, since it would lead above its root, and asks for "mlkit/svm/kkt.go".
These files can be read here, and not changed.
"""

import os
import posixpath

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from tornado.web import HTTPError
from traitlets import List, Unicode


class Contents(AsyncLargeFileManager):
    own = Unicode("", config=True, help="The folder for what is new in a tracked one.")
    tracked = List(Unicode(), ["", "exercises", "solutions"], config=True, help="Folders under version control.")
    library = List(Unicode(), ["datasets", "docs", "mlkit", "plotting", "timing"], config=True, help="Folders beside the root that can be read.")

    def instead(self, path):
        """Returns the folder for a new file of folder path."""
        if path.strip("/") not in self.tracked or not self.own:
            return path
        os.makedirs(os.path.join(self.root_dir, self.own), exist_ok=True)
        return self.own

    async def new_untitled(self, path="", type="", ext=""):
        return await super().new_untitled(self.instead(path), type, ext)

    async def copy(self, from_path, to_path=None):
        if to_path is None:
            to_path = os.path.dirname(from_path.strip("/"))
        return await super().copy(from_path, self.instead(to_path) or None)

    def beside(self, path):
        """Returns the manager of the repository above if path is of its library, else None."""
        folder = posixpath.normpath(path.strip("/")).split("/")[0]
        above = os.path.dirname(os.path.abspath(self.root_dir))
        if folder not in self.library or os.path.exists(os.path.join(self.root_dir, folder)) or not os.path.isfile(os.path.join(above, "mlkit", "mlkit.go")):
            return None
        return AsyncLargeFileManager(parent=self.parent, root_dir=above)

    def refuse(self, path):
        """Raises an error if path is of the library."""
        if self.beside(path):
            raise HTTPError(403, f"{path} is of the library, which JupyterLab only shows: change it with an editor")

    async def get(self, path, **asked):
        if not (beside := self.beside(path)):
            return await super().get(path, **asked)
        model = await beside.get(path, **asked)
        model["writable"] = False
        return model

    async def file_exists(self, path):
        beside = self.beside(path)
        return await (beside.file_exists(path) if beside else super().file_exists(path))

    async def dir_exists(self, path):
        beside = self.beside(path)
        return await (beside.dir_exists(path) if beside else super().dir_exists(path))

    async def is_hidden(self, path):
        beside = self.beside(path)
        return await (beside.is_hidden(path) if beside else super().is_hidden(path))

    async def save(self, model, path=""):
        self.refuse(path)
        return await super().save(model, path)

    async def rename_file(self, old_path, new_path):
        self.refuse(old_path)
        self.refuse(new_path)
        return await super().rename_file(old_path, new_path)

    async def delete_file(self, path):
        self.refuse(path)
        return await super().delete_file(path)

    async def create_checkpoint(self, path):
        self.refuse(path)
        return await super().create_checkpoint(path)

    async def list_checkpoints(self, path):
        return [] if self.beside(path) else await super().list_checkpoints(path)
