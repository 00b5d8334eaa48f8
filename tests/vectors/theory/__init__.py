"""The vectors of ``static/js/theory``: one maker and one file for each subject, named like its module."""

from importlib import import_module
from pkgutil import iter_modules


def tables():
    """Subject -> what makes its table: function of the module -> cases."""
    return {
        module.name: import_module(f"{__name__}.{module.name}").table
        for module in iter_modules(__path__)
        if module.name != "cases"
    }
