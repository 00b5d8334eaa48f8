"""The fields of requests and responses. Within v1 fields are only added, never renamed or removed."""

from __future__ import annotations

from typing import Any, TypeVar

from marshmallow import INCLUDE, RAISE, Schema, fields
from marshmallow.validate import OneOf, Range, Regexp

from server.language.catalogue import FIRST, say
from server.results.estimates import CONFIDENCE_LEVELS, DEFAULT_METHOD
from server.store.staff.accounts import ROLES
from survey.interval import METHODS
from survey.limits import CONFIDENCE_LEVEL

STATES = ("draft", "open", "closed")
MOST_PAGES = 1_000_000
MOST_SURVEYS_A_PAGE = 200
MOST_REPORTS_A_PAGE = 10_000

Kind = TypeVar("Kind", bound=fields.Field[Any])


class Described(Schema):
    """A schema whose fields the catalogue describes at ``api.field.<name>``; more fields may come."""

    class Meta:
        """Let further fields pass."""

        unknown = INCLUDE

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Add the description of a field."""
        field_obj.metadata = {"description": say(FIRST, f"api.field.{field_name}")}
        super().on_bind_field(field_name, field_obj)


class Query(Schema):
    """Query parameters, which the catalogue describes at ``api.parameter.<name>``."""

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Add the description of a parameter."""
        field_obj.metadata = {"description": say(FIRST, f"api.parameter.{field_name}")}
        super().on_bind_field(field_name, field_obj)


class FaultSchema(Described):
    """A fault of one field."""

    field = fields.String(required=True)
    rule = fields.String(required=True)
    limits = fields.Dict(required=True)
    sentence = fields.String(required=True)


class ProblemSchema(Described):
    """Problem details for HTTP (RFC 9457)."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    faults = fields.List(fields.Nested(FaultSchema))


class TokenSchema(Described):
    """The token of the request."""

    account = fields.String(required=True)
    role = fields.String(required=True, validate=OneOf(ROLES))
    token = fields.String(required=True)
    writes = fields.Boolean(required=True)
    all_surveys = fields.Boolean(required=True)
    expires = fields.String(required=True, allow_none=True)


class HoldSchema(Described):
    """A legal hold: while it is there, nothing of the survey is deleted."""

    set_by = fields.String(required=True)
    since = fields.String(required=True)
    why = fields.String(required=True)


class LifeSchema(Described):
    """The opening, closing and removal of a survey. Moments are UTC, ISO 8601."""

    zone = fields.String(required=True)
    opens_at = fields.String(required=True, allow_none=True)
    closes_at = fields.String(required=True, allow_none=True)
    quota = fields.Integer(required=True, allow_none=True)
    fixed = fields.Boolean(required=True)
    end_changed = fields.String(required=True, allow_none=True)
    closed_by = fields.String(required=True, allow_none=True, validate=OneOf(("hand", "date", "quota")))
    paused = fields.Boolean(required=True)
    archived = fields.Boolean(required=True)
    remove_at = fields.String(required=True, allow_none=True)
    removed = fields.Boolean(required=True)
    kept_until = fields.String(required=True, allow_none=True)
    hold = fields.Nested(HoldSchema, required=True, allow_none=True)


class ProposalSchema(Described):
    """A request of staff that a second admin has to confirm."""

    what = fields.String(required=True, validate=OneOf(("open", "delete", "remove")))
    subject = fields.String(required=True)
    asked_by = fields.String(required=True)
    asked = fields.String(required=True)
    confirmable_until = fields.String(required=True)
    confirmed_by = fields.String(required=True, allow_none=True)


class SurveySchema(Described):
    """A survey, in short."""

    slug = fields.String(required=True)
    state = fields.String(required=True, validate=OneOf(STATES))
    title = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    fingerprint = fields.String(required=True, allow_none=True)
    respondents = fields.Integer(required=True, allow_none=True)
    life = fields.Nested(LifeSchema, required=True)
    proposals = fields.List(fields.Nested(ProposalSchema), required=True)


class Page(Query):
    """The page of a list."""

    page = fields.Integer(load_default=1, validate=Range(1, MOST_PAGES))
    per_page = fields.Integer(load_default=50, validate=Range(1, MOST_SURVEYS_A_PAGE))


class SurveysQuery(Page):
    """The surveys to list."""

    state = fields.String(load_default=None, validate=OneOf(STATES))


class SurveysSchema(Described):
    """A page of the surveys."""

    surveys = fields.List(fields.Nested(SurveySchema), required=True)
    total = fields.Integer(required=True)
    page = fields.Integer(required=True)
    per_page = fields.Integer(required=True)


class DefinitionSchema(Described):
    """The tables of a survey file; those of a draft may be incomplete."""

    candor = fields.Raw()
    slug = fields.String(required=True)
    languages = fields.List(fields.String())


class CheckSchema(Described):
    """The faults of a survey file, or the survey that it would publish."""

    usable = fields.Boolean(required=True)
    faults = fields.List(fields.Nested(FaultSchema), required=True)
    lacks = fields.List(fields.Nested(FaultSchema), required=True)
    warnings = fields.List(fields.String(), required=True)
    fingerprint = fields.String(required=True, allow_none=True)
    epsilon = fields.Float(required=True, allow_none=True)
    guess = fields.Dict(required=True, allow_none=True)
    columns = fields.List(fields.String(), required=True)


class OpeningSchema(Described):
    """The confirmation that opens a survey."""

    class Meta:
        """Refuse further fields."""

        unknown = RAISE

    fingerprint = fields.String(required=True, validate=Regexp("[0-9a-f]{64}", error="fingerprint"))
    reason = fields.String(load_default="")
    linking = fields.Boolean(load_default=False)


class EstimatesQuery(Query):
    """The computation of intervals."""

    confidence_level = fields.Float(load_default=CONFIDENCE_LEVEL, validate=OneOf(CONFIDENCE_LEVELS))
    method = fields.String(load_default=DEFAULT_METHOD, validate=OneOf(METHODS))
    simultaneous = fields.Boolean(load_default=False)


class EstimatesSchema(Described):
    """All estimates of a survey, as in the download."""

    survey = fields.String(required=True)
    title = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    state = fields.String(required=True, validate=OneOf(STATES[1:]))
    fingerprint = fields.String(required=True)
    respondents = fields.Integer(required=True)
    confidence_level = fields.Float(required=True)
    simultaneous = fields.Boolean(required=True)
    method = fields.String(required=True)
    budget = fields.Dict(required=True)
    questions = fields.List(fields.Dict(), required=True)


class QuantitiesSchema(Described):
    """The estimates as a flat table: each row of the download as an object."""

    fingerprint = fields.String(required=True)
    quantities = fields.List(fields.Dict(), required=True)


class ReportsQuery(Query):
    """The page of the reports."""

    page = fields.Integer(load_default=1, validate=Range(1, MOST_PAGES))
    per_page = fields.Integer(load_default=1000, validate=Range(1, MOST_REPORTS_A_PAGE))


class ReportsSchema(Described):
    """A page of the reports: a row for each respondent, a code for each column."""

    fingerprint = fields.String(required=True)
    columns = fields.List(fields.String(), required=True)
    reports = fields.List(fields.List(fields.Integer()), required=True)
    total = fields.Integer(required=True)
    page = fields.Integer(required=True)
    per_page = fields.Integer(required=True)


class CrossQuery(EstimatesQuery):
    """The two columns of a cross-table, and the answers that are compared."""

    row = fields.String(required=True)
    column = fields.String(required=True)
    answer = fields.String(load_default=None)
    group = fields.String(load_default=None)
    other_group = fields.String(load_default=None)


class CrossSchema(Described):
    """The cross-table of two questions: each row of the download as an object."""

    survey = fields.String(required=True)
    fingerprint = fields.String(required=True)
    row = fields.String(required=True)
    column = fields.String(required=True)
    quantities = fields.List(fields.Dict(), required=True)


class ChannelsSchema(Described):
    """Every channel of a survey as exact integers."""

    survey = fields.String(required=True)
    fingerprint = fields.String(required=True)
    columns = fields.Dict(required=True)
    expand = fields.String(required=True)


class CodebookSchema(Described):
    """The meaning of every code: each row of the codebook as an object."""

    fingerprint = fields.String(required=True)
    codes = fields.List(fields.Dict(), required=True)
