"""Staff: accounts, their rights and sessions, and the log of what they did."""
