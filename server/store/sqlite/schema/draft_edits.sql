-- Drafts as they were typed, right or wrong, and who saved them last: see server/store/edits.py.
CREATE TABLE draft_edits (
    survey_id INTEGER PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    typed TEXT NOT NULL CHECK (json_valid(typed)),
    saved_by TEXT NOT NULL,
    wrong INTEGER NOT NULL CHECK (wrong IN (0, 1))
);

-- What was typed belongs to one draft. Whatever else changes the draft, or publishes it, takes its place.
CREATE TRIGGER draft_edits_end_with_their_draft AFTER UPDATE OF draft ON surveys
WHEN NEW.draft IS NOT OLD.draft
BEGIN DELETE FROM draft_edits WHERE survey_id = NEW.id; END;

CREATE TRIGGER draft_edits_are_of_drafts BEFORE INSERT ON draft_edits
WHEN (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'draft'
BEGIN SELECT RAISE(ABORT, 'only a draft is edited'); END;

CREATE TRIGGER surveys_do_not_open_while_something_is_wrong BEFORE UPDATE OF state ON surveys
WHEN OLD.state = 'draft' AND NEW.state <> 'draft'
    AND EXISTS (SELECT 1 FROM draft_edits WHERE survey_id = OLD.id AND wrong)
BEGIN SELECT RAISE(ABORT, 'a draft with something wrong in it is not published'); END;
