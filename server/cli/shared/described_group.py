"""A group of commands whose help shows in full what each of them does."""

from __future__ import annotations

import click


class DescribedGroup(click.Group):
    """A group that shows the first paragraph of each command, where click cuts it to one line."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the help."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_paragraph(command)) for name, command in commands])


def first_paragraph(command: click.Command | None) -> str:
    """Return what a command does, in one line."""
    text = (command.help or "") if command else ""
    return " ".join(text.split("\n\n")[0].split())
