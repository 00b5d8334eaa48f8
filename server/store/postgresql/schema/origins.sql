-- Which survey another was copied from, to ask the same people again or other people the same: see
-- server/store/origins.py. All copies of a copy name the first survey.
CREATE TABLE origins (
    survey_id bigint PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    origin_id bigint NOT NULL REFERENCES surveys (id) ON DELETE CASCADE CHECK (origin_id <> survey_id),
    relation text NOT NULL CHECK (relation IN ('wave', 'group'))
);
CREATE INDEX origins_by_origin ON origins (origin_id);
