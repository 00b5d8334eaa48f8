"""Shapes of a request that nobody's browser sends, and the addresses that they go to.

`test_costs` counts the bytes of what answers them, and `tests/benchmarks/strangers.py` the processor time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlencode

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
MULTIPART = "multipart/form-data; boundary=bound"
ROOM = 60_000
KNOWN = ("name", "link", "code", "password", "text", "seen", "slug", "draft", "copied", "file")
LINE = 3500
"""Bytes that are added to the first line: gunicorn reads one of 4094."""


@dataclass(frozen=True)
class Shape:
    """What a request brings besides its method and its address.

    Attributes
    ----------
    body : bytes
    kind : str
        Its type.
    query : str
    headers : dict of str to str
    length : int or None
        The length that is said, where that is not the body's.
    """

    body: bytes = b""
    kind: str = FORM
    query: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None

    @property
    def size(self):
        """Bytes that it brings."""
        return len(self.body) + len(self.query) + sum(len(f"{k}: {v}\r\n") for k, v in self.headers.items())


def filled(part):
    """Repeat bytes up to nearly the largest body that is read of a stranger."""
    return part * (ROOM // len(part))


def parts(count):
    """A form as multipart."""
    part = b'--bound\r\nContent-Disposition: form-data; name="copied"\r\n\r\n1\r\n'
    return part * count + b"--bound--\r\n"


SHAPES = {
    "many fields": Shape("&".join(f"f{n}=1" for n in range(7000)).encode()),
    "one long field": Shape(b"name=" + filled(b"a")),
    "quotes": Shape(urlencode(dict.fromkeys(KNOWN, "'\"<&>" * 300)).encode()),
    "nested names": Shape(b"&".join(b"q[%d][a.b][c]=%%5B%%5D" % n for n in range(1500))),
    "multipart": Shape(parts(850), MULTIPART),
    "JSON": Shape(b'{"changes": [' + filled(b'{"a": "b"}, ')[:-2] + b"]}", JSON),
    "deep JSON": Shape(filled(b'[{"":'), JSON),
    "a wrong length": Shape(b"name=" + b"a" * 5000, length=ROOM),
    "cookies and headers": Shape(
        headers={"Cookie": "a=1; " * 1600} | {f"X-{n}": "a" * 400 for n in range(60)}
    ),
    "a long query": Shape(query="&".join(["q=1"] * (LINE // 4))),
    "quotes in a query": Shape(query="'" * 480),
    "signs in a query": Shape(query="&" * 480),
    "a repeated field": Shape(filled(b"copied=1&")),
    "binary": Shape(filled(bytes(range(256)))),
}

DRAFT, OPEN, CLOSED = "half", "running", "finished"
"""The slugs of an installation: see `installation`."""


def addresses(*apps):
    """Every rule with each of its methods, and an address of it: readings first, what ends something last."""
    places = {
        "kind": "svg",
        "relation": "group",
        "what": "open",
        "bits": "0",
        "key": "0" * 16,
        "sha256": "0" * 64,
    }
    listed = []
    for rule in (rule for app in apps for rule in app.url_map.iter_rules()):
        slug = "two-coins" if "/learn" in rule.rule else DRAFT if "/admin" in rule.rule else CLOSED
        values = places | {"slug": OPEN if rule.rule == "/s/<slug>" else slug, "name": "copied-0-0"}
        values |= {name: 2 for name in rule.arguments if "int:" in rule.rule}
        values |= {"name": "hours"} if "/charts/" in rule.rule else {}
        address = rule.build({name: values[name] for name in rule.arguments}, append_unknown=False)[1]
        listed += [(f"{each} {rule.rule}", each, address) for each in rule.methods - {"HEAD", "OPTIONS"}]
    ends = ("delete", "remove", "logout", "/end", "DELETE")
    return sorted(listed, key=lambda one: (any(word in one[0] for word in ends), one[1] != "GET", one[0]))


def without_rule():
    """Addresses that no rule has, or not like that."""
    return [
        ("no rule", "GET", "/nowhere"),
        ("no rule", "POST", "/nowhere"),
        ("no rule", "PUT", "/login"),
        ("no rule", "POST", "/"),
        ("no rule", "GET", "//login"),
        ("no rule", "GET", "/login/"),
        ("no rule", "GET", "/learn/nowhere"),
        ("no rule", "POST", "/api/v1/nowhere"),
        ("no rule", "GET", "/api/"),
        ("no rule", "OPTIONS", "/login"),
        ("no rule", "OPTIONS", "/admin/surveys/half"),
        ("no rule", "HEAD", "/results"),
        ("no rule", "GET", "/static/0123456789abcdef/candor.css"),
    ]
