//! The statement about a file's origin. It is signed with the file, because the same points can
//! come from another course, or from a suite without thresholds.

use judge_core::printable;
use judge_store::{Course, GroupMember, Person, Submission, Suite, Timestamp};
use serde::{Deserialize, Serialize};

/// Length of the longest printed name.
const LONGEST: usize = 200;

/// The origin of a signed file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Kind of the file: `report`, `replay`, `marks` or `human round`.
    pub kind: String,
    /// The course.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub course: Option<CourseNamed>,
    /// The suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<SuiteNamed>,
    /// The author of the submission, or the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonNamed>,
    /// The members of the group, if a group submitted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group: Vec<PersonNamed>,
    /// Id of the submission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<String>,
    /// The moment of a mark sheet, in UTC: later corrections change it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// A course by its id. Its short name for URLs can be used again after its deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseNamed {
    /// Id.
    pub id: String,
    /// Short name for URLs.
    pub slug: String,
    /// Title.
    pub title: String,
}

/// A suite by its id, and its generation. Each change of its files starts a new generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteNamed {
    /// Id.
    pub id: String,
    /// Short name for URLs.
    pub slug: String,
    /// Title.
    pub title: String,
    /// Generation.
    pub generation: i64,
}

/// A person by their id; two people can have the same name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonNamed {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Student number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
}

impl About {
    /// The origin of a file of that kind.
    pub fn kind(kind: &str) -> About {
        About { kind: kind.to_owned(), ..About::default() }
    }

    /// Adds the course, the suite, and the generation of its files.
    #[must_use]
    pub fn of_suite(self, course: &Course, suite: &Suite, generation: i64) -> About {
        let (id, slug, title) = (course.id.to_string(), course.slug.clone(), course.title.clone());
        let course = CourseNamed { id, slug, title };
        let (id, slug, title) = (suite.id.to_string(), suite.slug.clone(), suite.title.clone());
        let suite = SuiteNamed { id, slug, title, generation };
        About { course: Some(course), suite: Some(suite), ..self }
    }

    /// Adds the person.
    #[must_use]
    pub fn of_person(self, person: &Person) -> About {
        let (id, name, number) =
            (person.id.to_string(), person.name.clone(), person.number.clone());
        About { person: Some(PersonNamed { id, name, number }), ..self }
    }

    /// Adds the members of the group to whom the submission belongs.
    #[must_use]
    pub fn of_group(self, members: &[GroupMember]) -> About {
        let named = |one: &GroupMember| PersonNamed {
            id: one.person.to_string(),
            name: one.name.clone(),
            number: one.number.clone(),
        };
        About { group: members.iter().map(named).collect(), ..self }
    }

    /// Adds the submission.
    #[must_use]
    pub fn of_submission(self, submission: &Submission) -> About {
        About { submission: Some(submission.id.to_string()), ..self }
    }

    /// Adds the moment of a file that changes.
    #[must_use]
    pub fn of_moment(self, now: Timestamp) -> About {
        About { at: Some(now.to_string()), ..self }
    }

    /// The statement as a line of JSON in ASCII, for an HTTP header.
    pub(super) fn to_text(&self) -> String {
        let json = serde_json::to_string(self).expect("texts and numbers are JSON");
        let mut text = String::new();
        for letter in json.chars() {
            if (' '..='~').contains(&letter) {
                text.push(letter);
            } else {
                let units = letter.encode_utf16(&mut [0; 2]).to_vec();
                text.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
            }
        }
        text
    }

    pub(super) fn from_text(text: &str) -> Option<About> {
        serde_json::from_str(text).ok()
    }

    /// The statement in words: a line for each part, without control characters.
    pub fn lines(&self) -> Vec<String> {
        let safe = |text: &str| printable(text, LONGEST);
        let mut lines = vec![format!("kind: {}", safe(&self.kind))];
        // A title and a person's name come last, because they may imitate the other parts.
        if let Some(CourseNamed { id, slug, title }) = &self.course {
            let (id, slug, title) = (safe(id), safe(slug), safe(title));
            lines.push(format!("course: `{slug}`, id `{id}`, title `{title}`"));
        }
        if let Some(SuiteNamed { id, slug, title, generation }) = &self.suite {
            let (id, slug, title) = (safe(id), safe(slug), safe(title));
            let suite = format!("suite: `{slug}`, id `{id}`, generation {generation}");
            lines.push(format!("{suite}, title `{title}`"));
        }
        let person = |PersonNamed { id, name, number }: &PersonNamed| {
            let number = number.as_ref().map(|number| format!("number `{}`", safe(number)));
            let number = number.unwrap_or_else(|| "no number".to_owned());
            format!("account `{}`, {number}, name `{}`", safe(id), safe(name))
        };
        lines.extend(self.person.iter().map(|one| format!("person: {}", person(one))));
        lines.extend(self.group.iter().map(|one| format!("member of the group: {}", person(one))));
        lines.extend(self.at.iter().map(|at| format!("made at: {}", safe(at))));
        lines.extend(self.submission.iter().map(|id| format!("submission: `{}`", safe(id))));
        lines
    }
}
