"""Every answer of every route carries the content policy and its companions."""

import re

import pytest
from rules import rules_of

from server import create_app
from server.config import Config

COMMON = {
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
PAGE = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
}


def policy(answer):
    return dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))


def test_every_route_answers_with_the_headers_whatever_it_answers(door):
    routes = rules_of(door.app)
    assert len(routes) > 100
    for rule in routes:
        values = dict.fromkeys(rule.arguments, 1 if "int:" in rule.rule else "exams")
        address = rule.build(values, append_unknown=False)[1]
        for method in ("GET", "POST", "DELETE"):
            with door.client.open(address, method=method) as answer:
                for name, value in COMMON.items():
                    assert answer.headers[name] == value, (method, address, name)
                assert policy(answer)["default-src"] == "'none'", (method, address)
                assert "camera=()" in answer.headers["Permissions-Policy"]
                assert answer.status_code != 500, (method, address)


def test_an_ordinary_page_has_the_plain_policy_and_is_not_kept(door):
    answer = door.client.get("/login")
    assert policy(answer) == PAGE
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_respondents_page_connects_nowhere_and_frames_only_us(door):
    assert policy(door.get()) == PAGE | {"connect-src": "'none'", "frame-src": "'self'"}


def test_every_answer_to_a_submission_may_stand_in_our_own_frame(door):
    for body in (door.body(), {}, {"x": "x" * 70_000}):
        answer = door.client.post("/s/exams", data=body, headers={"Sec-Fetch-Site": "same-origin"})
        assert policy(answer) == PAGE | {"frame-ancestors": "'self'"}
        assert answer.headers["Cache-Control"] == "no-store"


def test_so_may_the_page_of_an_error_that_nobody_foresaw(door, monkeypatch):
    monkeypatch.setattr("server.respond.submission.comes_from_own_page", lambda environ: 1 / 0)
    monkeypatch.setitem(door.client.application.config, "PROPAGATE_EXCEPTIONS", False)
    answer = door.client.post("/s/exams", data=door.body())
    assert (answer.status_code, policy(answer)["frame-ancestors"]) == (500, "'self'")


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [("GET", "/nothing", 404), ("DELETE", "/login", 405), ("POST", "/login", 400), ("GET", "/s/none", 404)],
)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_errors_are_told_in_words(door, method, address, status, language):
    answer = door.client.open(address, method=method, headers={"Accept-Language": language})
    assert answer.status_code == status
    assert re.search(r"<h1[^>]*>\s*\S", answer.text)
    assert answer.mimetype == "text/html"


def test_a_defect_is_told_in_words_and_shows_nothing_of_itself(door, monkeypatch):
    from server.public import home

    def defect(*args, **kwargs):
        raise RuntimeError("a secret detail")

    door.app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr(home, "render_template", defect)
    answer = door.client.get("/")
    assert answer.status_code == 500
    assert "<h1" in answer.text
    assert "secret detail" not in answer.text
    assert policy(answer) == PAGE | {"connect-src": "'none'", "form-action": "'none'"}


def test_assets_are_kept_for_ever_under_the_hash_of_all_of_them(door):
    (style,) = re.findall(r'href="\.\.(/static/[0-9a-f]{16}/candor\.css)"', door.get().text)
    with door.client.get(style) as answer:
        assert answer.status_code == 200
        kept = answer.headers["Cache-Control"]
        assert answer.headers["Vary"] == "Accept-Encoding"
    assert {"public", "immutable", "max-age=31536000"} <= set(kept.split(", "))
    for wrong in (re.sub("[0-9a-f]{16}", "0" * 16, style), style.replace("candor.css", "../pyproject.toml")):
        with door.client.get(wrong) as answer:
            assert answer.status_code == 404


def test_a_proxy_is_believed_only_if_configured(tmp_path, clock):
    from server import create_app
    from server.config import Config

    for hops, seen in ((0, "http://localhost/"), (1, "https://survey.example/")):
        app = create_app(Config(database=tmp_path / f"{hops}.db", proxy_hops=hops), clock)
        found = []
        app.before_request(lambda found=found: found.append(__import__("flask").request.host_url))
        forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "survey.example"}
        app.test_client().get("/healthz", headers=forwarded)
        assert found == [seen]


@pytest.mark.parametrize(("asked_for", "status"), [(False, 404), (True, 200)])
def test_the_page_of_components_is_there_only_where_it_is_asked_for(tmp_path, asked_for, status):
    app = create_app(Config(database=tmp_path / "style.db", style=asked_for))
    assert app.test_client().get("/style").status_code == status


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ("/login", 20_000),
        ("/admin/people", 20_000),
        ("/admin/surveys/exams", 1_000_000),
        ("/admin/new", 1_000_000),
    ],
)
def test_a_form_of_more_fields_than_any_page_has_is_refused_before_it_is_read(admin, address, fields):
    form = "application/x-www-form-urlencoded"
    answer = admin.client.post(address, data=b"a&" * fields, content_type=form)
    assert answer.status_code == 413
    assert len(answer.data) < 10_000
