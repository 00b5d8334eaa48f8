"""A draft as one document, taken apart into units, and what stands for the value of each."""

OFTEN = [{"uid": f"n00000000000{n}", "text": {"en": word}} for n, word in ((3, "Never"), (4, "Daily"))]
PICTURE = {"sha256": "0" * 64, "type": "png", "width": 40, "height": 30, "alt": {"en": "A bed"}}
DOCUMENT = {
    "slug": "rest",
    "languages": ["en"],
    "title": {"en": "Rest"},
    "information": {"en": "Who asks, and *why*."},
    "consent": {"en": "I agree"},
    "asked": 1,
    "results": {"step": 10},
    "sections": [{"uid": "n000000000000", "id": "home", "title": {"en": "At home"}}],
    "questions": [
        {"uid": "n000000000001", "id": "rent", "kind": "number", "mechanism": "hybrid", "epsilon": "1,,5"}
        | {"low": 0, "high": 9, "step": 1, "wording": {"en": "rent?"}, "section": "n000000000000"},
        {"uid": "n000000000002", "id": "often", "kind": "choice", "mechanism": "wheel", "epsilon": 1.5}
        | {"options": OFTEN, "wording": {"en": "often?"}, "section": "n000000000000"}
        | {"ordered": True, "utility": [[0, 1], [1, 0]]},
        {"uid": "n000000000005", "id": "tired", "kind": "yes_no", "mechanism": "spinner_coin"}
        | {"epsilon": 1.0, "wording": {"en": "tired?"}, "picture": PICTURE},
    ],
    "expected": 142,
}

NUMBERS = {
    0: "0e+0",
    1: "1e+0",
    1.5: "1.5e+0",
    9: "9e+0",
    10: "1e+1",
    30: "3e+1",
    40: "4e+1",
    142: "1.42e+2",
    0.1: "1e-1",
    1e-6: "1e-6",
    -25: "-2.5e+1",
    1e15: "1e+15",
}
"""Number -> its shortest digits, with a power of ten."""

VALUES = [
    "",
    "휴식 𝄞",
    "1",
    1,
    1e-6,
    0.1,
    -25,
    1e15,
    True,
    False,
    ["en", "ko"],
    [[0, 1], [1, 0]],
    [["0", 1.5]],
]


def plain(value):
    """Write a value as a text that no value of another kind has."""
    match value:
        case str():
            return f'"{value}'
        case True:
            return "t"
        case list():
            return f"[{','.join(map(plain, value))}]"
    return f"#{NUMBERS[value]}"


def fnv(value):
    """FNV-1a of 64 bits over the bytes of the plain text; of what is empty, nothing."""
    if value == "" or value is False:
        return ""
    state = 14695981039346656037
    for byte in plain(value).encode():
        state = (state ^ byte) * (2**40 + 435) % 2**64
    return f"{state:016x}"


def texts(table, prefix=""):
    """Each value that is no list of nodes: its unit -> it."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from texts(value, f"{prefix}{key}.")
        elif key not in ("uid", "sections", "questions", "options"):
            yield prefix + key, value
        elif key != "uid":
            yield prefix + key, [node["uid"] for node in value]
            for node in value:
                uid = node["uid"] if key != "options" else prefix + node["uid"]
                yield from ((uid, key), *texts(node, f"{uid}."))


def table():
    units = dict(texts(DOCUMENT))
    return {
        "document": DOCUMENT,
        "units": units,
        "hashes": {unit: fnv(value) for unit, value in units.items()},
        "values": [[value, fnv(value)] for value in VALUES],
    }
