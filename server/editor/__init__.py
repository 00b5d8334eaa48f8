"""The admins' room: a survey from its first draft to its publication."""
