//! The due date of a suite in a course, with extensions and rules for late submissions: from
//! `late.toml`, or from the tables of a course file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::moment::NotAMoment;
use crate::source::{Source, SourceError};
use crate::{DueDate, LatePolicy, LateRules, SuiteError, read_text};

/// Largest file of dates, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// Longest grace period in minutes, and most free days: a year.
const MOST: [u64; 2] = [366 * 24 * 60, 366];

/// The valid fields, for the error about an unknown or missing one.
const FIELDS: &str = "the file has `due` and a table `[late]` with `policy` (`refuse`, \
                      `no_points`, `per_day`), and optionally `grace_minutes`, and for `per_day` \
                      `percent_per_day` and `free_days`; it may have `times` and a table \
                      `[extensions]`";

/// The dates of a suite, and its rules for late submissions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteDates {
    /// The due date, if there is one.
    pub due: Option<DueDate>,
    /// The list with the times of submissions, if it is a separate file.
    #[serde(skip)]
    pub times: Option<PathBuf>,
    /// The rules for late submissions; without them, none is late.
    pub rules: Option<LateRules>,
    /// Later due dates of students and groups, by name, id, login, address or submission.
    pub extensions: BTreeMap<String, DueDate>,
}

/// The fields of `late.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDates {
    due: Spanned<String>,
    times: Option<PathBuf>,
    late: Spanned<RawLate>,
    #[serde(default)]
    extensions: RawExtensions,
}

/// Dates by student or group, as text.
pub(crate) type RawExtensions = BTreeMap<String, Spanned<String>>;

/// A table `[late]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawLate {
    policy: Spanned<String>,
    grace_minutes: Option<Spanned<u64>>,
    percent_per_day: Option<Spanned<u64>>,
    free_days: Option<Spanned<u64>>,
}

impl SuiteDates {
    /// Reads dates and rules from a file. Paths in it are relative to the file's folder.
    ///
    /// # Errors
    /// When it cannot be read or is invalid.
    pub fn read(path: &Path) -> Result<SuiteDates, SuiteError> {
        let unreadable = |source| SuiteError::Read { path: path.to_owned(), source };
        let text = read_text(path, MAX_FILE).map_err(unreadable)?;
        let dates = SuiteDates::parse(&path.display().to_string(), &text)?;
        Ok(dates.seen_from(path.parent().unwrap_or(Path::new(""))))
    }

    /// Reads dates and rules from the text of a file; `path` is for messages.
    ///
    /// # Errors
    /// With the position, when the text is invalid.
    pub fn parse(path: &str, text: &str) -> Result<SuiteDates, Box<SourceError>> {
        let source = Source { name: path, text };
        let raw: RawDates = source.parse(FIELDS)?;
        let rules = raw.late.get_ref().rules(&source)?;
        let dates = (Some(&raw.due), raw.times, Some(rules));
        SuiteDates::new(&source, dates, &raw.extensions)
    }

    /// Checks the dates of a suite.
    pub(crate) fn new(
        source: &Source<'_>,
        (due, times, rules): (Option<&Spanned<String>>, Option<PathBuf>, Option<LateRules>),
        raw: &RawExtensions,
    ) -> Result<SuiteDates, Box<SourceError>> {
        let due = due.map(|due| moment(source, due)).transpose()?;
        let mut extensions = BTreeMap::new();
        for (who, text) in raw {
            let (Some(due), Some(_)) = (due, rules) else {
                let help = "give the suite a `due` date, and the file a table `[late]`";
                let message = "an extension needs a due date and rules for late submissions";
                return Err(source.about(text, message, Some(help.to_owned())));
            };
            let extended = moment(source, text)?;
            if extended < due {
                let message = format!("the extension of `{who}` is before the due date, {due}");
                return Err(source.about(text, message, None));
            }
            extensions.insert(who.clone(), extended);
        }
        Ok(SuiteDates { due, times, rules, extensions })
    }

    /// Resolves the path in the dates relative to `folder`.
    pub(crate) fn seen_from(self, folder: &Path) -> SuiteDates {
        SuiteDates { times: self.times.map(|path| folder.join(path)), ..self }
    }

    /// The due date and the rules, if submissions can be late.
    pub fn in_force(&self) -> Option<(DueDate, LateRules)> {
        self.due.zip(self.rules)
    }
}

/// A date with time and offset.
fn moment(source: &Source<'_>, text: &Spanned<String>) -> Result<DueDate, Box<SourceError>> {
    let moment = text.get_ref().parse::<DueDate>();
    moment.map_err(|error| source.about(text, error.to_string(), Some(NotAMoment::HINT.to_owned())))
}

impl RawLate {
    /// Checks the rules.
    pub(crate) fn rules(&self, source: &Source<'_>) -> Result<LateRules, Box<SourceError>> {
        let policy = self.policy.get_ref().parse::<LatePolicy>().map_err(|error| {
            let help = "`refuse`: graded, without points and not accepted; `no_points`: graded, \
                        without points; `per_day`: each started day takes a percentage";
            source.about(&self.policy, error.to_string(), Some(help.to_owned()))
        })?;
        let for_days = [&self.percent_per_day, &self.free_days].into_iter().flatten().next();
        match (policy, &self.percent_per_day, for_days) {
            (LatePolicy::PerDay, None, _) => {
                let message = "`per_day` needs `percent_per_day`";
                let help = "the percentage of the points that each started day takes, 1 to 100";
                return Err(source.about(&self.policy, message, Some(help.to_owned())));
            }
            (LatePolicy::Refuse | LatePolicy::NoPoints, _, Some(value)) => {
                let message = format!("`{policy}` does not count days");
                let help = "remove `percent_per_day` and `free_days`, or use `per_day`";
                return Err(source.about(value, message, Some(help.to_owned())));
            }
            _ => {}
        }
        let usual = LateRules::default();
        let number = |value: &Option<Spanned<u64>>, usual, range| match value {
            Some(value) => within(source, value, range),
            None => Ok(usual),
        };
        Ok(LateRules {
            policy,
            grace_minutes: number(&self.grace_minutes, usual.grace_minutes, (0, MOST[0]))?,
            percent_per_day: number(&self.percent_per_day, usual.percent_per_day, (1, 100))?,
            free_days: number(&self.free_days, usual.free_days, (0, MOST[1]))?,
        })
    }
}

fn within(
    source: &Source<'_>,
    value: &Spanned<u64>,
    (least, most): (u64, u64),
) -> Result<u32, Box<SourceError>> {
    let number = *value.get_ref();
    let fits = (least..=most).contains(&number).then(|| u32::try_from(number).ok()).flatten();
    fits.ok_or_else(|| source.about(value, format!("`{number}`: expected {least} to {most}"), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: &str = "due = \"2026-11-23 23:59 +01:00\"\ntimes = \"times.csv\"\n\n[late]\n\
         policy = \"per_day\"\ngrace_minutes = 15\npercent_per_day = 20\nfree_days = 1\n\n\
         [extensions]\n2026001 = \"2026-11-25 23:59 +01:00\"\n\"team 1\" = \"2026-11-24T23:59Z\"\n";

    #[test]
    fn a_file_has_a_due_date_rules_and_extensions() {
        let dates = SuiteDates::parse("late.toml", LATE).expect("dates");
        let (due, rules) = dates.in_force().expect("rules");
        assert_eq!(due.to_string(), "2026-11-23 23:59 +01:00");
        let expected = LateRules {
            policy: LatePolicy::PerDay,
            grace_minutes: 15,
            percent_per_day: 20,
            free_days: 1,
        };
        assert_eq!(rules, expected);
        assert_eq!(dates.extensions["2026001"].to_string(), "2026-11-25 23:59 +01:00");
        assert_eq!(dates.extensions["team 1"].to_string(), "2026-11-24 23:59 +00:00");
        let seen = dates.seen_from(Path::new("course"));
        assert_eq!(seen.times.as_deref(), Some(Path::new("course/times.csv")));
        let short = "due = \"2026-11-23 23:59 Z\"\n[late]\npolicy = \"refuse\"\n";
        let short = SuiteDates::parse("late.toml", short).expect("dates");
        assert_eq!(short.rules, Some(LateRules::default()));
    }

    #[test]
    fn each_mistake_is_shown_at_its_place() {
        for (from, to, wrong) in [
            ("23 23:59 +01:00\"\nt", "23\"\nt", "`2026-11-23` has no time of day"),
            ("23 23:59 +01:00\"\nt", "23 23:59\"\nt", "`2026-11-23 23:59` has no offset from UTC"),
            ("2026-11-24T23:59Z", "soon", "`soon` is not a date with time and offset"),
            (
                "2026-11-24T",
                "2026-11-22T",
                "the extension of `team 1` is before the due date, 2026",
            ),
            ("\"per_day\"", "\"later\"", "`later` is not a policy for late submissions"),
            ("\"per_day\"", "\"refuse\"", "`refuse` does not count days"),
            ("\"per_day\"", "\"no_points\"", "`no_points` does not count days"),
            ("percent_per_day = 20", "", "`per_day` needs `percent_per_day`"),
            ("day = 20", "day = 0", "`0`: expected 1 to 100"),
            ("day = 20", "day = 101", "`101`: expected 1 to 100"),
            ("day = 20", "day = 1.5", "`1.5`: expected a whole number from 0 up"),
            ("free_days = 1", "free_days = 367", "`367`: expected 0 to 366"),
            ("minutes = 15", "minutes = -1", "`-1`: expected a whole number from 0 up"),
            ("minutes = 15", "minutes = 527041", "`527041`: expected 0 to 527040"),
            ("\"2026-11-24T23:59Z\"", "2026-11-24T23:59:00Z", "expected text in quotes"),
            ("times", "tmies", "unknown field `tmies`"),
            ("grace_minutes", "grace", "unknown field `grace`"),
        ] {
            let text = LATE.replacen(from, to, 1);
            assert_ne!(text, LATE, "{from}");
            let error = SuiteDates::parse("late.toml", &text).expect_err(wrong);
            assert!(error.to_string().contains(wrong), "{wrong}: {error}");
            assert!(error.place_in(&text).is_some(), "{wrong}");
        }
        for (text, wrong) in [
            ("", "`late.toml` has no `due`"),
            ("due = \"2026-11-23 23:59 Z\"\n", "`late.toml` has no `late`"),
        ] {
            let error = SuiteDates::parse("late.toml", text).expect_err(wrong);
            assert_eq!(error.to_string(), wrong);
        }
    }
}
