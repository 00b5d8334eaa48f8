"""``python -P -m server.cli`` is ``candor``, wherever the script itself was installed.

Without -P, Python looks for ``server`` in the working directory first.
"""

from server.cli import main

main(prog_name="candor")
