"""How heavy the respondent's page is: HTML, script and style of a ten-question survey, uncompressed.

Usage: uv run python tests/benchmarks/page.py
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from urllib.parse import urljoin

from server import create_app
from server.config import Config
from server.store import surveys
from survey.definition import Definition, from_dict

LIMIT = 88_000
"""Bytes that everything together may weigh."""

QUESTIONS = 10
WORDING = {
    "en": "In the past twelve months, have you done the thing that this question asks about?",
    "ko": "지난 열두 달 동안 이 질문에서 묻는 일을 한 적이 있습니까?",
}


def survey() -> Definition:
    """Give a survey of ten questions in two languages, with texts of the usual length."""
    paragraph = {
        "en": "This study asks about things that people rarely talk about. " * 4,
        "ko": "평소에 말하기 어려운 일을 묻습니다. " * 6,
    }
    mechanisms = [
        {"mechanism": "spinner_coin", "epsilon": 1.0},
        {"mechanism": "spinner", "epsilon": 1.5},
        {"mechanism": "coin"},
    ]
    questions = [
        {"id": f"question_{index}", "wording": WORDING, **mechanisms[index % 3]} for index in range(QUESTIONS)
    ]
    texts = dict.fromkeys(("information", "consent", "help", "closing"), paragraph)
    title = {"en": "Things that people rarely talk about", "ko": "말하기 어려운 일들"}
    return from_dict(
        {
            "candor": 1,
            "slug": "ten",
            "languages": ["en", "ko"],
            "title": title,
            "questions": questions,
            **texts,
        },
        "ten",
    )


def weights() -> dict[str, int]:
    """Fetch the page and all that it names: address -> bytes."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Config(database=Path(folder) / "candor.db"))
        storage = app.extensions["candor"].storage
        draft = storage.write(surveys.import_definition, survey())
        storage.write(surveys.open_survey, draft.id)
        client = app.test_client()
        with client.get("/s/ten") as response:
            page = response.get_data()
        found = {"/s/ten": len(page)}
        named = re.findall(r'(?:src|href)="([^"]+\.(?:js|css))"', page.decode())
        waiting = [urljoin("/s/ten", name) for name in named]
        while waiting:
            address = waiting.pop()
            if address in found:
                continue
            with client.get(address) as response:
                assert response.status_code == 200, address
                content = response.get_data()
            found[address] = len(content)
            imported = re.findall(r'^import .*?"(\.\.?/[^"]+)"', content.decode(), re.MULTILINE)
            waiting += [urljoin(address, name) for name in imported]
        return found


def main() -> int:
    """Print the table; fail above the limit."""
    found = weights()
    for address, size in sorted(found.items(), key=lambda item: -item[1]):
        print(f"{size:8,}  {address}")
    total = sum(found.values())
    print(f"{total:8,}  together, at most {LIMIT:,}")
    return int(total > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
