"""Bounds of what a request costs, and of how many come from one network."""
