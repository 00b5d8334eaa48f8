"""Files that are made when the package is built; nothing here runs on a server."""
