"""Puts new files and copies of the lectures' JupyterLab into a folder of their own.

Git ignores that folder: what readers write is never taken for a lecture, and does not
conflict with an update of the clone.
"""

import os

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from traitlets import List, Unicode


class Contents(AsyncLargeFileManager):
    own = Unicode("", config=True, help="The folder for what is new in a tracked one.")
    tracked = List(Unicode(), ["", "exercises", "solutions"], config=True, help="Folders under version control.")

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
