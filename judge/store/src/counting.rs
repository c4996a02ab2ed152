//! The parts of statements that choose the submission that counts: for scoreboards, and for grading
//! again.

/// The submission of an owner that counts: the first one by `$key`, the largest first, and then by
/// `$order`. For a person without a group, those of former groups count, too; and in a suite that
/// is not by groups, those of the present one. `$visible` is a condition on a result `b`. The first
/// one of each group is one lookup in an index; `CROSS JOIN` makes SQLite keep the order of tables.
macro_rules! counting {
    ($suite:literal, $owner:literal, $person:literal, $visible:expr, $key:literal, $order:literal) => {
        concat!(
            "(SELECT b.submission FROM (SELECT (SELECT b.submission FROM result b \
             WHERE b.suite = ",
            $suite,
            " AND b.owner = ",
            $owner,
            " AND ",
            $visible,
            " ORDER BY b.",
            $key,
            " DESC, b.",
            $order,
            " LIMIT 1) AS id UNION ALL SELECT (SELECT b.submission FROM result b \
             WHERE b.suite = ",
            $suite,
            " AND b.owner = g.group_id AND (g.left_at IS NULL OR b.received_at < g.left_at) AND ",
            $visible,
            " ORDER BY b.",
            $key,
            " DESC, b.",
            $order,
            " LIMIT 1) FROM group_member g WHERE g.person = ",
            $person,
            ") y CROSS JOIN result b WHERE b.submission = y.id AND ",
            $visible,
            " ORDER BY b.",
            $key,
            " DESC, b.",
            $order,
            " LIMIT 1)"
        )
    };
}
pub(crate) use counting;

/// A condition on a result `b` of a suite `u`: it is of the shown generation.
macro_rules! is_shown {
    ($suite:literal) => {
        concat!(
            "(b.generation = ",
            $suite,
            ".shown OR (b.generation > ",
            $suite,
            ".shown AND b.is_first = 1))"
        )
    };
}
pub(crate) use is_shown;

/// The submissions that the present generation of a row of `suite` has to grade, for a subquery.
macro_rules! ungraded {
    () => {
        "submission s JOIN module m ON m.hash = s.module \
         JOIN suite_generation g ON g.suite = s.suite AND g.generation = suite.generation \
         WHERE s.suite = suite.id AND s.generation < suite.generation AND m.bytes IS NOT NULL \
         AND (g.scope = 'all' OR EXISTS (SELECT 1 FROM suite_scope l WHERE l.suite = s.suite \
             AND l.generation = suite.generation AND l.submission = s.id)) \
         AND NOT EXISTS (SELECT 1 FROM result r \
             WHERE r.submission = s.id AND r.generation = suite.generation)"
    };
}
pub(crate) use ungraded;
