"""The parts that every page needs: headers, errors, conditions, texts as HTML."""
