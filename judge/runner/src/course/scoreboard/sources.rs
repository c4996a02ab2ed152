//! Results from one suite and one judge, collected from courses and reports. Changed results and
//! those that do not belong together are refused.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use judge_core::{BotReport, Fingerprint, GradeReport, Verdict};
use judge_report::{Column, Scoreboard, ScoreboardRow, composed, quoted};

use super::mapping::Person;
use crate::Error;
use crate::base::address;
use crate::base::mark_sheet;

/// The results so far.
pub(super) struct Sources<'a> {
    /// The folder of the scoreboard's page.
    from: &'a Path,
    scoreboard: Option<Scoreboard>,
    /// The first source, which the others must match.
    first: PathBuf,
    /// The source of each submission.
    seen: BTreeMap<String, PathBuf>,
    /// The course with points by rank, of which there can be only one.
    by_rank: Option<PathBuf>,
    /// Number of sources.
    sources: usize,
    /// All students on the mark sheets.
    people: Vec<Person>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(from: &'a Path) -> Sources<'a> {
        let (scoreboard, first) = (None, PathBuf::new());
        let (seen, people) = (BTreeMap::new(), Vec::new());
        Sources { from, scoreboard, first, seen, by_rank: None, sources: 0, people }
    }

    /// Adds all bots of a report.
    pub(super) fn report(&mut self, path: &Path) -> Result<(), Error> {
        self.sources += 1;
        let report = read_report(path)?;
        for bot in &report.bots {
            self.seen(&bot.bot.name, path)?;
            self.place(path, &report, bot, |bot| {
                ScoreboardRow::new(bot.bot.name.clone(), bot, None)
            })?;
        }
        Ok(())
    }

    /// Adds all students on a course's mark sheet, with their reports.
    pub(super) fn course(&mut self, folder: &Path) -> Result<(), Error> {
        self.sources += 1;
        let (mut missing, mut of_group) = (Vec::new(), BTreeSet::new());
        for (number, line) in (2..).zip(mark_sheet::read(folder)?) {
            let report = line.report().map(str::to_owned);
            let place = line.without_report();
            let not_a_module = report.is_none() && place.not_a_module;
            let name = line.name();
            self.people.push(Person { folder: folder.to_owned(), name, report, not_a_module });
            let Some(name) = line.report() else {
                missing.push(place);
                continue;
            };
            let path = folder.join(name);
            let report = read_report(&path)?;
            let [bot] = report.bots.as_slice() else {
                return Err(Error::input(&path, &"a student's report has one bot"));
            };
            // Group members share a report.
            if of_group.insert(name.to_owned()) {
                self.seen(&bot.bot.name, folder)?;
            }
            // An older judge's sheet shows everything about hidden testcases.
            let full = folder.join(name.replacen("students/", "full/", 1));
            let whole = if full.is_file() { Some(read_report(&full)?) } else { None };
            let whole = whole.as_ref().and_then(|whole| whole.bots.first());
            if let Some(what) = line.disagrees(bot)
                && whole.is_none_or(|whole| line.disagrees(whole).is_some())
            {
                return Err(changed_sheet(folder, number, &what));
            }
            if line.rank_points.is_some() {
                self.by_rank = Some(folder.to_owned());
            }
            let page = address::between(&path.with_extension("html"), self.from);
            self.place(&path, &report, bot, |bot| ScoreboardRow {
                max_points: line.max_points,
                page,
                ..ScoreboardRow::new(line.name(), bot, line.rank_points).with_late(line.late(bot))
            })?;
        }
        if let Some(scoreboard) = &mut self.scoreboard {
            scoreboard.students.extend(missing);
        }
        Ok(())
    }

    /// Returns the ranked scoreboard, and all students on the mark sheets.
    pub(super) fn finish(self) -> Result<(Scoreboard, Vec<Person>), Error> {
        if let Some(folder) = self.by_rank.filter(|_| self.sources > 1) {
            let what = format!(
                "`{}` has points by rank, which hold only for its own students",
                folder.display()
            );
            let hint = "show it on its own; `judge merge` joins the parts of one course";
            return Err(Error::Input { what, hint: Some(hint.to_owned()) });
        }
        let Some(mut scoreboard) =
            self.scoreboard.filter(|scoreboard| !scoreboard.students.is_empty())
        else {
            let what = "no results: there is nothing to show".to_owned();
            return Err(Error::Input { what, hint: None });
        };
        scoreboard.rank();
        Ok((scoreboard, self.people))
    }

    fn seen(&mut self, name: &str, path: &Path) -> Result<(), Error> {
        let key = composed(name).into_owned();
        let Some(before) = self.seen.insert(key, path.to_owned()) else {
            return Ok(());
        };
        let (before, path) = (before.display(), path.display());
        let what = format!("`{name}` has two results: in `{before}` and in `{path}`");
        let hint = "name only the one that counts";
        Err(Error::Input { what, hint: Some(hint.to_owned()) })
    }

    /// Adds a row to the scoreboard, if its report matches the earlier ones.
    fn place(
        &mut self,
        path: &Path,
        report: &GradeReport,
        bot: &BotReport,
        line: impl FnOnce(&BotReport) -> ScoreboardRow,
    ) -> Result<(), Error> {
        if self.scoreboard.is_none() {
            path.clone_into(&mut self.first);
        }
        let scoreboard = self.scoreboard.get_or_insert_with(|| new_scoreboard(report));
        // The scoreboard must reveal nothing about hidden rounds, not even through a hash or a sum.
        let bot = bot.for_student();
        let columns: Vec<Column> = bot.testcases.iter().map(Column::new).collect();
        if scoreboard.testcases.is_empty() {
            scoreboard.testcases.clone_from(&columns);
        }
        let other_suite = scoreboard.suite != report.suite
            || bot.refused.is_none() && scoreboard.testcases != columns;
        if scoreboard.fingerprint != report.fingerprint {
            return Err(other_judge(
                &self.first,
                &scoreboard.fingerprint,
                path,
                &report.fingerprint,
            ));
        }
        if other_suite {
            return Err(self::other_suite(&self.first, path));
        }
        scoreboard.students.push(line(&bot));
        Ok(())
    }
}

fn new_scoreboard(report: &GradeReport) -> Scoreboard {
    Scoreboard {
        version: Scoreboard::VERSION,
        fingerprint: report.fingerprint.clone(),
        suite: report.suite.clone(),
        title: report.title.clone(),
        pseudonyms: false,
        testcases: Vec::new(),
        students: Vec::new(),
    }
}

/// Reads a report, and refuses a changed one.
pub(super) fn read_report(path: &Path) -> Result<GradeReport, Error> {
    let text = Error::read_text(path)?;
    let report = GradeReport::from_json(&text).map_err(|error| {
        Error::input(path, &format!("not a report of `judge grade --json`: {error}"))
    })?;
    let sealed = report.clone().sealed();
    // A module that the judge could not read has no rounds to check the result against.
    let unread = |bot: &BotReport| {
        bot.refused.as_ref().is_some_and(|refused| refused.verdict == Verdict::JudgeError)
    };
    let difference = match report.bots.iter().any(unread) {
        true => (sealed.seal != report.seal).then(|| "seal".to_owned()),
        false => judge_grading::contradiction(&report, None).map(|difference| difference.path),
    };
    let Some(place) = difference else { return Ok(report) };
    let what = format!(
        "`{}` was changed after it was written (`{place}` does not fit the rest)",
        path.display()
    );
    let hint = format!("see `judge verify {}`", quoted(&path.to_string_lossy()));
    Err(Error::Input { what, hint: Some(hint) })
}

fn changed_sheet(folder: &Path, line: usize, what: &str) -> Error {
    let what = format!("`{}`, line {line}: {what}", folder.join("marks.csv").display());
    let hint = "the mark sheet or a report was changed; `judge grade … --resume` writes both again";
    Error::Input { what, hint: Some(hint.to_owned()) }
}

fn other_judge(first: &Path, one: &Fingerprint, path: &Path, other: &Fingerprint) -> Error {
    let what = format!(
        "`{}` was graded by another judge than `{}`, and results of different judges are never \
         mixed: judge `{}`, engine `{}` here; judge `{}`, engine `{}` there",
        path.display(),
        first.display(),
        other.judge,
        other.engine,
        one.judge,
        one.engine
    );
    let hint = "make a scoreboard of each, or grade all of them with one judge";
    Error::Input { what, hint: Some(hint.to_owned()) }
}

fn other_suite(first: &Path, path: &Path) -> Error {
    let what = format!(
        "`{}` is on another suite than `{}`: the testcases are not the same",
        path.display(),
        first.display()
    );
    Error::Input { what, hint: Some("make a scoreboard of each".to_owned()) }
}
