"""The interface for programs: what the pages can do, as JSON, for whoever has a token."""
