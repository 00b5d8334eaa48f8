"""The API: as JSON, for programs with a token, what the pages do for people."""
