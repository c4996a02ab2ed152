-- Everything is in a separate schema, so that the machines' role has privileges only here.

-- Runs that wait for batches, and until when each is known to wait.
CREATE TABLE run (
    id TEXT PRIMARY KEY,
    -- Its purpose, in words: "submission 3f1c, generation 2".
    purpose TEXT NOT NULL,
    begun_at TIMESTAMPTZ NOT NULL DEFAULT now(),
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
    -- Batches that it plays at a time.
    slots INTEGER NOT NULL CHECK (slots BETWEEN 0 AND 1024),
    seen_at TIMESTAMPTZ NOT NULL DEFAULT now() CHECK (isfinite(seen_at)),
    -- Seconds of its leases. It sends a heartbeat several times in each.
    lease DOUBLE PRECISION NOT NULL DEFAULT 60 CHECK (lease > 0 AND lease <= 3600),
    -- The reason why it gets no more batches.
    distrusted TEXT
);

-- Rounds that one machine plays together. The dispatching process chooses a random number for them, so
-- that it can write a batch again if a failing database has lost it, and no two batches have one number.
CREATE TABLE batch (
    id TEXT PRIMARY KEY,
    run TEXT NOT NULL REFERENCES run ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    -- The smaller number first.
    priority SMALLINT NOT NULL,
    rounds TEXT NOT NULL,
    -- The machine that played them before, if they are played again to compare.
    not_for TEXT,
    made_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    holder TEXT,
    lease_until TIMESTAMPTZ,
    -- Machines that began with it: a few, unless a machine lies.
    tries SMALLINT NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 100)
);
CREATE INDEX batch_of_run ON batch (run);

-- The one result of a batch.
CREATE TABLE outcome (
    batch TEXT PRIMARY KEY REFERENCES batch ON DELETE CASCADE,
    machine TEXT NOT NULL,
    -- 4,000 rounds take a few MiB.
    told TEXT NOT NULL CHECK (octet_length(told) <= 67108864)
);

-- Fast to write and to read; PostgreSQL's default takes ten times as long. Not every build has LZ4.
DO $$ BEGIN
    EXECUTE 'ALTER TABLE outcome ALTER COLUMN told SET COMPRESSION lz4';
    EXECUTE 'ALTER TABLE batch ALTER COLUMN rounds SET COMPRESSION lz4';
EXCEPTION WHEN OTHERS THEN
    RAISE NOTICE 'no LZ4 here: results take longer to be written';
END $$;

-- Results of batches that already had one.
CREATE TABLE afterthought (
    batch TEXT NOT NULL REFERENCES batch ON DELETE CASCADE,
    machine TEXT NOT NULL,
    told TEXT NOT NULL CHECK (octet_length(told) <= 67108864),
    PRIMARY KEY (batch, machine)
);

-- Which machine has played for which run: kept when the run is over.
CREATE TABLE part (
    machine TEXT NOT NULL,
    purpose TEXT NOT NULL,
    last_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (machine, purpose)
);

-- A machine told something of rounds that the judge itself plays otherwise.
CREATE TABLE alarm (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    machine TEXT NOT NULL,
    what TEXT NOT NULL,
    rounds TEXT NOT NULL,
    told TEXT NOT NULL,
    truth TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT now()
);
