-- What staff did: see server/store/audit.py. A line is written once, and stays.
CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    moment TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    survey TEXT,
    about TEXT
);
CREATE TRIGGER audit_is_only_added_to BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'a line of the audit log replaces no other'); END;
CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'a line of the audit log cannot change'); END;
CREATE TRIGGER audit_stays BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'a line of the audit log stays'); END;
