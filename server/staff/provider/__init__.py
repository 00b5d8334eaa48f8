"""Sign-in with an institution's account: ask its provider, check what it says, and link accounts."""
