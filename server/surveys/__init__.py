"""Surveys as staff have them: begun, opened, shared, scheduled, closed."""
