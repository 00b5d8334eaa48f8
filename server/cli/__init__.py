"""The command ``candor``. Commands are imported when they are called: ``serve`` must patch before that."""

from __future__ import annotations

import importlib
import os

import click

# Read when numpy is loaded, which commands do later. The matrices here are small: several threads for one of
# them only wait for each other, and cost a busy server a hundred times what they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

COMMANDS = {
    "demo": "Run a server with example surveys and simulated respondents.",
    "serve": "Run the server.",
    "estimate": "Estimate from a survey's reports, or from the counts of one question; print JSON or CSV.",
    "plan": "Plan a whole survey within both limits, or compare the mechanisms for one question.",
    "explain": "Show what a survey reveals about one person, question by question and in total.",
    "simulate": "Simulate a survey whose truth is known, and show how close the estimates come.",
    "survey": "Check, import and export survey files.",
    "doctor": "Look an installation over: settings, database, files, disk, clock, and the proxies in front.",
    "verify": "Recount every survey, look every receipt up, compare the schema, and check the audit log.",
    "client-hash": "Print the SHA-256 of every file that a respondent's browser can be given.",
    "backup": "Write everything into a new file while respondents go on, or make backups into a folder.",
    "restore": "Make an installation of the backup SOURCE: a new file, or an empty PostgreSQL database.",
    "move": "Move an installation from the file SQLITE into the empty database POSTGRESQL.",
    "database": "Prepare a database: its tables, and in PostgreSQL who may do what.",
    "user": "Add, change and remove staff accounts.",
    "deploy": "Print a file that runs Candor: a service, a proxy, a container, or a database beside it.",
    "completion": "Print the script that lets a shell complete the words of this command.",
}
"""Name of a command -> what it does. The command is the function of that name in the module of that name."""


EXAMPLE = "\b\nExamples:\n  candor demo --respondents 5 --port 0 --fresh"


class Commands(click.Group):
    """A group of commands, each imported only when it is called; the help needs no import."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(importlib.import_module(f"{__name__}.{name}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; end it with one sentence if a file cannot be read or written."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # whoever reads what is printed has read enough: click ends quietly
        except OSError as error:
            why = error.strerror or str(error)
            told = f"{error.filename} cannot be used: {why}" if error.filename else why
            raise click.ClickException(told) from error


@click.group(cls=Commands, epilog=EXAMPLE, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="candor-survey")
def main() -> None:
    """Candor: surveys whose answers are randomized in the browser before they are sent."""
