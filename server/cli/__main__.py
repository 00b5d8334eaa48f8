"""``python -m server.cli`` is ``candor``, wherever the script itself was installed."""

from server.cli import main

main(prog_name="candor")
