-- Campus systems that open this server by LTI 1.3, which are called platforms.

-- The private key of this server at platforms: one row.
CREATE TABLE lti_key (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    pem TEXT NOT NULL
) STRICT;

-- Courses of platforms, each connected with one course here.
CREATE TABLE lti_course (
    platform TEXT NOT NULL,
    deployment TEXT NOT NULL,
    -- The platform's id of its course.
    context TEXT NOT NULL,
    course TEXT NOT NULL REFERENCES course (id),
    title TEXT NOT NULL,
    -- Address of the list of members; missing if the platform does not give it.
    members_url TEXT,
    -- The instructor here who connected it; missing after their erasure.
    connected_by TEXT REFERENCES person (id),
    connected_at INTEGER NOT NULL,
    PRIMARY KEY (platform, deployment, context)
) STRICT;
CREATE INDEX lti_course_of ON lti_course (course);

-- Columns of gradebooks to which the marks of a suite are sent.
CREATE TABLE lti_column (
    suite TEXT NOT NULL REFERENCES suite (id),
    platform TEXT NOT NULL,
    deployment TEXT NOT NULL,
    context TEXT NOT NULL,
    line_item TEXT NOT NULL,
    PRIMARY KEY (suite, platform, line_item),
    FOREIGN KEY (platform, deployment, context)
        REFERENCES lti_course (platform, deployment, context)
) STRICT;

-- The marks that a column has.
CREATE TABLE lti_mark (
    suite TEXT NOT NULL,
    platform TEXT NOT NULL,
    line_item TEXT NOT NULL,
    person TEXT NOT NULL REFERENCES person (id),
    -- Id of the person at the platform that has the mark.
    subject TEXT NOT NULL,
    points INTEGER NOT NULL,
    max_points INTEGER NOT NULL,
    sent_at INTEGER NOT NULL,
    PRIMARY KEY (suite, platform, line_item, person),
    FOREIGN KEY (suite, platform, line_item) REFERENCES lti_column (suite, platform, line_item)
) STRICT;
CREATE INDEX lti_mark_of ON lti_mark (person);

-- People of platforms who were in a course here, with the account that they had then. A row stays
-- when the person is removed or ends the link, so that no launch brings them back.
CREATE TABLE lti_member (
    course TEXT NOT NULL REFERENCES course (id),
    platform TEXT NOT NULL,
    subject TEXT NOT NULL,
    person TEXT NOT NULL REFERENCES person (id),
    PRIMARY KEY (course, platform, subject)
) STRICT;
CREATE INDEX lti_member_of ON lti_member (person);
