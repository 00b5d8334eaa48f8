"""Words that promise more than chance can keep are marked in the editor, with both figures beside them."""

from html import unescape
from importlib import resources

import pytest
from click.testing import CliRunner
from draft_editor import Editor

from server.cli import main
from server.store import surveys
from server.surveys.starters import NAMES
from survey.promises import PHRASES, overstated
from survey.read_definition import from_dict, parse

TOO_MUCH = {
    "en": [
        "Your answers are anonymous.",
        "Nobody can know what you said.",
        "This is 100 % safe.",
        "It is completely confidential.",
        "No one will ever find out.",
        "It is impossible to trace you.",
        "Your answer cannot be traced.",
    ],
    "ko": [
        "이 설문은 익명입니다.",
        "아무도 답을 알 수 없습니다.",
        "100% 안전합니다.",
        "비밀을 보장합니다.",
        "절대 드러나지 않습니다.",
    ],
}
HONEST = {
    "en": ["Nobody who receives it can be sure which.", "It may or may not be your answer.", "Call 911."],
    "ko": ["어느 쪽인지 확실히 알 수 없습니다.", "비밀을 지켜 주는 사람과 이야기할 수 있습니다."],
}


@pytest.mark.parametrize(("language", "text"), [(code, text) for code in TOO_MUCH for text in TOO_MUCH[code]])
def test_a_promise_that_chance_cannot_keep_is_marked(language, text):
    assert PHRASES[language].search(text)


@pytest.mark.parametrize(("language", "text"), [(code, text) for code in HONEST for text in HONEST[code]])
def test_what_is_true_is_not_marked(language, text):
    assert not PHRASES[language].search(text)


@pytest.mark.parametrize("name", [*NAMES, "exam-honesty", "student-life", "undeclared-work", "workplace"])
def test_no_template_and_no_example_promises_too_much(name):
    room = resources.files("server.starters" if name in NAMES else "server.examples")
    definition = parse((room / f"{name}.toml").read_text(encoding="utf-8"), name)
    assert list(overstated(definition.as_dict())) == []


def test_the_editor_marks_them_with_both_figures_and_leads_to_their_fields(admin, storage, survey_file):
    wording = {"en": "Nobody can know this. Did you copy?"}
    question = {"id": "copied", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": wording}
    table = survey_file(information={"en": "This survey\nis 100 % safe."}, questions=[question])
    storage.write(surveys.create_draft, table)
    editor = Editor(admin, "exams")
    promises = editor.problems()["promises"]
    figures = "is right up to 74 times in 100, and 74 times after the most telling result"
    assert figures in promises["figures"]
    unit = f"{editor.document['questions'][0]['uid']}.wording.en"
    assert [entry["unit"] for entry in promises["words"]] == ["information.en", unit]
    assert promises["words"][0]["text"] == "Information (English): “100 % safe”"
    page = unescape(editor.page_text("/open"))
    assert "Some words promise more than this survey keeps." in page
    assert figures in page
    assert f'<a href="{editor.address}#{unit}">' in page


def test_a_draft_that_cannot_be_opened_yet_has_both_figures_too(admin, storage, survey_file):
    table = survey_file(information={"en": "This survey is 100 % safe."})
    storage.write(surveys.create_draft, {key: table[key] for key in table if key != "contact"})
    promises = Editor(admin, "exams").problems()["promises"]
    assert "times after the most telling result" in promises["figures"]


def test_the_command_line_and_the_interface_warn_of_them_too(program, survey_file, tmp_path):
    question = {"id": "copied", "mechanism": "spinner_coin", "epsilon": 2.0, "wording": {"en": "Copied?"}}
    table = survey_file(information={"en": "This survey is 100 % safe."}, questions=[question])
    right = "a guess is right 89 times in 100, and 89 after the most telling result"
    warnings = [
        f"{right}; at most 80 and 95 are advised",
        f"information.en says “100 % safe”, but {right}",
    ]
    assert program("ada").ask("POST", "/check", json=table).json["warnings"] == warnings
    file = tmp_path / "exams.toml"
    file.write_text(from_dict(table, "the test").as_toml(), encoding="utf-8")
    checked = CliRunner().invoke(main, ["survey", "check", str(file)])
    assert checked.exit_code == 0
    assert [line.partition("warning: ")[2] for line in checked.stderr.splitlines()] == warnings
