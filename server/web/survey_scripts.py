"""The two scripts of a survey's page, made of the modules in ``static/js`` whenever an application starts.

Asked for one by one, the modules take a page thirty requests. Here each stands as it was written, in a
function of its own, so that names of one do not meet those of another. Only its lines that import and export
are others. Comments on lines of their own and the types of expressions are left out, a quarter of the bytes:
whoever wants to read the scripts reads the modules.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from functools import partial

from server.web.script_imports import closure

RESPOND, MORE = "respond.js", "more.js"
"""What every survey's page loads; and what it loads besides for all but plain questions of yes and no."""

ENTRY = "js/respond/respond.js"
"""The module that runs first."""

PLAIN = (ENTRY, "js/chance/sample.js", "js/kinds/yes_no.js")
"""All that a survey of plain questions imports, also where sections are drawn, with what these import."""

ROOMS = ("js/kinds/", "js/page/", "js/pictures/", "js/respond/")
"""The folders whose modules are for respondents, with what these import."""

IMPORT = re.compile(r'^import (?:(?:\* as (\w+)|(\{[^}]*\})) from )?"(\.[^"]+)";', re.MULTILINE)
LATER = re.compile(r"\bimport\(")
EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function\*?) (\w+))", re.MULTILINE)
COMMENT = re.compile(
    r"^ *(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)\n|/\*\* @(?:(?!\*/).)*\*/ ?", re.MULTILINE | re.DOTALL
)
OTHER = re.compile(r"^(?:import|export)\b.*|\bimport\.meta\b", re.MULTILINE)

HEAD = """\
/* The modules of a survey's page, as they stand in js/, but for imports, exports and comments. */
const modules = {};
const made = {};
const imported = (path) => (made[path] ??= modules[path](imported, importedLater));
const missing = (error) => { throw new DOMException(error.message, "NetworkError"); };
const importedLater = async (folder, name) => {
  const path = new URL(name, `file:///${folder}/`).pathname.slice(1);
  if (!modules[path]) await import("./more.js").catch(missing);
  return imported(path);
};
export const provide = (more) => Object.assign(modules, more);
"""
"""Runs a module when it is first imported, and once. None is in both scripts: each has its state."""


def scripts(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Make both scripts.

    Parameters
    ----------
    files : mapping of str to bytes
        Path -> content of every file that is served, with the modules.

    Raises
    ------
    ValueError
        If a module imports or exports in another way than these functions rewrite.
    """
    plain, others = parts(files)
    return {
        RESPOND: f'{HEAD}{provided(files, plain)}imported("{ENTRY}");\n'.encode(),
        MORE: f'import {{ provide }} from "./{RESPOND}";\n{provided(files, others)}'.encode(),
    }


def parts(files: Mapping[str, bytes]) -> tuple[list[str], list[str]]:
    """List the modules of the first script and those of the second, in which none of the first stands."""
    plain = closure(files, PLAIN)
    every = closure(files, (path for path in files if path.startswith(ROOMS) and path.endswith(".js")))
    return plain, [path for path in every if path not in plain]


def provided(files: Mapping[str, bytes], paths: Iterable[str]) -> str:
    """Write the call that provides modules."""
    functions = [
        f'"{path}": (imported, importedLater) => {{\n{function(path, files[path])}}},\n' for path in paths
    ]
    return f"provide({{\n{''.join(functions)}}});\n"


def function(path: str, content: bytes) -> str:
    r"""Write a module as the body of a function that returns what it exports.

    Examples
    --------
    >>> print(function("js/a/b.js", b'import { c as d } from "../e.js";\nexport const f = d;\n'))
    const { c: d } = imported("js/e.js");
    const f = d;
    return { f };
    <BLANKLINE>
    """
    folder, text = posixpath.dirname(path), COMMENT.sub("", content.decode())
    names = EXPORT.findall(text)
    text = LATER.sub(f'importedLater("{folder}", ', EXPORT.sub("", IMPORT.sub(partial(taken, folder), text)))
    if other := OTHER.search(text):
        raise ValueError(
            f"{path}: {other[0]!r} must be an import of names or of a whole module, or in front of const, "
            "class or function, for it goes into a script with other modules"
        )
    return f"{text}return {{ {', '.join(names)} }};\n"


def taken(folder: str, found: re.Match[str]) -> str:
    """Write what takes the place of an import."""
    whole, names, name = found.groups()
    given = f'imported("{posixpath.normpath(posixpath.join(folder, name))}");'
    bound = whole or (names and names.replace(" as ", ": "))
    return f"const {bound} = {given}" if bound else given
