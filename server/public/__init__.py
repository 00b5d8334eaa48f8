"""The pages for whoever comes: front page, practice survey, the schema of survey files, components."""
