"""The process that ``candor serve`` runs: its socket, its workers, its log."""
