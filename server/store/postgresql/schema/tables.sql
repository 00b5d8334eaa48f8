-- The tables of PostgreSQL, what their triggers refuse, and the functions that run as their owner.
-- `candor, pg_temp` is the search path while this runs.

-- What must never happen is refused here too, whoever tries: the message is the trigger's argument.
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = TG_ARGV[0];
END $$;

-- A survey's name and state. Until it is published, its draft, right or wrong, and who saved it from which page:
-- see server/store/drafts.py. No number is used twice.
CREATE TABLE surveys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    state text NOT NULL CHECK (state IN ('draft', 'open', 'closed')),
    draft text CHECK (draft IS NULL OR draft::json IS NOT NULL),
    saves text CHECK (saves IS NULL OR saves::json IS NOT NULL),
    CHECK ((state = 'draft') = (draft IS NOT NULL)),
    CHECK (state = 'draft' OR saves IS NULL)
);
CREATE TRIGGER surveys_start_as_drafts BEFORE INSERT ON surveys
    FOR EACH ROW WHEN (NEW.state <> 'draft')
    EXECUTE FUNCTION refuse('a survey starts as a draft');
CREATE TRIGGER surveys_keep_their_number BEFORE UPDATE ON surveys
    FOR EACH ROW WHEN (NEW.id <> OLD.id)
    EXECUTE FUNCTION refuse('a survey keeps its number');
CREATE TRIGGER surveys_are_frozen_once_published BEFORE UPDATE ON surveys
    FOR EACH ROW WHEN (
        OLD.state <> 'draft' AND (NEW.slug, NEW.draft, NEW.saves) IS DISTINCT FROM (OLD.slug, OLD.draft, OLD.saves)
    )
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
CREATE FUNCTION refuse_while_open() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    IF state_of(OLD.survey_id) = 'open' THEN
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
-- highest first, in the order of `columns` and of the codes within each; of linked columns, how often each row of
-- their codes came. What comes while it is open is counted in `tally_parts`. `rewritten`: see `write_anew`.
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

-- What an open survey has counted beyond its row of `tallies`, in parts that add up. Whoever stores reports adds
-- to a part that nobody else holds, and makes one if all are held: so there are as many as ever stored at a time.
CREATE TABLE tally_parts (
    survey_id bigint NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    part bigint GENERATED ALWAYS AS IDENTITY,
    counts bytea NOT NULL,
    PRIMARY KEY (survey_id, part)
) WITH (fillfactor = 50);
CREATE FUNCTION tally_parts_change() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
DECLARE
    nothing bytea;
BEGIN
    IF state_of(NEW.survey_id) IS DISTINCT FROM 'open' THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'the counts of a closed survey are final';
    END IF;
    IF TG_OP = 'INSERT' THEN
        SELECT decode(repeat('00', octet_length(counts)), 'hex') INTO nothing FROM tallies
            WHERE survey_id = NEW.survey_id;
        IF NEW.counts IS DISTINCT FROM nothing THEN
            RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
                MESSAGE = 'a part of a tally begins with nothing';
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.survey_id, NEW.part, octet_length(NEW.counts))
        IS DISTINCT FROM (OLD.survey_id, OLD.part, octet_length(OLD.counts))
    THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'tallies keep their survey and their columns';
    END IF;
    IF EXISTS (SELECT FROM life WHERE survey_id = OLD.survey_id AND paused = 1) THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'the counts of a paused survey stand still';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tally_parts_change_while_open BEFORE INSERT OR UPDATE ON tally_parts
    FOR EACH ROW EXECUTE FUNCTION tally_parts_change();
CREATE TRIGGER tally_parts_stay_while_open BEFORE DELETE ON tally_parts
    FOR EACH ROW EXECUTE FUNCTION refuse_while_open('tallies go together with their survey');
CREATE TRIGGER tally_parts_go_with_their_survey BEFORE TRUNCATE ON tally_parts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('tallies go together with their survey');

-- Add up the counts of a survey.
CREATE FUNCTION counted(number bigint) RETURNS bytea LANGUAGE sql STABLE SET search_path = candor, pg_temp AS $$
    SELECT string_agg(int8send(total), '' ORDER BY place) FROM (
        SELECT place, sum(('x' || encode(substr(counts, 8 * place + 1, 8), 'hex'))::bit(64)::bigint)::bigint AS total
        FROM (
            SELECT counts FROM tallies WHERE survey_id = number
            UNION ALL
            SELECT counts FROM tally_parts WHERE survey_id = number
        ) AS parts, generate_series(0, octet_length(counts) / 8 - 1) AS place
        GROUP BY place
    ) AS totals
$$;

-- How often a survey was opened and sent, by UTC day, in total only: the rows of a day add up. Whoever adds to
-- one holds the part of the tally that has its number; 0 is for surveys without parts.
CREATE TABLE days (
    survey_id bigint NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    day text NOT NULL CHECK (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
    part bigint NOT NULL DEFAULT 0,
    started bigint NOT NULL DEFAULT 0,
    sent bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (survey_id, day, part)
);

-- The list of what was counted, of each survey that is closed: see server/store/counted_lists.py. First its leaves,
-- in sheets, then what stands above them; both stay when the reports are removed. Sheets go after their survey.
CREATE TABLE leaf_sheets (
    survey_id bigint NOT NULL,
    place bigint NOT NULL CHECK (place >= 0),
    first bytea NOT NULL CHECK (octet_length(first) = 32),
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    hashes bytea NOT NULL CHECK (octet_length(hashes) BETWEEN 32 AND 32768 AND octet_length(hashes) % 32 = 0),
    PRIMARY KEY (survey_id, place)
);
CREATE TABLE counted_lists (
    survey_id bigint PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    root text NOT NULL CHECK (length(root) = 64),
    leaves bigint NOT NULL CHECK (leaves >= 0),
    bits integer CHECK (bits >= 0),
    noted integer NOT NULL DEFAULT 0 CHECK (noted IN (0, 1))
);
CREATE FUNCTION refuse_unless_closed() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    IF state_of(NEW.survey_id) IS DISTINCT FROM 'closed'
        OR EXISTS (SELECT FROM counted_lists WHERE survey_id = NEW.survey_id)
    THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = TG_ARGV[0];
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER leaf_sheets_are_made_once BEFORE INSERT ON leaf_sheets
    FOR EACH ROW EXECUTE FUNCTION refuse_unless_closed('the list of what was counted is made once, after closing');
CREATE TRIGGER leaf_sheets_never_change BEFORE UPDATE ON leaf_sheets
    FOR EACH ROW EXECUTE FUNCTION refuse('the list of what was counted cannot change');
CREATE TRIGGER leaf_sheets_stay_while_the_survey_does BEFORE DELETE ON leaf_sheets
    FOR EACH ROW EXECUTE FUNCTION refuse_while_there('the list of what was counted goes together with its survey');
CREATE TRIGGER leaf_sheets_go_with_their_survey BEFORE TRUNCATE ON leaf_sheets
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('the list of what was counted goes together with its survey');
CREATE TRIGGER counted_lists_are_made_once BEFORE INSERT ON counted_lists
    FOR EACH ROW EXECUTE FUNCTION refuse_unless_closed('the list of what was counted is made once, after closing');
CREATE TRIGGER counted_lists_never_change BEFORE UPDATE ON counted_lists
    FOR EACH ROW WHEN (
        (NEW.survey_id, NEW.root, NEW.leaves, NEW.bits) IS DISTINCT FROM (OLD.survey_id, OLD.root, OLD.leaves, OLD.bits)
        OR NEW.noted < OLD.noted
    )
    EXECUTE FUNCTION refuse('the list of what was counted cannot change');
CREATE TRIGGER counted_lists_stay_while_the_survey_does BEFORE DELETE ON counted_lists
    FOR EACH ROW EXECUTE FUNCTION refuse_while_there('the list of what was counted goes together with its survey');
CREATE TRIGGER counted_lists_go_with_their_survey BEFORE TRUNCATE ON counted_lists
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('the list of what was counted goes together with its survey');

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
    begun bigint NOT NULL,
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
CREATE FUNCTION open_survey(number bigint, bytes bytea, hash text, names text[], widths integer[], counted integer)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = candor, pg_temp AS $$
DECLARE
    arrivals text := format('arrivals_%s', number);
    parts constant integer := 8;
    held text;
    reading text[] := readings(widths);
    size text := reading[cardinality(reading)];
    zeros bytea := decode(repeat('00', 8 * counted), 'hex');
    codes text := (
        SELECT string_agg(format('AND %s < %s', reading[place], width), ' ' ORDER BY place)
        FROM unnest(widths) WITH ORDINALITY AS each (width, place)
    );
BEGIN
    IF cardinality(names) <> cardinality(widths) THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = 'each column has its codes';
    END IF;
    UPDATE surveys SET state = 'open', draft = NULL, saves = NULL WHERE id = number;
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

-- Stop taking reports, for good, join what was counted in parts, and show the exact counts.
CREATE FUNCTION close_survey(number bigint)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = candor, pg_temp AS $$
BEGIN
    PERFORM FROM surveys WHERE id = number FOR UPDATE;
    UPDATE tallies SET counts = counted(number), published = counted(number) WHERE survey_id = number;
    UPDATE surveys SET state = 'closed' WHERE id = number;
    DELETE FROM tally_parts WHERE survey_id = number;
    WITH parts AS (DELETE FROM days WHERE survey_id = number RETURNING day, started, sent)
    INSERT INTO days (survey_id, day, started, sent)
        SELECT number, day, sum(started), sum(sent) FROM parts GROUP BY day;
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
    EXECUTE format('DROP TABLE %I', arrivals);
    PERFORM FROM surveys WHERE id = number FOR UPDATE;
    UPDATE tallies SET rewritten = true WHERE survey_id = number;
    EXECUTE format(
        'CREATE VIEW candor_closed.%I WITH (security_barrier) AS SELECT %s FROM %I ORDER BY %s',
        reports, names, reports, names
    );
    RETURN true;
EXCEPTION WHEN lock_not_available OR undefined_table THEN
    RETURN false;
END $$;

-- Failed attempts at passwords, by an HMAC of the address and the name: see server/store/staff/attempts.py.
CREATE TABLE attempts (
    key text PRIMARY KEY CHECK (length(key) = 64),
    failures integer NOT NULL CHECK (failures > 0),
    last double precision NOT NULL
);

-- What programs sign in with: see server/store/staff/tokens.py. Who loses a role loses every token with it.
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

-- What an account may do beyond its role, and on which surveys: see server/store/staff/rights.py.
CREATE TABLE account_rights (
    account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    editor integer NOT NULL DEFAULT 0 CHECK (editor IN (0, 1)),
    all_surveys integer NOT NULL DEFAULT 0 CHECK (all_surveys IN (0, 1))
);
CREATE TABLE grants (
    account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    survey_id bigint NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    made integer NOT NULL DEFAULT 0 CHECK (made IN (0, 1)),
    PRIMARY KEY (account_id, survey_id)
);
CREATE INDEX grants_by_survey ON grants (survey_id);

-- Links by which somebody becomes a colleague or gets a new password, each once: see server/store/staff/links.py.
CREATE TABLE staff_links (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_hash text NOT NULL UNIQUE CHECK (length(token_hash) = 64),
    made_by bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    account_id bigint REFERENCES accounts (id) ON DELETE CASCADE,
    role text CHECK (role IN ('admin', 'editor', 'researcher')),
    all_surveys integer NOT NULL DEFAULT 0 CHECK (all_surveys IN (0, 1)),
    expires bigint NOT NULL,
    CHECK ((account_id IS NULL) = (role IS NOT NULL))
);
CREATE INDEX staff_links_by_maker ON staff_links (made_by);
CREATE INDEX staff_links_by_account ON staff_links (account_id);
CREATE TABLE staff_link_surveys (
    link_id bigint NOT NULL REFERENCES staff_links (id) ON DELETE CASCADE,
    survey_id bigint NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    PRIMARY KEY (link_id, survey_id)
);
CREATE INDEX staff_link_surveys_by_survey ON staff_link_surveys (survey_id);

-- Who signs in with an institution's account in place of a password: see server/store/staff/identities.py.
CREATE TABLE identities (
    account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    issuer text NOT NULL,
    subject text NOT NULL,
    confirmed text NOT NULL,
    UNIQUE (issuer, subject)
);

-- What somebody signs in with besides a password: see server/store/staff/second_factor.py.
CREATE TABLE second_factors (
    account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    secret text NOT NULL CHECK (length(secret) = 32),
    confirmed integer NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1)),
    last_step bigint NOT NULL DEFAULT 0
);
CREATE TABLE recovery_codes (
    account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    code_hash text NOT NULL CHECK (length(code_hash) = 64),
    PRIMARY KEY (account_id, code_hash)
);

-- What staff did: see server/store/staff/audit.py. A line is written once, and stays. Lines are numbered without a
-- gap, and each holds the hash of the one before: see server/store/staff/audit_chain.py.
CREATE TABLE audit (
    id bigint PRIMARY KEY,
    moment text NOT NULL DEFAULT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    who text NOT NULL,
    what text NOT NULL,
    survey text,
    about text,
    nonce text NOT NULL CHECK (length(nonce) = 32),
    previous text NOT NULL UNIQUE CHECK (length(previous) = 64)
);
CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('a line of the audit log cannot change');
CREATE TRIGGER audit_stays BEFORE DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('a line of the audit log stays');

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

-- When a survey opens and closes, and what else becomes of it: see server/store/lifecycle/life.py. Moments are seconds
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

-- What one of the staff proposes and another admin confirms: see server/store/lifecycle/proposals.py. Their names
-- stay in confirmed_by and, once the proposer has left, in asked_by.
CREATE TABLE proposals (
    survey_id bigint REFERENCES surveys (id) ON DELETE CASCADE,
    what text NOT NULL CHECK (what IN ('open', 'delete', 'remove', 'stop')),
    subject text NOT NULL,
    account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    made bigint NOT NULL,
    confirmed_by text,
    asked_by text,
    UNIQUE (survey_id, what),
    CHECK ((survey_id IS NULL) = (what = 'stop'))
);
CREATE INDEX proposals_by_account ON proposals (account_id);

-- Surveys that are kept whatever their dates say: see server/store/lifecycle/legal_hold.py. Without a cascade, a
-- survey that has a row here cannot go.
CREATE TABLE legal_holds (
    survey_id bigint PRIMARY KEY REFERENCES surveys (id),
    who text NOT NULL,
    since bigint NOT NULL,
    reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 1000)
);
CREATE FUNCTION legal_holds_keep() RETURNS trigger LANGUAGE plpgsql SET search_path = candor, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM legal_holds WHERE survey_id = OLD.survey_id) THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = 'a legal hold keeps the reports';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER legal_holds_keep_reports BEFORE UPDATE OF removed ON life
    FOR EACH ROW WHEN (NEW.removed = 1 AND OLD.removed = 0) EXECUTE FUNCTION legal_holds_keep();

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

-- Which survey another was copied from, to ask the same people again or other people the same: see
-- server/store/origins.py. All copies of a copy name the first survey, and the one that asked the same people first.
-- Both may be deleted since: a number is never used again.
CREATE TABLE origins (
    survey_id bigint PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    origin_id bigint NOT NULL CHECK (origin_id <> survey_id),
    people_id bigint NOT NULL
);
CREATE INDEX origins_by_origin ON origins (origin_id);

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
CREATE TRIGGER invitations_stay_while_open BEFORE DELETE ON invitations
    FOR EACH ROW EXECUTE FUNCTION refuse_while_open('invitations stay while the survey is open');
CREATE TRIGGER invitations_go_one_by_one BEFORE TRUNCATE ON invitations
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('invitations stay while the survey is open');

-- Whoever may connect could call what is made here; the owner grants it to those who may.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA candor FROM PUBLIC;
