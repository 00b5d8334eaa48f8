"""The respondents' room: the page that asks, and the answer to what it sends."""
