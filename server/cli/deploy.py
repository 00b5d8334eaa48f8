"""``candor deploy``: print files that run Candor, complete but for the name of the host."""

from __future__ import annotations

import re
import tarfile
from importlib.resources import files
from io import BytesIO

import click

from server.cli.shared.numbers import examples
from server.option_types import CheckedType

NAMES = (
    "systemd",
    "backup-service",
    "backup-timer",
    "nginx",
    "caddy",
    "container",
    "compose",
    "compose-postgresql",
    "patroni",
    "etcd",
)
FILES = "files"
HOST = "survey.example"
"""The host in the stored files, which the name of the real one replaces."""

ENDINGS = {"br": ".br", "gzip": ".gz"}
"""The ending of a compressed file, by its encoding."""

LABELS = re.compile(r"(?=.{1,253}$)[a-z0-9](-?[a-z0-9]+)*(\.[a-z0-9](-?[a-z0-9]+)*)*")


def host_name(text: str) -> str:
    """Read the name of a host."""
    if not LABELS.fullmatch(text):
        raise ValueError
    return text


NAME = CheckedType("name", "the name of a host, such as survey.example", host_name)


@click.command(
    epilog=examples(
        "candor deploy systemd > candor.service",
        "candor deploy backup-timer > candor-backup.timer",
        "candor deploy nginx --host survey.example > candor.conf",
        "candor deploy files > files.tar",
        "candor deploy container > Containerfile",
        "candor deploy compose --host survey.example > compose.yaml",
        "candor deploy patroni --host survey.example > config.yml",
    )
)
@click.argument("name", type=click.Choice((*NAMES, FILES)))
@click.option("--host", type=NAME, default=HOST, show_default=True, help="Where respondents find the server.")
def deploy(name: str, host: str) -> None:
    """Print a file that runs Candor: a service, a proxy, a container, or a database beside it.

    Each begins with how to use it. None of them logs requests, and proxies pass on whatever
    CANDOR_PROXY_HOPS=1 believes; candor doctor --url shows whether all of it fits together.

    With files, it prints the files of pages as a tar, compressed and not, for a proxy that serves them.
    """
    if name == FILES:
        click.echo(archive(), nl=False)
        return
    click.echo(file_of(name).replace(HOST, host), nl=False)


def file_of(name: str) -> str:
    """Return a stored file."""
    return files(__package__).joinpath(f"deploy_files/{name}").read_text("utf-8")


def archive() -> bytes:
    """Pack the files of pages into a tar, each under its address, plain and in every encoding that helps."""
    from server.web.constant_answer import ENCODINGS
    from server.web.files import assets
    from server.web.files.ready_files import COMPACT

    packed, version = BytesIO(), assets.version_served()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for path, content in assets.collected().items():
            helpful = {} if path.endswith(COMPACT) else ENCODINGS
            encoded = {ENDINGS[name]: compress(content) for name, compress in helpful.items()}
            for ending, data in ({"": content} | encoded).items():
                member = tarfile.TarInfo(f"static/{version}/{path}{ending}")
                member.size = len(data)
                tar.addfile(member, BytesIO(data))
    return packed.getvalue()
