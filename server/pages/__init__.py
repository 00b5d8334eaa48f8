"""Pages for everybody: the front page, the lessons, the page of components."""
