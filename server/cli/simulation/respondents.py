"""Simulated respondents, who open the page, answer, randomize and send as a browser does."""

from __future__ import annotations

import http.client
import os
import random
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import click

from server.cli.simulation.example_truths import EXAMPLES, Person, Truth
from survey.column import Column
from survey.definition import Definition
from survey.linked import Linked
from survey.mechanisms import BoxChannel
from survey.publication import Publication, question_columns
from survey.question import Boxes, Question
from survey.randomize import draw_subset, randomize, randomize_boxes, words_for
from survey.randomize_linked import randomize_linked
from survey.read_definition import parse
from survey.read_publication import load
from survey.section import Section

Word = Callable[[], int]

FOLDER = Path(__file__).parent.parent.parent / "examples"
THREADS = 48

ATTEMPTS = 10
"""The most times a request is sent: on a busy machine a thread may take longer than the server waits."""

read_publication = lru_cache(load)
"""Read the definition of a page, the same bytes only once."""

ISLAND = re.compile(rb'<script type="application/json" id="definition">(.*?)</script>', re.DOTALL)


def read_examples() -> list[Definition]:
    """Read the survey files that come with Candor."""
    return [parse((FOLDER / f"{slug}.toml").read_text(encoding="utf-8"), f"{slug}.toml") for slug in EXAMPLES]


def answered(
    publication: Publication, truths: Mapping[str, Truth], person: Person, word: Word
) -> dict[str, int]:
    """Answer the questions that are drawn for one person, and return the codes that leave the device.

    Parameters
    ----------
    publication : Publication
    truths : Mapping[str, Truth]
        Question -> the truth about the people who answer it.
    person : Person
        The person whose truth is drawn.
    word : callable
        Returns another uniform integer in [0, 2**32) at each call, to draw sections and to randomize.
    """
    sections = sections_asked(publication.definition, word)
    asked = {question.id for section in sections for question in section.questions if not section.linked}
    codes: dict[str, int] = {}
    for section in sections:
        if section.linked:
            codes |= linked_codes(section, section.linked, truths, person, word)
    for question, columns in question_columns(publication):
        if codes.keys() & columns.keys():
            codes = {name: column.codes - 1 for name, column in columns.items()} | codes
        elif question.id in asked:
            chosen = question_codes(question, tuple(columns.values()), truths[question.id], person, word)
            codes |= zip(columns, chosen, strict=True)
        else:
            codes |= {name: column.codes - 1 for name, column in columns.items()}
    return codes


def sections_asked(definition: Definition, word: Word) -> list[Section]:
    """Draw the sections of one person; a word is used only if people are asked different ones."""
    if not definition.samples:
        return list(definition.sections)
    places = draw_subset(len(definition.drawn), definition.asked or 0, word())
    drawn = {definition.drawn[place].id for place in places}
    return [section for section in definition.sections if section.always or section.id in drawn]


def question_codes(
    question: Question, columns: Sequence[Column], truth: Truth, person: Person, word: Word
) -> list[int]:
    """Answer one question; return a code for each of its columns."""
    column, skips = columns[0], person.chance.random() < truth.skip
    if skips and column.skip_code is not None:
        return [column.skip_code] * len(columns)
    if isinstance(column.channel, BoxChannel):
        ticked = [truth.ticks(box, person.quantile()) for box in range(len(columns))]
        return randomize_boxes(column.channel, ticked, [word() for _ in range(words_for(column.channel))])
    answer = truth.answer(question, person.quantile())
    if skips and question.skip_answer is not None:
        answer = question.skip_answer
    if column.by_hand and person.chance.random() < truth.by_hand:
        return [column.channel.reports + randomize(column.by_hand, answer, word())]
    return [randomize(column.channel, answer, word())]


def linked_codes(
    section: Section, linked: Linked, truths: Mapping[str, Truth], person: Person, word: Word
) -> dict[str, int]:
    """Answer those of a section's linked questions that a word draws; return a code for each of them."""
    chosen = tuple(range(len(linked.sizes)))
    if linked.sampled:
        chosen = tuple(draw_subset(len(linked.sizes), linked.asked, word()))
    places = [section.answered[place] for place in chosen]
    answers = None
    if not (linked.skip and person.chance.random() < truths[places[0][0].id].skip):
        answers = [linked_answer(question, box, truths[question.id], person) for question, box in places]
    reports = randomize_linked(linked, chosen, answers, word())
    return dict(zip((question.column_names[box] for question, box in places), reports, strict=True))


def linked_answer(question: Question, box: int, truth: Truth, person: Person) -> int:
    """Answer a linked question, which may have a skip of its own, or one of its boxes."""
    if isinstance(question, Boxes):
        return truth.ticks(box, person.quantile())
    answer = truth.answer(question, person.quantile())
    own = question.skip_answer if question.linked and not question.linked.skip else None
    return own if own is not None and person.chance.random() < truth.skip else answer


def system_word() -> int:
    """Draw one word from the operating system."""
    return int.from_bytes(os.urandom(4))


@dataclass
class Visit:
    """A visit of one respondent to one survey, over a connection that the thread keeps open."""

    connection: http.client.HTTPConnection
    slug: str

    def open_page(self) -> Publication:
        """Load the survey's page and read the definition in it."""
        found = ISLAND.search(self.request("GET"))
        if found is None:
            raise RuntimeError(f"the page of {self.slug} holds no definition")
        return read_publication(found[1])

    def send(self, publication: Publication, codes: Mapping[str, int]) -> None:
        """Send a code for each column, as wide as the column's largest."""
        fields = {"fingerprint": publication.fingerprint, "receipt": os.urandom(16).hex()}
        for name, column in publication.columns.items():
            fields[name] = str(codes[name]).zfill(len(str(column.codes - 1)))
        self.request("POST", urlencode(fields))

    def request(self, method: str, body: str | None = None) -> bytes:
        """Send one request and return the body of the response."""
        headers = {"Sec-Fetch-Site": "same-origin"}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        response = self.response(method, body, headers)
        data = response.read()
        if response.status != 200:
            raise RuntimeError(f"{method} /s/{self.slug} was answered {response.status}: {data[-300:]!r}")
        return data

    def response(self, method: str, body: str | None, headers: dict[str, str]) -> http.client.HTTPResponse:
        """Send a request, and again if the server ends the connection: a receipt is counted only once."""
        for _ in range(ATTEMPTS):
            try:
                self.connection.request(method, f"/s/{self.slug}", body, headers)
                return self.connection.getresponse()
            except (BrokenPipeError, ConnectionResetError):
                self.connection.close()  # the next request opens it
        raise click.ClickException(
            f"the server ended the connection {ATTEMPTS} times without an answer: "
            "try again when this machine has less to do"
        )


def answer_all(door: str, respondents: Mapping[str, int]) -> None:
    """Send the answers of simulated respondents, with a progress bar.

    Parameters
    ----------
    door : str
        The server's address.
    respondents : Mapping[str, int]
        Slug of an example -> number of respondents.
    """
    order = [slug for slug, times in respondents.items() for _ in range(times)]
    random.SystemRandom().shuffle(order)
    with click.progressbar(length=len(order), label="Simulated respondents") as bar:
        queue = Queue(iter(order), bar.update)
        with ThreadPoolExecutor(THREADS) as pool:
            try:
                for done in [pool.submit(come, door, queue) for _ in range(THREADS)]:
                    done.result()
            finally:
                queue.waiting = iter(())  # nobody else sets out; on Ctrl-C this ends the threads


@dataclass
class Queue:
    """The respondents still to come: the slug that each will answer, handed out to several threads."""

    waiting: Iterator[str]
    advance: Callable[[int], None]
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __iter__(self) -> Iterator[str]:
        """Yield one slug after another until none are left."""
        while True:
            with self.lock:
                slug = next(self.waiting, None)
            if slug is None:
                return
            yield slug
            with self.lock:
                self.advance(1)


def come(door: str, queue: Queue) -> None:
    """Answer one survey after another over one connection."""
    people = random.SystemRandom()
    connection = http.client.HTTPConnection(urlsplit(door).netloc, timeout=60)
    try:
        for slug in queue:
            visit = Visit(connection, slug)
            publication = visit.open_page()
            visit.send(
                publication,
                answered(publication, EXAMPLES[slug], Person(people, people.random()), system_word),
            )
    finally:
        connection.close()
