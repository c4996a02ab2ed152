//! Warnings about likely mistakes in a suite that can still be graded.

use judge_core::{Event, Listener, printable};
use judge_grading::{Suite, SuiteLint, Testcase, files_not_read};

use crate::suites::SuiteChoice;

/// The readers of the warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readers {
    /// The user of the judge.
    Usual,
    /// Students, who must not learn about hidden testcases.
    Students,
}

/// Warns about likely mistakes in a suite and in its folder.
pub(crate) fn warn(
    suite: &Suite,
    choice: &SuiteChoice,
    readers: Readers,
    events: &mut dyn Listener,
) -> std::io::Result<()> {
    let mut suite_lints = suite.suite_lints();
    if readers == Readers::Students {
        suite_lints.retain(|doubt| !is_about_hidden(doubt, suite));
    } else if let Some(folder) = choice.folder() {
        suite_lints.extend(files_not_read(folder));
    }
    suite_lints.iter().try_for_each(|doubt| events.event(&Event::Warning { text: text(doubt) }))
}

fn is_about_hidden(doubt: &SuiteLint, suite: &Suite) -> bool {
    let name = match doubt {
        SuiteLint::Unreachable { testcase, .. } | SuiteLint::SeedTwice { testcase, .. } => testcase,
        SuiteLint::NotRead { .. } => return false,
    };
    let mut all = suite.testcases.iter().chain(&suite.locked);
    all.any(|testcase: &Testcase| testcase.hidden && testcase.name == *name)
}

fn text(doubt: &SuiteLint) -> String {
    let shown = |text: &str| printable(text, 200);
    match doubt {
        SuiteLint::Unreachable { testcase, min_score, most } => format!(
            "`{}`: no bot can pass: `min_score` is {min_score}, its rounds score at most {most}",
            shown(testcase)
        ),
        SuiteLint::SeedTwice { testcase, seed } => format!(
            "`{}`: seed {} is listed more than once, so its round counts more than once",
            shown(testcase),
            seed.0
        ),
        SuiteLint::NotRead { file } => format!(
            "`{}` looks like a testcase and is not read: rename it to end in `.toml`",
            shown(file)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects the warnings.
    #[derive(Default)]
    struct WarningList(Vec<String>);

    impl Listener for WarningList {
        fn event(&mut self, event: &Event) -> std::io::Result<()> {
            if let Event::Warning { text } = event {
                self.0.push(text.clone());
            }
            Ok(())
        }
    }

    #[test]
    fn warnings_for_students_omit_hidden_testcases() {
        let case = |more: &str| {
            format!(
                "title = \"x\"\ngame = \"cc\"\nopponent = \"random\"\nseeds = [7, 7]\n\
                 min_score = 5\npoints = 1\n{more}"
            )
        };
        let (open, hidden) = (case(""), case("hidden = true"));
        let files = [("suite.toml", "title = \"x\""), ("01.toml", &open), ("02.toml", &hidden)];
        let suite = Suite::from_files("s", files).expect("a suite");
        let told = |readers| {
            let mut told = WarningList::default();
            warn(&suite, &SuiteChoice::OfTheirGame, readers, &mut told).expect("it is told");
            told.0
        };
        assert_eq!(told(Readers::Usual).len(), 4);
        let open = told(Readers::Students);
        assert_eq!(open.len(), 2);
        assert!(open.iter().all(|text| text.starts_with("`01`")), "{open:?}");
    }
}
