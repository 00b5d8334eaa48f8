"""``candor survey``: what it says, and the code it ends with."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import COMMANDS, main
from server.store import surveys
from server.store.sqlite.storage import SQLiteStorage
from server.xlsform.writer import sheets, workbook
from survey.read_definition import from_dict, parse
from survey.schema import schema


@pytest.fixture
def candor(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CANDOR_DATABASE", "here.db")
    SQLiteStorage(tmp_path / "here.db").create()
    return lambda *arguments: CliRunner().invoke(main, list(map(str, arguments)))


@pytest.fixture
def file(tmp_path, survey_file):
    path = tmp_path / "exams.toml"
    path.write_text(from_dict(survey_file(), "here").as_toml(), encoding="utf-8")
    return path


def test_help_describes_each_command_as_the_command_describes_itself(candor):
    told = candor("--help").output
    for name, text in COMMANDS.items():
        command = main.get_command(None, name)
        assert command.help.split("\n\n")[0].replace("\n", " ") == text
        assert name in told


def test_an_unknown_command_is_refused(candor):
    assert candor("simulat").exit_code == 2


def test_check_says_what_a_good_file_holds(candor, file):
    result = candor("survey", "check", file)
    assert result.exit_code == 0
    # 1 for the spinner and coin, ln 3 for the two coins
    assert "good: exams, 2 questions, in en, epsilon 2.099 in all" in result.output


def test_check_names_file_key_range_and_value_of_every_fault_in_every_file(candor, file, tmp_path):
    bad = tmp_path / "bad.toml"
    text = file.read_text(encoding="utf-8").replace("epsilon = 1.0", "epsilon = 11").replace("exams", "Exams")
    bad.write_text(text, encoding="utf-8")
    broken = tmp_path / "broken.toml"
    broken.write_bytes(b"candor = \xff")
    result = candor("survey", "check", bad, file, broken)
    assert result.exit_code == 1
    assert f"{bad}: questions[0].epsilon must be a number above 0 and at most 10, got 11" in result.stderr
    assert f"{bad}: slug must be" in result.stderr
    assert f"{broken}: the file must be TOML" in result.stderr
    assert f"{file}: good" in result.stdout


def test_check_tells_of_a_file_above_its_limit_and_goes_on_to_the_next(candor, file, tmp_path):
    above = tmp_path / "above.toml"
    text = file.read_text(encoding="utf-8")
    above.write_text(
        "[budget]\nlimit = 2.0\n".join(text.partition("[[questions]]")[::2]).replace(
            "limit = 2.0\n", "limit = 2.0\n\n[[questions]]", 1
        ),
        encoding="utf-8",
    )
    result = candor("survey", "check", above, file)
    assert result.exit_code == 1
    # 1 + ln 3 = 2.09861...: rounded up, so that a limit of what is said is kept
    assert f"{above}: budget.limit must be at least 2.0987" in result.stderr
    assert f"{file}: good" in result.stdout


def test_a_file_that_is_imported_and_exported_means_the_same(candor, file, tmp_path):
    assert candor("survey", "import", file).exit_code == 0
    expected = parse(file.read_text(encoding="utf-8"), "here")
    assert parse(candor("survey", "export", "exams").stdout, "there") == expected
    storage = SQLiteStorage(tmp_path / "here.db")
    storage.write(surveys.open_survey, 1)
    output = tmp_path / "out.toml"
    assert candor("survey", "export", "exams", "--output", output).exit_code == 0
    assert parse(output.read_text(encoding="utf-8"), "there") == expected


def test_a_survey_goes_out_as_a_form_and_comes_in_again(candor, file, tmp_path):
    expected = parse(file.read_text(encoding="utf-8"), "here")
    candor("survey", "import", file)
    form = tmp_path / "exams.xlsx"
    told = candor("survey", "export", "exams", "--format", "xlsform", "--output", form)
    assert (told.exit_code, told.stdout) == (0, f"exams is now in {form}\n")
    assert candor("survey", "export", "exams", "--format", "xlsform").stdout_bytes == form.read_bytes()
    assert "good: exams, 2 questions" in candor("survey", "check", form).stdout
    storage = SQLiteStorage(tmp_path / "here.db")
    storage.write(surveys.delete_survey, 1)
    assert candor("survey", "import", form).exit_code == 0
    assert parse(candor("survey", "export", "exams").stdout, "there") == expected


def test_what_a_form_holds_and_no_survey_can_is_left_out_only_when_asked(candor, file, tmp_path):
    tables = sheets(parse(file.read_text(encoding="utf-8"), "here"))
    tables["survey"][2]["relevant"] = "1 = 1"
    form = tmp_path / "form.xlsx"
    form.write_bytes(workbook(tables))
    refused = candor("survey", "import", form)
    told = f"{form}: sheet survey, row 4, column relevant must be empty"
    assert (refused.exit_code, told in refused.stderr) == (1, True)
    assert "With --leave-out it is imported without these." in refused.stderr
    taken = candor("survey", "import", form, "--leave-out")
    assert (taken.exit_code, "left out: sheet survey, row 4, column relevant" in taken.stderr) == (0, True)


def test_importing_twice_and_exporting_nothing_are_told(candor, file):
    candor("survey", "import", file)
    again = candor("survey", "import", file)
    assert (again.exit_code, "slug must be free, got 'exams'" in again.stderr) == (1, True)
    missing = candor("survey", "export", "other")
    assert (missing.exit_code, "got 'other'" in missing.stderr) == (1, True)


def test_a_file_that_cannot_be_written_is_named_with_the_reason(candor, file, tmp_path):
    candor("survey", "import", file)
    for form in ("toml", "xlsform"):
        nowhere = tmp_path / "nowhere" / "exams"
        ended = candor("survey", "export", "exams", "--format", form, "--output", nowhere)
        assert (ended.exit_code, ended.stdout) == (1, "")
        assert ended.stderr == f"Error: {nowhere} cannot be used: No such file or directory\n"


def test_a_disk_that_is_full_ends_a_command_with_one_sentence():
    full = Path("/dev/full")  # every write to it fails as on a full disk
    with full.open("w") as output:
        ended = subprocess.run(
            [sys.executable, "-P", "-m", "server.cli", "survey", "schema"],
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (1, "Error: No space left on device\n")


@pytest.mark.parametrize("group", ["survey", "user", "database"])
def test_a_group_describes_each_of_its_commands_in_full(candor, group):
    told = " ".join(candor(group, "--help").output.split())
    for command in main.get_command(None, group).commands.values():
        assert " ".join(command.help.split("\n\n")[0].split()) in told


def test_a_draft_that_is_not_complete_is_not_exported(candor, tmp_path):
    storage = SQLiteStorage(tmp_path / "here.db")
    storage.write(surveys.create_draft, {"candor": 1, "slug": "half"})
    result = candor("survey", "export", "half")
    assert result.exit_code == 1
    assert "half: questions must be a list" in result.stderr


def test_a_fault_in_the_environment_ends_a_command_with_one_sentence(candor, monkeypatch, file):
    monkeypatch.setenv("CANDOR_DATABASE", "/no/such/folder/a.db")
    result = candor("survey", "import", file)
    assert (result.exit_code, result.stderr) == (
        1,
        "Error: Invalid value for '--database' (env var: 'CANDOR_DATABASE'): "
        "must be a file in a folder that exists, or postgresql://user@host/database, "
        "got '/no/such/folder/a.db'\n",
    )


def test_check_adds_up_what_a_person_can_lose_and_names_delta(candor, tmp_path, survey_file):
    boxes = [{"en": f"Box {n}"} for n in range(6)]
    questions = [
        {"id": "a", "kind": "boxes", "mechanism": "sampled_box", "epsilon": 2.0, "options": boxes},
        {"id": "b", "kind": "boxes", "mechanism": "per_box", "scope": "box", "epsilon": 0.5}
        | {"options": boxes},
        {"id": "c", "mechanism": "spinner", "epsilon": 0.5, "by_hand": "coin"},
        {
            "id": "d", "kind": "number", "low": 0, "high": 10, "step": 1,
            "mechanism": "gaussian", "epsilon": 1.0, "delta": 1e-6,
        },
    ]  # fmt: skip
    path = tmp_path / "kinds.toml"
    table = survey_file(questions=[question | {"wording": {"en": "?"}} for question in questions])
    path.write_text(from_dict(table, "here").as_toml(), encoding="utf-8")
    # 2 for the sampled boxes, 6 times 0.5, ln 3 for real coins, 1 for the Gaussian
    assert (
        "4 questions, in en, epsilon 7.099 and delta 1e-06 in all" in candor("survey", "check", path).output
    )


def test_the_examples_that_come_with_candor_are_good(candor):
    from server.cli.simulation.example_truths import EXAMPLES
    from server.cli.simulation.respondents import FOLDER

    files = sorted(FOLDER.glob("*.toml"))
    assert [file.stem for file in files] == sorted(EXAMPLES)
    assert candor("survey", "check", *files).exit_code == 0
    for path in files:
        definition = parse(path.read_text(encoding="utf-8"), path.name)
        assert set(definition.languages) == {"en", "ko"}
        assert [question.id for question in definition.questions] == list(EXAMPLES[definition.slug])


TOTALS = {"exam-honesty": 2.9444, "workplace": 2.9444, "undeclared-work": 2.9444, "student-life": 2.94}


def test_the_examples_protect_people_in_all_and_their_totals_are_spent():
    from server.cli.simulation.respondents import read_examples
    from survey.publication import publish

    for definition in read_examples():
        most = TOTALS[definition.slug]
        assert definition.limit == most
        assert most - 0.04 < publish(definition).budget.epsilon <= most


@pytest.mark.parametrize("slug", ["exam-honesty", "workplace", "undeclared-work"])
def test_the_examples_are_what_a_plan_within_both_limits_makes_of_them(slug):
    from server.cli.simulation.respondents import read_examples
    from survey.plan.proposal import propose

    (example,) = (each for each in read_examples() if each.slug == slug)
    best = propose(example.sections, 1000, waves=example.waves).best[0]
    assert (best.asked, best.total) == (example.asked, example.limit)
    assert [section.as_dict() for section in best.sections] == [
        section.as_dict() for section in example.sections
    ]


def test_one_example_has_every_kind_and_most_mechanisms():
    from server.cli.simulation.respondents import read_examples
    from survey.question import KINDS

    (every,) = (each for each in read_examples() if each.slug == "student-life")
    used = {(question.kind, question.mechanism) for question in every.questions}
    assert used == {(kind, mechanism) for kind, read in KINDS.items() for mechanism in read.mechanisms} - {
        ("yes_no", "spinner"),
        ("choice", "exponential"),
        ("choice", "cyclic"),
        ("number", "laplace"),
        ("number", "gaussian"),
        ("number", "hybrid"),
    }
    assert {question.skip for question in every.questions} == {None, "randomized", "apart"}
    assert {question.by_hand for question in every.questions} == {None, "coin"}


def test_check_warns_of_characters_that_turn_text_around_and_takes_the_file(candor, file):
    text = file.read_text(encoding="utf-8").replace("Did you copy?", "Did you \u202ecopy?")
    file.write_text(text, encoding="utf-8")
    result = candor("survey", "check", file)
    assert result.exit_code == 0
    assert f"{file}: warning: questions[0].wording.en contains U+202E" in result.stderr


def test_the_schema_is_printed_as_the_server_sends_it(candor, staff_app):
    sent = staff_app.test_client().get("/survey.schema.json")
    assert sent.mimetype == "application/schema+json"
    assert candor("survey", "schema").stdout == sent.text
    assert sent.json == schema()
