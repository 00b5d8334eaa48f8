-- What an account may do beyond its role, and on which surveys: see server/store/rights.py.
CREATE TABLE account_rights (
    account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    editor INTEGER NOT NULL DEFAULT 0 CHECK (editor IN (0, 1)),
    all_surveys INTEGER NOT NULL DEFAULT 0 CHECK (all_surveys IN (0, 1))
);
CREATE TABLE grants (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    survey_id INTEGER NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    made INTEGER NOT NULL DEFAULT 0 CHECK (made IN (0, 1)),
    PRIMARY KEY (account_id, survey_id)
) WITHOUT ROWID;
CREATE INDEX grants_by_survey ON grants (survey_id);
-- Researchers saw every survey until now, and go on to.
INSERT INTO account_rights (account_id, all_surveys) SELECT id, 1 FROM accounts WHERE role = 'researcher';
