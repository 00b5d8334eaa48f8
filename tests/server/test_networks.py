"""Limits count networks, so that whoever holds many addresses may do no more than whoever holds one."""

import pytest

from server import create_app
from server.config import Config
from server.store.lifecycle import life

A_MINUTE = 10


@pytest.fixture
def sends(tmp_path, clock, door_of):
    """Send a new submission from an address, as a proxy tells it; give the status."""
    config = Config(database=tmp_path / "limited.db", rate_limit=A_MINUTE, proxy_hops=1)
    door = door_of(create_app(config, clock))

    def send(address, body=None):
        headers = {"Sec-Fetch-Site": "same-origin", "X-Forwarded-For": address}
        return door.send(body or door.body(), headers=headers)[0]

    send.door = door
    return send


SIXTY = {
    "of one network of 64 bits": [f"2001:db8:1:2:{n:x}::1" for n in range(60)],
    "with a port": [f"[2001:db8:1:2::{n:x}]:{4000 + n}" for n in range(60)],
    "behind one address": [f"192.0.2.7:{4000 + n}" for n in range(60)],
    "written in either way": ["::ffff:192.0.2.7", "192.0.2.7"] * 30,
}


@pytest.mark.parametrize("addresses", SIXTY.values(), ids=SIXTY)
def test_sixty_addresses_pass_like_one(sends, addresses):
    assert [sends(address) for address in addresses] == [200] * A_MINUTE + [429] * (60 - A_MINUTE)
    assert sends("2001:db8:1:3::1") == sends("192.0.2.8") == 200


def test_sixty_addresses_of_as_many_networks_pass(sends):
    addresses = [f"192.0.2.{n}" for n in range(30)] + [f"2001:db8:{n:x}::1" for n in range(30)]
    assert [sends(address) for address in addresses] == [200] * 60


@pytest.mark.parametrize(
    ("share", "address"), [(4, "2001:db8:1:2{:02x}::1"), (16, "2001:db8:1:{:x}00::1")], ids=["56", "48"]
)
def test_many_networks_of_a_wide_one_pass_like_a_few(sends, share, address):
    most = share * A_MINUTE
    answers = [sends(address.format(n % (share + 5))) for n in range(most + 20)]
    assert answers == [200] * most + [429] * 20


def test_a_network_beyond_its_limit_takes_nothing_from_its_neighbours(sends):
    greedy = [sends("2001:db8:1:200::1") for _ in range(5 * A_MINUTE)]
    assert greedy.count(200) == A_MINUTE
    neighbours = [sends(f"2001:db8:1:20{n}::1") for n in (1, 2, 3) for _ in range(A_MINUTE)]
    assert neighbours == [200] * 3 * A_MINUTE


def test_what_is_stored_already_is_forgiven_in_every_network(sends):
    body = sends.door.body()
    assert [sends("2001:db8:1:200::1", body) for _ in range(3 * A_MINUTE)] == [200] * 3 * A_MINUTE
    others = [sends(f"2001:db8:1:20{n}::1") for n in (0, 1, 2, 3) for _ in range(A_MINUTE)]
    assert others.count(200) == 4 * A_MINUTE - 1


@pytest.mark.parametrize("order", [1, -1], ids=["as the page writes it", "in another order"])
def test_a_pause_costs_nobody_a_submission(sends, order):
    body = dict([*sends.door.body().items()][::order])
    sends.door.storage.write(life.pause, sends.door.survey.id)
    assert [sends("192.0.2.7", body) for _ in range(2 * A_MINUTE)] == [503] * 2 * A_MINUTE
    sends.door.storage.write(life.resume, sends.door.survey.id)
    assert [sends("192.0.2.7") for _ in range(A_MINUTE + 1)] == [200] * A_MINUTE + [429]


def test_the_practice_survey_counts_them_too(sends):
    client = sends.door.client
    answers = [
        client.post("/try", headers={"Sec-Fetch-Site": "same-origin", "X-Forwarded-For": address}).status_code
        for address in SIXTY["with a port"]
    ]
    assert answers == [200] * A_MINUTE + [429] * (60 - A_MINUTE)
