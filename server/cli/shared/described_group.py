"""A group of commands whose help describes each command in full."""

from __future__ import annotations

import click


class DescribedGroup(click.Group):
    """A group whose help shows the first paragraph of each command, which click would cut to one line."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the help."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_paragraph(command)) for name, command in commands])


def first_paragraph(command: click.Command | None) -> str:
    """Return the first paragraph of a command's help, as one line."""
    text = (command.help or "") if command else ""
    return " ".join(text.split("\n\n")[0].split())
