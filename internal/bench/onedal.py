"""oneDAL's side (it runs between side.py and scikit.py): Intel's classes in place of scikit-learn's."""
import importlib.metadata
import logging

import sklearnex

sklearnex.patch_sklearn(verbose=False)


class Accelerated(logging.Handler):
    """Ends the program where Intel's class would let scikit-learn fit after all."""

    def emit(self, record):
        if "fallback to original" in record.getMessage():
            sys.exit("oneDAL leaves it to scikit-learn")


log = logging.getLogger("sklearnex")
log.handlers, log.propagate = [Accelerated()], False
log.setLevel(logging.INFO)

main_of_side = main


def main(models, version):
    main_of_side(models, lambda variant: importlib.metadata.version("scikit-learn-intelex"))
