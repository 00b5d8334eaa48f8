"""The mathematics font, made when the package is built; nothing here runs on a server."""
