"""Charts: where their marks stand, and how they are laid out as pictures by themselves."""
