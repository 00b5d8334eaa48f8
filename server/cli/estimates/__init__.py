"""The estimates that ``candor estimate`` prints."""
