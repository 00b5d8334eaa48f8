"""What is typed to sign in, and to add or change accounts."""

from __future__ import annotations

from wtforms import Field, Form, PasswordField, SelectField, StringField

from server.forms.faults import fault
from server.store.accounts import LONGEST_PASSWORD, NAME, ROLES, SHORTEST_PASSWORD


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


class PersonForm(Form):  # type: ignore[misc]  # WTForms has no types
    """A new account; its first password is issued, not typed."""

    name = StringField(filters=[trimmed])
    role = SelectField(choices=list(reversed(ROLES)), validate_choice=False)

    def validate_name(self, field: Field) -> None:
        """Check the characters and the length."""
        if not NAME.fullmatch(field.data):
            raise fault("account.error.name", value=field.data)

    def validate_role(self, field: Field) -> None:
        """Check that it is one of the two roles."""
        if field.data not in ROLES:
            raise fault("account.error.role", value=field.data)


class PasswordForm(Form):  # type: ignore[misc]  # WTForms has no types
    """Somebody's own new password, with the present one."""

    present = PasswordField()
    password = PasswordField(validators=[long_enough])
