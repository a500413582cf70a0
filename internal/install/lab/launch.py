"""Starts JupyterLab, and ends it in good order when whoever started it is gone.

Standard input is a pipe that the marginalia command holds open and never
writes to. It ends when that command ends, be it by kill -9; JupyterLab then
gets SIGTERM, upon which it shuts its kernels down.
"""

import logging
import os
import signal
import sys
import threading

lifeline = os.dup(0)
nothing = os.open(os.devnull, os.O_RDONLY)
os.dup2(nothing, 0)
os.close(nothing)


def watch():
    while os.read(lifeline, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


threading.Thread(target=watch, daemon=True).start()

# Jupyter says of each notebook that was not written here that it is not trusted. What Go cells show needs no trust.
logging.getLogger("ServerApp").addFilter(lambda record: record.msg != "Notebook %s is not trusted")

from jupyterlab.labapp import main  # noqa: E402

sys.exit(main())
