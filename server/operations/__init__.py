"""The pages for whoever runs the server: its health, its metrics and its audit log."""
