"""Surveys in the formats of others: read from a spreadsheet, written to one, nothing lost without a word."""
