-- Drafts as they were typed, right or wrong, and who saved them last: see server/store/edits.py.
CREATE TABLE draft_edits (
    survey_id bigint PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    typed text NOT NULL CHECK (typed::json IS NOT NULL),
    saved_by text NOT NULL,
    wrong integer NOT NULL CHECK (wrong IN (0, 1))
);

-- What was typed belongs to one draft. Whatever else changes the draft, or publishes it, takes its place.
CREATE FUNCTION end_draft_edits() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    DELETE FROM draft_edits WHERE survey_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER draft_edits_end_with_their_draft AFTER UPDATE OF draft ON surveys
    FOR EACH ROW WHEN (NEW.draft IS DISTINCT FROM OLD.draft) EXECUTE FUNCTION end_draft_edits();

CREATE FUNCTION refuse_edits_of_no_draft() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    IF (SELECT state FROM surveys WHERE id = NEW.survey_id) IS DISTINCT FROM 'draft' THEN
        RAISE EXCEPTION 'only a draft is edited';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER draft_edits_are_of_drafts BEFORE INSERT ON draft_edits
    FOR EACH ROW EXECUTE FUNCTION refuse_edits_of_no_draft();

CREATE FUNCTION refuse_what_is_wrong() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM draft_edits WHERE survey_id = OLD.id AND wrong = 1) THEN
        RAISE EXCEPTION 'a draft with something wrong in it is not published';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER surveys_do_not_open_while_something_is_wrong BEFORE UPDATE OF state ON surveys
    FOR EACH ROW WHEN (OLD.state = 'draft' AND NEW.state <> 'draft') EXECUTE FUNCTION refuse_what_is_wrong();
REVOKE ALL ON FUNCTION end_draft_edits, refuse_edits_of_no_draft, refuse_what_is_wrong FROM PUBLIC;
