"""The parts that every page needs: headers, limits, errors, static files, texts as HTML."""
