"""Results of surveys as far as they may be shown, and files of their reports."""
