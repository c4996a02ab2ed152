//! `judge grade … --out DIR`: a whole course, from a folder of submissions to marks.

mod folder;
mod merge;
mod names;
mod pages;
mod results;
mod rounds;
mod submissions;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use judge_arena::{CourseEvent, Pool, Submission};
use judge_core::{Event, GradeReport, printable};
use judge_grading::Suite;
use judge_report::{ProgressReporter, Reporter as _};
use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::grade::within;
use crate::journal;
pub(crate) use folder::CourseFolder;
pub(crate) use merge::{Arguments as MergeArguments, run as merge, whole_plan};
use results::Results;
pub(crate) use rounds::Pages;
use rounds::Rounds;
use submissions::{HandedIn, Student};

/// A part of a course or recording: every N-th submission or file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    /// Which part, counted from 1.
    pub(crate) number: usize,
    /// How many parts there are.
    pub(crate) of: usize,
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Shard, &'static str> {
        let parts = text.split_once('/').and_then(|(number, of)| {
            Some(Shard { number: number.parse().ok()?, of: of.parse().ok()? })
        });
        let possible = parts.filter(|shard| (1..=shard.of).contains(&shard.number));
        possible.ok_or("expected a part and their number: `1/4` to `4/4`")
    }
}

impl Shard {
    /// Whether what has this number, counted from 0, belongs to the part.
    pub(crate) fn takes(self, number: usize) -> bool {
        number % self.of == self.number - 1
    }
}

/// What is asked for.
pub(crate) struct Request<'a> {
    /// Where the results go.
    pub(crate) out: &'a Path,
    /// Files and folders.
    pub(crate) submissions: &'a [PathBuf],
    /// The list of students, if there is one.
    pub(crate) students: Option<&'a Path>,
    /// Whether to go on with a run.
    pub(crate) resume: bool,
    /// The part to grade; all if none.
    pub(crate) shard: Option<Shard>,
    /// What to grade on.
    pub(crate) suite: &'a Suite,
    /// Which rounds to write as pages.
    pub(crate) pages: Pages,
}

/// Grades a course.
pub(crate) fn run(request: &Request<'_>, pool: Pool) -> Result<Exit, Failure> {
    let mut students = request.students.map(submissions::students).transpose()?.unwrap_or_default();
    let mut handed_in = submissions::find(request.submissions)?;
    let everybody: Vec<String> = handed_in.iter().map(|one| one.name.clone()).collect();
    if let Some(shard) = request.shard {
        let mut number = 0..;
        handed_in.retain(|_| number.next().is_some_and(|number| shard.takes(number)));
    }
    refuse_results_among_submissions(request)?;
    let folder = CourseFolder::create(request.out)?;
    let folder = folder.of_course(request.suite, everybody.iter().map(String::as_str))?;
    let plan = plan(request.suite, request.shard);
    let journal = journal::open(&folder.journal(), &pool.fingerprint, &plan, request.resume)?;
    if request.students.is_none() {
        // Who goes on with a run goes on with its list.
        students = merge::students(&journal.facts().into_iter().collect())?;
    }
    note_course(&journal, request.suite, &students)?;
    say_who_is_gone(&journal, &handed_in);
    let names: Vec<&str> = handed_in.iter().map(|one| one.name.as_str()).collect();
    journal.note("submissions", &json!(names))?;
    journal.note("course", &json!(everybody))?;
    if request.shard.is_some() {
        // Who handed in nothing is found out when the parts are joined.
        students.retain(|name, _| handed_in.iter().any(|one| one.name == *name));
    }
    let pool = Pool { journal: Some(Arc::new(journal)), ..pool };
    let results = play(&pool, request.suite, &handed_in, &students, &folder)?;
    finish(&pool, results, &folder, request.pages)
}

/// Results that lie among the submissions would be taken for submissions at `--resume`.
fn refuse_results_among_submissions(request: &Request<'_>) -> Result<(), Failure> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| absolute(path));
    let out = absolute(request.out);
    let out = out.ancestors().find(|folder| folder.exists()).map_or(out.clone(), |there| {
        let rest = out.strip_prefix(there).unwrap_or(Path::new(""));
        real(there).join(rest)
    });
    let mut folders = request.submissions.iter().filter(|path| path.is_dir());
    match folders.find(|folder| out.starts_with(real(folder))) {
        None => Ok(()),
        Some(folder) => {
            let (out, folder) = (request.out.display(), folder.display());
            let what =
                format!("the results in `{out}` would lie among the submissions in `{folder}`");
            Err(Failure::usage(what, "`--out` with a folder beside that of the submissions"))
        }
    }
}

/// Says on standard error who was graded before and is not among the submissions any more.
fn say_who_is_gone(journal: &judge_arena::Journal, handed_in: &[HandedIn]) {
    let facts = journal.facts();
    let before = facts.iter().filter_map(|(name, _)| name.strip_prefix("submission "));
    let gone: Vec<String> = before
        .filter(|name| !handed_in.iter().any(|one| one.name == **name))
        .map(|name| printable(name, 60))
        .collect();
    if !gone.is_empty() {
        // A standard error that is gone changes no result.
        let _ = writeln!(
            std::io::stderr(),
            "warning: graded before, but handed in no more, and left out of the marks: {}",
            gone.join(", ")
        );
    }
}

/// What the journal of a course says that it is.
fn plan(suite: &Suite, shard: Option<Shard>) -> Value {
    let mut plan = journal::plan_of_grading(suite);
    plan["command"] = json!("course");
    if let Some(Shard { number, of }) = shard {
        plan["shard"] = json!(format!("{number}/{of}"));
    }
    plan
}

/// What is needed to make the results out of the journal alone.
fn note_course(
    journal: &judge_arena::Journal,
    suite: &Suite,
    students: &BTreeMap<String, Student>,
) -> Result<(), Failure> {
    journal.note(
        "suite",
        &json!({
            "name": suite.name,
            "files": suite.files,
            "secrets": suite.secrets,
        }),
    )?;
    let list: BTreeMap<_, _> =
        students.iter().map(|(key, one)| (key, json!({"name": one.name, "id": one.id}))).collect();
    Ok(journal.note("students", &json!(list))?)
}

/// Plays what is not in the journal yet, and writes the report of each student.
fn play<'a>(
    pool: &Pool,
    suite: &'a Suite,
    handed_in: &[HandedIn],
    students: &'a BTreeMap<String, Student>,
    folder: &CourseFolder,
) -> Result<Results<'a>, Failure> {
    let mut results = Results::new(suite, students);
    let mut progress = ProgressReporter::new();
    let per_bot: usize = suite.testcases.iter().map(|testcase| testcase.seeds.len()).sum();
    // Standard error that is gone changes no result; so below.
    let _ = progress.event(&Event::Started { rounds: (per_bot * handed_in.len()) as u64 });
    let fits = |submission: &mut Submission| within(submission, suite);
    let load = |number: usize| handed_in[number].load(&fits);
    let mut failed = Ok(());
    judge_arena::course(pool, suite, handed_in.len(), &load, &mut |event| {
        match event {
            CourseEvent::RoundFinished => {
                let _ = progress.event(&Event::RoundFinished { bot: "", testcase: "" });
            }
            CourseEvent::Graded { number, report } => {
                let path = handed_in[number].path.file_name().unwrap_or_default();
                let graded = Graded { file: path.to_string_lossy().into_owned(), report: *report };
                let kept = keep(pool, suite, folder, &graded);
                let kept = kept.map(|report| results.add(&graded, report));
                failed = std::mem::replace(&mut failed, Ok(())).and(kept);
            }
        }
        Ok(())
    })?;
    failed?;
    Ok(results)
}

/// A submission with its result.
struct Graded {
    /// The name of its file or folder.
    file: String,
    report: GradeReport,
}

/// Notes who was graded, and writes the report; where it is.
fn keep(
    pool: &Pool,
    suite: &Suite,
    folder: &CourseFolder,
    graded: &Graded,
) -> Result<String, Failure> {
    let bot = &graded.report.bots[0];
    if let Some(journal) = &pool.journal {
        let refused = (bot.refused.as_ref()).filter(|_| bot.testcases.is_empty());
        let value = json!({"file": graded.file, "bot": bot.bot, "refused": refused});
        journal.note(&format!("submission {}", bot.bot.name), &value)?;
    }
    for (path, text) in reports(suite, folder, graded) {
        folder.write(&path, &text)?;
    }
    Ok(folder.report(&bot.bot.name))
}

/// The reports on a submission: where each goes, and what stands in it.
fn reports(suite: &Suite, folder: &CourseFolder, graded: &Graded) -> Vec<(String, String)> {
    let whole = GradeReport { timing: Default::default(), ..graded.report.clone() };
    let name = &graded.report.bots[0].bot.name;
    let path = folder.report(name);
    if !suite.testcases.iter().any(|testcase| testcase.hidden) {
        return vec![(path, whole.to_json())];
    }
    let shown = whole.for_student();
    vec![(path, shown.to_json()), (folder.full_report(name), whole.to_json())]
}

/// Writes the mark sheet and says what came of it.
fn finish(
    pool: &Pool,
    results: Results<'_>,
    folder: &CourseFolder,
    which: Pages,
) -> Result<Exit, Failure> {
    if let Some(journal) = &pool.journal {
        journal.sync()?;
    }
    let summary = results.finish(folder, &Rounds { pool, which })?;
    crate::worker::warn_of_missing_walls(pool);
    crate::output::unless_reader_left(crate::output::print(&summary.text))?;
    if let Some(line) = summary.warning {
        let _ = writeln!(std::io::stderr(), "{line}");
        return Ok(Exit::JudgeError);
    }
    Ok(Exit::Passed)
}
