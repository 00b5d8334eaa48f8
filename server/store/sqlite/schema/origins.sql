-- Which survey another was copied from, to ask the same people again or other people the same: see
-- server/store/origins.py. All copies of a copy name the first survey.
CREATE TABLE origins (
    survey_id INTEGER PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    origin_id INTEGER NOT NULL REFERENCES surveys (id) ON DELETE CASCADE CHECK (origin_id <> survey_id),
    relation TEXT NOT NULL CHECK (relation IN ('wave', 'group'))
);
CREATE INDEX origins_by_origin ON origins (origin_id);
