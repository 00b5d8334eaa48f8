"""The running process: its threads, its caches, its log and its patience with slow bodies."""
