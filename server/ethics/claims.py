"""The claims of the page for ethics boards, each with the file behind it and the test that checks it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from survey.definition import Definition
from survey.invitations import LISTED


def always(_definition: Definition) -> bool:
    """Return True, for a claim about every survey."""
    return True


def by_invitation(definition: Definition) -> bool:
    """Return whether only those can take part who were invited."""
    return bool(definition.invitations)


@dataclass(frozen=True)
class Claim:
    """One sentence of the page.

    Attributes
    ----------
    key : str
        The message in the catalogue ``ethics``, below the name of its part.
    file : str
        What makes it true, as a path in the source code.
    test : str or None
        What would fail if it were not, as pytest names it; None where nothing is promised.
    when : callable
        Whether it is about a survey.
    """

    key: str
    file: str
    test: str | None
    when: Callable[[Definition], bool] = always


CLAIMS: Mapping[str, tuple[Claim, ...]] = {
    "collected": (
        Claim(
            "device",
            "static/js/respond/session.js",
            "tests/browser/test_answers_first.py::"
            "test_answers_are_in_their_controls_until_the_press_and_nowhere_else",
        ),
        Claim(
            "drawn",
            "static/js/chance/randomize.js",
            "tests/browser/test_answers_first.py::test_ten_presses_are_one_draw_and_one_row",
        ),
        Claim(
            "length",
            "static/js/respond/session.js",
            "tests/browser/test_respondent.py::test_equal_reports_leave_equal_traces",
        ),
        Claim(
            "stored",
            "server/store/submissions.py",
            "tests/server/test_metadata.py::test_address_agent_referer_and_moment_are_nowhere_in_the_database",
        ),
        Claim(
            "order",
            "server/store/sqlite/buckets.py",
            "tests/server/test_layout.py::"
            "test_the_same_people_in_any_order_and_any_batches_leave_the_same_file",
        ),
        Claim(
            "once",
            "server/store/submissions.py",
            "tests/browser/test_answers_first.py::"
            "test_whenever_the_line_breaks_it_goes_out_again_by_itself_unseen_and_is_stored_once",
        ),
        Claim(
            "invited",
            "server/store/invitations.py",
            "tests/server/test_invitations.py::test_each_invitation_stores_one_report",
            by_invitation,
        ),
        Claim(
            "apart",
            "server/store/invitations.py",
            "tests/server/test_invitations_apart.py::test_whoever_used_which_invitation_the_file_is_the_same",
            by_invitation,
        ),
        Claim(
            "frozen", "survey/publication.py", "tests/server/test_immutability.py::test_the_database_refuses"
        ),
        Claim(
            "pictures",
            "static/js/pictures/loading.js",
            "tests/browser/test_survey_pictures.py::"
            "test_all_pictures_are_asked_for_in_their_order_whoever_is_asked_what",
            lambda definition: bool(definition.pictures),
        ),
        Claim(
            "deleted",
            "server/store/surveys.py",
            "tests/server/test_deleting.py::test_then_nothing_of_them_is_left_in_the_file",
        ),
    ),
    "learned": (
        Claim(
            "checked",
            "static/js/chance/loss.js",
            "tests/browser/test_respondent.py::test_weights_weaker_than_stated_are_refused",
        ),
        Claim(
            "told",
            "templates/respond/questions/frame.html",
            "tests/browser/test_respondent.py::"
            "test_every_question_shows_its_odds_and_its_bound_before_it_is_answered",
        ),
        Claim(
            "bayes",
            "survey/privacy/suspicion.py",
            "tests/survey/privacy/test_suspicion.py::test_every_posterior_lies_within_the_bounds",
        ),
        Claim(
            "linked",
            "survey/linked.py",
            "tests/browser/test_linked.py::test_what_is_said_of_guesses_is_what_the_wheel_allows",
            lambda definition: any(section.linked for section in definition.sections),
        ),
        Claim(
            "total",
            "survey/privacy/budget.py",
            "tests/server/test_results_privacy.py::"
            "test_the_total_is_the_plain_sum_over_questions_and_waves_with_the_limit_that_it_keeps",
        ),
        Claim(
            "limit",
            "survey/publication.py",
            "tests/browser/test_respondent.py::test_a_survey_beyond_its_own_limit_is_refused",
            lambda definition: definition.limit is not None,
        ),
        Claim(
            "steps",
            "server/store/submissions.py",
            "tests/server/test_results_privacy.py::test_while_open_two_results_differ_by_a_step",
        ),
        Claim(
            "listed",
            "server/store/invitation_list.py",
            "tests/server/test_invitations.py::test_the_list_advances_in_the_steps_of_the_results",
            lambda definition: definition.invitations == LISTED,
        ),
        Claim(
            "counts",
            "survey/privacy/shuffle.py",
            "tests/survey/privacy/test_shuffle.py::"
            "test_the_bound_holds_for_the_exact_histogram_of_a_few_people",
        ),
        Claim(
            "forgery",
            "survey/privacy/forgery.py",
            "tests/survey/privacy/test_forgery.py::"
            "test_forged_reports_move_the_estimate_by_the_radius_and_no_further",
        ),
        Claim(
            "roles",
            "server/staff/guard.py",
            "tests/server/test_staff_roles.py::test_every_role_gets_exactly_what_its_rights_give_it",
        ),
    ),
    "unprotected": (
        Claim(
            "scripts",
            "server/cli/client_hash.py",
            "tests/server/test_client_hash.py::test_what_differs_is_named",
        ),
        Claim("part", "server/web/limits/rate_limit.py", None),
        Claim(
            "screen",
            "static/js/respond/session.js",
            "tests/browser/test_respondent.py::test_only_reports_are_kept_and_only_until_they_are_sent",
        ),
        Claim(
            "forged",
            "survey/privacy/forgery.py",
            "tests/survey/privacy/test_forgery.py::test_known_figures",
            lambda definition: not definition.invitations,
        ),
        Claim(
            "forged_once",
            "survey/privacy/forgery.py",
            "tests/server/test_invitations.py::test_one_token_used_fifty_times_at_once_stores_one_report",
            by_invitation,
        ),
        Claim("links", "server/store/invitations.py", None, by_invitation),
        Claim(
            "skips",
            "static/js/kinds/counted_skip.js",
            "tests/browser/test_kinds.py::test_a_skip_that_is_counted_apart_says_so_and_is_recorded_as_it_is",
            lambda definition: any(question.skip == "apart" for question in definition.questions),
        ),
        Claim(
            "coins",
            "static/js/kinds/real_coins.js",
            "tests/browser/test_kinds.py::test_what_real_coins_gave_is_entered_and_has_codes_of_its_own",
            lambda definition: any(question.by_hand for question in definition.questions),
        ),
        Claim(
            "leaving",
            "survey/interval/leaving_band.py",
            "tests/survey/test_leaving.py::test_the_band_holds_the_share_whoever_leaves_over_a_yes",
            lambda definition: definition.seen_first or any(each.by_hand for each in definition.questions),
        ),
        Claim(
            "sections",
            "survey/asked_sections.py",
            "tests/browser/test_sections.py::"
            "test_which_sections_were_drawn_shows_in_the_columns_and_nowhere_else",
            lambda definition: definition.samples,
        ),
        Claim(
            "early",
            "server/store/submissions.py",
            "tests/server/test_submissions.py::test_a_definition_may_give_the_reports_out_earlier",
            lambda definition: definition.reports_while_open,
        ),
        Claim(
            "others",
            "survey/privacy/shuffle.py",
            "tests/server/test_results_privacy.py::"
            "test_who_knows_all_other_reports_of_a_step_reads_the_one_that_is_left",
        ),
        Claim("copies", "server/store/sqlite/buckets.py", None),
        Claim("postgresql", "server/store/postgresql/reports.py", None),
        Claim(
            "together",
            "server/store/invitations.py",
            "tests/server/test_invitations_apart.py::"
            "test_postgresql_shows_who_sent_what_until_the_survey_is_closed",
            by_invitation,
        ),
        Claim("journal", "server/store/sqlite/storage.py", None),
    ),
}
"""Part of the page -> its claims, in order."""


def claims_of(part: str, definition: Definition) -> list[Claim]:
    """Return the claims of a part that are about a survey."""
    return [claim for claim in CLAIMS[part] if claim.when(definition)]
