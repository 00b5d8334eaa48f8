-- What somebody signs in with besides a password: see server/store/second_factor.py.
CREATE TABLE second_factors (
    account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    secret text NOT NULL CHECK (length(secret) = 32),
    confirmed integer NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1)),
    last_step bigint NOT NULL DEFAULT 0
);
CREATE TABLE recovery_codes (
    account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    code_hash text NOT NULL CHECK (length(code_hash) = 64),
    PRIMARY KEY (account_id, code_hash)
);
