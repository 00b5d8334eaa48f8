"""The lessons, which run wholly in the reader's browser."""
