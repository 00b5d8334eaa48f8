"""Servers that are replaced one after the other while people send: nobody sees an error."""

from rolling import rolled


def test_a_restart_of_one_server_after_the_other_is_seen_by_nobody():
    acknowledged, met, wrong = rolled("sqlite", rounds=1, count=60, rate=20)
    assert wrong == []
    assert acknowledged == 60
    assert met["none"] > 0
