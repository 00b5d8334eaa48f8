"""The two scripts of a survey's page hold its modules as they were written, each once."""

import re
from graphlib import TopologicalSorter

import pytest

from server.web import assets
from server.web.modules import imports
from server.web.scripts import MORE, RESPOND, function, parts

TYPES = re.compile(r" */\*\* @[^*]*\*/| \* @.*[^/]")
"""A line that is a comment on types, or stands in one."""

FILES = assets.collected()
PARTS = dict(zip((RESPOND, MORE), parts(FILES), strict=True))
MODULES = [(script, path) for script, paths in PARTS.items() for path in paths]


@pytest.mark.parametrize(("script", "path"), MODULES)
def test_a_module_stands_in_its_script_but_for_imports_exports_and_types(script, path):
    _, _, rest = FILES[script].decode().partition(f'\n"{path}": (imported, importedLater) => {{\n')
    lines = [line for line in FILES[path].decode().splitlines() if not TYPES.fullmatch(line)]
    folder = path.rpartition("/")[0]
    for ours, written in zip(rest.splitlines(), lines, strict=False):
        again = ours.replace(f'importedLater("{folder}", ', "import(")
        assert written in (again, f"export {again}") or written.startswith("import ")
    assert rest.splitlines()[len(lines)].startswith("return {")


def test_no_module_stands_in_both_scripts():
    assert not set(PARTS[RESPOND]) & set(PARTS[MORE])


def test_all_that_an_auditor_reads_stands_in_them():
    assert {path for path in FILES if path.startswith("js/chance/")} <= {path for _, path in MODULES}


def test_no_module_imports_itself_by_others():
    TopologicalSorter({path: imports(path, FILES[path]) for _, path in MODULES}).prepare()


@pytest.mark.parametrize(
    "line",
    [
        "export let a = 1;",
        "export default 1;",
        "export { a };",
        'export * from "./a.js";',
        'import a from "./a.js";',
        "const a = import.meta.url;",
    ],
)
def test_what_cannot_be_put_into_a_script_with_others_is_refused(line):
    with pytest.raises(ValueError, match=r"^js/a/b\.js: '(import|export).* must be an import of names"):
        function("js/a/b.js", f"const b = 2;\n{line}\n".encode())
