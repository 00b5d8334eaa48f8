-- One-time invitations: see server/store/invitations.py. Of each survey that has any: how many were made, on how
-- many sheets, up to which sheet they were withdrawn, and, where it keeps a list, who was on it at the last step.
CREATE TABLE invited (
    survey_id bigint PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    made bigint NOT NULL CHECK (made > 0),
    sheets bigint NOT NULL CHECK (sheets > 0),
    withdrawn bigint NOT NULL DEFAULT 0 CHECK (withdrawn BETWEEN 0 AND sheets),
    listed bytea NOT NULL DEFAULT ''
);
CREATE TRIGGER invited_are_made_while_open BEFORE INSERT OR UPDATE ON invited
    FOR EACH ROW EXECUTE FUNCTION refuse_unless_open('invitations are made while the survey is open');
CREATE TRIGGER invited_only_grow BEFORE UPDATE ON invited
    FOR EACH ROW WHEN (
        NEW.survey_id <> OLD.survey_id OR NEW.made < OLD.made OR NEW.sheets < OLD.sheets
        OR NEW.withdrawn < OLD.withdrawn OR octet_length(NEW.listed) < octet_length(OLD.listed)
    )
    EXECUTE FUNCTION refuse('invitations only become more');
CREATE TRIGGER invited_stay_while_the_survey_does BEFORE DELETE ON invited
    FOR EACH ROW EXECUTE FUNCTION refuse_while_there('invitations go together with their survey');
CREATE TRIGGER invited_go_with_their_survey BEFORE TRUNCATE ON invited
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('invitations go together with their survey');

-- Sheets of up to 62 invitations: the hashes of their tokens, 16 bytes each, and a bit for each that was used,
-- below a highest one that is always set. A sheet goes once its survey is not open any more, whoever removes it.
CREATE TABLE invitations (
    survey_id bigint NOT NULL,
    sheet bigint NOT NULL CHECK (sheet >= 0),
    used bigint NOT NULL CHECK (used >= 4611686018427387904),
    hashes bytea NOT NULL CHECK (octet_length(hashes) BETWEEN 16 AND 992 AND octet_length(hashes) % 16 = 0),
    PRIMARY KEY (survey_id, sheet)
) WITH (fillfactor = 50);
CREATE TRIGGER invitations_change_while_open BEFORE INSERT OR UPDATE ON invitations
    FOR EACH ROW EXECUTE FUNCTION refuse_unless_open('invitations are made and used while the survey is open');
CREATE TRIGGER invitations_are_used_once BEFORE UPDATE ON invitations
    FOR EACH ROW WHEN (
        NEW.survey_id <> OLD.survey_id OR NEW.sheet <> OLD.sheet OR NEW.hashes <> OLD.hashes
        OR NEW.used & OLD.used <> OLD.used
    )
    EXECUTE FUNCTION refuse('an invitation that was used stays so');
CREATE FUNCTION refuse_while_open() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    IF state_of(OLD.survey_id) = 'open' THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = TG_ARGV[0];
    END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER invitations_stay_while_open BEFORE DELETE ON invitations
    FOR EACH ROW EXECUTE FUNCTION refuse_while_open('invitations stay while the survey is open');
CREATE TRIGGER invitations_go_one_by_one BEFORE TRUNCATE ON invitations
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('invitations stay while the survey is open');
REVOKE ALL ON FUNCTION refuse_while_open FROM PUBLIC;
