-- One-time invitations: see server/store/invitations.py. Of each survey that has any: how many were made, on how
-- many sheets, up to which sheet they were withdrawn, and, where it keeps a list, who was on it at the last step.
CREATE TABLE invited (
    survey_id INTEGER PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    made INTEGER NOT NULL CHECK (made > 0),
    sheets INTEGER NOT NULL CHECK (sheets > 0),
    withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn BETWEEN 0 AND sheets),
    listed BLOB NOT NULL DEFAULT x'' CHECK (typeof(listed) = 'blob')
);
CREATE TRIGGER invited_are_made_while_open BEFORE INSERT ON invited
WHEN (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'open'
    OR EXISTS (SELECT 1 FROM invited WHERE survey_id = NEW.survey_id)
BEGIN SELECT RAISE(ABORT, 'invitations are made while the survey is open'); END;
CREATE TRIGGER invited_only_grow BEFORE UPDATE ON invited
WHEN NEW.survey_id IS NOT OLD.survey_id OR NEW.made < OLD.made OR NEW.sheets < OLD.sheets
    OR NEW.withdrawn < OLD.withdrawn OR length(NEW.listed) < length(OLD.listed)
    OR (SELECT state FROM surveys WHERE id = OLD.survey_id) IS NOT 'open'
BEGIN SELECT RAISE(ABORT, 'invitations only become more, while the survey is open'); END;
CREATE TRIGGER invited_stay_while_the_survey_does BEFORE DELETE ON invited
WHEN EXISTS (SELECT 1 FROM surveys WHERE id = OLD.survey_id)
BEGIN SELECT RAISE(ABORT, 'invitations go together with their survey'); END;

-- Sheets of up to 62 invitations: the hashes of their tokens, 16 bytes each, and a bit for each that was used.
-- The highest bit is always set, so that the number takes eight bytes and is overwritten where it stands. A sheet
-- goes once its survey is not open any more, whoever removes it.
CREATE TABLE invitations (
    survey_id INTEGER NOT NULL,
    sheet INTEGER NOT NULL CHECK (sheet >= 0),
    used INTEGER NOT NULL CHECK (typeof(used) = 'integer' AND used >= 4611686018427387904),
    hashes BLOB NOT NULL
        CHECK (typeof(hashes) = 'blob' AND length(hashes) BETWEEN 16 AND 992 AND length(hashes) % 16 = 0),
    PRIMARY KEY (survey_id, sheet)
);
CREATE TRIGGER invitations_are_made_while_open BEFORE INSERT ON invitations
WHEN (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'open'
    OR EXISTS (SELECT 1 FROM invitations WHERE survey_id = NEW.survey_id AND sheet = NEW.sheet)
BEGIN SELECT RAISE(ABORT, 'invitations are made while the survey is open'); END;
CREATE TRIGGER invitations_are_used_once BEFORE UPDATE ON invitations
WHEN NEW.survey_id IS NOT OLD.survey_id OR NEW.sheet IS NOT OLD.sheet OR NEW.hashes IS NOT OLD.hashes
    OR NEW.used & OLD.used <> OLD.used
    OR (SELECT state FROM surveys WHERE id = OLD.survey_id) IS NOT 'open'
BEGIN SELECT RAISE(ABORT, 'an invitation that was used stays so'); END;
CREATE TRIGGER invitations_stay_while_open BEFORE DELETE ON invitations
WHEN (SELECT state FROM surveys WHERE id = OLD.survey_id) IS 'open'
BEGIN SELECT RAISE(ABORT, 'invitations stay while the survey is open'); END;
