-- Arenas, the bots in them, and the pairs of rounds that they play.

CREATE TABLE arena (
    id TEXT NOT NULL PRIMARY KEY,
    course TEXT NOT NULL REFERENCES course (id),
    slug TEXT NOT NULL,
    title TEXT NOT NULL,
    game TEXT NOT NULL,
    -- Rule switches as JSON.
    options TEXT NOT NULL,
    -- The reference opponent whose rating is 0.
    anchor TEXT NOT NULL,
    -- What ranks bots: who won, or the difference of the scores.
    scoring TEXT NOT NULL CHECK (scoring IN ('result', 'score')),
    -- Seeds come from it. Only `store::arenas::seeds` reads it.
    secret TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'paused', 'closed')),
    season INTEGER NOT NULL,
    -- Pairs that were begun or asked for, and pairs that have a result.
    pairs INTEGER NOT NULL,
    done INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (course, slug)
) STRICT;

CREATE TABLE season (
    arena TEXT NOT NULL REFERENCES arena (id),
    number INTEGER NOT NULL,
    title TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    ends_at INTEGER,
    -- When it was to end, and how many pairs of the arena had a result then.
    closing_at INTEGER,
    closing_from INTEGER,
    ended_at INTEGER,
    -- What stands for good once it has ended.
    is_told_apart INTEGER,
    standings TEXT,
    PRIMARY KEY (arena, number)
) STRICT;

-- A reference opponent has no owner.
CREATE TABLE ladder_bot (
    id TEXT NOT NULL PRIMARY KEY,
    arena TEXT NOT NULL REFERENCES arena (id),
    person TEXT REFERENCES person (id),
    name TEXT NOT NULL,
    -- The name in lower case: two that differ in nothing else would be taken for each other.
    name_key TEXT NOT NULL,
    newest INTEGER NOT NULL,
    entered_at INTEGER NOT NULL,
    withdrawn_at INTEGER,
    benched_at INTEGER,
    -- Faults in pairs up to this number of the arena's do not bench it again.
    back_after INTEGER NOT NULL,
    UNIQUE (arena, name_key)
) STRICT;
CREATE INDEX ladder_bot_of_person ON ladder_bot (person, arena);

-- Versions never change. `player` is what is rated: the module's hash, so that equal modules are
-- one, or the name of a reference opponent.
CREATE TABLE ladder_version (
    id TEXT NOT NULL PRIMARY KEY,
    bot TEXT NOT NULL REFERENCES ladder_bot (id),
    number INTEGER NOT NULL,
    submission TEXT REFERENCES submission (id),
    module TEXT REFERENCES module (hash),
    player TEXT NOT NULL,
    entered_at INTEGER NOT NULL,
    -- Faults in pairs up to this number of the arena's leave the ratings.
    faults_out INTEGER NOT NULL DEFAULT 0,
    UNIQUE (bot, number)
) STRICT;
CREATE INDEX ladder_version_of_submission ON ladder_version (submission);
CREATE INDEX ladder_version_of_module ON ladder_version (module);

-- One is a lease while it waits and `lease_until` is to come.
CREATE TABLE ladder_pair (
    id TEXT NOT NULL PRIMARY KEY,
    arena TEXT NOT NULL REFERENCES arena (id),
    number INTEGER NOT NULL,
    season INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('rated', 'challenge')),
    one TEXT NOT NULL REFERENCES ladder_version (id),
    other TEXT NOT NULL REFERENCES ladder_version (id),
    asked_by TEXT REFERENCES person (id),
    asked_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    -- Those of them that failed, and were not cut off.
    failures INTEGER NOT NULL DEFAULT 0,
    worker TEXT NOT NULL,
    lease_until INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'judge_error', 'cancelled')),
    -- In which order results came in, from 1.
    done INTEGER,
    ended_at INTEGER,
    -- The rest is known once it is played. Pairs with the same start began alike.
    seed TEXT,
    start TEXT,
    judge TEXT,
    engine TEXT,
    UNIQUE (arena, number)
) STRICT;
CREATE INDEX ladder_pair_waiting ON ladder_pair (state, lease_until);
CREATE INDEX ladder_pair_done ON ladder_pair (arena, season, kind, done);
CREATE INDEX ladder_pair_of_one ON ladder_pair (one, other, number);
CREATE INDEX ladder_pair_of_other ON ladder_pair (other, number);
CREATE INDEX ladder_pair_asked_by ON ladder_pair (asked_by, asked_at);

-- In round 1 the pair's `one` has seat 1, in round 2 seat 2. `failed` is 1 or 2 for `one` or
-- `other`. Records of older rated rounds are not kept.
CREATE TABLE ladder_round (
    pair TEXT NOT NULL REFERENCES ladder_pair (id),
    round INTEGER NOT NULL CHECK (round IN (1, 2)),
    half_points INTEGER NOT NULL,
    score_one INTEGER NOT NULL,
    score_other INTEGER NOT NULL,
    reason TEXT NOT NULL,
    failed INTEGER,
    fault TEXT,
    detail TEXT,
    plies INTEGER NOT NULL,
    fuel_one INTEGER,
    fuel_other INTEGER,
    digest TEXT NOT NULL,
    record TEXT,
    PRIMARY KEY (pair, round)
) STRICT;

-- Acts of staff, of administrators and of the operator. Rows are only added, and removed once the
-- operator's period for them is over. They refer to nothing, so that they outlast a deleted course;
-- they have no names of people, which an erased account takes with it.
CREATE TABLE audit (
    id TEXT NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    act TEXT NOT NULL,
    -- Missing for the operator and for the server itself.
    made_by TEXT,
    course TEXT,
    course_slug TEXT,
    -- Short name of the suite or arena.
    part TEXT,
    -- The person concerned.
    person TEXT,
    detail TEXT NOT NULL
) STRICT;
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_of_course ON audit (course, at);
CREATE INDEX audit_of_person ON audit (person);
CREATE INDEX audit_made_by ON audit (made_by);
