"""Files that are sent as pictures: each is made anew from its pixels, or refused with a reason."""

import io
import json
import random
import struct
import subprocess
import sys
import time
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from server.pictures import pixels, reencoding
from server.pictures.pixels import reencode
from server.pictures.reencoding import NotAPicture

RED, BLUE = Image.new("RGB", (120, 80), "red"), Image.new("RGB", (120, 80), "blue")
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def written(image, kind, **options):
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def noise(width, height, mode="RGB"):
    """Pixels that no format makes small."""
    return Image.frombytes(mode, (width, height), random.Random(1).randbytes(width * height * len(mode)))


def photograph(width, height):
    """A picture of soft colours with a little of everything, as a camera gives it."""
    return noise(40, 30).resize((width, height), Image.Resampling.BICUBIC)


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def header(width, height):
    return SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))


def of_bytes(data):
    return Image.open(io.BytesIO(data))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_every_format_comes_in(kind):
    name, width, height, data = reencode(written(RED, kind))
    assert (name, width, height) == ("png", 120, 80)
    red, green, blue = of_bytes(data).convert("RGB").getpixel((60, 40))
    assert red > 240
    assert max(green, blue) < 16


@pytest.mark.parametrize(
    ("image", "options", "mode"),
    [
        (Image.new("1", (9, 9), 1), {}, "L"),
        (Image.new("L", (9, 9), 7), {}, "L"),
        (Image.new("LA", (9, 9), (7, 9)), {}, "RGBA"),
        (Image.new("RGBA", (9, 9), (7, 8, 9, 10)), {}, "RGBA"),
        (Image.new("RGBA", (9, 9), (7, 8, 9, 255)), {}, "RGB"),
        (Image.new("RGBA", (9, 9), (7, 8, 9, 0)).quantize(), {}, "RGBA"),
        (Image.new("RGB", (9, 9), (7, 8, 9)).quantize(), {}, "RGB"),
    ],
)
def test_every_way_to_write_colours_comes_in(image, options, mode):
    sent = written(image, "PNG", **options)
    *_, data = reencode(sent)
    assert of_bytes(data).mode == mode
    middles = [of_bytes(each).convert("RGBA").getpixel((4, 4)) for each in (sent, data)]
    assert middles[0] == middles[1]


def test_sixteen_bits_become_eight():
    bright = Image.new("I;16", (9, 9), 40_000)
    *_, data = reencode(written(bright, "PNG"))
    assert of_bytes(data).getpixel((0, 0)) == 40_000 // 256


def test_colours_for_print_become_those_of_screens():
    *_, data = reencode(written(Image.new("CMYK", (9, 9), (0, 255, 255, 0)), "JPEG"))
    red, green, _ = of_bytes(data).convert("RGB").getpixel((4, 4))
    assert red > 150 > 100 > green


def test_a_photograph_becomes_small_and_a_drawing_keeps_every_pixel():
    kind, width, height, data = reencode(written(photograph(1800, 1200), "JPEG"))
    assert (kind, width, height) == ("jpeg", 1600, 1067)
    assert len(data) <= pixels.LARGEST
    drawing = Image.new("RGB", (800, 600), "white")
    drawing.paste("navy", (100, 100, 400, 300))
    kind, _, _, data = reencode(written(drawing, "PNG"))
    assert kind == "png"
    assert of_bytes(data).convert("RGB").tobytes() == drawing.tobytes()


def test_what_is_seen_through_stays_so_in_a_photograph_too():
    seen_through = photograph(700, 500).convert("RGBA")
    seen_through.putalpha(100)
    kind, _, _, data = reencode(written(seen_through, "PNG"))
    assert kind == "webp"
    assert of_bytes(data).convert("RGBA").getpixel((5, 5))[3] == 100


def test_the_worst_that_pixels_can_be_still_fits():
    _, width, height, data = reencode(written(noise(1210, 1210, "RGBA"), "PNG", compress_level=1))
    assert max(width, height) == 800
    assert len(data) < 1_000_000


def test_the_same_file_gives_the_same_bytes():
    file = written(photograph(500, 400), "JPEG")
    assert reencode(file) == reencode(file)


def test_a_picture_is_turned_as_the_camera_was_held_and_says_nothing_of_the_camera():
    exif = Image.Exif()
    exif[0x0112], exif[0x010F], exif[0x9286] = 6, "Secret Camera", "Seoul"
    half = RED.copy()
    half.paste("blue", (0, 0, 60, 80))
    hidden = {"exif": exif, "comment": b"a secret remark", "icc_profile": b"a secret profile"}
    sent = written(half, "JPEG", quality=95, **hidden)
    assert sent.count(b"ecret") == 3
    _, width, height, data = reencode(sent)
    assert (width, height) == (80, 120)
    found = of_bytes(data)
    assert b"ecret" not in data
    assert not found.getexif()
    assert found.info == {}
    assert found.convert("RGB").getpixel((40, 10))[2] > 200  # what was left is up


def test_the_second_photograph_of_a_telephone_is_left_out():
    sent = written(RED, "MPO", save_all=True, append_images=[BLUE])
    assert reencode(sent)[:3] == ("png", 120, 80)


def test_nothing_that_stands_behind_the_picture_goes_on():
    both = written(RED, "JPEG") + b"PK\x03\x04<script>alert(1)</script>"
    *_, data = reencode(both)
    assert b"script" not in data


REFUSED = {
    "nothing": (b"", "format"),
    "text": (b"hello", "format"),
    "a drawing in SVG": (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "format"),
    "a page": (b"<!doctype html><img>", "format"),
    "a GIF": (written(RED, "GIF"), "format"),
    "a TIFF": (written(RED, "TIFF"), "format"),
    "noise": (random.Random(2).randbytes(4_000_000), "format"),
    "a moving PNG": (written(RED, "PNG", save_all=True, append_images=[BLUE]), "moving"),
    "a moving WebP": (written(RED, "WEBP", save_all=True, append_images=[BLUE]), "moving"),
    "100 megapixels": (written(Image.new("1", (10_000, 10_000)), "PNG", compress_level=1), "pixels"),
    "100 megapixels in the header": (header(10_000, 10_000) + chunk(b"IDAT", b"x"), "pixels"),
    "more pixels than numbers": (header(2**31 - 1, 2**31 - 1) + chunk(b"IDAT", b"x"), "pixels"),
    "a PNG without its end": (written(photograph(300, 200), "PNG")[:2000], "damaged"),
    "a JPEG without its end": (written(photograph(300, 200), "JPEG")[:2000], "damaged"),
    "a WebP without its end": (written(photograph(300, 200), "WEBP", lossless=True)[:2000], "damaged"),
    "a remark that unpacks to 100 MB": (
        header(9, 9) + chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(10**8), 1)) + chunk(b"IDAT", b"x"),
        "damaged",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_picture_is_refused_with_the_reason(name):
    data, reason = REFUSED[name]
    assert json.loads(pixels.answer(data))["refused"] == reason


def test_another_process_reads_the_file():
    sent = written(RED, "PNG")
    assert reencoding.reencode(sent) == reencode(sent)
    with pytest.raises(NotAPicture) as refused:
        reencoding.reencode(REFUSED["100 megapixels"][0])
    assert (refused.value.reason, refused.value.values) == (
        "pixels",
        {"most": 20_000_000, "got": 100_000_000},
    )


def test_the_process_that_reads_a_file_is_given_no_secret_of_the_server(monkeypatch, tmp_path):
    spy, seen = tmp_path / "python", tmp_path / "seen"
    spy.write_text(f"#!/bin/sh\nenv > {seen}\nexit 1\n")
    spy.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(spy))
    for name in ("CANDOR_DATABASE", "CANDOR_SECRET_KEY", "PGPASSWORD"):
        monkeypatch.setenv(name, "a secret")
    with pytest.raises(NotAPicture):
        reencoding.reencode(written(RED, "PNG"))
    assert "PATH=" in seen.read_text()
    assert "secret" not in seen.read_text()


def test_pixels_are_counted_before_they_are_unpacked(monkeypatch):
    seen = []
    monkeypatch.setattr(Image.Image, "load", lambda self: seen.append(self))
    with pytest.raises(pixels.UnusablePicture) as refused:
        pixels.open_picture(REFUSED["100 megapixels"][0])
    assert (refused.value.values, seen) == ({"got": 100_000_000}, [])


def test_pixels_that_no_size_announces_are_not_unpacked():
    bomb = header(9, 9) + chunk(b"IDAT", zlib.compress(bytes(10**8), 1)) + chunk(b"IEND", b"")
    assert reencode(bomb)[:3] == ("png", 9, 9)


def test_a_file_that_is_too_large_is_not_read(monkeypatch):
    monkeypatch.setattr(reencoding, "MOST_BYTES", 100)
    with pytest.raises(NotAPicture, match="bytes"):
        reencoding.reencode(bytes(101))


def test_one_is_read_after_the_other(monkeypatch):
    under_way, most = [], []

    def read(*arguments, **options):
        under_way.append(arguments)
        time.sleep(0.05)
        most.append(len(under_way))
        under_way.pop()
        return subprocess.CompletedProcess("python", 0, b'{"type": "png", "width": 1, "height": 1}\n')

    monkeypatch.setattr(subprocess, "run", read)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(reencoding.reencode, [b""] * 4)) == [("png", 1, 1, b"")] * 4
    assert most == [1] * 4


def test_what_takes_too_long_or_too_much_is_given_up(monkeypatch):
    def never(*arguments, **options):
        raise subprocess.TimeoutExpired("python", reencoding.SECONDS)

    monkeypatch.setattr(subprocess, "run", never)
    with pytest.raises(NotAPicture, match="slow"):
        reencoding.reencode(b"")

    def killed(*arguments, **options):
        raise subprocess.CalledProcessError(-9, "python", stderr=b"")

    monkeypatch.setattr(subprocess, "run", killed)
    with pytest.raises(NotAPicture, match="damaged"):
        reencoding.reencode(b"")


def test_whoever_reads_a_picture_has_little_memory(monkeypatch):
    monkeypatch.setattr(reencoding, "MEMORY", 2**27)
    with pytest.raises(NotAPicture, match="damaged"):
        reencoding.reencode(written(RED.resize((4000, 4000)), "PNG"))
