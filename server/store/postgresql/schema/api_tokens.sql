-- What programs sign in with: see server/store/tokens.py. Who loses a role loses every token with it.
CREATE TABLE tokens (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_hash text NOT NULL UNIQUE CHECK (length(token_hash) = 64),
    account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name text NOT NULL,
    writes integer NOT NULL CHECK (writes IN (0, 1)),
    all_surveys integer NOT NULL CHECK (all_surveys IN (0, 1)),
    expires text,
    used text
);
CREATE INDEX tokens_by_account ON tokens (account_id);
CREATE TABLE token_surveys (
    token_id bigint NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
    survey_id bigint NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    PRIMARY KEY (token_id, survey_id)
);
CREATE INDEX token_surveys_by_survey ON token_surveys (survey_id);

CREATE FUNCTION end_tokens() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    DELETE FROM tokens WHERE account_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER tokens_end_with_the_role AFTER UPDATE OF role ON accounts
    FOR EACH ROW WHEN (NEW.role <> OLD.role) EXECUTE FUNCTION end_tokens();
REVOKE ALL ON FUNCTION end_tokens FROM PUBLIC;
