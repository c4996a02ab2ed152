-- Rounds that people played against bots on this server, as files of rounds: the latest of each person.
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
