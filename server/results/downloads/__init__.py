"""The addresses of the files of a survey, and why some of them cannot be had."""
