"""A card, which chats show beside a link: drawn with Pillow, in the colours of the pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import cycle, pairwise
from math import dist

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 1200, 630
"""Pixels; what chats and search engines show beside a link has this shape."""

FINER = 3
"""Pixels of the drawing to one that is saved: Pillow draws no smooth edges."""

PAPER, INK, EDGE, RULE = "#fcf8ef", "#17203a", "#8b8778", "#dfd6c4"
BRIGHT, BRIGHT_DEEP, DARK, DARK_LINE, ACCENT = "#f7c869", "#e9a93a", "#17223f", "#35456f", "#1a665b"
"""The light colours of static/candor.css, which a test compares."""

SIDE = 252
"""Pixels of the band at the left, which has the mark."""

UNIT = 5.3
FOOT = 32
LEFT, TOP = SIDE + (WIDTH - SIDE - 120 * UNIT) / 2, HEIGHT - FOOT - 80 * UNIT
"""Pixels of a unit, below the drawing, and of its corner: 120 by 80 units, as in the contents."""

MARGIN, MIDDLE = 56, 100
"""Pixels from the band to the title, and from the top to the middle of it."""

LINE = 1.2
DASHES = (3.4, 2.6)
"""Units: the width of a line, and a dash with the gap after it."""

Point = tuple[float, float]


class Canvas:
    """A card that is being drawn; places and lengths are in units of the drawing."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * FINER, HEIGHT * FINER), PAPER)
        self.pen = ImageDraw.Draw(self.image, "RGBA")  # colours mix with what is below

    def at(self, point: Point) -> Point:
        """Return where a point is, in pixels of the fine picture."""
        return FINER * (LEFT + UNIT * point[0]), FINER * (TOP + UNIT * point[1])

    def area(self, points: Sequence[Point], colour: str, opacity: float = 0.55) -> None:
        """Fill what points enclose."""
        self.pen.polygon([self.at(point) for point in points], fill=f"{colour}{round(255 * opacity):02x}")

    def curve(self, points: Sequence[Point], colour: str, dashed: bool = False) -> None:
        """Draw a line through points, with round ends."""
        width = FINER * UNIT * LINE
        for piece in dashes(points) if dashed else [points]:
            placed = [self.at(point) for point in piece]
            self.pen.line(placed, fill=colour, width=round(width), joint="curve")
            for end in (placed[0], placed[-1]):
                self.pen.circle(end, width / 2, fill=colour)

    def bar(self, corner: Point, width: float, height: float, colour: str) -> None:
        """Draw a rectangle with an outline, from its upper left corner."""
        x, y = corner
        box = [*self.at(corner), *self.at((x + width, y + height))]
        self.pen.rectangle(box, fill=colour, outline=INK, width=round(FINER * UNIT * LINE / 2))

    def dot(self, middle: Point, radius: float, colour: str) -> None:
        """Draw a circle with an outline."""
        outline = round(FINER * UNIT * LINE / 2)
        self.pen.circle(self.at(middle), FINER * UNIT * radius, fill=colour, outline=INK, width=outline)

    def disc(self, middle: Point, radius: float, bright: float) -> None:
        """Draw a wheel with its bright share; the dark side goes from the top clockwise."""
        self.wheel(self.at(middle), FINER * UNIT * radius, bright)

    def wheel(self, middle: Point, radius: float, bright: float) -> None:
        """Draw a wheel at a place in pixels of the fine picture."""
        (x, y), outline = middle, round(FINER * UNIT * LINE / 2)
        box = [x - radius, y - radius, x + radius, y + radius]
        self.pen.ellipse(box, fill=BRIGHT, outline=INK, width=outline)
        self.pen.pieslice(box, -90, 270 - 360 * bright, fill=DARK, outline=INK, width=outline)

    def band(self) -> None:
        """Draw the band at the side, with the mark."""
        self.pen.rectangle([0, 0, FINER * SIDE, FINER * HEIGHT], fill=ACCENT)
        self.mark((SIDE / 2, HEIGHT / 2), 72)

    def mark(self, middle: Point, radius: float) -> None:
        """Draw the mark of Candor at a place in pixels of the card, as static/mark.svg has it."""
        placed = FINER * middle[0], FINER * middle[1]
        self.wheel(placed, FINER * radius, 0.5)
        self.pen.circle(placed, FINER * radius / 6, fill=PAPER, outline=INK, width=round(FINER * radius / 15))

    def png(self, title: Image.Image | None = None) -> bytes:
        """Return the card as a PNG, with a title; the same version of Pillow always writes the same bytes."""
        small, written = self.image.reduce(FINER), BytesIO()
        if title is not None:
            small.paste(INK, (SIDE + MARGIN, MIDDLE - title.height // 2), title)
        small.save(written, "PNG")
        return written.getvalue()


def dashes(points: Sequence[Point]) -> Iterator[list[Point]]:
    """Cut a line through points into dashes."""
    lengths = cycle(DASHES)
    left, drawn = next(lengths), True
    piece = [points[0]]
    for start, end in pairwise(points):
        place, whole = 0.0, dist(start, end)
        while whole - place > left:
            place += left
            share = place / whole
            cut = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
            if drawn:
                yield [*piece, cut]
            left, drawn, piece = next(lengths), not drawn, [cut]
        left -= whole - place
        piece.append(end)
    if drawn:
        yield piece
