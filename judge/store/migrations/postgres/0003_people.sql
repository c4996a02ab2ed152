-- A scoreboard may show students no more than their own place and those directly ahead.
ALTER TABLE suite DROP CONSTRAINT suite_board_check;
ALTER TABLE suite ADD CONSTRAINT suite_board_check
    CHECK (board IN ('live', 'ahead', 'frozen', 'hidden'));

-- Results of a person's day that are told at once (all if missing), when the others are, and when
-- hidden testcases are told.
ALTER TABLE suite ADD COLUMN told_per_day BIGINT;
ALTER TABLE suite ADD COLUMN rest_told TEXT NOT NULL DEFAULT 'next_day'
    CHECK (rest_told IN ('next_day', 'due'));
ALTER TABLE suite ADD COLUMN hidden_told TEXT NOT NULL DEFAULT 'files'
    CHECK (hidden_told IN ('files', 'after_due'));

-- A student's submissions are counted day by day, from one; those of others are 0.
ALTER TABLE submission ADD COLUMN of_day BIGINT NOT NULL DEFAULT 0;
ALTER TABLE submission ADD COLUMN day_ends_at BIGINT NOT NULL DEFAULT 0;

-- Points of open testcases. Results from before these columns were told whole.
ALTER TABLE result ADD COLUMN open_points BIGINT NOT NULL DEFAULT 0;
ALTER TABLE result ADD COLUMN open_max_points BIGINT NOT NULL DEFAULT 0;
UPDATE result SET open_points = points, open_max_points = max_points;

-- The submission's, which never change: what is told, too, is found in one index.
ALTER TABLE result ADD COLUMN of_day BIGINT NOT NULL DEFAULT 0;
ALTER TABLE result ADD COLUMN day_ends_at BIGINT NOT NULL DEFAULT 0;
DROP INDEX result_best;
DROP INDEX result_latest;
CREATE INDEX result_best ON result (suite, person, points DESC, received_at, submission, generation, is_first, of_day, day_ends_at);
CREATE INDEX result_best_open ON result (suite, person, open_points DESC, received_at, submission, generation, is_first, of_day, day_ends_at);
CREATE INDEX result_latest ON result (suite, person, received_at DESC, submission DESC, generation, is_first, of_day, day_ends_at);

-- What somebody shows of their standing to whoever has the address.
CREATE TABLE badge (
    id TEXT NOT NULL PRIMARY KEY,
    suite TEXT NOT NULL REFERENCES suite (id),
    person TEXT NOT NULL REFERENCES person (id),
    shows_name BIGINT NOT NULL,
    shows_points BIGINT NOT NULL,
    shows_rank BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (suite, person)
);

-- Name of the webhook, out of the operator's file, that hears of a course's results.
ALTER TABLE course ADD COLUMN webhook TEXT;

-- Whom an issuer of OpenID Connect means.
CREATE TABLE identity (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    person TEXT NOT NULL REFERENCES person (id),
    linked_at BIGINT NOT NULL,
    -- 1 if the issuer has verified the person's own address.
    proven BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject),
    UNIQUE (issuer, person)
);

-- Changes to a person's rights and uses of their account, which their own page lists.
CREATE TABLE account_event (
    id TEXT NOT NULL PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person (id),
    kind TEXT NOT NULL,
    at BIGINT NOT NULL,
    course TEXT REFERENCES course (id),
    role TEXT,
    -- The person who made the change; missing for the operator and for the server itself.
    made_by TEXT REFERENCES person (id)
);
CREATE INDEX account_event_of_person ON account_event (person, at);
