"""What a load balancer asks of a server, and what it hears while the database is away."""

import sqlite3
from contextlib import closing

import pytest

from server.store.upkeep.versions import FIRST


@pytest.fixture
def client(door):
    return door.client


def test_the_process_answers_also_while_the_database_is_away(door, client):
    door.storage.path.rename(door.storage.path.with_name("away.db"))
    answer = client.get("/healthz")
    assert (answer.status_code, answer.text) == (200, "alive\n")


def test_a_server_is_ready_while_its_database_can_be_read(door, client):
    assert (client.get("/readyz").status_code, client.get("/readyz").text) == (200, "ready\n")
    away = door.storage.path.with_name("away.db")
    door.storage.path.rename(away)
    assert (client.get("/readyz").status_code, client.get("/readyz").text) == (503, "unavailable\n")
    away.rename(door.storage.path)
    assert client.get("/readyz").status_code == 200


def test_it_is_not_ready_on_a_database_that_is_not_up_to_date(door, client):
    with closing(sqlite3.connect(door.storage.path)) as db, db:
        db.execute(f"UPDATE versions SET number = {FIRST - 1}")
        db.execute(f"PRAGMA user_version={FIRST - 1}")
    assert client.get("/readyz").status_code == 503


def test_it_is_ready_while_another_server_writes(door, client):
    with closing(sqlite3.connect(door.storage.path)) as db:
        db.execute("BEGIN IMMEDIATE")
        assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_the_answer_is_the_same_for_everybody_and_remembers_nothing(client, address):
    plain = client.get(address)
    assert plain.mimetype == "text/plain"
    assert plain.headers["Cache-Control"] == "no-store"
    client.set_cookie("__Host-candor", "anything")
    other = client.get(f"{address}?language=ko", headers={"Accept-Language": "ko"})
    assert (other.data, dict(other.headers)) == (plain.data, dict(plain.headers))
    assert "Set-Cookie" not in other.headers
    assert "Vary" not in other.headers
