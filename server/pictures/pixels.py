"""Make a picture anew from its pixels, with Pillow: a helper that `server.pictures.reencoding` starts.

It reads the file from its input, and writes what `answer` returns. A file may be crafted to break its reader.
So this one has neither the database nor a key, and little memory and time. Only its pixels are kept: no
place, no camera, no comment, no thumbnail, nothing hidden behind its end.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "WEBP")
MOST_PIXELS = 20_000_000

SIDE = 1600
"""Most pixels of the longer side: twice the width of the page, for screens of double density."""

LARGEST_PNG = 200_000
LARGEST = 400_000
"""Most bytes of a picture as PNG, and of one that has lost some detail."""

TRIES = tuple((side, quality) for side in (SIDE, 1200, 800) for quality in (82, 60))
"""Pixels of the longer side and quality, from the best."""

Encoded = tuple[str, int, int, bytes]
"""Type, width, height and bytes of a picture that was made anew."""


class UnusablePicture(Exception):
    """A file that no survey can show.

    Parameters
    ----------
    reason : str
    values : int
        Values of the names in the sentence about it.
    """

    def __init__(self, reason: str, **values: int) -> None:
        super().__init__(reason)
        self.reason, self.values = reason, values


def reencode(data: bytes) -> Encoded:
    """Make a picture anew: upright, at most `SIDE` long, as PNG if that is small, else as JPEG or WebP.

    Raises
    ------
    UnusablePicture
        If the file is no picture, has too many pixels, moves or is damaged.
    """
    image = upright(open_picture(data))
    for kind, options, side in ways(image):
        made, file = image.copy(), BytesIO()
        made.thumbnail((side, side))
        made.save(file, kind, **options)
        if file.tell() <= (LARGEST_PNG if kind == "PNG" else LARGEST):
            break
    return kind.lower(), made.width, made.height, file.getvalue()


def ways(image: Image) -> Iterator[tuple[str, dict[str, object], int]]:
    """Yield the ways to write a picture, the best first: format, options, longer side."""
    yield "PNG", {}, SIDE
    for side, quality in TRIES:
        if image.mode == "RGBA":
            yield "WEBP", {"quality": quality}, side
        else:
            yield "JPEG", {"quality": quality, "optimize": True}, side


def open_picture(data: bytes) -> Image:
    """Read the pixels of a file, once its first bytes have shown that there are not too many."""
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # what it would only warn of is refused here
    try:
        image = Image.open(BytesIO(data), formats=FORMATS)
    except UnidentifiedImageError:
        raise UnusablePicture("format") from None
    if (pixels := image.width * image.height) > MOST_PIXELS:
        raise UnusablePicture("pixels", got=pixels)
    # A photograph of a telephone may have a second one behind it, which is no motion.
    if image.format != "MPO" and (frames := getattr(image, "n_frames", 1)) > 1:
        raise UnusablePicture("moving", n=frames)
    if image.format in ("JPEG", "MPO"):
        image.draft(None, (SIDE, SIDE))  # reads fewer pixels where fewer are kept
    image.load()
    return image


def upright(image: Image) -> Image:
    """Turn a picture the way its camera was held, and reduce it to its pixels and their transparency."""
    from PIL import ImageOps

    try:
        image = ImageOps.exif_transpose(image)
    except Exception:  # noqa: BLE001  # whatever is wrong with what is left out anyway
        image = image.copy()
    if image.mode.startswith("I"):
        image = image.convert("I").point(lambda value: value / 256).convert("L")  # of 16 bits the upper 8
    if image.has_transparency_data:
        image = image.convert("RGBA")
        if image.getchannel("A").getextrema()[0] == 255:
            image = image.convert("RGB")
    else:
        image = image.convert("L" if image.mode in ("1", "L") else "RGB")
    image.info = {}
    return image


def answer(data: bytes) -> bytes:
    """Return a line of JSON that describes the picture or the refusal, and then the bytes of the picture."""
    try:
        kind, width, height, made = reencode(data)
    except UnusablePicture as refused:
        return json.dumps({"refused": refused.reason, "values": refused.values}).encode()
    except Exception:  # noqa: BLE001  # a damaged file may end in any error
        return json.dumps({"refused": "damaged", "values": {}}).encode()
    return json.dumps({"type": kind, "width": width, "height": height}).encode() + b"\n" + made


if __name__ == "__main__":
    sys.stdout.buffer.write(answer(sys.stdin.buffer.read()))
