"""``candor completion``: print the script with which a shell completes the command's words."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from server.cli.shared.numbers import examples

SHELLS = ("bash", "zsh", "fish")

VARIABLE = "_CANDOR_COMPLETE"
"""The variable with which the script asks click for words."""


@click.command(
    epilog=examples(
        "candor completion bash > ~/.local/share/bash-completion/completions/candor",
        "candor completion zsh > ~/.zfunc/_candor",
        "candor completion fish > ~/.config/fish/completions/candor.fish",
    )
)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script that lets a shell complete the words of this command."""
    kind = get_completion_class(shell)
    root = click.get_current_context().find_root().command
    if kind is not None:
        click.echo(kind(root, {}, "candor", VARIABLE).source())
