"""The process that answers: its threads, its memory, its log, and how long it waits for a body."""
