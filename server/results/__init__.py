"""The researchers' room: from counts to estimates, charts, cross-tables and downloads."""
