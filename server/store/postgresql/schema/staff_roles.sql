-- What an account may do beyond its role, and on which surveys: see server/store/rights.py.
CREATE TABLE account_rights (
    account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    editor integer NOT NULL DEFAULT 0 CHECK (editor IN (0, 1)),
    all_surveys integer NOT NULL DEFAULT 0 CHECK (all_surveys IN (0, 1))
);
CREATE TABLE grants (
    account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    survey_id bigint NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    made integer NOT NULL DEFAULT 0 CHECK (made IN (0, 1)),
    PRIMARY KEY (account_id, survey_id)
);
CREATE INDEX grants_by_survey ON grants (survey_id);
-- Researchers saw every survey until now, and go on to.
INSERT INTO account_rights (account_id, all_surveys) SELECT id, 1 FROM accounts WHERE role = 'researcher';
