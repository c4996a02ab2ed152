-- Everything is in a schema of its own, so that the role of machines that play has rights here alone.

-- Whoever waits for batches, and until when it certainly does.
CREATE TABLE run (
    id TEXT PRIMARY KEY,
    wanted_until TIMESTAMPTZ NOT NULL
);

-- Modules and trained tables by their SHA-256.
CREATE TABLE blob (
    hash TEXT PRIMARY KEY,
    bytes BYTEA NOT NULL,
    used_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE TABLE machine (
    name TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    seen_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    -- Why it gets nothing any more.
    distrusted TEXT
);

-- Rounds that one machine plays in one go.
CREATE TABLE batch (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run TEXT NOT NULL REFERENCES run ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    priority SMALLINT NOT NULL,
    -- A list of specs as JSON, without the names of bots.
    rounds TEXT NOT NULL,
    -- A batch that is played a second time to compare.
    audit_of BIGINT REFERENCES batch ON DELETE CASCADE,
    made_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    holder TEXT,
    lease_until TIMESTAMPTZ,
    tries SMALLINT NOT NULL DEFAULT 0,
    given_up TEXT
);
CREATE INDEX batch_of_run ON batch (run);

-- The one result of a batch.
CREATE TABLE outcome (
    batch BIGINT PRIMARY KEY REFERENCES batch ON DELETE CASCADE,
    machine TEXT NOT NULL,
    told TEXT NOT NULL,
    digest TEXT NOT NULL,
    played_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

-- Two machines told different things of the same rounds.
CREATE TABLE alarm (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    rounds TEXT NOT NULL,
    one TEXT NOT NULL,
    one_told TEXT NOT NULL,
    other TEXT NOT NULL,
    other_told TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT now()
);
