-- Comments of staff on lines of submitted sources.
CREATE TABLE source_comment (
    id TEXT NOT NULL PRIMARY KEY,
    submission TEXT NOT NULL REFERENCES submission (id),
    -- From 1.
    line INTEGER NOT NULL,
    text TEXT NOT NULL,
    made_by TEXT NOT NULL REFERENCES person (id),
    made_at INTEGER NOT NULL
) STRICT;
CREATE INDEX source_comment_on ON source_comment (submission, line, made_at);
CREATE INDEX source_comment_made_by ON source_comment (made_by);
