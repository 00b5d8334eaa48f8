"""Results of surveys as they may be shown, and the reports that may be taken away."""
