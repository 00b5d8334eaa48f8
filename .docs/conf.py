"""How Sphinx makes the documentation; `.ci/site FOLDER` calls it."""

from __future__ import annotations

import re
import shutil
import sys
from importlib.metadata import version as installed
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).parent
ROOT = HERE.parent
MADE = HERE / "made"
sys.path.insert(0, str(HERE))

project = html_title = "Candor"
copyright = "the authors of Candor, who permit its use under the MIT licence"  # noqa: A001
version = release = installed("candor-survey")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header", "ref.python"]  # parts of files; two classes with an attribute of one name
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # the types in signatures are described elsewhere, or nowhere
autodoc_typehints = "none"
default_role = "code"
smartquotes = False

html_theme = "furo"
html_theme_options = {"top_of_page_buttons": []}
html_favicon = html_logo = "../static/mark.svg"
html_static_path = ["look/look.css.jinja"]
html_css_files = ["look.css"]
templates_path = ["look"]
html_copy_source = html_use_index = html_domain_indices = False
html_show_search_summary = False  # no browser fetches the texts of pages from a disk

SHEET = (ROOT / "static/candor.css").read_text(encoding="utf-8")
LIGHT, DARK, *_ = re.findall(r"^ *:root \{(.*?)^ *\}", SHEET, re.MULTILINE | re.DOTALL)
"""The custom properties of Candor's own pages: all in light colours, and the dark ones."""

html_context = {
    name: " ".join(re.findall(r"--[\w-]+: [^;]+;", block))
    for name, block in (("light", LIGHT), ("dark", DARK))
}

SHOWN = {
    "README": "/index",
    "PROMISES": "/project/promises",
    "THREATS": "/project/threats",
    "ENGINES": "/project/engines",
    "CHANGELOG": "/project/changelog",
    "VERSIONS": "/project/versions",
    "CONTRIBUTING": "/project/contributing",
    "CODE_OF_CONDUCT": "/project/conduct",
    "GOVERNANCE": "/project/decisions",
    "SECURITY": "/project/security",
    "ASVS": "/auditors/requirements",
}
"""Name of a file that pages show -> the page on which it begins."""


def lead_to_pages(app: Sphinx, path: Path, page: str, content: list[str]) -> None:
    """Let the links of a file that stands elsewhere in the repository lead to the pages that show it."""
    text = re.sub(r"\]\((?:\.\./)?\.docs/", "](/", content[0])
    text = re.sub(r"\[([^]]+)\]\(workflows/.+?\)", r"`.github/workflows/`", text)
    text = re.sub(r"(?<=README\.md)#[\w-]+", "", text)
    file = re.compile(r"\]\((?:\.\./)?(?:\.github/)?([A-Z_]+)\.md")
    content[0] = file.sub(lambda link: f"]({SHOWN[link[1]]}.md", text)


def fill_in(app: Sphinx, page: str, content: list[str]) -> None:
    """Put into a page the parts that are generated."""
    from generated import filled

    content[0] = filled(content[0])


def finish_page(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    """Let whoever has no mouse reach blocks that are wide, and list no pages of other chapters."""
    context["body"] = context.get("body", "").replace("<pre>", '<pre tabindex="0">')
    listed = context["toctree"]
    context["toctree"] = lambda **options: listed(**options | {"collapse": True})


def leave_out(app: Sphinx, problem: Exception | None) -> None:
    """Leave out what only developers of the theme need."""
    for path in Path(app.outdir).rglob("*.map"):
        path.unlink()


def make_study(app: Sphinx) -> None:
    """Put the download that pages work with beside them, so that a reader gets the figures that they show."""
    from study import make

    with TemporaryDirectory() as folder:
        made = Path(app.config.study or folder)
        if not app.config.study:
            make(made)
        MADE.mkdir(exist_ok=True)
        shutil.copy(made / "all.zip", MADE)


def setup(app: Sphinx) -> None:
    """Change what is read from elsewhere, and make what is downloaded."""
    app.connect("builder-inited", make_study)
    app.connect("html-page-context", finish_page, priority=400)  # before the theme
    app.connect("build-finished", leave_out)
    app.add_config_value("study", "", "", str, "A folder in which the study was made already.")
    app.connect("source-read", fill_in)
    app.connect("include-read", lead_to_pages)
