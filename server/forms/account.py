"""Forms to sign in, and to add or change accounts."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Any

from wtforms import Field, Form, PasswordField, SelectField, SelectMultipleField, StringField

from server.forms.faults import fault
from server.store.staff import tokens
from server.store.staff.accounts import LONGEST_PASSWORD, NAME, ROLES, SHORTEST_PASSWORD


def trimmed(value: str | None) -> str:
    """Drop the white space around a name."""
    return (value or "").strip()


def long_enough(form: Form, field: Field) -> None:
    """Refuse a password outside 12 to 1000 characters; its value is not repeated, only its length."""
    length = len(field.data or "")
    if not SHORTEST_PASSWORD <= length <= LONGEST_PASSWORD:
        raise fault("account.error.password", low=SHORTEST_PASSWORD, high=LONGEST_PASSWORD, length=length)


class SignInForm(Form):  # type: ignore[misc]  # WTForms has no types
    """A name and a password, neither of which is judged before it is tried."""

    name = StringField(filters=[trimmed])
    password = PasswordField()


class RightsForm(Form):  # type: ignore[misc]  # WTForms has no types
    """The role of an account, and the surveys that it may see.

    Parameters
    ----------
    *args, **kwargs
        As for every form.
    slugs : collection of str
        The names of all surveys.
    """

    role = SelectField(choices=list(reversed(ROLES)), validate_choice=False)
    scope = SelectField(choices=["chosen", "all"], default="chosen", validate_choice=False)
    surveys = SelectMultipleField(validate_choice=False)

    def __init__(self, *args: Any, slugs: Collection[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.slugs = frozenset(slugs)

    def validate_role(self, field: Field) -> None:
        """Check that it is one of the roles."""
        if field.data not in ROLES:
            raise fault("account.error.role", value=(field.data or "")[:80])

    def validate_scope(self, field: Field) -> None:
        """Check that it is one of the two; nobody but a researcher is given all there will be."""
        if field.data not in field.choices:
            raise fault("people.error.scope", value=field.data[:80])
        if field.data == "all" and self.role.data == "editor":
            raise fault("people.error.scope_editor")

    def validate_surveys(self, field: Field) -> None:
        """Check that there are such surveys."""
        for slug in field.data or ():
            if slug not in self.slugs:
                raise fault("people.error.survey", value=slug[:80])


class PersonForm(RightsForm):
    """A new account; its first password is issued, not typed."""

    name = StringField(filters=[trimmed])

    def validate_name(self, field: Field) -> None:
        """Check the characters and the length."""
        if not NAME.fullmatch(field.data):
            raise fault("account.error.name")


class ResetForm(Form):  # type: ignore[misc]  # WTForms has no types
    """A new password of somebody whom a link has brought."""

    link = StringField(filters=[trimmed])
    password = PasswordField(validators=[long_enough])


class JoinForm(ResetForm):
    """The name and the password that somebody chooses who was invited."""

    name = StringField(filters=[trimmed])

    def validate_name(self, field: Field) -> None:
        """Check the characters and the length."""
        if not NAME.fullmatch(field.data):
            raise fault("account.error.name")


class PresentForm(Form):  # type: ignore[misc]  # WTForms has no types
    """The present password alone, where a session is not enough."""

    present = PasswordField()


class CodeForm(Form):  # type: ignore[misc]  # WTForms has no types
    """A code of a second factor, which is judged where it is taken."""

    code = StringField(filters=[trimmed])


class PasswordForm(Form):  # type: ignore[misc]  # WTForms has no types
    """Somebody's own new password, with the present one."""

    present = PasswordField()
    password = PasswordField(validators=[long_enough])


class TokenForm(Form):  # type: ignore[misc]  # WTForms has no types
    """A new token for a program, with the present password of whoever makes it."""

    name = StringField(filters=[trimmed])
    access = SelectField(choices=["read", "write"], default="read", validate_choice=False)
    scope = SelectField(choices=["all", "chosen"], default="all", validate_choice=False)
    surveys = SelectMultipleField(validate_choice=False)
    expires = StringField(filters=[trimmed])
    present = PasswordField()

    def validate_name(self, field: Field) -> None:
        """Check that it can be read on one line."""
        if not 1 <= len(field.data) <= tokens.LONGEST_NAME or not field.data.isprintable():
            raise fault("account.error.token_name", most=tokens.LONGEST_NAME, value=field.data[:80])

    def validate_access(self, field: Field) -> None:
        """Check that it is one of the two."""
        if field.data not in field.choices:
            raise fault("account.error.token_access", value=field.data[:80])

    def validate_scope(self, field: Field) -> None:
        """Check that it is one of the two, and that some surveys are chosen where they have to be."""
        if field.data not in field.choices:
            raise fault("account.error.token_scope", value=field.data[:80])
        if field.data == "chosen" and not self.surveys.data:
            raise fault("account.error.token_surveys")

    def validate_expires(self, field: Field) -> None:
        """Check that it is a day, if it is given."""
        if not field.data:
            return
        try:
            field.data = date.fromisoformat(field.data).isoformat()
        except ValueError:
            raise fault("account.error.token_expires", value=field.data[:80]) from None
