"""The environment: every fault names the variable, what it may hold, and what it holds."""

from pathlib import Path

import pytest

from server.config import Config, ConfigError, from_environment


def test_an_empty_environment_gives_the_defaults():
    assert from_environment({}) == Config(database=Path("candor.db"), rate_limit=1200, proxy_hops=0)
    assert from_environment({"CANDOR_DATABASE": "", "CANDOR_RATE_LIMIT": ""}) == Config()


def test_every_variable_is_read(tmp_path):
    config = from_environment(
        {
            "CANDOR_DATABASE": str(tmp_path / "a.db"),
            "CANDOR_SECRET_KEY": "k" * 32,
            "CANDOR_ADMIN_NAME": "ada",
            "CANDOR_ADMIN_PASSWORD": "p" * 12,
            "CANDOR_RATE_LIMIT": "0",
            "CANDOR_PROXY_HOPS": "2",
            "CANDOR_BIND": "[::1]:80",
        }
    )
    assert config == Config(tmp_path / "a.db", "k" * 32, "ada", "p" * 12, 0, 2, "[::1]:80")


@pytest.mark.parametrize(
    ("name", "value", "allowed", "shown"),
    [
        ("CANDOR_RATE_LIMIT", "-1", "from 0 to 1000000", "'-1'"),
        ("CANDOR_RATE_LIMIT", "many", "from 0 to 1000000", "'many'"),
        ("CANDOR_RATE_LIMIT", "1000001", "from 0 to 1000000", "'1000001'"),
        ("CANDOR_RATE_LIMIT", "٣", "from 0 to 1000000", "'٣'"),
        ("CANDOR_PROXY_HOPS", "11", "from 0 to 10", "'11'"),
        ("CANDOR_BIND", "8000", "host:port", "'8000'"),
        ("CANDOR_BIND", "localhost:65536", "0 to 65535", "'localhost:65536'"),
        ("CANDOR_DATABASE", "/no/such/folder/a.db", "a folder that exists", "'/no/such/folder/a.db'"),
        ("CANDOR_DATABASE", "/", "a file", "'/'"),
        ("CANDOR_SECRET_KEY", "short", "at least 32 characters", "5 characters"),
    ],
)
def test_a_bad_value_is_told_with_name_range_and_value(name, value, allowed, shown):
    with pytest.raises(ConfigError) as error:
        from_environment({name: value})
    assert str(error.value).startswith(name)
    assert allowed in str(error.value)
    assert shown in str(error.value)


def test_a_bad_secret_is_never_repeated():
    for name in ("CANDOR_SECRET_KEY", "CANDOR_ADMIN_PASSWORD"):
        with pytest.raises(ConfigError) as error:
            from_environment({name: "hunter2", "CANDOR_ADMIN_NAME": "ada"})
        assert "hunter2" not in str(error.value)


def test_the_first_admin_needs_name_and_password_together():
    for half in ({"CANDOR_ADMIN_NAME": "ada"}, {"CANDOR_ADMIN_PASSWORD": "p" * 12}):
        with pytest.raises(ConfigError, match="must be set together"):
            from_environment(half)
