"""Parts of pages that are written already elsewhere: help of commands, settings, keys of files, the API.

A line ``{{ commands doctor verify }}`` of a page stands for what the function of that name yields: Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from inspect import cleandoc
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from server import create_app
from server.api.documentation import GROUPS, Field, Operation, kind, operations
from server.cli import COMMANDS, main
from server.config import Config
from server.language.catalogue import FIRST, section
from server.options import SETTINGS
from survey.schema import LINKED, OWN, of_kind, schema, section_with

LIMITS = re.compile(r"(.*?)(?:(?:^|  )\[(.*)\])?")
"""What click says of an option, and in brackets what it may be."""

CALL = re.compile(r"^\{\{ (\w+)((?: [\w-]+)*) \}\}$", re.MULTILINE)


def filled(page: str) -> str:
    """Return a page with its parts."""
    return CALL.sub(lambda call: "\n".join(PARTS[call[1]](*call[2].split())), page)


def plain(text: str) -> str:
    r"""Return a text in which no sign is a mark of Markdown.

    Examples
    --------
    >>> print(plain("<name>* of spinner_coin"))
    \<name>\* of spinner_coin
    """
    return re.sub(r"([\\`*<\[{|])", r"\\\1", text)


def verbatim(lines: Iterable[str]) -> str:
    """Return a block of text as it stands."""
    return "\n".join(["```none", *(line.strip() for line in lines), "```", ""])


# Commands and settings


def commands(*names: str) -> Iterator[str]:
    """Yield the help of commands, each with the commands under it."""
    context = click.Context(main, info_name="candor")
    for name in names:
        yield from below(main, name, context, 2)


def listing() -> Iterator[str]:
    """Yield a table of all commands."""
    yield "| command | what it does |\n|---|---|"
    yield from (f"| [candor {name}](#candor-{name}) | {plain(text)} |" for name, text in COMMANDS.items())


def below(group: click.Group, name: str, parent: click.Context, level: int) -> Iterator[str]:
    """Yield the help of a command of a group."""
    command = group.get_command(parent, name)
    if command is None:
        raise LookupError(f"{parent.command_path} has no command {name}")
    with click.Context(command, info_name=name, parent=parent) as context:
        path = context.command_path
        yield f"\n({path.replace(' ', '-')})=\n\n{'#' * level} {path}\n"
        for paragraph in cleandoc(command.help or "").split("\n\n"):
            yield (
                verbatim(paragraph.splitlines()[1:])
                if paragraph.startswith("\b")
                else f"{plain(paragraph)}\n"
            )
        yield verbatim([" ".join([path, *command.collect_usage_pieces(context)])])
        for parameter in command.params:
            term, text = parameter.get_help_record(context) or ("", "")
            if text:
                yield definition(term, *LIMITS.fullmatch(text).groups(""))
        if command.epilog:
            yield verbatim(command.epilog.splitlines()[2:])
        if isinstance(command, click.Group):
            for each in command.list_commands(context):
                yield from below(command, each, context, level + 1)


def definition(term: str, text: str, limits: str = "") -> str:
    """Return a term, what it means, and on a line of its own what it may be."""
    lines = [plain(part) for part in (text, limits) if part]
    return f"`{term}`\n: " + "\n\n  ".join(lines) + "\n"


def settings() -> Iterator[str]:
    """Yield every setting of the server: its variable, what it means, its option and its default."""
    with click.Context(click.Command("serve", params=[*SETTINGS])) as context:
        for option in SETTINGS:
            term, text = option.get_help_record(context) or ("", "")
            said, limits = LIMITS.fullmatch(text).groups("")
            limits = re.sub(r"env var: \w+(; )?", "", limits)
            more = [f"`{term}`" if term != option.envvar else "", plain(limits)]
            yield f"```{{envvar}} {option.envvar}\n{plain(said)}\n\n{'; '.join(filter(None, more))}\n```\n"


# The survey file


def parts_of_file() -> dict[str, Mapping[str, Any]]:
    """Return the schema of each table of a survey file: one of what all questions have, and of their own."""
    whole = schema()
    tables = {name: whole["properties"][name] for name in ("results", "budget")}
    common = {
        key: value for key, value in of_kind("number")["properties"].items() if key not in OWN["number"][0]
    }
    own = {
        name: {
            "properties": {key: of_kind(name)["properties"][key] for key in OWN[name][0]},
            "required": needed,
        }
        for name, (_, needed, _) in OWN.items()
    }
    asked = {"properties": common, "required": ["id", "mechanism", "wording"]}
    return {"file": whole, "section": section_with({}, LINKED, []), "question": asked, **tables, **own}


def keys(name: str) -> Iterator[str]:
    """Yield a table of the keys of a part of the survey file; those that must be there have an asterisk."""
    part = parts_of_file()[name]
    yield "| key | what it holds | values |\n|---|---|---|"
    for key, value in part["properties"].items():
        must = "\\*" if key in part.get("required", []) else ""
        yield f"| `{key}`{must} | {plain(value.get('description', ''))} | {plain(values(key, value))} |"


def values(key: str, value: Mapping[str, Any]) -> str:
    """Say in few words what a key may hold."""
    if key in ("kind", "mechanism", "skip"):
        return "as below"
    if "propertyNames" in value:
        return f"a text in each language, of up to {value['additionalProperties']['maxLength']} signs"
    if "enum" in value:
        return ", ".join(
            f'"{each}"' if isinstance(each, str) else str(each).lower() for each in value["enum"]
        )
    low, high = (value.get(f"exclusive{end}", value.get(end.lower())) for end in ("Minimum", "Maximum"))
    within = f" above {low}" if high is None else f" from {low:,} to {high:,}"
    return TYPES.get(value.get("type", ""), "") + (within if low is not None else "")


TYPES = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "string": "a text",
    "array": "a list",
    "object": "a table",
}


# The API


@cache
def described() -> dict[str, Operation]:
    """Return every operation of the API by its name."""
    with TemporaryDirectory() as folder:
        app = create_app(Config(database=Path(folder, "candor.db")))
        description = app.extensions["candor.api"].description()
    return {operation.name: operation for operation in operations(description)}


def api(group: str) -> Iterator[str]:
    """Yield every operation of a group: its address, what it does, what is sent and what comes back."""
    words = section(FIRST, "api")
    for operation in map(described().__getitem__, GROUPS[group]):
        about = f"operation.{operation.name}"
        yield f"\n## {words[f'{about}.summary']}\n\n`{operation.method} {operation.path}`\n"
        yield f"{plain(words[f'{about}.description'])}\n"
        yield from ["What is sent is a survey file as JSON.\n"] * operation.takes_file
        yield from ["What comes back is a survey file as JSON.\n"] * operation.gives_file
        for parameter in operation.parameters:
            about = words[f"parameter.{parameter['name'].lower().replace('-', '_')}"]
            yield definition(parameter["name"], about, kind(parameter["schema"]))
        yield from listed("sent", operation.body, words)
        yield from listed("comes back", operation.answer, words)


def rules() -> Iterator[str]:
    """Yield what holds for all of the API."""
    words = section(FIRST, "api")
    for name in (key.split(".")[1] for key in words if key.startswith("rule.") and key.endswith(".title")):
        yield f"**{plain(words[f'rule.{name}.title'])}** {plain(words[f'rule.{name}.text'])}\n"


def problems() -> Iterator[str]:
    """Yield the name of every problem that the API can answer with."""
    words = section(FIRST, "api")
    yield "| problem | what is wrong |\n|---|---|"
    for name in (key.split(".")[1] for key in words if key.startswith("problem.") and key.endswith(".title")):
        yield f"| `{name}` | {plain(words[f'problem.{name}.title'])} |"


def listed(title: str, fields: Iterable[Field], words: Mapping[str, str]) -> Iterator[str]:
    """Yield a table of fields."""
    rows = [
        f"| `{each.place}` | {plain(words[f'field.{each.name}'])} | {plain(each.kind)} |" for each in fields
    ]
    if rows:
        yield "\n".join([f"| {title} | what it holds | values |", "|---|---|---|", *rows, ""])


PARTS: Mapping[str, Callable[..., Iterator[str]]] = {
    "commands": commands,
    "listing": listing,
    "settings": settings,
    "keys": keys,
    "api": api,
    "rules": rules,
    "problems": problems,
}
