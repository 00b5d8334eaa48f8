"""Surveys as XLSForms: read from a spreadsheet and written to one, with a word for everything left out."""
