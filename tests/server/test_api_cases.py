"""Requests that schemathesis makes from the description: no defect, each answer as described.

`tests/benchmarks/api.py` asks twenty thousand times.
"""

import os
from collections import Counter
from copy import deepcopy

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi import checks

from server.store import surveys

CASES = int(os.environ.get("CANDOR_API_CASES", "80"))

CHECKS = [
    checks.status_code_conformance,  # so that there is no 500: nothing describes one
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
]

STATES = {"closed": "closed", "open": "open", "draft": "draft", "unfinished": "draft"}


@pytest.fixture
def there(storage, publish_exams, survey_file):
    """See to it that there is a survey in each state; what a request has changed is made again."""

    def there():
        found = {each.slug: each for each in storage.read(surveys.all_surveys)}
        for slug in found.keys() - STATES.keys():
            storage.write(surveys.delete_survey, found[slug].id)
        for slug, state in STATES.items():
            if slug in found and found[slug].state == state:
                continue
            if slug in found:
                storage.write(surveys.delete_survey, found[slug].id)
            if state == "draft":
                table = survey_file(slug) if slug == "draft" else {"candor": 1, "slug": slug}
                storage.write(surveys.create_draft, table)
            else:
                publish_exams(slug, respondents=12, close=state == "closed")

    return there


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


def places(value, before=()):
    """Yield the place of every value in a table."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield (*before, key)
        yield from places(inner, (*before, key))


def spoilt(table):
    """A survey file in which one value is another, or one more."""

    def spoil(place, value):
        *path, last = place
        spoilt = deepcopy(table)
        inner = spoilt
        for key in path:
            inner = inner[key]
        inner[last] = value
        return spoilt

    return st.builds(spoil, st.sampled_from([*places(table), ("new",)]), ANYTHING)


def described(app):
    """Read the description; survey files that are right or nearly so come from `spoilt`, which is quicker."""
    description = app.test_client().get("/api/v1/openapi.json").json
    description["components"]["schemas"]["SurveyFile"] = {"type": "object"}
    schema = schemathesis.openapi.from_dict(description)
    schema.app = app
    return schema


def test_no_request_meets_a_defect_and_every_answer_is_as_described(staff_app, program, there, survey_file):
    tokens = [program("ada", writes=True).secret, program("ben").secret]
    operations = [each.ok() for each in described(staff_app).get_all_operations()]
    answers = Counter()
    for operation in operations:
        takes_file = "SurveyFile" in str(operation.definition.raw.get("requestBody"))
        file = survey_file("new")
        bodies = st.sampled_from([None, file]) | spoilt(file) if takes_file else st.none()
        for mode in GenerationMode:

            @given(
                case=operation.as_strategy(generation_mode=mode),
                slug=st.sampled_from([None, *STATES]),
                seen=st.sampled_from([None, "*"]),
                body=bodies,
                token=st.sampled_from(tokens),
            )
            @settings(
                max_examples=-(-CASES // len(operations) // len(GenerationMode)),
                suppress_health_check=list(HealthCheck),
            )
            def ask(case, slug, seen, body, token):
                there()
                if slug and "slug" in (case.path_parameters or {}):
                    case.path_parameters["slug"] = slug
                if body is not None:
                    case.body, case.media_type = body, "application/json"
                if seen and "If-Match" in case.headers:
                    case.headers["If-Match"] = seen
                response = case.call(headers={"Authorization": f"Bearer {token}"})
                answers[response.status_code] += 1
                case.validate_response(response, checks=CHECKS)

            ask()
    print(*sorted(answers.items()))
    assert answers.total() >= CASES
    assert {200, 403, 404, 409, 422} <= answers.keys()  # the others are rare, and come or do not
