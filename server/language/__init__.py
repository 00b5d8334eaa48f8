"""Everything Candor says: the catalogues, the language of a request, numbers as they are written."""
