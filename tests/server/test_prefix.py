"""Behind a proxy that serves Candor below a path, every address begins with that path and leads somewhere."""

import re
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest

from server import create_app
from server.config import Config
from server.store import surveys
from server.store.staff import accounts, tokens

PREFIX = "/institute/candor"
PASSWORD = "a long enough password"
ADDRESSES = re.compile(r'\b(?:href|src|action|formaction|data-preview|data-src)="([^"]*)"')
FORWARDED = {"X-Forwarded-Prefix": PREFIX, "X-Forwarded-Proto": "https", "X-Forwarded-Host": "example.org"}


@pytest.fixture
def storage(tmp_path, survey_file):
    """A draft, an open and a closed survey, and an admin."""
    app = create_app(Config(database=tmp_path / "candor.db"))
    storage = app.extensions["candor"].storage
    storage.write(accounts.create, "ada", PASSWORD, "admin")
    for slug in ("half", "open", "closed"):
        draft = storage.write(surveys.create_draft, survey_file(slug))
        if slug != "half":
            storage.write(surveys.open_survey, draft.id)
        if slug == "closed":
            storage.write(surveys.close_survey, draft.id)
    return storage


@pytest.fixture
def client_of(storage):
    """Give a client of the application, as a proxy with these headers stands before it."""

    def client_of(hops=1, **headers):
        client = create_app(Config(database=storage.path, proxy_hops=hops)).test_client()
        for name, value in (FORWARDED | headers).items():
            client.environ_base["HTTP_" + name.upper().replace("-", "_")] = value
        client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
        return client

    return client_of


def crawl(client, *begin):
    """Follow every address from these on: path as a browser sees it -> its answer."""
    found, waiting = {}, [PREFIX + path for path in begin]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        answer = found[path] = client.get(path.removeprefix(PREFIX) or "/", buffered=True)
        if answer.status_code in (301, 302, 308):
            addresses = [answer.location]
        elif answer.mimetype == "text/html":
            addresses = map(unescape, ADDRESSES.findall(answer.text))
        else:
            addresses = []
        for address in addresses:
            if path == f"{PREFIX}/learn/sources" and address.startswith("https://"):
                continue  # where a paper is
            if address.startswith("mailto:"):
                continue
            parts = urlsplit(urljoin(f"https://example.org{path}", address))
            assert parts.netloc == "example.org", (path, address)
            assert parts.path.startswith(PREFIX + "/"), (path, address)
            if "language" not in parts.query:
                waiting.append(parts.path + ("?" + parts.query if parts.query else ""))
    return found


def test_every_address_of_every_page_leads_somewhere_below_the_prefix(client_of):
    client = client_of()
    found = crawl(client, "/", "/s/open", "/s/closed", "/learn", "/admin", "/results", "/no/such/page")
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get("/login").text)[1]
    entered = client.post(
        "/login?next=" + PREFIX + "/results/closed",
        data={"csrf_token": token, "name": "ada", "password": PASSWORD},
        headers={"Referer": "https://example.org/login"},
    )
    assert (entered.status_code, entered.location) == (302, PREFIX + "/results/closed")
    assert "__Host-candor" in entered.headers["Set-Cookie"]
    assert "Path=/;" in entered.headers["Set-Cookie"] + ";"
    found |= crawl(client, "/", "/admin", "/admin/surveys/half/try", "/results", "/account", "/admin/people")
    statuses = {path: answer.status_code for path, answer in found.items()}
    assert len(statuses) > 60
    for page in (
        "/s/open",
        "/learn/noise",
        "/results/closed",
        "/admin/surveys/half",
        "/admin/surveys/half/try",
    ):
        assert statuses[PREFIX + page] == 200
    wrong = {path for path, status in statuses.items() if status not in (200, 302, 308, 405, 409, 410)}
    assert wrong == {PREFIX + "/no/such/page"}


def test_who_is_asked_to_sign_in_comes_back_to_where_they_were(client_of):
    answer = client_of().get("/results/closed?method=wald")
    assert answer.location == f"{PREFIX}/login?next={PREFIX}/results/closed?method%3Dwald"


def test_the_page_of_a_survey_has_the_same_bytes_under_every_prefix(client_of):
    client = client_of()
    pages = {
        client.get("/s/open", headers={"X-Forwarded-Prefix": prefix}).data for prefix in ("/one", "/two", "/")
    }
    assert len(pages) == 1


@pytest.mark.parametrize("prefix", ["//evil.example", "javascript:alert(1)", "/a b", '/"><script>', "/a//b"])
def test_a_prefix_that_is_no_plain_path_is_ignored(client_of, prefix):
    page = client_of(**{"X-Forwarded-Prefix": prefix}).get("/learn")
    assert page.status_code == 200
    assert 'href="/learn/noise"' in page.text


def test_nobody_is_believed_about_a_prefix_without_a_proxy_in_front(client_of):
    assert 'href="/learn/noise"' in client_of(hops=0).get("/learn").text


def test_addresses_in_answers_to_programs_begin_with_the_prefix(client_of, storage):
    ada = storage.read(accounts.by_name, "ada")
    secret = storage.write(tokens.create, ada.id, "tests", False, None, None)
    client, sent = client_of(), {"Authorization": f"Bearer {secret}"}
    listed = client.get("/api/v1/surveys?per_page=1", headers=sent)
    assert (
        f'<https://example.org{PREFIX}/api/v1/surveys?page=2&per_page=1>; rel="next"'
        in listed.headers["Link"]
    )
    assert client.get("/api/v1/none", headers=sent).json["type"] == f"{PREFIX}/api/v1/#problem-address"
    assert client.get("/api/v1/openapi.json").json["servers"] == [{"url": PREFIX}]
    assert f'href="{PREFIX}/api/v1/openapi.json"' in client.get("/api/v1/").text
