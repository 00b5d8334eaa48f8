"""Who may sign in, and what they may see."""
