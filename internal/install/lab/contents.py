"""Keeps the lectures as they are: what readers change in one is saved to a copy of theirs.

The lectures are under version control, so a changed one would stand in the way of the next
update. The reader sees the copy in the lecture's place as soon as there is one; "original/"
before a path shows the lecture itself. A copy's metadata says which lecture it is of, and
which version it was made from: "marginalia update" merges into it what is new. New notebooks
and duplicates come to the same folder, own, which git ignores.

The lectures link to the library, which is beside their folder. JupyterLab leaves out the
".." of such a link, since it would lead above its root, and asks for "mlkit/svm/kkt.go".
These files can be read here, and not changed.
"""

import asyncio
import contextlib
import fcntl
import hashlib
import os
import posixpath
import subprocess

import nbformat
from jupyter_server.base.handlers import AuthenticatedFileHandler
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from tornado.web import HTTPError
from traitlets import List, Unicode, default

ORIGINAL = "original/"


def blob(data):
    """Returns git's name for a file with this content."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def mark(notebook):
    """Returns what a notebook's metadata says about the lecture that it is a copy of, or None."""
    ours = notebook["metadata"].get("marginalia")
    copy = ours.get("copy") if isinstance(ours, dict) else None
    return copy if isinstance(copy, dict) and isinstance(copy.get("base"), str) else None


class Files(AuthenticatedFileHandler):
    """Sends the file that is shown: a download of a lecture is the reader's copy."""

    def parse_url_path(self, url_path):
        return super().parse_url_path(self.contents_manager.shown(url_path))


class Contents(AsyncLargeFileManager):
    own = Unicode("", config=True, help="The folder for what is new in a tracked one.")
    tracked = List(Unicode(), ["", "exercises", "solutions"], config=True, help="Folders under version control.")
    library = List(Unicode(), ["datasets", "docs", "mlkit", "plotting", "timing"], config=True, help="Folders beside the root that can be read.")

    @default("files_handler_class")
    def _files_handler_class_default(self):
        return Files

    def __init__(self, **settings):
        super().__init__(**settings)
        self.known = set()  # lectures
        self.served = {}  # what a page that has not saved yet has seen of a lecture, by its sum

    def file(self, path):
        return os.path.join(self.root_dir, *path.split("/"))

    def lecture(self, path):
        """Returns the path of the lecture that path names, else None."""
        path = path.strip("/")
        if not self.own or not path.endswith(".ipynb") or posixpath.dirname(path) not in self.tracked or not os.path.isfile(self.file(path)):
            return None
        if path not in self.known:
            # Status 1: git does not know it, so it is the reader's. Without git, what lies there is a lecture. A
            # repository around an unpacked archive, such as one of a home folder, knows neither.
            above = os.path.dirname(os.path.dirname(os.path.realpath(self.root_dir)))
            env = {**os.environ, "GIT_CEILING_DIRECTORIES": above}
            with contextlib.suppress(OSError):
                if subprocess.run(["git", "--literal-pathspecs", "ls-files", "--error-unmatch", "--", path], cwd=self.root_dir, env=env, capture_output=True).returncode == 1:
                    return None
            self.known.add(path)
        return path

    def copy_of(self, lecture):
        """Returns where the reader's copy of a lecture is, or will be."""
        return posixpath.join(self.own, lecture if "/" in lecture else "lectures/" + lecture)

    def copied(self, lecture):
        """Reports whether there is a copy. An empty file, which a full disk or a crash leaves, is none."""
        file = self.file(self.copy_of(lecture))
        return os.path.isfile(file) and os.path.getsize(file) > 0

    def shown(self, path):
        """Returns the path of the file that is shown as path."""
        if path.strip("/").startswith(ORIGINAL):
            return self.lecture(path.strip("/").removeprefix(ORIGINAL)) or path
        if (lecture := self.lecture(path)) and self.copied(lecture):
            return self.copy_of(lecture)
        return path

    @contextlib.asynccontextmanager
    async def locked(self):
        """Keeps "marginalia update" from reading or writing a copy meanwhile."""
        os.makedirs(self.file(self.own), exist_ok=True)
        with open(self.file(self.own + "/.lock"), "a") as lock:
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    await asyncio.sleep(0.02)
            yield

    def read(self, path):
        with open(self.file(path), "rb") as file:
            return file.read()

    async def get(self, path, **asked):
        if beside := self.beside(path):
            model = await beside.get(path, **asked)
            model["writable"] = False
            return model
        at = self.shown(path)
        if at == path and self.lecture(path) and asked.get("content", True):
            return await self.pristine(path, asked)
        model = await super().get(at, **asked)
        if at != path:
            model["path"] = path.strip("/")
            model["writable"] = model["writable"] and at != path.strip("/").removeprefix(ORIGINAL)
        return model

    async def pristine(self, path, asked):
        """Returns a lecture that has no copy yet, marked as the version that it is."""
        while True:
            data = self.read(path)
            model = await super().get(path, **asked)
            if self.read(path) == data:
                break
        if model["type"] == "notebook":
            base = blob(data)
            self.served[base] = data
            model["content"]["metadata"].setdefault("marginalia", {})["copy"] = {"of": path.strip("/"), "base": base}
        return model

    async def save(self, model, path=""):
        self.refuse(path)
        if not (lecture := self.lecture(path)):
            return await super().save(model, path)
        if model.get("chunk") or model.get("format") == "base64" or "content" not in model:  # JupyterLab uploads so
            raise HTTPError(403, f"{path} is a lecture: give what you upload another name")
        content = model["content"]
        if model.get("type") == "notebook":
            notebook = nbformat.from_dict(content)
        else:  # from a text editor
            try:
                notebook = nbformat.reads(content, as_version=4)
            except Exception as e:
                raise HTTPError(400, f"{path} would be no notebook any more: {e}") from e
        async with self.locked():
            to = self.copy_of(lecture)
            made = not self.copied(lecture)
            if made and self.unchanged(notebook, lecture):
                return await self.get(path, content=False)
            self.stamp(notebook, lecture)
            os.makedirs(os.path.dirname(self.file(to)), exist_ok=True)
            saved = await super().save({"type": "notebook", "format": "json", "content": notebook}, to)
        saved["path"] = lecture
        if made:
            saved["marginalia_copy"] = to  # which the page says
        return saved

    def unchanged(self, notebook, lecture):
        """Reports whether a notebook is what the lecture's file has."""
        same = nbformat.from_dict(notebook)
        ours = same["metadata"].get("marginalia", {})
        if ours.pop("copy", None) and not ours:
            del same["metadata"]["marginalia"]
        return nbformat.writes(same).rstrip("\n").encode() == self.read(lecture).rstrip(b"\n")

    def stamp(self, notebook, lecture):
        """Marks a notebook as a copy, and keeps the version of the lecture that it was made from."""
        now = self.read(lecture)
        if not mark(notebook):
            notebook["metadata"].setdefault("marginalia", {})["copy"] = {"of": lecture, "base": blob(now)}
        base = mark(notebook)["base"]
        data = now if blob(now) == base else self.served.get(base)
        kept = self.file(f"{self.own}/.bases/{base}.ipynb")
        if data and not os.path.exists(kept):  # otherwise git has it
            os.makedirs(os.path.dirname(kept), exist_ok=True)
            with open(kept + ".new", "wb") as file:
                file.write(data)
            os.replace(kept + ".new", kept)

    def instead(self, path):
        """Returns the folder for a new file of folder path."""
        if path.strip("/") not in self.tracked or not self.own:
            return path
        os.makedirs(self.file(self.own), exist_ok=True)
        return self.own

    async def new_untitled(self, path="", type="", ext=""):
        return await super().new_untitled(self.instead(path), type, ext)

    async def copy(self, from_path, to_path=None):
        given = from_path.strip("/").removeprefix(ORIGINAL)
        if to_path is None:
            to_path = os.path.dirname(given)
        if not (lecture := self.lecture(given)) or to_path.strip("/") not in self.tracked:
            return await super().copy(from_path, self.instead(to_path) or None)
        # The name without a number is that of the copy that is shown as the lecture.
        stem, n = self.copy_of(lecture).removesuffix(".ipynb"), 1
        while os.path.exists(self.file(f"{stem}-Copy{n}.ipynb")):
            n += 1
        os.makedirs(os.path.dirname(self.file(stem)), exist_ok=True)
        made = await super().copy(from_path, f"{stem}-Copy{n}.ipynb")
        made["marginalia_copy"] = made["path"]
        return made

    def beside(self, path):
        """Returns the manager of the repository above if path is of its library, else None."""
        folder = posixpath.normpath(path.strip("/")).split("/")[0]
        above = os.path.dirname(os.path.abspath(self.root_dir))
        if folder not in self.library or os.path.exists(os.path.join(self.root_dir, folder)) or not os.path.isfile(os.path.join(above, "mlkit", "mlkit.go")):
            return None
        return AsyncLargeFileManager(parent=self.parent, root_dir=above)

    def refuse(self, path):
        """Raises an error if path is of the library, or a lecture as it was given."""
        if self.beside(path):
            raise HTTPError(403, f"{path} is of the library, which JupyterLab only shows: change it with an editor")
        if path.strip("/").startswith(ORIGINAL) and (lecture := self.lecture(self.shown(path))):
            raise HTTPError(403, f"{path} is the lecture as it was given: open {lecture} to change a copy of it")

    def stays(self, path):
        """Raises an error if path is one that is not renamed or deleted."""
        self.refuse(path)
        if self.own and path.strip("/") in [*self.tracked, self.own]:
            raise HTTPError(403, f"the folder {path.strip('/')} stays: lectures and your copies of them are found there")
        if lecture := self.lecture(path):
            raise HTTPError(403, f"{lecture} is a lecture and stays. Your copy of it, if there is one, is {self.copy_of(lecture)}: without that one you begin anew")

    async def file_exists(self, path):
        beside = self.beside(path)
        return await (beside.file_exists(path) if beside else super().file_exists(self.shown(path)))

    async def dir_exists(self, path):
        beside = self.beside(path)
        return await (beside.dir_exists(path) if beside else super().dir_exists(path))

    async def is_hidden(self, path):
        beside = self.beside(path)
        return await (beside.is_hidden(path) if beside else super().is_hidden(path))

    async def rename_file(self, old_path, new_path):
        self.stays(old_path)
        self.refuse(new_path)
        return await super().rename_file(old_path, new_path)

    async def delete_file(self, path):
        self.stays(path)
        return await super().delete_file(path)

    async def create_checkpoint(self, path):
        self.refuse(path)
        return await super().create_checkpoint(self.shown(path))

    async def list_checkpoints(self, path):
        return [] if self.beside(path) else await super().list_checkpoints(self.shown(path))

    async def restore_checkpoint(self, checkpoint_id, path):
        self.refuse(path)
        if self.lecture(self.shown(path)):
            raise HTTPError(403, f"{path} is a lecture that you have not changed")
        return await super().restore_checkpoint(checkpoint_id, self.shown(path))

    async def delete_checkpoint(self, checkpoint_id, path):
        self.refuse(path)
        return await super().delete_checkpoint(checkpoint_id, self.shown(path))
