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
