"""The scripts of a survey's page hold its modules as they were written."""

import json
import re
import subprocess
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from server.web.files import assets
from server.web.files.script_imports import imports
from server.web.files.survey_scripts import ALONE, MORE, function, parts, without_comments

FILES = assets.collected()
NODE = Path(__file__).parents[1] / "js"
PARTS = parts(FILES)
MODULES = [(script, path) for script, paths in PARTS.items() for path in paths]


@pytest.mark.parametrize(("script", "path"), MODULES)
def test_a_module_stands_in_its_script_but_for_imports_exports_and_comments(script, path):
    _, _, rest = FILES[script].decode().partition(f'\n"{path}": (imported, importedLater) => {{\n')
    lines = without_comments(FILES[path].decode()).splitlines()
    folder = path.rpartition("/")[0]
    for ours, written in zip(rest.splitlines(), lines, strict=False):
        again = ours.replace(f'importedLater("{folder}", ', "import(")
        assert written in (again, f"export {again}") or written.startswith("import ")
    assert rest.splitlines()[len(lines)].startswith("return {")


TOKENS = """
import { readFileSync } from "node:fs";
import { tokenize } from "espree";
const as = { ecmaVersion: 2022, sourceType: "module" };
const tokens = (text) => tokenize(text, as).map(({ value }) => value);
const pairs = JSON.parse(readFileSync(0, "utf8"));
console.log(pairs.every((pair) => new Set(pair.map((text) => JSON.stringify(tokens(text)))).size === 1));
"""


def test_what_is_left_out_as_a_comment_is_one():
    written = [FILES[path].decode() for _, path in MODULES]
    pairs = json.dumps([(text, without_comments(text)) for text in written])
    command = ["node", "--input-type=module", "-e", TOKENS]
    ended = subprocess.run(command, input=pairs, cwd=NODE, capture_output=True, text=True, check=True)
    assert ended.stdout == "true\n"


def test_a_style_travels_as_it_was_written_but_for_comments():
    for path, written in assets.read(assets.folder("static")).items():
        if path.endswith(".css"):
            assert FILES[path].split() == re.sub(rb"/\*.*?\*/", b"", written, flags=re.DOTALL).split()


def test_no_module_stands_in_two_scripts_but_what_linked_questions_share_with_rare_kinds():
    twice = {path for path, number in Counter(path for _, path in MODULES).items() if number > 1}
    assert twice == {*PARTS[MORE]} & {*PARTS[ALONE]}
    assert len(twice) < 8


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
        "await b;",
        "const a = await b;",
    ],
)
def test_what_cannot_be_put_into_a_script_with_others_is_refused(line):
    with pytest.raises(
        ValueError, match=r"^js/a/b\.js: '(import|export|(const a = )?await).* must be an import of names"
    ):
        function("js/a/b.js", f"const b = 2;\n{line}\n".encode())
