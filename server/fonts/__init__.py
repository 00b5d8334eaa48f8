"""How the mathematics font is made when the package is built; nothing here runs on a server."""
