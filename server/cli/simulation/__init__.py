"""Simulated people: those who answer the examples, and those of surveys whose truth is known."""
