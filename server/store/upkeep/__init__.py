"""Upkeep of an installation: its settings, versions, backups, moves and recounts."""
