"""The environment: every fault names the variable, what it may hold, and what it holds."""

import os
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from server.cli import main
from server.config import Config, ConfigError
from server.options import SETTINGS, from_environment
from server.providers import Provider, SignInRules


@pytest.fixture
def environment(monkeypatch):
    """Read an environment that holds these variables and no other of ours."""
    for name in [name for name in os.environ if name.startswith("CANDOR_")]:
        monkeypatch.delenv(name)

    def read(variables):
        with monkeypatch.context() as patch:
            for name, value in variables.items():
                patch.setenv(name, value)
            return from_environment()

    return read


def test_an_empty_environment_gives_the_defaults(environment):
    assert environment({}) == Config(database=Path("candor.db"), rate_limit=1200, proxy_hops=0)
    assert environment({"CANDOR_DATABASE": "", "CANDOR_RATE_LIMIT": ""}) == Config()


UNI = Provider("uni", "Hillside", "https://login.hillside.example", "candor", "s" * 20, {"staff": "admin"})
PROVIDERS = f"""
[[provider]]
name = "uni"
title = "Hillside"
issuer = "https://login.hillside.example"
client_id = "candor"
client_secret = "{UNI.client_secret}"
roles = {{ staff = "admin" }}
"""


def test_every_variable_is_read(environment, tmp_path):
    variables = {
        "CANDOR_DATABASE": str(tmp_path / "a.db"),
        "CANDOR_BIND": "[::1]:80",
        "CANDOR_RATE_LIMIT": "0",
        "CANDOR_STRANGERS_SHARE": "30",
        "CANDOR_BASE_ADDRESS": "https://survey.example/research/",
        "CANDOR_PROXY_HOPS": "2",
        "CANDOR_STYLE": "1",
        "CANDOR_LOG_FORMAT": "json",
        "CANDOR_ADMIN_NAME": "ada",
        "CANDOR_ADMIN_PASSWORD": "p" * 12,
        "CANDOR_SECRET_KEY": "k" * 32,
        "CANDOR_METRICS_TOKEN": "t" * 32,
        "CANDOR_ACCEPT": "index days.by_day;; grant EXECUTE on f(a bigint, b text) to ben ",
        "CANDOR_HEADS": str(tmp_path / "heads.txt"),
        "CANDOR_OIDC": str(tmp_path / "providers.toml"),
    }
    (tmp_path / "providers.toml").write_text(PROVIDERS)
    assert set(variables) == {option.envvar for option in SETTINGS}
    accepted = frozenset({"index days.by_day", "grant EXECUTE on f(a bigint, b text) to ben"})
    assert environment(variables) == Config(
        tmp_path / "a.db",
        "[::1]:80",
        0,
        30,
        "https://survey.example/research",
        2,
        True,
        "json",
        "ada",
        "p" * 12,
        "k" * 32,
        "t" * 32,
        accepted,
        tmp_path / "heads.txt",
        SignInRules((UNI,)),
    )
    for address in ("https://log.example/candor?key=1", "http://10.0.0.1:8080"):
        assert environment({"CANDOR_HEADS": address}).heads == address


@pytest.mark.parametrize("option", SETTINGS, ids=lambda option: option.envvar)
def test_help_names_the_variable_of_every_setting(option):
    text = CliRunner().invoke(main, ["serve", "--help"]).output
    assert option.envvar in text
    assert (option.opts[0] in text) == (type(option) is click.Option)


@pytest.mark.parametrize("name", ["--secret-key", "--admin-password", "--metrics-token"])
def test_no_secret_can_stand_on_a_command_line(name):
    ended = CliRunner().invoke(main, ["serve", name, "s" * 40])
    assert (ended.exit_code, "No such option" in ended.stderr) == (2, True)


def test_a_command_names_the_variable_whose_value_it_refuses(monkeypatch):
    monkeypatch.setenv("CANDOR_DATABASE", "/")
    ended = CliRunner().invoke(main, ["user", "list"])
    assert (ended.exit_code, ended.stderr) == (
        1,
        "Error: Invalid value for '--database' (env var: 'CANDOR_DATABASE'): "
        "must be a file in a folder that exists, or postgresql://user@host/database, got '/'\n",
    )
    monkeypatch.setenv("CANDOR_SECRET_KEY", "hunter2")
    ended = CliRunner().invoke(main, ["serve", "--database", "x.db"])
    assert (ended.exit_code, ended.stderr.splitlines()[-1]) == (
        2,
        "Error: Invalid value for CANDOR_SECRET_KEY: must be at least 32 characters long, got 7 characters",
    )


@pytest.mark.parametrize(
    ("name", "value", "allowed", "shown"),
    [
        ("CANDOR_RATE_LIMIT", "-1", "from 0 to 1000000", "'-1'"),
        ("CANDOR_RATE_LIMIT", "many", "from 0 to 1000000", "'many'"),
        ("CANDOR_RATE_LIMIT", "1000001", "from 0 to 1000000", "'1000001'"),
        ("CANDOR_RATE_LIMIT", "٣", "from 0 to 1000000", "'٣'"),
        ("CANDOR_PROXY_HOPS", "11", "from 0 to 10", "'11'"),
        ("CANDOR_BASE_ADDRESS", "survey.example", "https://host/path", "'survey.example'"),
        ("CANDOR_BASE_ADDRESS", "https://survey.example?a=1", "https://host", "another URL"),
        ("CANDOR_HEADS", "/no/such/folder/a.txt", "a folder that exists", "'/no/such/folder/a.txt'"),
        ("CANDOR_HEADS", "https://ada:secret@log.example/", "https://host/path", "another URL"),
        ("CANDOR_BIND", "8000", "host:port", "'8000'"),
        ("CANDOR_BIND", "localhost:65536", "0 to 65535", "'localhost:65536'"),
        ("CANDOR_DATABASE", "/no/such/folder/a.db", "a folder that exists", "'/no/such/folder/a.db'"),
        ("CANDOR_DATABASE", "/", "a file", "'/'"),
        ("CANDOR_SECRET_KEY", "short", "at least 32 characters", "5 characters"),
    ],
)
def test_a_bad_value_is_told_with_name_range_and_value(environment, name, value, allowed, shown):
    with pytest.raises(ConfigError) as error:
        environment({name: value})
    assert str(error.value).startswith(name)
    assert allowed in str(error.value)
    assert shown in str(error.value)


def test_a_bad_secret_is_never_repeated(environment):
    for name in ("CANDOR_SECRET_KEY", "CANDOR_ADMIN_PASSWORD"):
        with pytest.raises(ConfigError) as error:
            environment({name: "hunter2", "CANDOR_ADMIN_NAME": "ada"})
        assert "hunter2" not in str(error.value)


def test_the_first_admin_needs_name_and_password_together(environment):
    for half in ({"CANDOR_ADMIN_NAME": "ada"}, {"CANDOR_ADMIN_PASSWORD": "p" * 12}):
        with pytest.raises(ConfigError, match="must both be set"):
            environment(half)
