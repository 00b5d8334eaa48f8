"""Keep what stands in the editor's fields, right or wrong, and show it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flask_login import current_user

from server.editor.conflict import by_itself, differences, mark, marks, units
from server.editor.languages import offered
from server.editor.lookup import taken
from server.editor.standing import Entry, Standing, entries, spoiled, standing
from server.editor.versions import title
from server.forms.editor import EXPECTED, draft_form, draft_table, replaced, typed
from server.forms.grouping import scales
from server.forms.shape import require_kept
from server.forms.state import ROWS, State, ordered, state_of
from server.language.request_language import translate
from server.services import services
from server.store import edits, surveys
from server.store.edits import AND, HEAD, DraftChangedError, Edits
from server.store.staff import audit
from server.store.surveys import SlugTaken, Survey
from survey.fields import Problem


@dataclass(frozen=True)
class Kept:
    """What a save has left.

    Attributes
    ----------
    survey : Survey
    edits : Edits
    basis : str
        What the next save of the same fields names.
    standing : Standing
    """

    survey: Survey
    edits: Edits
    basis: str
    standing: Standing


@dataclass(frozen=True)
class Joined:
    """What two people have changed at the same time, where each changed something else.

    Attributes
    ----------
    by : str or None
        Who else has saved, if that is known.
    basis : str
        What a later version of mine names that does not go with this one: it began from what mine was.
    theirs, mine : dict
        Name of a difference -> what it is about, in words.
    own : bool
        Whether it was the same person, in another window.
    over : dict
        Name of what both windows of one person have changed -> what the other window had.
    """

    by: str | None
    basis: str
    theirs: dict[str, str]
    mine: dict[str, str]
    own: bool
    over: dict[str, Any]


def stored_state(survey: Survey, found: Edits | None) -> State:
    """Return what the fields of a draft hold."""
    return state_of(typed(survey.draft or {})) if found is None else found.typed


def basis_of(survey: Survey, found: Edits | None) -> str:
    """Return what a form names that is filled from a draft: its state, and that of each of its parts."""
    return edits.basis(survey.draft or {}, found) + marks(stored_state(survey, found))


def filled(survey: Survey, found: Edits | None, respondents: str) -> Any:
    """Return the form of a draft as it was typed, with what is wrong marked."""
    view = {"basis": basis_of(survey, found), "respondents": respondents}
    form = draft_form(offered(survey.draft or {}))(data=stored_state(survey, found) | view)
    if found is not None and found.wrong:
        form.validate()
        refuse_taken(form, survey)
    return form


def has_faults(survey: Survey) -> bool:
    """Return whether a field of a draft refuses what was typed, so that the draft is an earlier version."""
    found = services().storage.read(edits.find, survey.id)
    return found is not None and found.wrong


def stored_standing(survey: Survey, found: Edits | None, problems: Iterable[Problem]) -> Standing:
    """Return how a draft stands as it is stored.

    Parameters
    ----------
    survey : Survey
    found : Edits or None
    problems : iterable of Problem
        What keeps the draft itself from being published.
    """
    if found is None or not found.wrong:
        return Standing((), entries(problems, survey.draft or {}))
    stands = standing(filled(survey, found, str(EXPECTED)), survey.slug)
    # An address that was taken may be free again: what was typed is still to become the draft.
    return stands if stands.faults else Standing((Entry("save", translate("saving.once_more")),), ())


def replace(survey: Survey, seen: str, draft: Mapping[str, Any]) -> None:
    """Store another draft, such as a planned one; its questions stay what they are for whoever writes on.

    Raises
    ------
    SlugTaken, WrongState, DraftChangedError
        As `server.store.edits.save` does.
    """
    storage, by = services().storage, current_user.name
    found = storage.read(edits.find, survey.id)
    state = replaced(draft, survey.draft or {}, found.typed if found else None)
    storage.write(noted(survey), survey.id, seen, state, draft, by)


def noted(survey: Survey) -> Callable[..., tuple[Survey, Edits]]:
    """Return `edits.save`, which notes once a day that whoever is signed in works on the draft."""
    return audit.noted_once_a_day(
        edits.save, current_user.name, "draft_edited", survey.slug, services().today
    )


def refuse_taken(form: Any, survey: Survey) -> None:
    """Mark an address that another survey has."""
    other = services().storage.read(surveys.by_slug, form.slug.data)
    if other is not None and other.id != survey.id:
        form.slug.errors = [taken(form.slug.data)]


def keep(found: Survey, form: Any, by: str | None = None) -> Kept:
    """Store what a form holds, and mark what is wrong with it.

    Parameters
    ----------
    found : Survey
    form : Form
        Of `draft_form`. Afterwards it holds the new basis, and a uid for every row.
    by : str, optional
        Who saves it, if that is not the reader alone.

    Raises
    ------
    Misshapen
        If a text has a character that no database keeps.
    SurveyGone, WrongState
        If the draft was removed or opened meanwhile.
    DraftChangedError
        If somebody else saved it meanwhile.
    """
    require_kept(form.data)
    form.validate()
    seen, by = form.basis.data or "", by or current_user.name
    state = state_of(form.data, current_user.name, seen)
    for kind in ROWS:
        for row, entry in zip(state[kind], form[kind].entries, strict=True):
            entry.put("uid", row["uid"])
    state = ordered(state)
    table = None if spoiled(form) else draft_table(form.data)
    write = services().storage.write
    try:
        survey, left = write(noted(found), found.id, seen, state, table, by)
    except SlugTaken:
        form.slug.errors = [taken(form.slug.data)]
        survey, left = write(noted(found), found.id, seen, state, None, by)
    basis = form.basis.data = basis_of(survey, left)
    return Kept(survey, left, basis, standing(form, survey.slug, table))


def keep_with_others(found: Survey, form: Any) -> tuple[Kept, Any, Joined | None]:
    """Store what a form holds; where somebody else has saved meanwhile, together with what they changed.

    Returns
    -------
    kept : Kept
    form : Form
        With what is stored: the one that came, or another.
    joined : Joined or None
        None where nobody else has saved.

    Raises
    ------
    Misshapen, SurveyGone, WrongState
        As `keep` does.
    DraftChangedError
        If both have changed the same, so that somebody must choose; or if a scale would take its options
        from another.
    """
    seen = form.basis.data or ""
    try:
        return keep(found, form), form, None
    except DraftChangedError:
        survey, other = services().storage.read(edits.stored, found.id)
        if survey.draft is None:
            raise
        mine = ordered(state_of(form.data, current_user.name, seen))
        theirs = stored_state(survey, other)
        differing = differences(seen, mine, theirs)
        others = None if other is None else other.others(current_user.name)
        # What is not known to go on from a version that they have seen is not taken for their latest.
        own = others == "" and len(seen) > HEAD
        both = by_itself(mine, theirs, differing, own)
        if both is None:
            raise
        view = {"basis": basis_of(survey, other), "respondents": form.respondents.data}
        joined = draft_form(offered(survey.draft))(data=both | view)
        if mark(scales(both["questions"])) != mark(scales(joined.data["questions"])):
            raise
    said: dict[str, dict[str, str]] = {"theirs": {}, "mine": {}}
    for each in differing:
        one, another = (theirs, mine) if each.usual == "theirs" else (mine, theirs)
        said[each.usual][each.name] = told(each.name, one, another)
    there = units(theirs)
    over = {
        each.name: there[each.name] for each in differing if each.changed == "both" and each.name in there
    }
    both_names = AND.join(name for name in (current_user.name, others) if name)
    told_of = Joined(others or None, "0" * HEAD + marks(mine), **said, own=own, over=over)
    try:
        return keep(survey, joined, both_names), joined, told_of
    except DraftChangedError:
        return keep_with_others(found, form)  # somebody has saved again in this moment


def told(name: str, one: State, another: State) -> str:
    """Say what somebody has changed: what they have added or taken away is called so."""
    words, now, before = title(name, one, another), units(one), units(another)
    if name in ROWS or (name in now and name in before):
        return words
    return translate("outline.joined.added" if name in now else "outline.joined.removed", words=words)
