"""Pictures that staff send, made anew by another process before they are stored."""

from __future__ import annotations

import json
import subprocess
from threading import Lock

from server.pictures.pixels import MOST_PIXELS, Encoded
from server.runtime import helper

MOST_BYTES = 16 * 1024 * 1024
"""Bytes of a file: a photograph of 20 megapixels has about 8 MB."""

MEMORY = 2**30
SECONDS = 15
"""Most bytes of memory and seconds of the processor for one picture."""

READING = Lock()
"""Held while a picture is read; further pictures wait for it. One may take a gigabyte; 20 megapixels take
80 MB as JPEG, 280 MB as PNG with transparency and 330 MB as WebP without loss."""


class NotAPicture(ValueError):
    """A file that no survey can show.

    Attributes
    ----------
    reason : str
        ``format``, ``bytes``, ``pixels``, ``moving``, ``damaged`` or ``slow``.
    values : dict of str to int
        Values of the names in the sentence about it.
    """

    def __init__(self, reason: str, **values: int) -> None:
        super().__init__(reason)
        self.reason, self.values = reason, values


def reencode(data: bytes) -> Encoded:
    """Make a picture anew from its pixels, in another process.

    Returns
    -------
    tuple
        Type, width, height and bytes; the same file always gives the same.

    Raises
    ------
    NotAPicture
        If no survey can show the file, with the reason.
    """
    if len(data) > MOST_BYTES:
        raise NotAPicture("bytes", most=MOST_BYTES // 2**20, got=len(data))
    try:
        with READING:
            ended = helper.run(f"{__package__}.pixels", sent=data, memory=MEMORY, seconds=SECONDS)
    except subprocess.TimeoutExpired as error:
        raise NotAPicture("slow", seconds=round(error.timeout)) from None
    except subprocess.CalledProcessError:  # ended by what it may not exceed
        raise NotAPicture("damaged") from None
    about, _, picture = ended.partition(b"\n")
    outcome = json.loads(about)
    if "refused" in outcome:
        limits = {"most": MOST_PIXELS} if outcome["refused"] == "pixels" else {}
        raise NotAPicture(outcome["refused"], **limits, **outcome["values"])
    return outcome["type"], outcome["width"], outcome["height"], picture
