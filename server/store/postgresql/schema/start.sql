-- The tables as they were in SQLite when PostgreSQL came to be. What is here has run somewhere: never edit.
-- `candor, pg_temp` is the search path while this runs.

-- What must never happen is refused here too, whoever tries: the message is the trigger's argument.
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = TG_ARGV[0];
END $$;

-- A survey's name and state; its draft until it is published. No number is used twice.
CREATE TABLE surveys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    state text NOT NULL CHECK (state IN ('draft', 'open', 'closed')),
    draft text CHECK (draft IS NULL OR draft::json IS NOT NULL),
    CHECK ((state = 'draft') = (draft IS NOT NULL))
);
CREATE TRIGGER surveys_start_as_drafts BEFORE INSERT ON surveys
    FOR EACH ROW WHEN (NEW.state <> 'draft')
    EXECUTE FUNCTION refuse('a survey starts as a draft');
CREATE TRIGGER surveys_keep_their_number BEFORE UPDATE ON surveys
    FOR EACH ROW WHEN (NEW.id <> OLD.id)
    EXECUTE FUNCTION refuse('a survey keeps its number');
CREATE TRIGGER surveys_are_frozen_once_published BEFORE UPDATE ON surveys
    FOR EACH ROW WHEN (OLD.state <> 'draft' AND (NEW.slug <> OLD.slug OR NEW.draft IS DISTINCT FROM OLD.draft))
    EXECUTE FUNCTION refuse('a published survey cannot change');
CREATE TRIGGER surveys_only_move_forward BEFORE UPDATE ON surveys
    FOR EACH ROW
    WHEN (NEW.state <> OLD.state AND OLD.state || '>' || NEW.state NOT IN ('draft>open', 'open>closed'))
    EXECUTE FUNCTION refuse('a survey goes from draft to open to closed');
CREATE TRIGGER surveys_go_one_by_one BEFORE TRUNCATE ON surveys
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('surveys are removed one by one');

CREATE FUNCTION state_of(number bigint) RETURNS text LANGUAGE sql STABLE SET search_path = candor, pg_temp AS $$
    SELECT state FROM surveys WHERE id = number
$$;
CREATE FUNCTION refuse_unless_open() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    IF state_of(NEW.survey_id) IS DISTINCT FROM 'open' THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = TG_ARGV[0];
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION refuse_while_there() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    IF state_of(OLD.survey_id) IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = TG_ARGV[0];
    END IF;
    RETURN OLD;
END $$;

-- What was published, byte for byte, for good: it goes only together with the whole survey.
CREATE TABLE publications (
    survey_id bigint PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    json bytea NOT NULL,
    fingerprint text NOT NULL CHECK (fingerprint = encode(sha256(json), 'hex'))
);
CREATE TRIGGER publications_are_made_once BEFORE INSERT ON publications
    FOR EACH ROW EXECUTE FUNCTION refuse_unless_open('a survey is published once, when it opens');
CREATE TRIGGER publications_never_change BEFORE UPDATE ON publications
    FOR EACH ROW EXECUTE FUNCTION refuse('a published survey cannot change');
CREATE TRIGGER publications_stay_while_the_survey_does BEFORE DELETE ON publications
    FOR EACH ROW EXECUTE FUNCTION refuse_while_there('a published survey cannot be withdrawn');
CREATE TRIGGER publications_go_with_their_survey BEFORE TRUNCATE ON publications
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('a published survey cannot be withdrawn');

-- How often each code came, and what of it may be shown: a survey's counts in one row, eight bytes each, the
-- lowest first, in the order of `columns` and of the codes within each. `rewritten`: see `write_anew`.
CREATE TABLE tallies (
    survey_id bigint PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    columns text[] NOT NULL,
    codes integer[] NOT NULL,
    counts bytea NOT NULL,
    published bytea NOT NULL,
    rewritten boolean NOT NULL DEFAULT false,
    CHECK (octet_length(counts) = octet_length(published))
) WITH (fillfactor = 50);
CREATE FUNCTION tallies_change() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    IF (NEW.survey_id, NEW.columns, NEW.codes, octet_length(NEW.counts))
        IS DISTINCT FROM (OLD.survey_id, OLD.columns, OLD.codes, octet_length(OLD.counts))
        OR (OLD.rewritten AND NOT NEW.rewritten)
    THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'tallies keep their survey and their columns';
    END IF;
    IF (NEW.counts, NEW.published) IS DISTINCT FROM (OLD.counts, OLD.published)
        AND state_of(OLD.survey_id) IS DISTINCT FROM 'open'
    THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'the counts of a closed survey are final';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tallies_are_made_once BEFORE INSERT ON tallies
    FOR EACH ROW EXECUTE FUNCTION refuse_unless_open('tallies are made once, when the survey opens');
CREATE TRIGGER tallies_are_final_once_closed BEFORE UPDATE ON tallies
    FOR EACH ROW EXECUTE FUNCTION tallies_change();
CREATE TRIGGER tallies_stay_while_the_survey_does BEFORE DELETE ON tallies
    FOR EACH ROW EXECUTE FUNCTION refuse_while_there('tallies go together with their survey');
CREATE TRIGGER tallies_go_with_their_survey BEFORE TRUNCATE ON tallies
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('tallies go together with their survey');

-- How often a survey was opened and sent, by UTC day, in total only.
CREATE TABLE days (
    survey_id bigint NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    day text NOT NULL CHECK (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
    started bigint NOT NULL DEFAULT 0,
    sent bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (survey_id, day)
);

-- What the server decides once and keeps, such as the key that signs staff sessions.
CREATE TABLE settings (name text PRIMARY KEY, value text NOT NULL);

-- Who may sign in; names differ by more than the case of their letters.
CREATE TABLE accounts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('admin', 'researcher')),
    password_hash text NOT NULL CHECK (password_hash LIKE '$argon2id$%')
);
CREATE UNIQUE INDEX accounts_by_name ON accounts (lower(name));

-- Staff sessions: the hash of a token that only a cookie holds, so that a session can be ended here.
CREATE TABLE sessions (
    token_hash text PRIMARY KEY CHECK (length(token_hash) = 64),
    account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    expires bigint NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account_id);

-- What may be read of a survey that is closed: see roles.sql. Its reports come without receipts, in the order
-- of their own values, in a view of their own: see `forget_arrivals`.
CREATE SCHEMA candor_closed;
CREATE VIEW candor_closed.surveys AS
    SELECT id, slug, convert_from(json, 'UTF8')::json AS definition, fingerprint
    FROM surveys JOIN publications ON survey_id = id WHERE state = 'closed';

-- Opening, closing and deleting a survey make and drop tables, which the application's role may not. These
-- functions run as the owner of the tables, and the triggers above hold for them too.

-- Give for each column the expression that reads its code from `record`: one byte where it has at most 256
-- codes, otherwise two, the higher one first; as survey/record.py writes them.
CREATE FUNCTION readings(codes integer[]) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    place integer := 0;
    found text[] := '{}';
    width integer;
BEGIN
    FOREACH width IN ARRAY codes LOOP
        IF width <= 256 THEN
            found := found || format('get_byte(record, %s)', place);
            place := place + 1;
        ELSE
            found := found || format('(get_byte(record, %s) << 8 | get_byte(record, %s))', place, place + 1);
            place := place + 2;
        END IF;
    END LOOP;
    RETURN found || format('%s', place);
END $$;

-- Publish a draft. Its reports arrive in a table of their own, as they come; a hash of the receipt chooses one
-- of its parts, so that each part and its index stay small enough to be kept in memory, checked and moved.
CREATE FUNCTION open_survey(number bigint, bytes bytea, hash text, names text[], widths integer[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = candor, pg_temp AS $$
DECLARE
    arrivals text := format('arrivals_%s', number);
    parts constant integer := 8;
    held text;
    reading text[] := readings(widths);
    size text := reading[cardinality(reading)];
    zeros bytea := decode(repeat('00', 8 * (SELECT sum(width)::integer FROM unnest(widths) AS width)), 'hex');
    codes text := (
        SELECT string_agg(format('AND %s < %s', reading[place], width), ' ' ORDER BY place)
        FROM unnest(widths) WITH ORDINALITY AS each (width, place)
    );
BEGIN
    IF cardinality(names) <> cardinality(widths) THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = 'each column has its codes';
    END IF;
    UPDATE surveys SET state = 'open', draft = NULL WHERE id = number;
    INSERT INTO publications (survey_id, json, fingerprint) VALUES (number, bytes, hash);
    INSERT INTO tallies (survey_id, columns, codes, counts, published) VALUES (number, names, widths, zeros, zeros);
    EXECUTE format(
        'CREATE TABLE %I (receipt bytea PRIMARY KEY CHECK (octet_length(receipt) = 16),'
        ' record bytea NOT NULL CHECK (octet_length(record) = %s %s)) PARTITION BY HASH (receipt)',
        arrivals, size, codes
    );
    FOR part IN 0 .. parts - 1 LOOP
        EXECUTE format(
            'CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
            format('%s_%s', arrivals, part), arrivals, parts, part
        );
    END LOOP;
    FOR part IN -1 .. parts - 1 LOOP  -- whoever names a part passes by the triggers of the whole
        held := CASE WHEN part < 0 THEN arrivals ELSE format('%s_%s', arrivals, part) END;
        EXECUTE format(
            'CREATE TRIGGER come_while_open BEFORE INSERT ON %I FOR EACH STATEMENT'
            ' EXECUTE FUNCTION refuse_arrivals(%L)',
            held, number
        );
        EXECUTE format(
            'CREATE TRIGGER stay BEFORE UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT'
            ' EXECUTE FUNCTION refuse(''a report cannot change'')',
            held
        );
    END LOOP;
END $$;
CREATE FUNCTION refuse_arrivals() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    IF state_of(TG_ARGV[0]::bigint) IS DISTINCT FROM 'open' THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'a report comes while the survey is open';
    END IF;
    RETURN NULL;
END $$;

-- Stop taking reports, for good, and show the exact counts.
CREATE FUNCTION close_survey(number bigint)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = candor, pg_temp AS $$
BEGIN
    PERFORM FROM surveys WHERE id = number FOR UPDATE;
    UPDATE tallies SET published = counts WHERE survey_id = number;
    UPDATE surveys SET state = 'closed' WHERE id = number;
END $$;

-- Remove a survey with all that belongs to it.
CREATE FUNCTION delete_survey(number bigint)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = candor, pg_temp AS $$
BEGIN
    PERFORM FROM surveys WHERE id = number FOR UPDATE;
    EXECUTE format('DROP VIEW IF EXISTS candor_closed.%I', format('reports_%s', number));
    EXECUTE format('DROP TABLE IF EXISTS %I, %I', format('arrivals_%s', number), format('reports_%s', number));
    DELETE FROM surveys WHERE id = number;
END $$;

-- Write the reports of a closed survey anew, a column for each question, in the order of their keys: the place
-- of a row among the arrivals, and the transaction that wrote it, tell when it came. Nobody waits for this.
CREATE FUNCTION write_anew(number bigint)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = candor, pg_temp AS $$
DECLARE
    reports text := format('reports_%s', number);
    tally tallies;
    reading text[];
BEGIN
    SELECT * INTO tally FROM tallies WHERE survey_id = number AND NOT rewritten;
    IF NOT FOUND OR state_of(number) IS DISTINCT FROM 'closed' THEN
        RETURN;
    END IF;
    reading := readings(tally.codes);
    EXECUTE format('DROP TABLE IF EXISTS %I', reports);
    EXECUTE format(
        'CREATE TABLE %I (receipt bytea NOT NULL, %s)',
        reports, (SELECT string_agg(format('%I integer NOT NULL', column_name(name)), ', ') FROM unnest(tally.columns) AS name)
    );
    EXECUTE format(
        'INSERT INTO %I SELECT receipt, %s FROM %I ORDER BY receipt',
        reports, array_to_string(reading[:cardinality(reading) - 1], ', '), format('arrivals_%s', number)
    );
    EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (receipt)', reports);
    EXECUTE format(
        'CREATE TRIGGER stay BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT'
        ' EXECUTE FUNCTION refuse(''the reports of a closed survey are final'')',
        reports
    );
END $$;

-- PostgreSQL has names of its own in every table; a question of such a name gets two underscores.
CREATE FUNCTION column_name(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN name IN ('tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid') THEN name || '__' ELSE name END
$$;

-- Let the table written anew take the place of the arrivals, of which nothing stays; give whether there is
-- nothing left to do. Whoever reads the arrivals may finish; whoever comes then waits for a moment only.
CREATE FUNCTION forget_arrivals(number bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = candor, pg_temp SET lock_timeout = '50ms' AS $$
DECLARE
    arrivals text := format('arrivals_%s', number);
    reports text := format('reports_%s', number);
    names text := (
        SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = to_regclass(reports) AND attnum > 1
    );
BEGIN
    IF to_regclass(arrivals) IS NULL OR to_regclass(reports) IS NULL THEN
        RETURN true;
    END IF;
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', arrivals);
    PERFORM FROM surveys WHERE id = number FOR UPDATE;
    UPDATE tallies SET rewritten = true WHERE survey_id = number;
    EXECUTE format(
        'CREATE VIEW candor_closed.%I WITH (security_barrier) AS SELECT %s FROM %I ORDER BY %s',
        reports, names, reports, names
    );
    EXECUTE format('DROP TABLE %I', arrivals);
    RETURN true;
EXCEPTION WHEN lock_not_available OR undefined_table THEN
    RETURN false;
END $$;

-- Whoever may connect could call what is made here; the owner grants it to those who may.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA candor FROM PUBLIC;
