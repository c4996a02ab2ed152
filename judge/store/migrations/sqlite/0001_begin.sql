-- Times are milliseconds since 1970, UTC; points are thousandths; flags are 0 or 1.
-- The name of this kind of file: `judg`.
PRAGMA application_id = 1786078311;

CREATE TABLE person (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    -- The name for searches: without case and compatibility characters.
    folded_name TEXT NOT NULL,
    address TEXT UNIQUE,
    number TEXT,
    language TEXT,
    administrator INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    -- When a course of this person was deleted because its period was over. The person is erased then,
    -- unless they are in another course or have an open link.
    expired_at INTEGER,
    -- When it was erased; missing for an account in use.
    erased_at INTEGER
) STRICT;

CREATE TABLE course (
    id TEXT NOT NULL PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    -- The webhook, by its name in the operator's file, that receives the course's results.
    webhook TEXT,
    created_at INTEGER NOT NULL,
    -- When it became read-only; missing for a course that can be changed.
    archived_at INTEGER
) STRICT;

CREATE TABLE membership (
    course TEXT NOT NULL REFERENCES course (id),
    person TEXT NOT NULL REFERENCES person (id),
    role TEXT NOT NULL CHECK (role IN ('student', 'assistant', 'instructor', 'observer')),
    pseudonym TEXT NOT NULL,
    -- The pseudonym for searches.
    folded_pseudonym TEXT NOT NULL,
    shows_real_name INTEGER NOT NULL,
    joined_at INTEGER NOT NULL,
    -- Name and number at the school by the list of this course.
    name TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    number TEXT,
    PRIMARY KEY (course, person),
    UNIQUE (course, pseudonym)
) STRICT;
CREATE INDEX membership_of_person ON membership (person);

-- Members who were removed, with the name and number that the course knew.
CREATE TABLE former_member (
    course TEXT NOT NULL REFERENCES course (id),
    person TEXT NOT NULL REFERENCES person (id),
    name TEXT NOT NULL,
    number TEXT,
    PRIMARY KEY (course, person)
) STRICT;

CREATE TABLE invitation (
    id TEXT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    course TEXT REFERENCES course (id),
    role TEXT NOT NULL,
    person TEXT REFERENCES person (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    used_by TEXT REFERENCES person (id),
    revoked_at INTEGER,
    -- The instructor who made it; missing for the operator.
    made_by TEXT REFERENCES person (id),
    -- The invitation with which the session began in which it was made; missing if that session began
    -- in another way.
    made_in TEXT REFERENCES invitation (id),
    -- Accounts that it signs in to: any; those that are in no other course; none, so that it only
    -- adds a membership for a person who is signed in.
    reach TEXT NOT NULL CHECK (reach IN ('any', 'course', 'none')),
    -- Name and number of the person by the list of the course; missing for a link without a name.
    name TEXT,
    number TEXT
) STRICT;
CREATE INDEX invitation_to_course ON invitation (course, created_at);
CREATE INDEX invitation_of_person ON invitation (person);
CREATE INDEX invitation_made_in ON invitation (made_in);

CREATE TABLE token (
    id TEXT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    person TEXT NOT NULL REFERENCES person (id),
    kind TEXT NOT NULL CHECK (kind IN ('session', 'api')),
    label TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER,
    -- The invitation with which the session began, or the session in which the token was made.
    invitation TEXT REFERENCES invitation (id)
) STRICT;
CREATE INDEX token_of_person ON token (person);
CREATE INDEX token_of_invitation ON token (invitation);
CREATE INDEX token_revoked ON token (revoked_at);
CREATE INDEX token_expires ON token (expires_at);

CREATE TABLE suite (
    id TEXT NOT NULL PRIMARY KEY,
    course TEXT NOT NULL REFERENCES course (id),
    slug TEXT NOT NULL,
    -- The title from its files, and the one that an instructor gave it instead.
    title TEXT NOT NULL,
    called TEXT,
    game TEXT NOT NULL,
    opens_at INTEGER,
    due_at INTEGER,
    -- Rules for late submissions, and the last moment at which one can earn points.
    late TEXT NOT NULL CHECK (late IN ('refuse', 'no_points', 'per_day')),
    grace_minutes INTEGER NOT NULL,
    percent_per_day INTEGER NOT NULL,
    free_days INTEGER NOT NULL,
    ends_at INTEGER,
    attempts_per_day INTEGER,
    pending_at_most INTEGER NOT NULL,
    weight INTEGER NOT NULL,
    counts TEXT NOT NULL CHECK (counts IN ('best', 'latest')),
    scoreboard TEXT NOT NULL CHECK (scoreboard IN ('live', 'ahead', 'frozen', 'hidden')),
    frozen_at INTEGER,
    -- Results of a person's day that are shown at once (all if missing), when the others are shown,
    -- and when hidden testcases are.
    shown_per_day INTEGER,
    rest_shown TEXT NOT NULL CHECK (rest_shown IN ('next_day', 'due')),
    hidden_shown TEXT NOT NULL CHECK (hidden_shown IN ('files', 'after_due')),
    generation INTEGER NOT NULL,
    shown INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (course, slug)
) STRICT;

CREATE TABLE suite_generation (
    suite TEXT NOT NULL REFERENCES suite (id),
    generation INTEGER NOT NULL,
    name TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('all', 'listed')),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (suite, generation)
) STRICT;

CREATE TABLE suite_file (
    suite TEXT NOT NULL,
    generation INTEGER NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (suite, generation, name),
    FOREIGN KEY (suite, generation) REFERENCES suite_generation (suite, generation)
) STRICT;

-- Hidden testcases and their key. Only `store::secrets` reads this.
CREATE TABLE suite_secret (
    suite TEXT NOT NULL,
    generation INTEGER NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (suite, generation),
    FOREIGN KEY (suite, generation) REFERENCES suite_generation (suite, generation)
) STRICT;

-- Modules, and the sources of those that the server built. Bytes are missing for modules of results
-- that were imported without them.
CREATE TABLE module (
    hash TEXT NOT NULL PRIMARY KEY,
    size INTEGER NOT NULL,
    bytes BLOB,
    received_at INTEGER NOT NULL
) STRICT;

CREATE TABLE submission (
    id TEXT NOT NULL PRIMARY KEY,
    suite TEXT NOT NULL REFERENCES suite (id),
    person TEXT NOT NULL REFERENCES person (id),
    module TEXT NOT NULL REFERENCES module (hash),
    -- The source that the server built the module from, stored like a module.
    source TEXT REFERENCES module (hash),
    generation INTEGER NOT NULL,
    name TEXT NOT NULL,
    file_name TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    -- Number of the submission within its person's day, from 1; 0 for people who are not students.
    of_day INTEGER NOT NULL,
    day_ends_at INTEGER NOT NULL,
    -- Started days after its due date, and the percentage of its points that counts.
    late_days INTEGER NOT NULL,
    late_percent INTEGER NOT NULL,
    -- Points by hand, which count instead of the graded ones; missing without an adjustment.
    adjusted INTEGER
) STRICT;
CREATE INDEX submission_of_person ON submission (suite, person, received_at);
-- In the order of the results: what is missing there is found by going through both.
CREATE INDEX submission_in_suite ON submission (suite, id, generation);
CREATE INDEX submission_of_module ON submission (module, suite);
CREATE INDEX submission_of_source ON submission (source);

-- Due dates of single students.
CREATE TABLE extension (
    suite TEXT NOT NULL REFERENCES suite (id),
    person TEXT NOT NULL REFERENCES person (id),
    due_at INTEGER NOT NULL,
    made_by TEXT NOT NULL REFERENCES person (id),
    made_at INTEGER NOT NULL,
    PRIMARY KEY (suite, person)
) STRICT;

-- What a rejudge is about, if it is not about all submissions.
CREATE TABLE suite_scope (
    suite TEXT NOT NULL,
    generation INTEGER NOT NULL,
    submission TEXT NOT NULL REFERENCES submission (id),
    PRIMARY KEY (suite, generation, submission),
    FOREIGN KEY (suite, generation) REFERENCES suite_generation (suite, generation)
) STRICT;
CREATE INDEX suite_scope_of_submission ON suite_scope (submission);

-- Suite, person and time are the submission's, which never changes: scoreboards are one index.
CREATE TABLE result (
    submission TEXT NOT NULL REFERENCES submission (id),
    generation INTEGER NOT NULL,
    suite TEXT NOT NULL,
    person TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    is_first INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('graded', 'refused', 'judge_error')),
    -- The points that count, and below those that the module earned, and those by hand.
    points INTEGER NOT NULL,
    max_points INTEGER NOT NULL,
    open_points INTEGER NOT NULL,
    open_max_points INTEGER NOT NULL,
    score INTEGER NOT NULL,
    passed INTEGER NOT NULL,
    testcases INTEGER NOT NULL,
    worst TEXT NOT NULL,
    verdicts TEXT NOT NULL,
    digest TEXT NOT NULL,
    fuel INTEGER NOT NULL,
    graded_at INTEGER NOT NULL,
    of_day INTEGER NOT NULL,
    day_ends_at INTEGER NOT NULL,
    late_days INTEGER NOT NULL,
    late_percent INTEGER NOT NULL,
    earned_points INTEGER NOT NULL,
    earned_open_points INTEGER NOT NULL,
    adjusted INTEGER,
    PRIMARY KEY (submission, generation)
) STRICT;
CREATE INDEX result_best ON result (suite, person, points DESC, received_at, submission, generation, is_first, of_day, day_ends_at);
CREATE INDEX result_best_open ON result (suite, person, open_points DESC, received_at, submission, generation, is_first, of_day, day_ends_at);
CREATE INDEX result_latest ON result (suite, person, received_at DESC, submission DESC, generation, is_first, of_day, day_ends_at);
CREATE INDEX result_of_generation ON result (suite, generation, state);

CREATE TABLE report (
    submission TEXT NOT NULL,
    generation INTEGER NOT NULL,
    whole TEXT NOT NULL,
    student TEXT NOT NULL,
    PRIMARY KEY (submission, generation),
    FOREIGN KEY (submission, generation) REFERENCES result (submission, generation)
) STRICT;

-- Requests of students to look at a result again, and the answers. One of a submission is open at a time.
CREATE TABLE review (
    id TEXT NOT NULL PRIMARY KEY,
    submission TEXT NOT NULL REFERENCES submission (id),
    asked_by TEXT NOT NULL REFERENCES person (id),
    asked_at INTEGER NOT NULL,
    request TEXT NOT NULL,
    answered_by TEXT REFERENCES person (id),
    answered_at INTEGER,
    answer TEXT
) STRICT;
CREATE INDEX review_of_submission ON review (submission, asked_at);
CREATE UNIQUE INDEX review_open ON review (submission) WHERE answered_at IS NULL;
CREATE INDEX review_of_person ON review (asked_by, answered_at);
CREATE INDEX review_answered_by ON review (answered_by);

-- Points that instructors gave by hand, the latest of a submission in `submission.adjusted`. Rows are
-- only added.
CREATE TABLE adjustment (
    submission TEXT NOT NULL REFERENCES submission (id),
    number INTEGER NOT NULL,
    -- Missing if it takes the earlier ones back.
    points INTEGER,
    -- The points that counted without adjustments, and the generation of that result.
    graded INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    reason TEXT NOT NULL,
    made_by TEXT NOT NULL REFERENCES person (id),
    made_at INTEGER NOT NULL,
    PRIMARY KEY (submission, number)
) STRICT;
CREATE INDEX adjustment_made_by ON adjustment (made_by);

-- Gradings that began. One is a lease while `ended_at` is missing and `lease_until` is to come.
CREATE TABLE attempt (
    submission TEXT NOT NULL REFERENCES submission (id),
    generation INTEGER NOT NULL,
    number INTEGER NOT NULL,
    suite TEXT NOT NULL,
    person TEXT NOT NULL,
    module TEXT NOT NULL,
    worker TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    rounds_before INTEGER NOT NULL,
    handed_back INTEGER NOT NULL,
    ended_at INTEGER,
    -- Processor time of its workers so far, start-up and compiling included.
    processor_ms INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (submission, generation, number)
) STRICT;
CREATE INDEX attempt_running ON attempt (ended_at, lease_until);
CREATE INDEX attempt_cost ON attempt (started_at, person, handed_back, processor_ms);

CREATE TABLE run (
    id TEXT NOT NULL PRIMARY KEY,
    suite TEXT NOT NULL REFERENCES suite (id),
    generation INTEGER NOT NULL,
    module TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (suite, generation, module, fingerprint)
) STRICT;

-- Transcripts as a journal writes them.
CREATE TABLE round (
    run TEXT NOT NULL REFERENCES run (id),
    number INTEGER NOT NULL,
    spec_key TEXT NOT NULL,
    spec TEXT NOT NULL,
    transcript TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (run, spec_key),
    UNIQUE (run, number)
) STRICT;

CREATE TABLE round_cost (
    run TEXT NOT NULL,
    spec_key TEXT NOT NULL,
    module TEXT NOT NULL,
    processor_ms INTEGER NOT NULL,
    PRIMARY KEY (run, spec_key, module),
    FOREIGN KEY (run, spec_key) REFERENCES round (run, spec_key)
) STRICT;

CREATE TABLE fact (
    run TEXT NOT NULL REFERENCES run (id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, name)
) STRICT;

-- The private key of the server's signatures: one row.
CREATE TABLE signing_key (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    secret BLOB NOT NULL CHECK (length(secret) = 32)
) STRICT;

-- A badge: the part of a person's standing that its address shows to anyone.
CREATE TABLE badge (
    id TEXT NOT NULL PRIMARY KEY,
    suite TEXT NOT NULL REFERENCES suite (id),
    person TEXT NOT NULL REFERENCES person (id),
    shows_name INTEGER NOT NULL,
    shows_points INTEGER NOT NULL,
    shows_rank INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (suite, person)
) STRICT;

-- Accounts by their identity at an issuer of OpenID Connect.
CREATE TABLE identity (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    person TEXT NOT NULL REFERENCES person (id),
    linked_at INTEGER NOT NULL,
    -- 1 if the issuer has verified the person's own address.
    proven INTEGER NOT NULL,
    -- The invitation with which the session began in which it was linked; missing if it is proven.
    invitation TEXT REFERENCES invitation (id),
    PRIMARY KEY (issuer, subject),
    UNIQUE (issuer, person)
) STRICT;

-- Changes to a person's rights and uses of their account, which their own page lists.
CREATE TABLE account_event (
    id TEXT NOT NULL PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person (id),
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    course TEXT REFERENCES course (id),
    role TEXT,
    -- The person who made the change; missing for the operator and for the server itself.
    made_by TEXT REFERENCES person (id)
) STRICT;
CREATE INDEX account_event_of_person ON account_event (person, at);
CREATE INDEX account_event_at ON account_event (at);

-- People who get mail about the results of their submissions.
CREATE TABLE mail_subscription (
    person TEXT NOT NULL PRIMARY KEY REFERENCES person (id),
    subscribed_at INTEGER NOT NULL
) STRICT;

-- Mail to send. Its text, and the secret of an invitation's link, are made when it is sent.
CREATE TABLE mail (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('invited', 'graded', 'answered')),
    person TEXT NOT NULL REFERENCES person (id),
    -- The subject: one of these.
    invitation TEXT REFERENCES invitation (id),
    submission TEXT REFERENCES submission (id),
    made_at INTEGER NOT NULL,
    -- The next attempt.
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL
) STRICT;
CREATE INDEX mail_due ON mail (due_at);
CREATE INDEX mail_to_person ON mail (person);
CREATE INDEX mail_about_invitation ON mail (invitation);
CREATE INDEX mail_about_submission ON mail (submission);

-- Rounds that people played against bots on this server, as replays: the latest ones of each person.
CREATE TABLE human_round (
    id TEXT NOT NULL PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person (id),
    module TEXT NOT NULL,
    bot TEXT NOT NULL,
    game TEXT NOT NULL,
    result TEXT NOT NULL,
    digest TEXT NOT NULL,
    replay TEXT NOT NULL,
    played_at INTEGER NOT NULL
) STRICT;
CREATE INDEX human_round_person ON human_round (person, played_at);
