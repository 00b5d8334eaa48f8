"""The card of each page for everybody, in each language.

Those of lessons have the drawing that static/js/lessons/*/thumbnail.js makes for the contents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import atan2, cos, erf, exp, expm1, sin, sqrt, tanh
from types import MappingProxyType

from server.building.canvas import (
    ACCENT,
    BRIGHT,
    BRIGHT_DEEP,
    DARK,
    DARK_LINE,
    EDGE,
    INK,
    PAPER,
    RULE,
    Canvas,
    Point,
)
from server.building.titles import titles


def two_coins(card: Canvas) -> None:
    """Sort 50 people by what is recorded, with the band of the estimate."""
    people, recorded, rows = 50, 21, 5
    step = 112 / (people / rows + 2)
    estimate, reach = 2 * recorded - people / 2, 2 * sqrt(3 * people / 16) / 0.5  # twice sqrt(3n/16)/p
    low, high = (4 + step * place / rows for place in (estimate - reach, estimate + reach))
    top = 40 - step * rows / 2
    bottom = top + step * rows
    card.area([(low, top - 6), (high, top - 6), (high, bottom + 6), (low, bottom + 6)], BRIGHT, 0.28)
    for person in range(people):
        says_yes = person < recorded
        before = person if says_yes else people - 1 - person
        column = before // rows + 0.5
        x = 4 + step * (column if says_yes else people / rows + 2 - column)
        y = top + step * (rows - 0.5 - before % rows)
        card.dot((x, y), 0.4 * step, BRIGHT if says_yes else DARK)


def suspicion(card: Canvas) -> None:
    """Show how far a record can move a belief, at two epsilons."""
    for factor, colour in ((3.0, BRIGHT_DEEP), (exp(3), INK)):
        highs = [(q, factor * q / (factor * q + 1 - q)) for q in (step / 100 for step in range(101))]
        upper = [(20 + 80 * q, 76 - 72 * high) for q, high in highs]
        lower = [(20 + 80 * (1 - q), 76 - 72 * (1 - high)) for q, high in highs]
        if colour == BRIGHT_DEEP:
            card.area([*upper, *lower], BRIGHT)
            card.curve([(20, 76), (100, 4)], EDGE)
        for bound in (upper, lower):
            card.curve(bound, colour, dashed=colour == INK)


def simulation(card: Canvas) -> None:
    """Draw what is true, what is recorded of it on average, and what follows from that."""
    share, p = 0.3, tanh(1 / 2)
    noisy = p * share + (1 - p) / 2
    estimate = (noisy - (1 - p) / 2) / p
    for row, (width, colour) in enumerate(((share, BRIGHT), (noisy, DARK), (estimate, ACCENT))):
        card.bar((10, 11 + 21 * row), 200 * width, 15, colour)


def spinner_and_coin(card: Canvas) -> None:
    """Let the wheel grow dark as epsilon falls."""
    for place, epsilon in enumerate((3, 1, 0.3)):
        card.disc((20 + 40 * place, 40), 17, tanh(epsilon / 2))  # p = (E - 1)/(E + 1)


def spinner_only(card: Canvas) -> None:
    """Draw two wheels that do the same, with a coin and without."""
    card.disc((32, 36), 24, tanh(1 / 2))
    card.dot((52, 58), 9, DARK)
    card.disc((88, 36), 24, 1 / (1 + exp(-1)))  # p = E/(1 + E)


def composition(card: Canvas) -> None:
    """Walk between the lines that no walk crosses."""
    reports, up = (1, 1, 0, 1, 1, 1, 0, 1, 1, 1), 3.6
    for way in (1, -1):
        card.curve([(10, 40), (110, 40 + way * up * len(reports))], EDGE, dashed=True)
    walked = [(10.0, 40.0)]
    for report in reports:
        x, y = walked[-1]
        walked.append((x + 10, y - up if report else y + up))
    card.curve(walked, INK)
    for place, report in zip(walked[1:], reports, strict=True):
        card.dot(place, 3, BRIGHT if report else DARK)


def trust(card: Canvas) -> None:
    """Draw three estimates of one share, and how far each is off."""
    # Standard errors in percentage points: local, shuffled, central; 400 people, epsilon 0.6 and delta 1e-6
    for row, error in enumerate((8.58, 3.24, 2.57)):
        y, reach = 16 + 24 * row, 5 * error
        card.curve([(60 - reach, y), (60 + reach, y)], INK)
        for end in (60 - reach, 60 + reach):
            card.curve([(end, y - 4), (end, y + 4)], INK)
        card.dot((60, y), 5, BRIGHT)


def noise(card: Canvas) -> None:
    """Draw the total with somebody and without, and the noise on both."""
    floor, scale = 68, 11
    for middle, colour, line in ((52, DARK, DARK_LINE), (68, BRIGHT, BRIGHT_DEEP)):
        density = [(x / 4, floor - 56 * exp(-abs(x / 4 - middle) / scale)) for x in range(32, 449)]
        card.area([(8, floor), *density, (112, floor)], colour)
        card.curve(density, line)
    card.curve([(8, floor), (112, floor)], EDGE)


def choices(card: Canvas) -> None:
    """Draw how likely each of five options is: the nearer to the answer, the likelier."""
    answer, scale = 1, 3 / 4  # epsilon/(sensitivity of the utility)
    parts = [exp(-scale * abs(option - answer)) for option in range(5)]
    for option, part in enumerate(parts):
        height = 120 * part / sum(parts)
        colour = BRIGHT if option == answer else DARK
        card.bar((10 + 20.5 * option, 68 - height), 15, height, colour)
    card.curve([(6, 68), (114, 68)], EDGE)


def asked_together(card: Canvas) -> None:
    """Draw one wheel for two answers, beside two darker ones."""
    card.disc((34, 40), 27, expm1(2) / (exp(2) + 3))  # p = (E - 1)/(E + K - 1), K 4
    for y in (21, 59):
        card.disc((93, y), 16, tanh(1 / 2))
    card.curve([(68, 14), (68, 66)], EDGE)


def made_to_order(card: Canvas) -> None:
    """Draw reports that each name some neighbouring options."""
    for row, (first, last) in enumerate(((0, 2), (1, 4), (2, 6), (3, 6), (4, 7), (6, 8))):
        for day in range(8):
            card.bar((12 + 12 * day, 8 + 11 * row), 10, 8, BRIGHT if first <= day < last else PAPER)


def counts(card: Canvas) -> None:
    """Take steps at right angles to the line from the start, and draw that line (the spiral of Theodorus)."""
    places: list[Point] = [(0, 0), (1, 0)]
    for _ in range(39):
        x, y = places[-1]
        angle = atan2(y, x)
        places.append((x - sin(angle), y + cos(angle)))
    laid = [(60 + 5.6 * x, 40 - 5.6 * y) for x, y in places]
    card.curve(laid, INK)
    card.curve([laid[0], laid[-1]], ACCENT, dashed=True)


def privacy_loss(card: Canvas) -> None:
    """Draw what of the losses above epsilon counts as delta, within all of them."""
    epsilon, sigma = 0.6, 0.8

    def exceeds(loss: float) -> float:
        z = 1 / (2 * sigma) - loss * sigma  # P(L > loss) = Phi(1/(2 sigma) - loss sigma); Balle & Wang (2018)
        return (1 + erf(z / sqrt(2))) / 2

    def placed(share: float, weight: float) -> Point:
        return 10 + 100 * share, 72 - 62 * weight

    losses = [epsilon + (6 - epsilon) * step / 60 for step in range(60, -1, -1)]
    line = [placed(exceeds(loss), 1 - exp(epsilon - loss)) for loss in losses]
    tail = exceeds(epsilon)
    card.area([placed(0, 0), placed(0, 1), *line], BRIGHT)
    card.curve([*line, placed(1, 0)], BRIGHT_DEEP)
    card.curve([placed(0, 0), placed(0, 1), placed(tail, 1), placed(tail, 0)], ACCENT, dashed=True)


def names_removed(card: Canvas) -> None:
    """Draw two tables, and the lines of one that fit a person of the other."""
    fitting = (1, 3, 7)

    def row(x: float, line: int, colour: str) -> None:
        top = 8 + 7.2 * line
        card.area([(x, top), (x + 38, top), (x + 38, top + 5), (x, top + 5)], colour, 1)

    for line in range(9):
        row(6, line, BRIGHT if line in fitting else RULE)
        row(76, line, RULE if line else ACCENT)
    for line in fitting:
        card.curve(bend((76, 10.5), (44, 10.5 + 7.2 * line)), ACCENT)


def bend(start: Point, end: Point) -> list[Point]:
    """Return a line that leaves one point level and arrives level at another (a cubic of Bézier)."""
    middle = (start[0] + end[0]) / 2
    steps = [step / 40 for step in range(41)]
    across = [(1 - t) ** 3 * start[0] + 3 * t * (1 - t) * middle + t**3 * end[0] for t in steps]
    down = [start[1] + (3 - 2 * t) * t * t * (end[1] - start[1]) for t in steps]
    return list(zip(across, down, strict=True))


DRAWN: Sequence[Callable[[Canvas], None]] = (
    two_coins,
    suspicion,
    simulation,
    spinner_and_coin,
    spinner_only,
    composition,
    trust,
    noise,
    choices,
    asked_together,
    made_to_order,
    counts,
    privacy_loss,
    names_removed,
)


def plain_page(card: Canvas) -> None:
    """Draw the top of a large wheel, under the title of a page that is no lesson."""
    card.disc((66, 96), 62, 0.62)


OTHERS = ("home", "try", "learn", "glossary", "sources", "api")
"""The cards of the other pages for everybody."""


def cards() -> Mapping[str, bytes]:
    """Draw all cards: language and name -> PNG, and ``candor``, which has no words, for surveys."""
    written = titles()

    def drawn(name: str, draw: Callable[[Canvas], None]) -> dict[str, bytes]:
        card = Canvas()
        draw(card)
        card.band()
        return {key: card.png(title) for key, title in written.items() if key.endswith(f"/{name}")}

    drawings = {each.__name__: each for each in DRAWN} | dict.fromkeys(OTHERS, plain_page)
    plain = Canvas()
    plain.mark((600, 315), 200)
    made = {"candor": plain.png()}
    with ThreadPoolExecutor() as threads:  # Pillow lets others go on while it makes pictures smaller
        for pictures in threads.map(drawn, drawings.keys(), drawings.values()):
            made |= pictures
    return MappingProxyType(made)
