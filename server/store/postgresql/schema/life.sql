-- When a survey opens and closes, and what else becomes of it: see server/store/life.py. Moments are seconds
-- since 1970, UTC; `zone` is the time zone in which they were chosen. A survey without a row has none of it.
CREATE TABLE life (
    survey_id bigint PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    zone text NOT NULL DEFAULT 'UTC',
    opens_at bigint,
    opens_as text CHECK (length(opens_as) = 64),
    stays_draft integer NOT NULL DEFAULT 0 CHECK (stays_draft IN (0, 1)),
    closes_at bigint CHECK (closes_at > opens_at OR opens_at IS NULL),
    quota bigint CHECK (quota > 0),
    end_changed bigint,
    closed_by text CHECK (closed_by IN ('hand', 'date', 'quota')),
    paused integer NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
    archived integer NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    remove_at bigint CHECK (remove_at > closes_at OR closes_at IS NULL),
    removed integer NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    CHECK ((opens_at IS NULL) = (opens_as IS NULL)),
    CHECK (removed = 0 OR remove_at IS NOT NULL)
);

CREATE FUNCTION life_changes() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
DECLARE
    state text := state_of(NEW.survey_id);
BEGIN
    IF (NEW.paused = 1 AND state IS DISTINCT FROM 'open')
        OR ((NEW.removed = 1 OR NEW.closed_by IS NOT NULL) AND state IS DISTINCT FROM 'closed')
    THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'open surveys are paused, and reports of closed ones are removed';
    END IF;
    IF TG_OP = 'INSERT' THEN
        RETURN NEW;
    END IF;
    IF NEW.survey_id <> OLD.survey_id
        OR (OLD.closed_by IS NOT NULL AND NEW.closed_by IS DISTINCT FROM OLD.closed_by)
        OR (OLD.removed = 1 AND (NEW.removed = 0 OR NEW.remove_at IS DISTINCT FROM OLD.remove_at))
        OR (OLD.end_changed IS NOT NULL AND (NEW.end_changed IS NULL OR NEW.end_changed < OLD.end_changed))
        OR ((NEW.opens_at, NEW.opens_as) IS DISTINCT FROM (OLD.opens_at, OLD.opens_as)
            AND state IS DISTINCT FROM 'draft')
    THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'what has happened to a survey stays noted';
    END IF;
    IF (NEW.closes_at, NEW.quota) IS DISTINCT FROM (OLD.closes_at, OLD.quota)
        AND state IS DISTINCT FROM 'draft' AND (NEW.end_changed IS NULL OR state IS DISTINCT FROM 'open')
    THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'the end of an open survey changes only if that is noted';
    END IF;
    -- Tried out with lower and lower quotas, an open survey would tell how many have answered so far.
    IF NEW.quota < coalesce(OLD.quota, NEW.quota + 1) AND state IS DISTINCT FROM 'draft' THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'the quota of an open survey is raised or taken away';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER life_goes_on_as_the_state_allows BEFORE INSERT OR UPDATE ON life
    FOR EACH ROW EXECUTE FUNCTION life_changes();
CREATE TRIGGER life_stays_while_the_survey_does BEFORE DELETE ON life
    FOR EACH ROW EXECUTE FUNCTION refuse_while_there('what has happened to a survey stays noted');
CREATE TRIGGER life_goes_with_its_survey BEFORE TRUNCATE ON life
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('what has happened to a survey stays noted');

CREATE FUNCTION tallies_stand_still() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM life WHERE survey_id = OLD.survey_id AND paused = 1) THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'the counts of a paused survey stand still';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tallies_stand_still_while_paused BEFORE UPDATE OF counts, published ON tallies
    FOR EACH ROW EXECUTE FUNCTION tallies_stand_still();

-- Remove the reports of a closed survey whose day has come, for good. Its counts stay, and so do its estimates.
CREATE FUNCTION remove_reports(number bigint)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = candor, pg_temp AS $$
BEGIN
    PERFORM FROM surveys WHERE id = number FOR UPDATE;
    UPDATE life SET removed = 1 WHERE survey_id = number;
    IF NOT FOUND THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'the reports of this survey stay';
    END IF;
    UPDATE tallies SET rewritten = true WHERE survey_id = number;
    EXECUTE format('DROP VIEW IF EXISTS candor_closed.%I', format('reports_%s', number));
    EXECUTE format('DROP TABLE IF EXISTS %I, %I', format('arrivals_%s', number), format('reports_%s', number));
END $$;

REVOKE ALL ON FUNCTION life_changes, tallies_stand_still, remove_reports FROM PUBLIC;
