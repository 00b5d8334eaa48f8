"""The numbers that the results page shows and the downloads carry: one source, so that they agree."""
