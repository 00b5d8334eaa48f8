"""What the tests of downloaded results share: a survey of every shape of column, and its files."""

import csv

import numpy as np
import pytest

from survey.publication import publish
from survey.read_definition import parse

TOML = """
candor = 2
slug = "work"
asked = 1
languages = ["en", "ko"]
title = { en = "Work", ko = "일" }
information = { en = "Who asks.", ko = "누가 묻는가." }
consent = { en = "Yes.", ko = "예." }
[[sections]]
id = "first"
always = true
title = { en = "All", ko = "모두" }
[[sections.questions]]
id = "copied"
mechanism = "spinner_coin"
epsilon = 1.0
by_hand = "coin"
wording = { en = "Copied?", ko = "베꼈습니까?" }
[[sections.questions]]
id = "sector"
kind = "choice"
mechanism = "wheel"
epsilon = 2.0
skip = "apart"
wording = { en = "Where?", ko = "어디입니까?" }
options = [{ en = "Public", ko = "공공" }, { en = "Private", ko = "민간" }, { en = "Other", ko = "그 밖" }]
[[sections]]
id = "leisure"
title = { en = "Leisure", ko = "여가" }
[[sections.questions]]
id = "drinks"
kind = "number"
mechanism = "laplace"
epsilon = 1.0
low = 0
high = 10
step = 1
unit = { en = "glasses", ko = "잔" }
wording = { en = "How many?", ko = "몇 잔입니까?" }
[[sections]]
id = "habits"
title = { en = "Habits", ko = "습관" }
[[sections.questions]]
id = "habit"
kind = "boxes"
mechanism = "per_box"
epsilon = 3.0
wording = { en = "Which?", ko = "무엇입니까?" }
options = [{ en = "Smoking", ko = "흡연" }, { en = "Gambling", ko = "도박" }, { en = "Other", ko = "그 밖" }]
"""

PEOPLE = 400


def reports_of(publication, people, seed=1):
    """Codes of people who are asked one of the two drawn sections: column -> a code for each."""
    random = np.random.default_rng(seed)
    leisure = random.random(people) < 0.5
    columns = {}
    for name, column in publication.columns.items():
        codes = random.integers(0, column.asked_codes, people)
        if column.drawn:
            codes = np.where(leisure == (name == "drinks"), codes, column.not_asked_code)
        columns[name] = codes
    return columns


def write_csv(path, columns):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*(codes.tolist() for codes in columns.values()), strict=True))


@pytest.fixture(scope="session")
def publication():
    return publish(parse(TOML, "the test"))


@pytest.fixture(scope="session")
def codes(publication):
    return reports_of(publication, PEOPLE)


@pytest.fixture
def folder(tmp_path, codes):
    """A folder with a survey file and its reports."""
    made = tmp_path / "work-12345678"
    made.mkdir()
    (made / "survey.toml").write_text(TOML, encoding="utf-8")
    write_csv(made / "reports.csv", codes)
    return made
