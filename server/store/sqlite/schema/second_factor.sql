-- What somebody signs in with besides a password: see server/store/second_factor.py.
CREATE TABLE second_factors (
    account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    secret TEXT NOT NULL CHECK (length(secret) = 32),
    confirmed INTEGER NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1)),
    last_step INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE recovery_codes (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL CHECK (length(code_hash) = 64),
    PRIMARY KEY (account_id, code_hash)
) WITHOUT ROWID;
