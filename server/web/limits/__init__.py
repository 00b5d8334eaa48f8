"""What a request may cost, and how many of them come from one network."""
