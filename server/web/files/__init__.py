"""The files that browsers load: read, joined, hashed and kept ready."""
