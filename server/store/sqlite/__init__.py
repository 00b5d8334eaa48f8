"""SQLite: the database in one file, for one machine."""
