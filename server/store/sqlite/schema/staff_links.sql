-- Links by which somebody becomes a colleague or gets a new password, each once: see server/store/links.py.
CREATE TABLE staff_links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),
    made_by INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    account_id INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
    role TEXT CHECK (role IN ('admin', 'editor', 'researcher')),
    all_surveys INTEGER NOT NULL DEFAULT 0 CHECK (all_surveys IN (0, 1)),
    expires INTEGER NOT NULL,
    CHECK ((account_id IS NULL) = (role IS NOT NULL))
);
CREATE INDEX staff_links_by_maker ON staff_links (made_by);
CREATE INDEX staff_links_by_account ON staff_links (account_id);
CREATE TABLE staff_link_surveys (
    link_id INTEGER NOT NULL REFERENCES staff_links (id) ON DELETE CASCADE,
    survey_id INTEGER NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    PRIMARY KEY (link_id, survey_id)
) WITHOUT ROWID;
CREATE INDEX staff_link_surveys_by_survey ON staff_link_surveys (survey_id);
