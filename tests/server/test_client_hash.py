"""`candor client-hash`: whatever a server gives to respondents that this release would not, it names."""

import subprocess

import pytest
from click.testing import CliRunner

from server import create_app
from server.cli import client_hash, main
from server.config import Config
from server.web.files import assets


def run(*arguments):
    ended = CliRunner().invoke(main, ["client-hash", *arguments])
    return ended.exit_code, ended.stdout, ended.stderr


@pytest.fixture
def compared(served):
    """Compare what an application serves with what is here."""

    def compared(app, path="/s/exams"):
        with served(app) as address:
            return run("--compare", address + path)

    return compared


def test_it_prints_what_sha256sum_checks(tmp_path):
    code, printed, _ = run()
    for path, content in assets.collected().items():
        saved = tmp_path / path
        saved.parent.mkdir(parents=True, exist_ok=True)
        saved.write_bytes(content)
    checked = subprocess.run(["sha256sum", "--check", "--quiet"], input=printed, text=True, cwd=tmp_path)
    assert (code, checked.returncode) == (0, 0)


def test_every_file_that_a_page_can_load_is_listed(door):
    """All that the pages name, and all that any listed script imports at any time."""
    _, printed, _ = run()
    listed = {line.split("  ")[1] for line in printed.splitlines() if not line.startswith("#")}
    page = client_hash.Page()
    page.feed(door.get().text)
    named = {client_hash.SERVED.fullmatch(name)["path"] for name in page.addresses}
    assert named <= listed
    files = assets.collected()
    everything = {path for path in files if path.startswith(("js/respond/", "js/kinds/", "js/chance/"))}
    assert everything <= listed


def test_a_server_of_this_release_gives_the_same(door, compared):
    code, told, differing = compared(door.app)
    assert (code, differing) == (0, "")
    assert (
        f"same      the page, of the survey with the fingerprint {door.survey.publication.fingerprint}"
        in told
    )
    assert told.count("same      js/") > 20


def test_below_a_prefix_too(door, compared):
    app = create_app(Config(database=door.storage.path, proxy_hops=1))
    app.wsgi_app = below("/institute", app.wsgi_app)
    assert compared(app, "/institute/s/exams")[0] == 0


def below(prefix, application):
    """A proxy that serves an application below a path."""

    def proxy(environ, start_response):
        environ["PATH_INFO"] = environ["PATH_INFO"].removeprefix(prefix)
        environ["HTTP_X_FORWARDED_PREFIX"] = prefix
        return application(environ, start_response)

    return proxy


def changing(application, path, before, after):
    """A server that changes what it gives under a path."""

    def changed(environ, start_response):
        del environ["HTTP_ACCEPT_ENCODING"]
        kept = []
        body = b"".join(application(environ, lambda *given: kept.extend(given[:2])))
        if environ["PATH_INFO"].endswith(path):
            assert before in body
            body = body.replace(before, after)
        headers = [(name, value) for name, value in kept[1] if name.lower() != "content-length"]
        start_response(kept[0], [*headers, ("Content-Length", str(len(body)))])
        return [body]

    return changed


@pytest.mark.parametrize(
    ("path", "before", "after", "told"),
    [
        ("/js/respond/respond.js", b"import", b"/**/import", "differs   js/respond/respond.js: "),
        ("/respond.js", b"provide", b"supply", "differs   respond.js: "),
        ("/s/exams", b"</body>", b"<p>x</p></body>", "differs   the page: this release makes another"),
        (
            "/s/exams",
            b"</head>",
            b'<script src="https://elsewhere.example/a.js"></script></head>',
            "differs   the page loads https://elsewhere.example/a.js",
        ),
        ("/s/exams", b'"copied"', b'"copied "', "differs   the page: the survey in it cannot be read"),
    ],
)
def test_what_differs_is_named(door, compared, path, before, after, told):
    door.app.wsgi_app = changing(door.app.wsgi_app, path, before, after)
    code, _, differing = compared(door.app)
    assert code == 1
    assert told in differing


def test_a_page_of_somebody_else_and_a_missing_page_are_named(door, compared):
    assert "is not a page of Candor's" in compared(lambda _, start: start("200 OK", []) and [b"<p>Hello"])[2]
    assert "/s/none answers 404" in compared(door.app, "/s/none")[2]


def test_a_server_that_does_not_answer_is_named(port):
    code, _, told = run("--compare", f"http://127.0.0.1:{port}")
    assert (code, "does not answer" in told) == (1, True)


def test_the_release_renders_the_page_without_a_database(door):
    page = door.get().data
    assert client_hash.rendered(door.survey.publication) == page
