-- Failed attempts at passwords, by an HMAC of the address and the name: see server/store/attempts.py.
CREATE TABLE attempts (
    key text PRIMARY KEY CHECK (length(key) = 64),
    failures integer NOT NULL CHECK (failures > 0),
    last double precision NOT NULL
);
