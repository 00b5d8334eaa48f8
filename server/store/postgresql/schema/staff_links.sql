-- Links by which somebody becomes a colleague or gets a new password, each once: see server/store/links.py.
CREATE TABLE staff_links (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_hash text NOT NULL UNIQUE CHECK (length(token_hash) = 64),
    made_by bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    account_id bigint REFERENCES accounts (id) ON DELETE CASCADE,
    role text CHECK (role IN ('admin', 'editor', 'researcher')),
    all_surveys integer NOT NULL DEFAULT 0 CHECK (all_surveys IN (0, 1)),
    expires bigint NOT NULL,
    CHECK ((account_id IS NULL) = (role IS NOT NULL))
);
CREATE INDEX staff_links_by_maker ON staff_links (made_by);
CREATE INDEX staff_links_by_account ON staff_links (account_id);
CREATE TABLE staff_link_surveys (
    link_id bigint NOT NULL REFERENCES staff_links (id) ON DELETE CASCADE,
    survey_id bigint NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    PRIMARY KEY (link_id, survey_id)
);
CREATE INDEX staff_link_surveys_by_survey ON staff_link_surveys (survey_id);
