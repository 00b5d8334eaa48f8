"""What a stranger needs to use the reports of a survey: each code, each channel, the files around them."""
