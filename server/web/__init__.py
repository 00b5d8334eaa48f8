"""What every answer of the server goes through: headers, errors, static files, the event loop."""
