-- The tables of SQLite's file, and what their triggers refuse, whoever tries.
--
-- ``Table.transform()`` of sqlite-utils drops triggers and fails on ``WITHOUT ROWID``: never use it on a table
-- that holds a publication or reports.

-- A survey's name and state. Until it is published, its draft, right or wrong, and who saved it from which page:
-- see server/store/drafts.py. AUTOINCREMENT: no number is used twice.
CREATE TABLE surveys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('draft', 'open', 'closed')),
    draft TEXT CHECK (draft IS NULL OR json_valid(draft)),
    saves TEXT CHECK (saves IS NULL OR json_valid(saves)),
    CHECK ((state = 'draft') = (draft IS NOT NULL)),
    CHECK (state = 'draft' OR saves IS NULL)
);
CREATE TRIGGER surveys_start_as_drafts BEFORE INSERT ON surveys
WHEN NEW.state <> 'draft' OR EXISTS (SELECT 1 FROM surveys WHERE id = NEW.id OR slug = NEW.slug)
BEGIN SELECT RAISE(ABORT, 'a survey starts as a draft and replaces no other'); END;
CREATE TRIGGER surveys_keep_their_number BEFORE UPDATE ON surveys
WHEN NEW.id IS NOT OLD.id OR EXISTS (SELECT 1 FROM surveys WHERE slug = NEW.slug AND id <> OLD.id)
BEGIN SELECT RAISE(ABORT, 'a survey keeps its number and replaces no other'); END;
CREATE TRIGGER surveys_are_frozen_once_published BEFORE UPDATE ON surveys
WHEN OLD.state <> 'draft' AND (NEW.slug IS NOT OLD.slug OR NEW.draft IS NOT OLD.draft OR NEW.saves IS NOT OLD.saves)
BEGIN SELECT RAISE(ABORT, 'a published survey cannot change'); END;
CREATE TRIGGER surveys_only_move_forward BEFORE UPDATE ON surveys
WHEN NEW.state <> OLD.state AND (OLD.state || '>' || NEW.state) NOT IN ('draft>open', 'open>closed')
BEGIN SELECT RAISE(ABORT, 'a survey goes from draft to open to closed'); END;

-- What was published, byte for byte, for good: it goes only together with the whole survey.
CREATE TABLE publications (
    survey_id INTEGER PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    json BLOB NOT NULL CHECK (typeof(json) = 'blob'),
    fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 64)
);
CREATE TRIGGER publications_are_made_once BEFORE INSERT ON publications
WHEN EXISTS (SELECT 1 FROM publications WHERE survey_id = NEW.survey_id)
    OR (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'open'
BEGIN SELECT RAISE(ABORT, 'a survey is published once, when it opens'); END;
CREATE TRIGGER publications_never_change BEFORE UPDATE ON publications
BEGIN SELECT RAISE(ABORT, 'a published survey cannot change'); END;
CREATE TRIGGER publications_stay_while_the_survey_does BEFORE DELETE ON publications
WHEN EXISTS (SELECT 1 FROM surveys WHERE id = OLD.survey_id)
BEGIN SELECT RAISE(ABORT, 'a published survey cannot be withdrawn'); END;

-- How often each code came, and what of it may be shown: a survey's counts in one row of a fixed size, as
-- server/store/sqlite/reports.py writes them. `key` places receipts in buckets while the survey is open.
CREATE TABLE counts (
    survey_id INTEGER PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    key BLOB CHECK (key IS NULL OR typeof(key) = 'blob' AND length(key) = 16),
    counted BLOB NOT NULL CHECK (typeof(counted) = 'blob'),
    published BLOB NOT NULL CHECK (typeof(published) = 'blob'),
    CHECK (length(published) = length(counted))
);
CREATE TRIGGER counts_are_made_once BEFORE INSERT ON counts
WHEN (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'open'
    OR EXISTS (SELECT 1 FROM counts WHERE survey_id = NEW.survey_id)
BEGIN SELECT RAISE(ABORT, 'counts are made once, when the survey opens'); END;
CREATE TRIGGER counts_keep_their_survey BEFORE UPDATE ON counts
WHEN NEW.survey_id IS NOT OLD.survey_id OR length(NEW.counted) <> length(OLD.counted)
    OR (NEW.key IS NOT OLD.key AND (NEW.key IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM sqlite_master WHERE name = 'reports_' || OLD.survey_id || '_come_once'
    )))
BEGIN SELECT RAISE(ABORT, 'counts keep their survey, their length and their key'); END;
CREATE TRIGGER counts_are_final_once_closed BEFORE UPDATE OF counted, published ON counts
WHEN (SELECT state FROM surveys WHERE id = OLD.survey_id) IS NOT 'open'
BEGIN SELECT RAISE(ABORT, 'the counts of a closed survey are final'); END;
CREATE TRIGGER counts_stay_while_the_survey_does BEFORE DELETE ON counts
WHEN EXISTS (SELECT 1 FROM surveys WHERE id = OLD.survey_id)
BEGIN SELECT RAISE(ABORT, 'counts go together with their survey'); END;

-- How often a survey was opened and sent, by UTC day, in total only.
CREATE TABLE days (
    survey_id INTEGER NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    started INTEGER NOT NULL DEFAULT 0,
    sent INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (survey_id, day)
) WITHOUT ROWID;

-- The list of what was counted, of each survey that is closed: see server/store/counted_lists.py. First its leaves,
-- in sheets, then what stands above them; both stay when the reports are removed. Sheets go after their survey.
CREATE TABLE leaf_sheets (
    survey_id INTEGER NOT NULL,
    place INTEGER NOT NULL CHECK (place >= 0),
    first BLOB NOT NULL CHECK (typeof(first) = 'blob' AND length(first) = 32),
    root BLOB NOT NULL CHECK (typeof(root) = 'blob' AND length(root) = 32),
    hashes BLOB NOT NULL
        CHECK (typeof(hashes) = 'blob' AND length(hashes) BETWEEN 32 AND 32768 AND length(hashes) % 32 = 0),
    PRIMARY KEY (survey_id, place)
);
CREATE TABLE counted_lists (
    survey_id INTEGER PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    root TEXT NOT NULL CHECK (length(root) = 64),
    leaves INTEGER NOT NULL CHECK (leaves >= 0),
    bits INTEGER CHECK (bits >= 0),
    noted INTEGER NOT NULL DEFAULT 0 CHECK (noted IN (0, 1))
);
CREATE TRIGGER leaf_sheets_are_made_once BEFORE INSERT ON leaf_sheets
WHEN (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'closed'
    OR EXISTS (SELECT 1 FROM leaf_sheets WHERE survey_id = NEW.survey_id AND place = NEW.place)
    OR EXISTS (SELECT 1 FROM counted_lists WHERE survey_id = NEW.survey_id)
BEGIN SELECT RAISE(ABORT, 'the list of what was counted is made once, after closing'); END;
CREATE TRIGGER leaf_sheets_never_change BEFORE UPDATE ON leaf_sheets
BEGIN SELECT RAISE(ABORT, 'the list of what was counted cannot change'); END;
CREATE TRIGGER leaf_sheets_stay_while_the_survey_does BEFORE DELETE ON leaf_sheets
WHEN EXISTS (SELECT 1 FROM surveys WHERE id = OLD.survey_id)
BEGIN SELECT RAISE(ABORT, 'the list of what was counted goes together with its survey'); END;
CREATE TRIGGER counted_lists_are_made_once BEFORE INSERT ON counted_lists
WHEN (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'closed'
    OR EXISTS (SELECT 1 FROM counted_lists WHERE survey_id = NEW.survey_id)
BEGIN SELECT RAISE(ABORT, 'the list of what was counted is made once, after closing'); END;
CREATE TRIGGER counted_lists_never_change BEFORE UPDATE ON counted_lists
WHEN NEW.survey_id IS NOT OLD.survey_id OR NEW.root IS NOT OLD.root OR NEW.leaves IS NOT OLD.leaves
    OR NEW.bits IS NOT OLD.bits OR NEW.noted < OLD.noted
BEGIN SELECT RAISE(ABORT, 'the list of what was counted cannot change'); END;
CREATE TRIGGER counted_lists_stay_while_the_survey_does BEFORE DELETE ON counted_lists
WHEN EXISTS (SELECT 1 FROM surveys WHERE id = OLD.survey_id)
BEGIN SELECT RAISE(ABORT, 'the list of what was counted goes together with its survey'); END;

-- What the server decides once and keeps, such as the key that signs staff sessions.
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Who may sign in; names differ by more than the case of their letters.
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    role TEXT NOT NULL CHECK (role IN ('admin', 'researcher')),
    password_hash TEXT NOT NULL CHECK (password_hash GLOB '$argon2id$*')
);

-- Staff sessions: the hash of a token that only a cookie holds, so that a session can be ended here.
CREATE TABLE sessions (
    token_hash TEXT PRIMARY KEY CHECK (length(token_hash) = 64),
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    begun INTEGER NOT NULL,
    expires INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sessions_by_account ON sessions (account_id);

-- Failed attempts at passwords, by an HMAC of the address and the name: see server/store/staff/attempts.py.
CREATE TABLE attempts (
    "key" TEXT PRIMARY KEY CHECK (length("key") = 64),
    failures INTEGER NOT NULL CHECK (failures > 0),
    last DOUBLE PRECISION NOT NULL
) WITHOUT ROWID;

-- What programs sign in with: see server/store/staff/tokens.py. Who loses a role loses every token with it.
CREATE TABLE tokens (
    id INTEGER PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    writes INTEGER NOT NULL CHECK (writes IN (0, 1)),
    all_surveys INTEGER NOT NULL CHECK (all_surveys IN (0, 1)),
    expires TEXT,
    used TEXT
);
CREATE INDEX tokens_by_account ON tokens (account_id);
CREATE TABLE token_surveys (
    token_id INTEGER NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
    survey_id INTEGER NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    PRIMARY KEY (token_id, survey_id)
) WITHOUT ROWID;
CREATE INDEX token_surveys_by_survey ON token_surveys (survey_id);
CREATE TRIGGER tokens_end_with_the_role AFTER UPDATE OF role ON accounts WHEN NEW.role <> OLD.role
BEGIN DELETE FROM tokens WHERE account_id = NEW.id; END;

-- What an account may do beyond its role, and on which surveys: see server/store/staff/rights.py.
CREATE TABLE account_rights (
    account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    editor INTEGER NOT NULL DEFAULT 0 CHECK (editor IN (0, 1)),
    all_surveys INTEGER NOT NULL DEFAULT 0 CHECK (all_surveys IN (0, 1))
);
CREATE TABLE grants (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    survey_id INTEGER NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    made INTEGER NOT NULL DEFAULT 0 CHECK (made IN (0, 1)),
    PRIMARY KEY (account_id, survey_id)
) WITHOUT ROWID;
CREATE INDEX grants_by_survey ON grants (survey_id);

-- Links by which somebody becomes a colleague or gets a new password, each once: see server/store/staff/links.py.
CREATE TABLE staff_links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),
    made_by INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    account_id INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
    role TEXT CHECK (role IN ('admin', 'editor', 'researcher')),
    all_surveys INTEGER NOT NULL DEFAULT 0 CHECK (all_surveys IN (0, 1)),
    expires INTEGER NOT NULL,
    CHECK ((account_id IS NULL) = (role IS NOT NULL))
);
CREATE INDEX staff_links_by_maker ON staff_links (made_by);
CREATE INDEX staff_links_by_account ON staff_links (account_id);
CREATE TABLE staff_link_surveys (
    link_id INTEGER NOT NULL REFERENCES staff_links (id) ON DELETE CASCADE,
    survey_id INTEGER NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    PRIMARY KEY (link_id, survey_id)
) WITHOUT ROWID;
CREATE INDEX staff_link_surveys_by_survey ON staff_link_surveys (survey_id);

-- Who signs in with an institution's account in place of a password: see server/store/staff/identities.py.
CREATE TABLE identities (
    account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    confirmed TEXT NOT NULL,
    UNIQUE (issuer, subject)
);

-- What somebody signs in with besides a password: see server/store/staff/second_factor.py.
CREATE TABLE second_factors (
    account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    secret TEXT NOT NULL CHECK (length(secret) = 32),
    confirmed INTEGER NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1)),
    last_step INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE recovery_codes (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL CHECK (length(code_hash) = 64),
    PRIMARY KEY (account_id, code_hash)
) WITHOUT ROWID;

-- What staff did: see server/store/staff/audit.py. A line is written once, and stays. Lines are numbered without a
-- gap, and each holds the hash of the one before: see server/store/staff/audit_chain.py.
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    moment TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    survey TEXT,
    about TEXT,
    nonce TEXT NOT NULL CHECK (length(nonce) = 32),
    previous TEXT NOT NULL UNIQUE CHECK (length(previous) = 64)
);
CREATE TRIGGER audit_is_only_added_to BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'a line of the audit log replaces no other'); END;
CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'a line of the audit log cannot change'); END;
CREATE TRIGGER audit_stays BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'a line of the audit log stays'); END;

-- Pictures, each once under the SHA-256 of its bytes, and which surveys use them: see server/store/pictures.py.
CREATE TABLE pictures (
    sha256 TEXT PRIMARY KEY CHECK (length(sha256) = 64),
    type TEXT NOT NULL CHECK (type IN ('png', 'jpeg', 'webp')),
    width INTEGER NOT NULL CHECK (width > 0),
    height INTEGER NOT NULL CHECK (height > 0),
    bytes BLOB NOT NULL CHECK (typeof(bytes) = 'blob')
);
CREATE TABLE survey_pictures (
    survey_id INTEGER NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
    sha256 TEXT NOT NULL REFERENCES pictures (sha256),
    PRIMARY KEY (survey_id, sha256)
) WITHOUT ROWID;
CREATE INDEX survey_pictures_by_sha256 ON survey_pictures (sha256);

-- A picture that is there already is not stored again, and nothing takes its place.
CREATE TRIGGER pictures_replace_no_other BEFORE INSERT ON pictures
WHEN EXISTS (SELECT 1 FROM pictures WHERE sha256 = NEW.sha256)
BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER pictures_never_change BEFORE UPDATE ON pictures
BEGIN SELECT RAISE(ABORT, 'a picture cannot change'); END;
CREATE TRIGGER pictures_stay_while_they_are_used BEFORE DELETE ON pictures
WHEN EXISTS (SELECT 1 FROM survey_pictures WHERE sha256 = OLD.sha256)
BEGIN SELECT RAISE(ABORT, 'a picture stays while a survey uses it'); END;

CREATE TRIGGER survey_pictures_are_of_drafts BEFORE INSERT ON survey_pictures
WHEN (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'draft'
BEGIN SELECT RAISE(ABORT, 'a published survey gets no more pictures'); END;
CREATE TRIGGER survey_pictures_never_change BEFORE UPDATE ON survey_pictures
BEGIN SELECT RAISE(ABORT, 'a survey uses a picture or not'); END;
CREATE TRIGGER survey_pictures_stay_once_published BEFORE DELETE ON survey_pictures
WHEN (SELECT state FROM surveys WHERE id = OLD.survey_id) IN ('open', 'closed')
BEGIN SELECT RAISE(ABORT, 'a published survey keeps its pictures'); END;
CREATE TRIGGER pictures_go_with_the_last_survey AFTER DELETE ON survey_pictures
WHEN NOT EXISTS (SELECT 1 FROM survey_pictures WHERE sha256 = OLD.sha256)
BEGIN DELETE FROM pictures WHERE sha256 = OLD.sha256; END;

-- When a survey opens and closes, and what else becomes of it: see server/store/lifecycle/life.py. Moments are seconds
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

-- What one of the staff proposes and another admin confirms: see server/store/lifecycle/proposals.py. Their names
-- stay in confirmed_by and, once the proposer has left, in asked_by.
CREATE TABLE proposals (
    survey_id INTEGER REFERENCES surveys (id) ON DELETE CASCADE,
    what TEXT NOT NULL CHECK (what IN ('open', 'delete', 'remove', 'stop')),
    subject TEXT NOT NULL,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    made INTEGER NOT NULL,
    confirmed_by TEXT,
    asked_by TEXT,
    UNIQUE (survey_id, what),
    CHECK ((survey_id IS NULL) = (what = 'stop'))
);
CREATE INDEX proposals_by_account ON proposals (account_id);

-- Surveys that are kept whatever their dates say: see server/store/lifecycle/legal_hold.py. Without a cascade, a
-- survey that has a row here cannot go.
CREATE TABLE legal_holds (
    survey_id INTEGER PRIMARY KEY REFERENCES surveys (id),
    who TEXT NOT NULL,
    since INTEGER NOT NULL,
    reason TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 1000)
);
CREATE TRIGGER legal_holds_keep_reports BEFORE UPDATE OF removed ON life
WHEN NEW.removed = 1 AND OLD.removed = 0 AND EXISTS (SELECT 1 FROM legal_holds WHERE survey_id = OLD.survey_id)
BEGIN SELECT RAISE(ABORT, 'a legal hold keeps the reports'); END;

-- Which survey another was copied from, to ask the same people again or other people the same: see
-- server/store/origins.py. All copies of a copy name the first survey, and the one that asked the same people first.
-- Both may be deleted since: a number is never used again.
CREATE TABLE origins (
    survey_id INTEGER PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    origin_id INTEGER NOT NULL CHECK (origin_id <> survey_id),
    people_id INTEGER NOT NULL
);
CREATE INDEX origins_by_origin ON origins (origin_id);

-- One-time invitations: see server/store/invitations.py. Of each survey that has any: how many were made, on how
-- many sheets, up to which sheet they were withdrawn, and, where it keeps a list, who was on it at the last step.
CREATE TABLE invited (
    survey_id INTEGER PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
    made INTEGER NOT NULL CHECK (made > 0),
    sheets INTEGER NOT NULL CHECK (sheets > 0),
    withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn BETWEEN 0 AND sheets),
    listed BLOB NOT NULL DEFAULT x'' CHECK (typeof(listed) = 'blob')
);
CREATE TRIGGER invited_are_made_while_open BEFORE INSERT ON invited
WHEN (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'open'
    OR EXISTS (SELECT 1 FROM invited WHERE survey_id = NEW.survey_id)
BEGIN SELECT RAISE(ABORT, 'invitations are made while the survey is open'); END;
CREATE TRIGGER invited_only_grow BEFORE UPDATE ON invited
WHEN NEW.survey_id IS NOT OLD.survey_id OR NEW.made < OLD.made OR NEW.sheets < OLD.sheets
    OR NEW.withdrawn < OLD.withdrawn OR length(NEW.listed) < length(OLD.listed)
    OR (SELECT state FROM surveys WHERE id = OLD.survey_id) IS NOT 'open'
BEGIN SELECT RAISE(ABORT, 'invitations only become more, while the survey is open'); END;
CREATE TRIGGER invited_stay_while_the_survey_does BEFORE DELETE ON invited
WHEN EXISTS (SELECT 1 FROM surveys WHERE id = OLD.survey_id)
BEGIN SELECT RAISE(ABORT, 'invitations go together with their survey'); END;

-- Sheets of up to 62 invitations: the hashes of their tokens, 16 bytes each, and a bit for each that was used.
-- The highest bit is always set, so that the number takes eight bytes and is overwritten where it stands. A sheet
-- goes once its survey is not open any more, whoever removes it.
CREATE TABLE invitations (
    survey_id INTEGER NOT NULL,
    sheet INTEGER NOT NULL CHECK (sheet >= 0),
    used INTEGER NOT NULL CHECK (typeof(used) = 'integer' AND used >= 4611686018427387904),
    hashes BLOB NOT NULL
        CHECK (typeof(hashes) = 'blob' AND length(hashes) BETWEEN 16 AND 992 AND length(hashes) % 16 = 0),
    PRIMARY KEY (survey_id, sheet)
);
CREATE TRIGGER invitations_are_made_while_open BEFORE INSERT ON invitations
WHEN (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'open'
    OR EXISTS (SELECT 1 FROM invitations WHERE survey_id = NEW.survey_id AND sheet = NEW.sheet)
BEGIN SELECT RAISE(ABORT, 'invitations are made while the survey is open'); END;
CREATE TRIGGER invitations_are_used_once BEFORE UPDATE ON invitations
WHEN NEW.survey_id IS NOT OLD.survey_id OR NEW.sheet IS NOT OLD.sheet OR NEW.hashes IS NOT OLD.hashes
    OR NEW.used & OLD.used <> OLD.used
    OR (SELECT state FROM surveys WHERE id = OLD.survey_id) IS NOT 'open'
BEGIN SELECT RAISE(ABORT, 'an invitation that was used stays so'); END;
CREATE TRIGGER invitations_stay_while_open BEFORE DELETE ON invitations
WHEN (SELECT state FROM surveys WHERE id = OLD.survey_id) IS 'open'
BEGIN SELECT RAISE(ABORT, 'invitations stay while the survey is open'); END;
