"""Parts that several commands share: what they take, what they print, the database, a server asked."""
