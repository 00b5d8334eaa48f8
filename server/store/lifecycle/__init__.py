"""The life of a survey: its dates and quota, the reason for opening it, and the work after closing it."""
