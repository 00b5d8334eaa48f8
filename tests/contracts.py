"""A kind of import contract that finds its modules itself."""

import re
from pathlib import Path

from grimp import ImportGraph
from importlinter.contracts.independence import IndependenceContract
from importlinter.domain.contract import ContractCheck
from importlinter.domain.fields import ModuleExpressionField, SetField

TOP = Path(__file__).resolve().parents[1]
VIEW = re.compile(r"^@\w+\.(get|post|put|patch|delete|route)\(", re.MULTILINE)


class IndependentViews(IndependenceContract):
    """Independence of every module that answers an address of the server."""

    modules = SetField(subfield=ModuleExpressionField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Look for views as they stand in the source."""
        parse = ModuleExpressionField().parse
        self.modules = {
            parse(".".join(path.relative_to(TOP).with_suffix("").parts))
            for path in (TOP / "server").rglob("*.py")
            if VIEW.search(path.read_text(encoding="utf-8"))
        }
        return super().check(graph, verbose)
