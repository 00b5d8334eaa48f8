"""The best reports for what is wanted: an optimization with a proof of how near to the best it is."""
