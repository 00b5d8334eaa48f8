"""The zip with everything that a stranger needs to use the reports of a survey."""
