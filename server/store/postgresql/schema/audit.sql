-- What staff did: see server/store/audit.py. A line is written once, and stays.
CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    moment text NOT NULL DEFAULT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    who text NOT NULL,
    what text NOT NULL,
    survey text,
    about text
);
CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('a line of the audit log cannot change');
CREATE TRIGGER audit_stays BEFORE DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('a line of the audit log stays');
