"""``candor client-hash``: compare the files that a server sends to respondents with those of this release.

The scripts that run in a respondent's browser decide what leaves it. With the same release of Candor, anybody
can check a server that somebody else runs.
"""

from __future__ import annotations

import http.client
import re
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from itertools import product
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urljoin

import click

from server.cli.shared.http_get import Answer, get, public_url
from server.cli.shared.numbers import examples
from server.option_types import CheckedType

if TYPE_CHECKING:
    from survey.publication import Publication

URL = CheckedType(
    "url", "the address of a survey or of a server, such as https://survey.example/s/health", public_url
)

SERVED = re.compile(r"(?P<place>.*/static/[0-9a-f]+)/(?P<path>.+)")
"""The path of a file: the place of all files of one version, and the file's name there."""

LOADS = {"script": "src", "link": "href", "img": "src", "iframe": "src"}
"""Tag that makes a browser load something -> attribute with the address."""


@click.command(
    "client-hash", epilog=examples("candor client-hash", "candor client-hash > candor-client.sha256")
)
@click.option(
    "--compare", "url", type=URL, help="Compare with what a server gives: https://survey.example/s/health"
)
def client_hash(url: SplitResult | None) -> None:
    """Print the SHA-256 of every file that a respondent's browser can be given.

    Lines are as those of sha256sum.

    With --compare, the server is asked for each of them under the address that its page names, and each is
    the same, differs or is missing. A survey's page is compared too: it must be, byte for byte, what this
    release makes of the survey in it. The exit status is 1 if anything differs. A server could still answer
    others otherwise than you: compare from where respondents are.
    """
    from server.web.files import assets
    from server.web.files.client_files import checksums

    files = assets.collected()
    if url is None:
        click.echo(checksums(files), nl=False)
        return
    try:
        same = True
        for agrees, told in compared(url, files):
            click.echo(told, err=not agrees)
            same &= agrees
    except (OSError, http.client.HTTPException) as error:
        raise click.ClickException(f"{url.geturl()} does not answer: {error}") from error
    sys.exit(0 if same else 1)


def compared(url: SplitResult, files: Mapping[str, bytes]) -> Iterator[tuple[bool, str]]:
    """Ask a server for its page and its files; yield for each whether it agrees, and a line that says so."""
    from server.web.files.client_files import for_respondents

    answer = get(url, "")
    if answer.status != http.client.OK:
        yield False, f"differs   {url.geturl()} answers {answer.status}"
        return
    page = Page()
    page.feed(answer.body.decode("utf-8", "replace"))
    yield from of_survey(answer.body, page)
    origin, places = f"{url.scheme}://{url.netloc}", set()
    for name in sorted(page.addresses):
        address = urljoin(url.geturl(), name)
        served = SERVED.fullmatch(address.removeprefix(origin))
        if served is None or served["path"] not in files:
            yield False, f"differs   the page loads {address}, which this release does not have"
        else:
            places.add(served["place"])
    if not places:
        yield False, f"differs   {url.geturl()} is not a page of Candor's"
    for place, path in product(sorted(places), for_respondents(files)):
        yield of_file(get(url._replace(path=place), f"/{path}"), path, files[path])


def of_file(there: Answer, path: str, content: bytes) -> tuple[bool, str]:
    """Compare a file of a server with ours; return whether they agree, and a line that says so."""
    from server.web.files.client_files import sha256

    if there.status != http.client.OK:
        return False, f"missing   {path}"
    if there.body != content:
        return False, f"differs   {path}: {sha256(there.body)}, and not {sha256(content)}"
    return True, f"same      {path}"


def of_survey(body: bytes, page: Page) -> Iterator[tuple[bool, str]]:
    """Compare a survey's page with the page that this release makes of the survey in it."""
    from survey.fields import DefinitionError
    from survey.read_publication import load

    if page.definition is None:
        return
    try:
        publication = load(page.definition.encode())
    except (DefinitionError, ValueError, LookupError, TypeError):
        yield False, "differs   the page: the survey in it cannot be read"
        return
    # One sentence of a page depends on the database: SQLite or PostgreSQL.
    if body in (rendered(publication), rendered(publication, together=True)):
        yield True, f"same      the page, of the survey with the fingerprint {publication.fingerprint}"
    else:
        yield False, "differs   the page: this release makes another of the survey in it"


def rendered(publication: Publication, *, together: bool = False) -> bytes:
    """Make a survey's page as a server of this release does; for `together` see `Storage.shows_together`."""
    from flask import Flask

    from server.language import request_language
    from server.respond import process_memory
    from server.respond.rendering import page_bytes
    from server.web import contacts, markdown_html
    from server.web.files import assets

    app = Flask(__name__, static_folder=None, template_folder=assets.folder("templates"))
    for part in (request_language, assets, markdown_html, contacts):
        part.init_app(app)
    process_memory.init_app(app, 0, together)
    with app.test_request_context("/s/"):
        return page_bytes(publication)


class Page(HTMLParser):
    """A parser of a page that collects the addresses it loads, and the survey that it holds.

    Attributes
    ----------
    addresses : set of str
        Of scripts, styles and pictures.
    definition : str or None
        The published survey, on a survey's page.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.addresses: set[str] = set()
        self.definition: str | None = None
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the address that a tag loads."""
        held = dict(attrs)
        if address := held.get(LOADS.get(tag, "")):
            self.addresses.add(address)
        self.inside = tag == "script" and held.get("id") == "definition"

    def handle_endtag(self, tag: str) -> None:
        """Leave the tag."""
        self.inside = False

    def handle_data(self, data: str) -> None:
        """Keep the survey."""
        if self.inside:
            self.definition = (self.definition or "") + data
