-- Groups of students, whose submissions to a suite by groups belong to all of their members.

CREATE TABLE student_group (
    id TEXT NOT NULL PRIMARY KEY,
    course TEXT NOT NULL REFERENCES course (id),
    name TEXT NOT NULL,
    -- The name for comparisons. A dissolved group leaves it free.
    folded_name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    dissolved_at BIGINT
);
CREATE UNIQUE INDEX group_by_name ON student_group (course, folded_name) WHERE dissolved_at IS NULL;

-- Present and former members. A person who left keeps the group's submissions from before. An erased
-- person stays as a former member, because the due dates of these submissions depend on members.
CREATE TABLE group_member (
    group_id TEXT NOT NULL REFERENCES student_group (id),
    person TEXT NOT NULL REFERENCES person (id),
    course TEXT NOT NULL REFERENCES course (id),
    joined_at BIGINT NOT NULL,
    left_at BIGINT,
    PRIMARY KEY (group_id, person)
);
CREATE UNIQUE INDEX group_of_person ON group_member (course, person) WHERE left_at IS NULL;
CREATE INDEX group_member_of_person ON group_member (person, group_id, left_at);

-- The names of present members, by real names, and as the course shows them.
CREATE VIEW present_group AS SELECT g.group_id, g.course,
    string_agg(m.name, ', ' ORDER BY m.folded_name, m.person) AS name,
    string_agg(m.folded_name, ', ' ORDER BY m.folded_name, m.person) AS folded_name,
    string_agg(CASE WHEN m.shows_real_name = 1 THEN m.name ELSE m.pseudonym END, ', '
        ORDER BY m.folded_pseudonym) AS pseudonym,
    string_agg(CASE WHEN m.shows_real_name = 1 THEN m.folded_name ELSE m.folded_pseudonym END, ', '
        ORDER BY m.folded_pseudonym) AS folded_pseudonym
    FROM group_member g JOIN membership m ON m.course = g.course AND m.person = g.person
    WHERE g.left_at IS NULL GROUP BY g.group_id, g.course;

-- 1 for a suite to which groups submit.
ALTER TABLE suite ADD COLUMN by_groups BIGINT NOT NULL DEFAULT 0;

-- The owner: the group for which `person` submitted or entered a bot, or else the person.
ALTER TABLE submission ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE result ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE attempt ADD COLUMN owner TEXT NOT NULL DEFAULT '';
-- Missing for a reference opponent.
ALTER TABLE ladder_bot ADD COLUMN owner TEXT;

-- Limits, scoreboards and the queue go by owners.
CREATE INDEX submission_of_owner ON submission (suite, owner, received_at);
-- In all suites, for an erasure.
CREATE INDEX submission_by_owner ON submission (owner, received_at);
DROP INDEX result_best;
DROP INDEX result_best_open;
DROP INDEX result_latest;
CREATE INDEX result_best ON result (suite, owner, points DESC, received_at, submission, generation, is_first, of_day, day_ends_at);
CREATE INDEX result_best_open ON result (suite, owner, open_points DESC, received_at, submission, generation, is_first, of_day, day_ends_at);
CREATE INDEX result_latest ON result (suite, owner, received_at DESC, submission DESC, generation, is_first, of_day, day_ends_at);
DROP INDEX attempt_cost;
CREATE INDEX attempt_cost ON attempt (started_at, owner, handed_back, processor_ms);
DROP INDEX ladder_bot_of_person;
CREATE INDEX ladder_bot_of_owner ON ladder_bot (owner, arena);
