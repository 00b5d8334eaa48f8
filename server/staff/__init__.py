"""Staff: their accounts, sessions and rights."""
