//! Classroom 50's `result.json`, schema `classroom50/result/v1`. Its scores are whole numbers from
//! 0 to their maximum, so fractions are rounded down and extra credit is capped. The messages have
//! the exact points.

use judge_core::{BotReport, StudentReport, TestcaseReport, Verdict};
use serde_json::{Map, Value, json};

use crate::text::json;
use crate::words::{OWED, explanation, is_owed, name, refusal};

/// The part of a result about the submission, in addition to its marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionFacts {
    /// Short name of the classroom.
    pub classroom: String,
    /// Short name of the assignment.
    pub assignment: String,
    /// `individual` or `group`.
    pub assignment_type: String,
    /// Login of the repository's owner.
    pub owner: String,
    /// Tag of the submission: `submit/` with a time.
    pub tag: String,
    /// Address of the commit.
    pub commit: String,
    /// Address of the release.
    pub release: String,
    /// Address of all changes.
    pub review: String,
}

/// A submission that Classroom 50 would reject.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubmissionError {
    /// A variable of the environment that is unset or empty.
    #[error("`{name}` is not set, which Classroom 50's runner sets")]
    Missing {
        /// The variable's name.
        name: &'static str,
    },
    /// A kind of assignment that is not in the schema.
    #[error("`ASSIGNMENT_TYPE` is `{kind}`, and neither `individual` nor `group`")]
    Kind {
        /// The kind.
        kind: String,
    },
    /// A tag without a time.
    #[error("`SUBMISSION_TAG` is `{tag}`, and not `submit/` with the time of the submission")]
    Tag {
        /// The tag.
        tag: String,
    },
}

impl SubmissionFacts {
    /// Reads the submission from the environment variables that Classroom 50's runner sets.
    ///
    /// # Errors
    /// If a variable is missing or has an invalid value.
    pub fn from_variables(
        variable: impl Fn(&'static str) -> Option<String>,
    ) -> Result<SubmissionFacts, SubmissionError> {
        let optional = |name| variable(name).filter(|value| !value.is_empty());
        let needed = |name| optional(name).ok_or(SubmissionError::Missing { name });
        let commit = needed("COMMIT_URL")?;
        let submission = SubmissionFacts {
            classroom: needed("CLASSROOM")?,
            assignment: needed("ASSIGNMENT")?,
            assignment_type: optional("ASSIGNMENT_TYPE").unwrap_or_else(|| "individual".to_owned()),
            owner: optional("OWNER").map_or_else(|| needed("USERNAME"), Ok)?,
            tag: needed("SUBMISSION_TAG")?,
            release: needed("RELEASE_URL")?,
            review: optional("REVIEW_URL").unwrap_or_else(|| commit.clone()),
            commit,
        };
        if !["individual", "group"].contains(&submission.assignment_type.as_str()) {
            return Err(SubmissionError::Kind { kind: submission.assignment_type });
        }
        match submission.time() {
            Some(_) => Ok(submission),
            None => Err(SubmissionError::Tag { tag: submission.tag }),
        }
    }

    /// The time in the tag. It does not change when the submission is graded again.
    fn time(&self) -> Option<String> {
        const FORM: &[u8] = b"0000-00-00T00-00-00Z";
        let rest = self.tag.strip_prefix("submit/")?;
        let fits = |window: &&[u8]| {
            std::iter::zip(*window, FORM).all(|(byte, form)| match form {
                b'0' => byte.is_ascii_digit(),
                form => byte == form,
            })
        };
        let found = rest.as_bytes().windows(FORM.len()).find(fits)?;
        let found = std::str::from_utf8(found).ok()?;
        let within =
            |at: usize, most: u8| found[at..at + 2].parse().is_ok_and(|number: u8| number <= most);
        let is_a_time = within(5, 12) && within(8, 31) && within(11, 23) && within(14, 59);
        if !(is_a_time && within(17, 60)) {
            return None;
        }
        let (day, time) = found.split_once('T')?;
        Some(format!("{day}T{}", time.replace('-', ":")))
    }

    fn fields(&self) -> Map<String, Value> {
        let pairs = [
            ("classroom", &self.classroom),
            ("assignment", &self.assignment),
            ("assignment_type", &self.assignment_type),
            ("owner", &self.owner),
            ("submission", &self.tag),
            ("commit", &self.commit),
            ("release", &self.release),
            ("review", &self.review),
            ("datetime", &self.time().unwrap_or_default()),
        ];
        pairs.map(|(key, value)| (key.to_owned(), value.as_str().into())).into_iter().collect()
    }
}

/// Renders the report's only bot; without a submission, only its marks.
pub(crate) fn render(report: &StudentReport, submission: Option<&SubmissionFacts>) -> String {
    report.bots.iter().map(|bot| json(&result(bot, submission))).collect()
}

fn result(bot: &BotReport, submission: Option<&SubmissionFacts>) -> Value {
    let mut result = submission.map(SubmissionFacts::fields).unwrap_or_default();
    result.insert("schema".to_owned(), "classroom50/result/v1".into());
    let score = bot.points.min(bot.max_points).rounded_down();
    result.insert("score".to_owned(), score.into());
    result.insert("max-score".to_owned(), bot.max_points.rounded_down().into());
    result.insert("tests".to_owned(), tests(bot).into());
    result.into()
}

fn tests(bot: &BotReport) -> Vec<Value> {
    match &bot.refused {
        Some(refused) => vec![json!({
            "test-name": "intake",
            "passed": false,
            "score": 0,
            "max-score": bot.max_points.rounded_down(),
            "message": if is_owed(bot) { OWED.to_owned() } else { refusal(refused) },
        })],
        None => bot.testcases.iter().map(test).collect(),
    }
}

fn test(case: &TestcaseReport) -> Value {
    json!({
        "test-name": name(case),
        "passed": case.verdict == Verdict::Accepted,
        "score": case.points.min(case.max_points).rounded_down(),
        "max-score": case.max_points.rounded_down(),
        "message": explanation(case),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::samples;

    const VARIABLES: [(&str, &str); 9] = [
        ("CLASSROOM", "games"),
        ("ASSIGNMENT", "lab3"),
        ("ASSIGNMENT_TYPE", "group"),
        ("USERNAME", "ada"),
        ("OWNER", ""),
        ("SUBMISSION_TAG", "submit/2026-06-01T14-32-05Z-a1b2c3d"),
        ("COMMIT_URL", "https://x/commit/a"),
        ("RELEASE_URL", "https://x/releases/a"),
        ("REVIEW_URL", ""),
    ];

    fn submission(without: &str, tag: &str) -> Result<SubmissionFacts, SubmissionError> {
        SubmissionFacts::from_variables(|name| {
            let (_, value) = VARIABLES.into_iter().find(|(known, _)| *known == name)?;
            let value = if name == "SUBMISSION_TAG" && !tag.is_empty() { tag } else { value };
            (name != without).then(|| value.to_owned())
        })
    }

    /// The keys that the published schema requires. It allows only two others.
    const REQUIRED: [&str; 13] = [
        "assignment",
        "assignment_type",
        "classroom",
        "commit",
        "datetime",
        "max-score",
        "owner",
        "release",
        "review",
        "schema",
        "score",
        "submission",
        "tests",
    ];

    #[test]
    fn a_result_has_exactly_the_fields_of_the_schema() {
        let submission = submission("", "").expect("complete");
        for number in 0..4 {
            let mut report = samples::report();
            report.bots = vec![report.bots.swap_remove(number)];
            let text = render(&report.for_student(), Some(&submission));
            let result: Value = serde_json::from_str(&text).expect("JSON");
            let keys: Vec<&String> = result.as_object().expect("an object").keys().collect();
            assert_eq!(keys, REQUIRED);
            assert_eq!(result["schema"], "classroom50/result/v1");
            assert_eq!(result["datetime"], "2026-06-01T14:32:05Z");
            assert_eq!(result["review"], result["commit"]);
            assert_eq!(
                (&result["owner"], &result["assignment_type"]),
                (&"ada".into(), &"group".into())
            );
            assert!(result["score"].as_u64() <= result["max-score"].as_u64());
            for test in result["tests"].as_array().expect("a list") {
                assert!(!test["test-name"].as_str().expect("a name").is_empty());
                assert!(test["passed"].is_boolean() && test["score"].is_u64(), "{test}");
                assert!(test["score"].as_u64() <= test["max-score"].as_u64(), "{test}");
            }
        }
    }

    #[test]
    fn fractions_are_rounded_down_and_extra_credit_stops_at_the_maximum() {
        let mut report = samples::report();
        report.bots.truncate(1);
        let points = |text: &str| text.parse::<judge_core::Points>().expect("points");
        let bot = &mut report.bots[0];
        (bot.points, bot.max_points) = (points("25.5"), points("22.75"));
        let case = &mut bot.testcases[0];
        (case.points, case.max_points) = (points("2.5"), points("0"));
        let result: Value =
            serde_json::from_str(&render(&report.for_student(), None)).expect("JSON");
        assert_eq!((&result["score"], &result["max-score"]), (&22.into(), &22.into()));
        let test = &result["tests"][0];
        assert_eq!((&test["score"], &test["max-score"]), (&0.into(), &0.into()));
        assert!(test["message"].as_str().expect("a text").contains("2.5"), "{test}");
    }

    #[test]
    fn a_submission_needs_its_variables_and_a_tag_with_a_time() {
        for name in
            ["CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL", "USERNAME"]
        {
            assert_eq!(submission(name, ""), Err(SubmissionError::Missing { name }));
        }
        for tag in [
            "submit/",
            "main",
            "2026-06-01T14-32-05Z",
            "submit/2026-06-01T14:32:05Z",
            "submit/2026-13-01T14-32-05Z",
            "submit/2026-06-01T24-32-05Z",
        ] {
            let tag = tag.to_owned();
            assert_eq!(submission("", &tag), Err(SubmissionError::Tag { tag }));
        }
        let team = SubmissionFacts::from_variables(|name| {
            let (_, value) = VARIABLES.into_iter().find(|(known, _)| *known == name)?;
            Some(if name == "ASSIGNMENT_TYPE" { "team" } else { value }.to_owned())
        });
        assert_eq!(team, Err(SubmissionError::Kind { kind: "team".to_owned() }));
        let manual =
            submission("ASSIGNMENT_TYPE", "submit/manual-é-2026-02-02T00-00-00Z").expect("a time");
        assert_eq!(manual.time().as_deref(), Some("2026-02-02T00:00:00Z"));
        assert_eq!(manual.assignment_type, "individual");
    }
}
