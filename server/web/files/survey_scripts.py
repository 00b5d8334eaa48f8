"""The scripts of a survey's page, built from the modules in ``static/js`` when an application starts.

One by one, the modules would take a page thirty requests. In these scripts each module stands as it was
written, in a function of its own, so that its names do not clash with those of another. Only imports and
exports are rewritten. Comments, which hold the types too, are left out, which saves a quarter of the bytes:
whoever wants to read the scripts reads the modules.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from functools import partial

from server.web.files.script_imports import closure

RESPOND, MORE = "respond.js", "more.js"
"""The script of every survey's page, and the one that it also loads unless all questions are plain yes/no."""

FURTHER = {
    "linked.js": ("js/chance/linked.js", "js/kinds/linked.js", "js/respond/linked.js"),
    "sets.js": ("js/kinds/sets.js",),
}
"""The scripts of surveys whose questions are linked, or have sets as reports, and the modules that each
brings with what they import."""

ALONE = "linked.js"
"""The one of them that needs only the first script. It repeats the few modules that it shares with `MORE`,
which a page of linked yes/no questions then need not load."""

ENTRY = "js/respond/respond.js"
"""The module that runs first."""

PLAIN = (ENTRY, "js/kinds/yes_no.js")
"""With their imports, all modules for a survey of plain questions."""

ROOMS = ("js/kinds/", "js/page/", "js/pictures/", "js/respond/")
"""With their imports, the folders whose modules are for respondents."""

DRAWS = "js/chance/dearest_draws.js"
"""One more for them, which a survey loads later if sections are drawn."""

IMPORT = re.compile(r'^import (?:(?:\* as (\w+)|(\{[^}]*\})) from )?"(\.[^"]+)";', re.MULTILINE)
LATER = re.compile(r"\bimport\(")
EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function\*?) (\w+))", re.MULTILINE)
AFTER = re.compile(r"(?<! ) +// [^\n]*$", re.MULTILINE)
REST = r"[^*]*(?:\*(?!/)[^*]*)*\*/"
COMMENT = re.compile(rf"^ *(?:/\*{REST}|//[^\n]*)\n|/\*\* @{REST} ?", re.MULTILINE)
OTHER = re.compile(r"^(?:(?:import|export)\b.*|(?:\w[^=\n]*= |for )?await\b.*)", re.MULTILINE)
META = re.compile(r"import\.meta\b")

HEAD = """\
/* The modules of a survey's page, as they stand in js/, but for imports, exports and comments. */
const modules = {};
const made = {};
const imported = (path) => (made[path] ??= modules[path](imported, importedLater));
const missing = (error) => { throw new DOMException(error.message, "NetworkError"); };
const importedLater = async (folder, name) => {
  const path = new URL(name, `file:///${folder}/`).pathname.slice(1);
  const script = /linked|sets/.exec(name) ?? ["more"];
  if (!modules[path]) await import(`./${script[0]}.js`).catch(missing);
  return imported(path);
};
export const provide = (more) => Object.assign(modules, more);
"""
"""Runs each module once, at its first import, because it has a state; also if two scripts bring it."""


def scripts(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Build the scripts.

    Parameters
    ----------
    files : mapping of str to bytes
        The content of every file that is served, by its path.

    Raises
    ------
    ValueError
        If a module imports or exports in a way that these functions cannot rewrite, or waits in no function.
    """
    further = parts(files)
    plain, others = further.pop(RESPOND), further.pop(MORE)
    begun, after_more = f'import {{ provide }} from "./{RESPOND}";\n', f'import "./{MORE}";\n'
    return {
        RESPOND: f'{HEAD}{provided(files, plain)}imported("{ENTRY}");\n'.encode(),
        MORE: f"{begun}{provided(files, others)}".encode(),
        **{
            script: f"{begun}{'' if script == ALONE else after_more}{provided(files, paths)}".encode()
            for script, paths in further.items()
        },
    }


def parts(files: Mapping[str, bytes]) -> dict[str, list[str]]:
    """List the modules of each script."""
    rare = {path for paths in FURTHER.values() for path in paths}
    rooms = [path for path in files if path.startswith(ROOMS) and path.endswith(".js")]
    listed: dict[str, list[str]] = {}
    begun = {RESPOND: PLAIN, MORE: [path for path in [*rooms, DRAWS] if path not in rare], **FURTHER}
    for script, entries in begun.items():
        others = [listed[RESPOND]] if script == ALONE else listed.values()
        provided_before = {path for paths in others for path in paths}
        listed[script] = [path for path in closure(files, entries) if path not in provided_before]
    return listed


def provided(files: Mapping[str, bytes], paths: Iterable[str]) -> str:
    """Write the call that provides some modules."""
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
    folder, text = posixpath.dirname(path), without_comments(content.decode())
    names = EXPORT.findall(text)
    text = EXPORT.sub("", IMPORT.sub(partial(replaced_import, folder), text))
    if "import(" in text:
        text = LATER.sub(f'importedLater("{folder}", ', text)
    if other := OTHER.search(text) or META.search(text):
        raise ValueError(
            f"{path}: {other[0]!r} must be an import of names or of a whole module, or in front of const, "
            "class or function, or wait inside a function, for it goes into a script with other modules"
        )
    return f"{text}return {{ {', '.join(names)} }};\n"


def without_comments(text: str) -> str:
    """Leave the comments of a module out."""
    text = COMMENT.sub("", text)
    return AFTER.sub("", text) if " // " in text else text


def replaced_import(folder: str, match: re.Match[str]) -> str:
    """Write the statement that replaces an import."""
    whole, names, name = match.groups()
    module = f'imported("{posixpath.normpath(posixpath.join(folder, name))}");'
    bound = whole or (names and names.replace(" as ", ": "))
    return f"const {bound} = {module}" if bound else module
