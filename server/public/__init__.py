"""Pages for everybody: the front page, the practice survey, the schema of survey files, the components."""
