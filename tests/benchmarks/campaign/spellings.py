"""How a mark may be written down, and where in files it stands: in every encoding, and inside of streams."""

from __future__ import annotations

import base64
import gzip
import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import brotli

MOST = 1 << 26
"""The most bytes that are read from one compressed stream."""

STREAM = re.compile(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08|PK\x03\x04", re.DOTALL)
"""How zlib's and gzip's streams and the members of a zip file begin."""


URL_SAFE = bytes.maketrans(b"+/", b"-_")


def spellings(mark: str) -> dict[str, bytes]:
    """Return every way in which a text is looked for: name -> bytes.

    Base64 depends on how many bytes stand before the mark, modulo 3; the signs at its ends, which depend on
    the neighbours as well, are left out.
    """
    plain = mark.encode()
    found = {
        "utf-8": plain,
        "utf-16-le": mark.encode("utf-16-le"),
        "utf-16-be": mark.encode("utf-16-be"),
        "hex": plain.hex().encode(),
        "HEX": plain.hex().upper().encode(),
        "percent": "".join(f"%{byte:02x}" for byte in plain).encode(),
        "PERCENT": "".join(f"%{byte:02X}" for byte in plain).encode(),
    }
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + plain)
        found[f"base64 after {before}"] = encoded[[0, 2, 3][before] : (before + len(plain)) * 4 // 3]
        found[f"base64url after {before}"] = found[f"base64 after {before}"].translate(URL_SAFE)
    return found


def numbers(number: int) -> dict[str, bytes]:
    """Return every way in which a number of 32 bits is looked for: digits and bytes."""
    packed = {f"packed {how}": struct.pack(how, number) for how in ("<I", ">I", "<d", ">d")}
    return spellings(str(number)) | packed


def address(text: str) -> dict[str, bytes]:
    """Return every way in which an IPv4 address is looked for: written, and as its four bytes."""
    packed = bytes(map(int, text.split(".")))
    as_number = {"packed": packed, "packed, turned": packed[::-1], "hex, packed": packed.hex().encode()}
    return spellings(text) | as_number | {"as a number": str(int.from_bytes(packed, "big")).encode()}


def streams(data: bytes, depth: int = 2) -> Iterator[bytes]:
    """Give the bytes, and what every compressed stream in them holds."""
    yield data
    if depth == 0:
        return
    for found in STREAM.finditer(data):
        held = inflated(data, found.start())
        if len(held) > 8:
            yield from streams(held, depth - 1)
    with suppress(brotli.error):
        yield brotli.decompress(data)


def inflated(data: bytes, start: int) -> bytes:
    """Return what a stream holds that may begin here, as far as it can be read."""
    wbits = 47  # zlib's or gzip's, whichever it is
    if data[start : start + 2] == b"PK":
        name, extra = struct.unpack_from("<HH", data.ljust(start + 30, b"\0"), start + 26)
        start, wbits = start + 30 + name + extra, -15
    try:
        return zlib.decompressobj(wbits).decompress(memoryview(data)[start:], MOST)
    except zlib.error:
        return b""


def places(files: Iterable[Path], marks: dict[str, dict[str, bytes]]) -> list[str]:
    """Return where marks are found in files: file, mark and spelling."""
    found = []
    for file in files:
        for held in streams(file.read_bytes()):
            for mark, written in marks.items():
                hits = [name for name, spelled in written.items() if spelled in held]
                found += [f"{mark} in {file.name}, {name}" for name in hits]
    return found


def files_in(folder: Path) -> list[Path]:
    """Return every file in a folder and its folders."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def planted(folder: Path, marks: dict[str, dict[str, bytes]]) -> list[str]:
    """Write every spelling into files, plain and compressed; return what the search does not find there."""
    missed = []
    for mark, written in marks.items():
        for name, spelled in written.items():
            data = b"before" + spelled + b"after"
            hidden = {"plain": data, "gzip": b"x" * 99 + gzip.compress(data), "zlib": zlib.compress(data)}
            for how, kept in hidden.items():
                (file := folder / "planted").write_bytes(kept)
                if not places([file], {mark: {name: spelled}}):
                    missed.append(f"{mark}, {name}, {how}, is not found")
                file.unlink()
    return missed
