"""Compiled templates, kept beside the templates as Python keeps modules: compiling them takes long."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path

import jinja2
from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

FOLDER = "__pycache__"

version = cache(metadata.version)
"""The version of a package, read once: its whole description is parsed for it."""


class TemplateCache(FileSystemBytecodeCache):
    """Files that are named after a template, and used until it, Candor or Jinja changes.

    Parameters
    ----------
    templates : Path
        The folder of the templates.

    Notes
    -----
    Nothing is kept where the folder cannot be written to, or Python is told to keep nothing.
    """

    def __init__(self, templates: Path) -> None:
        # What Jinja compiles depends on itself, and on what our filters are declared to take.
        super().__init__(str(templates / FOLDER), f"%s-{version('candor-survey')}-{jinja2.__version__}.cache")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a template, if it is kept; a file that cannot be read, or is damaged, is none."""
        with suppress(Exception):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                Path(self.directory).mkdir(exist_ok=True)
                super().dump_bytecode(bucket)


def init_app(app: Flask, templates: Path) -> None:
    """Let an application keep its templates, unless it does already; nothing may have been rendered yet."""
    app.jinja_options = {"bytecode_cache": TemplateCache(templates), **app.jinja_options}
