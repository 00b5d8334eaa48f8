"""What strace shows is put in order, and what a disk keeps of it when the power goes."""

import random

import pytest
from disk import BLOCK, Disk
from recording import Reader

FOLDER = "/data"


def shown(text):
    """Write bytes, or a path, as strace does."""
    return '"' + "".join(f"\\x{byte:02x}" for byte in text.encode()) + '"'


def events(*lines):
    return list(Reader(FOLDER).events(line.replace("FILE", "</data/file>") for line in lines))


def kept(events, share, name="file", folder=None):
    """Return what a file holds after the power went, or None; of what is unsynced a share is kept."""
    disk = Disk(FOLDER)
    disk.apply(events)
    disk.image(random.Random(1), share, folder)
    path = folder / name
    return path.read_bytes() if path.exists() else None


CREATED = f"1 openat(AT_FDCWD, {shown('file')}, O_RDWR|O_CREAT, 0600) = 3FILE"
FOLDER_SYNCED = "1 fsync(4</data>) = 0"


@pytest.mark.parametrize(
    ("lines", "durable"),
    [
        ([f"1 pwrite64(3FILE, {shown('ab')}, 2, 1) = 2", "1 fsync(3FILE) = 0"], b"\0ab"),
        ([f"1 write(3FILE, {shown('ab')}, 2) = 2"] * 2 + ["1 fdatasync(3FILE) = 0"], b"abab"),
        (
            [
                f"1 pwritev(3FILE, [{{iov_base={shown('a')}, iov_len=1}}, {{iov_base={shown('b')}, "
                "iov_len=1}], 2, 0) = 2",
                "1 fsync(3FILE) = 0",
            ],
            b"ab",
        ),
        (["1 fallocate(3FILE, 0, 1, 2) = 0", "1 fsync(3FILE) = 0"], b"\0\0\0"),
        ([f"1 pwrite64(3FILE, {shown('ab')}, 2, 0) = -1 EIO", "1 fsync(3FILE) = 0"], b""),
        ([f"1 pwrite64(3FILE, {shown('ab')}, 2, 0) = 1", "1 fsync(3FILE) = 0"], b"a"),
        ([f"1 pwrite64(3FILE, {shown('ab')}, 2, 0) = 2"], b""),
        (
            [
                "2 fsync(3FILE <unfinished ...>",
                f"1 pwrite64(3FILE, {shown('ab')}, 2, 0) = 2",
                "2 <... fsync resumed>) = 0",
            ],
            b"",
        ),
        (
            [
                f"1 pwrite64(3FILE, {shown('ab')}, 2, 0 <unfinished ...>",
                "2 openat(AT_FDCWD, " + shown("other") + ", O_RDONLY) = 5",
                "1 <... pwrite64 resumed>) = 2",
                "2 fsync(3FILE) = 0",
            ],
            b"ab",
        ),
    ],
    ids=["write", "append", "vector", "allocate", "failed", "short", "unsynced", "during", "before"],
)
def test_a_file_keeps_what_had_been_written_when_a_sync_began(tmp_path, lines, durable):
    assert kept(events(CREATED, FOLDER_SYNCED, *lines), 0.0, folder=tmp_path) == durable


def test_a_write_is_torn_into_blocks(tmp_path):
    written = f"1 pwrite64(3FILE, {shown('a' * 64 * BLOCK)}, {64 * BLOCK}, 0) = {64 * BLOCK}"
    held = kept(events(CREATED, FOLDER_SYNCED, written), 0.5, folder=tmp_path)
    blocks = [held[start : start + BLOCK] for start in range(0, len(held), BLOCK)]
    assert set(blocks) == {b"a" * BLOCK, bytes(BLOCK)}


@pytest.mark.parametrize("call", ["rename", "link"])
@pytest.mark.parametrize("synced", [False, True])
def test_a_new_name_lasts_when_its_folder_is_synced(tmp_path, call, synced):
    moved = f"1 {call}({shown('file')}, {shown('new')}) = 0"
    seen = events(CREATED, FOLDER_SYNCED, moved, *[FOLDER_SYNCED] * synced)
    assert (kept(seen, 0.0, "new", tmp_path) == b"") is synced
    assert (tmp_path / "file").exists() is not (synced and call == "rename")


@pytest.mark.parametrize(
    "line",
    [
        f"1 mkdir({shown('new')}, 0700) = 0",
        f"1 openat(AT_FDCWD, {shown('file')}, O_RDWR|O_DSYNC) = 3FILE",
        "1 fallocate(3FILE, FALLOC_FL_PUNCH_HOLE|FALLOC_FL_KEEP_SIZE, 1, 2) = 0",
        f"1 pwrite64(3FILE, {shown('ab')}..., 4, 0) = 4",
    ],
)
def test_what_cannot_be_followed_is_an_error(line):
    with pytest.raises(ValueError, match=r"not recorded|cut a string off"):
        events(CREATED, line)


def test_what_happens_elsewhere_is_not_looked_at():
    assert events(f"1 openat(AT_FDCWD, {shown('/elsewhere/file')}, O_RDWR|O_CREAT, 0600) = 3") == []
