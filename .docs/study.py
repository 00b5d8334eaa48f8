"""The study that pages of the documentation work with: the demo with the same people every time.

`candor.db` holds the surveys of `candor demo` after as many answers as there are people below, one of them
closed; `all.zip` is what the results page of that one gives. Nothing in them depends on the day or on chance.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

from server import create_app
from server.cli.demo import CLOSED
from server.cli.simulation.example_truths import EXAMPLES, Person
from server.cli.simulation.respondents import answered, read_examples
from server.config import Config
from server.results.archive.contents import files, names_of_huge
from server.results.archive.zip_stream import zip_pieces
from server.results.downloads.gather_material import gather
from server.store import submissions, surveys
from server.store.submissions import Submission

PEOPLE = 1000
DAY = "2026-05-04"


def make(folder: Path) -> None:
    """Make both files in a folder."""
    app = create_app(Config(database=folder / "candor.db"))
    storage = app.extensions["candor"].storage
    for definition in read_examples():
        draft = storage.write(surveys.import_definition, definition)
        survey = storage.write(surveys.open_survey, draft.id)
        storage.write(submissions.record, people(survey), DAY)
    storage.write(lambda db: surveys.close_survey(db, surveys.by_slug(db, CLOSED).id))
    storage.finish()
    with app.test_request_context(), (folder / "all.zip").open("wb") as file:
        material = gather(CLOSED, {})
        file.writelines(zip_pieces(material.folder, files(material), names_of_huge(material)))
    storage.close()


def people(survey: surveys.Survey) -> list[Submission]:
    """Return what the same people send to a survey."""
    chance = random.Random(survey.slug)  # noqa: S311 - people who are always the same
    publication, truths = survey.publication, EXAMPLES[survey.slug]
    word = partial(chance.getrandbits, 32)
    return [
        Submission(
            survey.id,
            publication.fingerprint,
            chance.randbytes(16).hex(),
            answered(publication, truths, Person(chance, chance.random()), word),
        )
        for _ in range(PEOPLE)
    ]


if __name__ == "__main__":
    make(Path())
