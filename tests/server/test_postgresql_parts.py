"""The reports of an open survey on PostgreSQL: in parts, by a hash of the receipt."""

import pytest

pytestmark = pytest.mark.engines("postgresql")


def test_every_report_arrives_in_one_of_eight_parts_of_much_the_same_size(door):
    for number in range(64):
        assert door.send(door.body(receipt=f"{number:032x}")) == (200, "stored")

    def sizes(db):
        parts = [f"arrivals_{door.survey.id}_{part}" for part in range(8)]
        return [db.execute(f"SELECT count(*) FROM {part}").fetchone()[0] for part in parts]

    found = door.storage.read(sizes)
    assert sum(found) == 64
    assert max(found) < 3 * 64 / 8
    assert len(door.rows()) == 64
