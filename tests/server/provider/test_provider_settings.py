"""The file of providers: what it may hold, and that each fault is named with its field, range and value."""

import re
from pathlib import Path

import pytest

from server import providers
from server.providers import Provider, SignInRules, read

WHOLE = {
    "name": '"uni"',
    "title": '"Hillside University"',
    "issuer": '"https://login.hillside.example/realms/staff"',
    "client_id": '"candor"',
    "client_secret": '"hunter2 hunter2"',
    "roles": '{ "candor-admins" = "admin", "staff" = "researcher" }',
}


@pytest.fixture
def file(tmp_path):
    """Write a file with one provider; a field that is None is left out."""

    def write(top="", more="", **changed):
        fields = {key: value for key, value in (WHOLE | changed).items() if value is not None}
        text = "\n".join([top, "[[provider]]", *(f"{key} = {value}" for key, value in fields.items()), more])
        path = tmp_path / "providers.toml"
        path.write_text(text)
        return path

    return write


def test_a_file_says_who_signs_staff_in_and_what_has_a_default(file, tmp_path):
    roles = {"candor-admins": "admin", "staff": "researcher"}
    issuer = "https://login.hillside.example/realms/staff"
    uni = Provider("uni", "Hillside University", issuer, "candor", "hunter2 hunter2", roles)
    assert (uni.groups_claim, uni.name_claim, uni.session_hours) == ("groups", "preferred_username", 4)
    assert read(file()) == SignInRules((uni,), local_accounts=True, break_glass=None)
    (tmp_path / "uni.secret").write_text("hunter2 hunter2\n")
    apart = file(
        'local_accounts = false\nbreak_glass = "ops"', client_secret=None, client_secret_file='"uni.secret"'
    )
    assert read(apart) == SignInRules((uni,), local_accounts=False, break_glass="ops")
    assert "hunter2" not in repr(read(apart))


SECOND = "\n".join(["[[provider]]", *(f"{key} = {value}" for key, value in WHOLE.items())])
FAULTS = [
    ({"name": '"Uni"'}, "provider 1: name must be 1 to 32 of the characters a-z, 0-9 and -, got 'Uni'"),
    ({"title": '""'}, "title must be 1 to 500 characters on one line, got ''"),
    ({"title": None}, "title must be 1 to 500 characters on one line, got nothing"),
    ({"issuer": '"http://login.example"'}, "issuer must be https://host .*, got 'http://login.example'"),
    ({"issuer": '"https://a.example/?b"'}, "issuer must be https://host .*, got 'https://a.example/"),
    ({"roles": '{ staff = "owner" }'}, "roles must be a table .* admin, editor, researcher, got .*'owner'"),
    ({"roles": "{}"}, "roles must be a table"),
    ({"session_hours": "11"}, "session_hours must be a whole number from 1 to 10, got 11"),
    ({"session_hours": "true"}, "session_hours must be a whole number from 1 to 10, got True"),
    ({"scope": '"profile"'}, "scope must be scopes between spaces, openid among them, got 'profile'"),
    ({"group_claim": '"g"'}, "the fields are name, .*, got 'group_claim'"),
    ({"client_secret": None}, "one of client_secret and client_secret_file must be set, got 0 of them"),
    ({"client_secret_file": '"a"'}, "one of client_secret and client_secret_file must be set, got 2 of them"),
    ({"client_secret": '"two\\nlines"'}, "client_secret must be 1 to 500 .*, got 9 characters"),
    ({"client_secret": None, "client_secret_file": '"no"'}, "client_secret_file must be a file .*no'"),
    ({"top": "local_accounts = 1"}, "local_accounts must be true or false, got 1"),
    ({"top": "local_accounts = false"}, "break_glass must name a local account .*, got nothing"),
    ({"top": "admins = 1"}, "the fields are local_accounts, break_glass, got 'admins'"),
    ({"top": "]"}, "must name a TOML file"),
    (
        {"more": SECOND},
        "name must differ between providers, got 'uni' twice",
    ),
]


@pytest.mark.parametrize(("change", "told"), FAULTS, ids=[told for _, told in FAULTS])
def test_a_fault_is_named_with_its_field_its_range_and_its_value(file, change, told):
    with pytest.raises(ValueError, match=told):
        read(file(**change))


def test_a_file_without_a_provider_or_none_at_all_is_refused(tmp_path):
    (tmp_path / "empty.toml").write_text("local_accounts = true")
    with pytest.raises(ValueError, match=r"at least one \[\[provider\]\], got none"):
        read(tmp_path / "empty.toml")
    with pytest.raises(ValueError, match=r"that can be read, got .*none.toml': No such file"):
        read(tmp_path / "none.toml")


def test_a_missing_extra_is_named_by_the_setting(file, monkeypatch):
    monkeypatch.setattr(providers, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"install candor-survey\[oidc\] \(authlib and requests not found\)"):
        read(file())


def test_the_files_in_the_documentation_can_be_read(tmp_path):
    page = (Path(__file__).parents[3] / ".docs" / "operators" / "oidc.md").read_text()
    listed, top = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "uni.secret").write_text("hunter2 hunter2\n")
    (tmp_path / "providers.toml").write_text(top + listed)
    rules = read(tmp_path / "providers.toml")
    assert (rules.break_glass, rules.providers[0].title) == ("ops", "Hillside University")
    assert rules.files == (tmp_path / "providers.toml", tmp_path / "uni.secret")
    for field, (_, allowed) in providers.PROVIDER.items():
        assert field in page, allowed
