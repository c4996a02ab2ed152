//! Results of one suite by one judge, gathered from courses and reports. What does not belong
//! together, or was changed, is refused.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_core::{BotReport, Fingerprint, GradeReport, Verdict};
use judge_report::{Board, Column, Place, quoted};

use super::{address, sheet};
use crate::failure::Failure;

/// What was gathered so far.
pub(super) struct Sources<'a> {
    /// The folder that the board's page will lie in.
    from: &'a Path,
    board: Option<Board>,
    /// The file or folder that came first: what the others have to fit.
    first: PathBuf,
    /// Where each submission was found.
    seen: BTreeMap<String, PathBuf>,
    /// The course with points by rank, and how many sources there were.
    by_rank: Option<PathBuf>,
    sources: usize,
}

impl<'a> Sources<'a> {
    pub(super) fn new(from: &'a Path) -> Sources<'a> {
        let (board, first) = (None, PathBuf::new());
        Sources { from, board, first, seen: BTreeMap::new(), by_rank: None, sources: 0 }
    }

    /// Takes all bots of a report.
    pub(super) fn report(&mut self, path: &Path) -> Result<(), Failure> {
        self.sources += 1;
        let report = read_report(path)?;
        for bot in &report.bots {
            self.seen(&bot.bot.name, path)?;
            self.place(path, &report, bot, |bot| Place::of(bot.bot.name.clone(), bot, None))?;
        }
        Ok(())
    }

    /// Takes everybody on a course's mark sheet, each with their report.
    pub(super) fn course(&mut self, folder: &Path) -> Result<(), Failure> {
        self.sources += 1;
        let mut missing = Vec::new();
        for (number, line) in (2..).zip(sheet::read(folder)?) {
            let Some(name) = line.report() else {
                missing.push(Place::missing(line.name(), line.max_points));
                continue;
            };
            let path = folder.join(name);
            let report = read_report(&path)?;
            let [bot] = report.bots.as_slice() else {
                return Err(Failure::input(&path, &"a student's report has one bot"));
            };
            self.seen(&bot.bot.name, folder)?;
            // The sheet of an older judge tells of the whole of hidden testcases.
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
            let page = address::of(&path.with_extension("html"), self.from);
            self.place(&path, &report, bot, |bot| Place {
                max_points: line.max_points,
                page,
                ..Place::of(line.name(), bot, line.rank_points)
            })?;
        }
        if let Some(board) = &mut self.board {
            board.students.extend(missing);
        }
        Ok(())
    }

    /// The board, with ranks.
    pub(super) fn finish(self) -> Result<Board, Failure> {
        if let Some(folder) = self.by_rank.filter(|_| self.sources > 1) {
            let what = format!(
                "`{}` has points by rank, which hold for its own field only",
                folder.display()
            );
            let hint = "show it by itself; parts of one course are joined by `judge merge`";
            return Err(Failure::Input { what, hint: Some(hint.to_owned()) });
        }
        let Some(mut board) = self.board.filter(|board| !board.students.is_empty()) else {
            let what = "there is nobody to be shown: the results are empty".to_owned();
            return Err(Failure::Input { what, hint: None });
        };
        board.rank();
        Ok(board)
    }

    fn seen(&mut self, name: &str, path: &Path) -> Result<(), Failure> {
        let Some(before) = self.seen.insert(name.to_owned(), path.to_owned()) else {
            return Ok(());
        };
        let (before, path) = (before.display(), path.display());
        let what = format!("two results are of `{name}`: in `{before}` and in `{path}`");
        let hint = "name the one that counts; which one that is, is not the judge's to say";
        Err(Failure::Input { what, hint: Some(hint.to_owned()) })
    }

    /// Adds a line to the board, if its report fits those before.
    fn place(
        &mut self,
        path: &Path,
        report: &GradeReport,
        bot: &BotReport,
        line: impl FnOnce(&BotReport) -> Place,
    ) -> Result<(), Failure> {
        if self.board.is_none() {
            path.clone_into(&mut self.first);
        }
        let board = self.board.get_or_insert_with(|| begun(report));
        // Nothing of hidden rounds, not even in a hash or a sum.
        let bot = bot.for_student();
        let columns: Vec<Column> = bot.testcases.iter().map(Column::of).collect();
        if board.testcases.is_empty() {
            board.testcases.clone_from(&columns);
        }
        let other_suite =
            board.suite != report.suite || bot.refused.is_none() && board.testcases != columns;
        if board.fingerprint != report.fingerprint {
            return Err(other_judge(&self.first, &board.fingerprint, path, &report.fingerprint));
        }
        if other_suite {
            return Err(self::other_suite(&self.first, path));
        }
        board.students.push(line(&bot));
        Ok(())
    }
}

fn begun(report: &GradeReport) -> Board {
    Board {
        version: Board::VERSION,
        fingerprint: report.fingerprint.clone(),
        suite: report.suite.clone(),
        title: report.title.clone(),
        pseudonyms: false,
        testcases: Vec::new(),
        students: Vec::new(),
    }
}

/// A report that is as the judge wrote it.
pub(super) fn read_report(path: &Path) -> Result<GradeReport, Failure> {
    let text = Failure::read_text(path)?;
    let report = GradeReport::from_json(&text).map_err(|error| {
        Failure::input(path, &format!("not a report of `judge grade --json`: {error}"))
    })?;
    let sealed = report.clone().sealed();
    // What the judge could not read has no rounds that anything could follow from.
    let unread = |bot: &BotReport| {
        bot.refused.as_ref().is_some_and(|refused| refused.verdict == Verdict::JudgeError)
    };
    let difference = match report.bots.iter().any(unread) {
        true => (sealed.seal != report.seal).then(|| "seal".to_owned()),
        false => judge_grading::contradiction(&report, None).map(|difference| difference.path),
    };
    let Some(place) = difference else { return Ok(report) };
    let what = format!(
        "`{}`: changed after it was written: `{place}` does not fit the rest",
        path.display()
    );
    let hint = format!("see `judge verify {}`", quoted(&path.to_string_lossy()));
    Err(Failure::Input { what, hint: Some(hint) })
}

fn changed_sheet(folder: &Path, line: usize, what: &str) -> Failure {
    let what = format!("`{}`, line {line}: {what}", folder.join("marks.csv").display());
    let hint = "the mark sheet was changed, or a report; `judge grade … --resume` writes both anew";
    Failure::Input { what, hint: Some(hint.to_owned()) }
}

fn other_judge(first: &Path, one: &Fingerprint, path: &Path, other: &Fingerprint) -> Failure {
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
    let hint = "make a board of each, or grade all of them with one judge";
    Failure::Input { what, hint: Some(hint.to_owned()) }
}

fn other_suite(first: &Path, path: &Path) -> Failure {
    let what = format!(
        "`{}` is on another suite than `{}`: the testcases are not the same",
        path.display(),
        first.display()
    );
    Failure::Input { what, hint: Some("make a board of each".to_owned()) }
}
