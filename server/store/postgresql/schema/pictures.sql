-- Pictures, each once under the SHA-256 of its bytes, and which surveys use them: see server/store/pictures.py.
CREATE TABLE pictures (
    sha256 text PRIMARY KEY CHECK (length(sha256) = 64),
    type text NOT NULL CHECK (type IN ('png', 'jpeg', 'webp')),
    width integer NOT NULL CHECK (width > 0),
    height integer NOT NULL CHECK (height > 0),
    bytes bytea NOT NULL
);
CREATE TABLE survey_pictures (
    survey_id bigint NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    sha256 text NOT NULL REFERENCES pictures (sha256),
    PRIMARY KEY (survey_id, sha256)
);
CREATE INDEX survey_pictures_by_sha256 ON survey_pictures (sha256);

-- Who adds a picture, and who removes the last use of one, wait for each other: otherwise a picture could go
-- that a survey has just begun to use.
CREATE FUNCTION one_change_of_pictures() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('candor.pictures'));
    RETURN NEW;
END $$;
CREATE TRIGGER pictures_are_added_one_at_a_time BEFORE INSERT ON pictures
    FOR EACH ROW EXECUTE FUNCTION one_change_of_pictures();

CREATE TRIGGER pictures_never_change BEFORE UPDATE ON pictures
    FOR EACH ROW EXECUTE FUNCTION refuse('a picture cannot change');
CREATE TRIGGER pictures_stay BEFORE TRUNCATE ON pictures
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('a picture goes with the last survey that uses it');
CREATE TRIGGER survey_pictures_stay BEFORE TRUNCATE ON survey_pictures
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('pictures go together with their survey');
CREATE TRIGGER survey_pictures_never_change BEFORE UPDATE ON survey_pictures
    FOR EACH ROW EXECUTE FUNCTION refuse('a survey uses a picture or not');

CREATE FUNCTION only_drafts_change_pictures() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF (SELECT state FROM surveys WHERE id = NEW.survey_id) IS DISTINCT FROM 'draft' THEN
            RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
                MESSAGE = 'a published survey gets no more pictures';
        END IF;
        RETURN NEW;
    END IF;
    IF (SELECT state FROM surveys WHERE id = OLD.survey_id) <> 'draft' THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'a published survey keeps its pictures';
    END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER survey_pictures_are_those_of_the_draft BEFORE INSERT OR DELETE ON survey_pictures
    FOR EACH ROW EXECUTE FUNCTION only_drafts_change_pictures();

CREATE FUNCTION remove_unused_picture() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('candor.pictures'));
    DELETE FROM pictures WHERE sha256 = OLD.sha256
        AND NOT EXISTS (SELECT FROM survey_pictures WHERE survey_pictures.sha256 = OLD.sha256);
    RETURN NULL;
END $$;
CREATE TRIGGER pictures_go_with_the_last_survey AFTER DELETE ON survey_pictures
    FOR EACH ROW EXECUTE FUNCTION remove_unused_picture();
REVOKE ALL ON FUNCTION one_change_of_pictures, only_drafts_change_pictures, remove_unused_picture FROM PUBLIC;
