-- When a survey opens and closes, and what else becomes of it: see server/store/life.py. Moments are seconds
-- since 1970, UTC; `zone` is the time zone in which they were chosen. A survey without a row has none of it.
CREATE TABLE life (
    survey_id INTEGER PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    zone TEXT NOT NULL DEFAULT 'UTC',
    opens_at INTEGER,
    opens_as TEXT CHECK (length(opens_as) = 64),
    stays_draft INTEGER NOT NULL DEFAULT 0 CHECK (stays_draft IN (0, 1)),
    closes_at INTEGER CHECK (closes_at > opens_at OR opens_at IS NULL),
    quota INTEGER CHECK (quota > 0),
    end_changed INTEGER,
    closed_by TEXT CHECK (closed_by IN ('hand', 'date', 'quota')),
    paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    remove_at INTEGER CHECK (remove_at > closes_at OR closes_at IS NULL),
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    CHECK ((opens_at IS NULL) = (opens_as IS NULL)),
    CHECK (removed = 0 OR remove_at IS NOT NULL)
);

CREATE TRIGGER life_is_noted_once BEFORE INSERT ON life
WHEN EXISTS (SELECT 1 FROM life WHERE survey_id = NEW.survey_id)
BEGIN SELECT RAISE(ABORT, 'what becomes of a survey is noted in one place'); END;

CREATE TRIGGER life_begins_as_the_state_allows BEFORE INSERT ON life
WHEN (NEW.paused = 1 AND (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'open')
    OR ((NEW.removed = 1 OR NEW.closed_by IS NOT NULL)
        AND (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'closed')
BEGIN SELECT RAISE(ABORT, 'open surveys are paused, and reports of closed ones are removed'); END;

CREATE TRIGGER life_goes_on_as_the_state_allows BEFORE UPDATE ON life
WHEN (NEW.paused = 1 AND (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'open')
    OR ((NEW.removed = 1 OR NEW.closed_by IS NOT NULL)
        AND (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'closed')
BEGIN SELECT RAISE(ABORT, 'open surveys are paused, and reports of closed ones are removed'); END;

CREATE TRIGGER life_keeps_what_has_happened BEFORE UPDATE ON life
WHEN NEW.survey_id IS NOT OLD.survey_id
    OR (OLD.closed_by IS NOT NULL AND NEW.closed_by IS NOT OLD.closed_by)
    OR (OLD.removed = 1 AND (NEW.removed = 0 OR NEW.remove_at IS NOT OLD.remove_at))
    OR (OLD.end_changed IS NOT NULL AND (NEW.end_changed IS NULL OR NEW.end_changed < OLD.end_changed))
    OR ((NEW.opens_at IS NOT OLD.opens_at OR NEW.opens_as IS NOT OLD.opens_as)
        AND (SELECT state FROM surveys WHERE id = OLD.survey_id) IS NOT 'draft')
BEGIN SELECT RAISE(ABORT, 'what has happened to a survey stays noted'); END;

CREATE TRIGGER life_keeps_the_end_or_says_when_it_changed BEFORE UPDATE ON life
WHEN (NEW.closes_at IS NOT OLD.closes_at OR NEW.quota IS NOT OLD.quota)
    AND (SELECT state FROM surveys WHERE id = OLD.survey_id) IS NOT 'draft'
    AND (NEW.end_changed IS NULL OR (SELECT state FROM surveys WHERE id = OLD.survey_id) IS NOT 'open')
BEGIN SELECT RAISE(ABORT, 'the end of an open survey changes only if that is noted'); END;

-- Tried out with lower and lower quotas, an open survey would tell how many have answered so far.
CREATE TRIGGER life_lowers_no_quota_once_open BEFORE UPDATE OF quota ON life
WHEN NEW.quota < coalesce(OLD.quota, NEW.quota + 1)
    AND (SELECT state FROM surveys WHERE id = OLD.survey_id) IS NOT 'draft'
BEGIN SELECT RAISE(ABORT, 'the quota of an open survey is raised or taken away'); END;

CREATE TRIGGER life_stays_while_the_survey_does BEFORE DELETE ON life
WHEN EXISTS (SELECT 1 FROM surveys WHERE id = OLD.survey_id)
BEGIN SELECT RAISE(ABORT, 'what has happened to a survey stays noted'); END;

CREATE TRIGGER counts_stand_still_while_paused BEFORE UPDATE OF counted, published ON counts
WHEN EXISTS (SELECT 1 FROM life WHERE survey_id = OLD.survey_id AND paused = 1)
BEGIN SELECT RAISE(ABORT, 'the counts of a paused survey stand still'); END;
