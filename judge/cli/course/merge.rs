//! `judge merge`: the parts of a course, graded apart, become one. (Those of a tournament: see
//! `tournament::merge`.)

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_arena::{Agreed, Journal, Pool, Submission};
use judge_core::{BotIdentity, Refused};
use judge_grading::{Secrets, Suite};
use serde::Deserialize;
use serde_json::{Value, json};

use super::results::Results;
use super::submissions::Student;
use super::{CourseFolder, Graded, Pages, Shard, finish, keep, reports};
use crate::board::{self, SheetLine};
use crate::failure::{Exit, Failure};
use crate::{tournament, worker};

/// Join the parts of a course or of a tournament that were made with `--shard`.
///
/// Of a course: copies the rounds of all parts into one journal and makes reports and marks out of
/// it, the same bytes as if the course had been graded in one run. Of a tournament: makes one
/// journal of those of the parts, with which `judge tournament … --journal FILE --resume` prints
/// what one run would. Nothing is played. Parts that contradict each other, or reports that their
/// journal does not give, are refused.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The parts: folders made with `judge grade … --shard I/N --out DIR`, or files made with `judge
    /// tournament … --shard I/N --journal FILE`.
    #[arg(required = true, value_name = "DIR|FILE")]
    parts: Vec<PathBuf>,
    /// Where the whole goes: a new folder, or of a tournament a new file.
    #[arg(long, value_name = "DIR|FILE")]
    out: PathBuf,
    /// Which rounds to write as pages to watch, as with `judge grade --out`.
    #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
    pages: Pages,
}

/// What a journal notes, by name.
type Facts = BTreeMap<String, Value>;

/// A submission as the journal of its part knows it.
#[derive(Deserialize)]
struct Known {
    file: String,
    bot: BotIdentity,
    refused: Option<Refused>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if arguments.parts.iter().all(|path| path.is_file()) {
        if arguments.pages != Pages::default() {
            let hint = "`judge tournament … --html FILE` makes a page of the whole";
            return Err(Failure::usage("a tournament has no pages of its rounds", hint));
        }
        return tournament::merge(&arguments.parts, &arguments.out);
    }
    let mut parts = Vec::new();
    for path in &arguments.parts {
        parts.push(Journal::open(&CourseFolder::existing(path)?.journal())?);
    }
    let whole = whole_plan(&parts, "course")?;
    let mut owners = BTreeMap::new();
    for (part, path) in std::iter::zip(&parts, &arguments.parts) {
        owners.extend(finished(part)?.into_iter().map(|name| (name, path.as_path())));
    }
    same_course(&parts)?;
    for part in &parts {
        has_its_own(part)?;
    }
    let agreed = Agreed::new(&parts, &["submissions"])?;
    let folder = CourseFolder::create(&arguments.out)?;
    let fingerprint = worker::fingerprint();
    let journal = Journal::create(&folder.journal(), fingerprint, whole)?;
    journal.take_over(&agreed)?;
    let names: Vec<&String> = owners.keys().collect();
    journal.note("submissions", &json!(names))?;
    let facts: Facts = journal.facts().into_iter().collect();
    let pool = worker::pool(Some(1), &worker::Walls::default())?;
    let pool = Pool { journal: Some(Arc::new(journal)), journal_only: true, ..pool };
    let (suite, students) = (suite(&facts)?, students(&facts)?);
    let folder = folder.of_course(&suite, names.into_iter().map(String::as_str))?;
    let sheets = sheets(&arguments.parts)?;
    let mut results = Results::new(&suite, &students);
    for (name, part) in &owners {
        let known = submission(&facts, name)?;
        let graded = again(&pool, &suite, known)?;
        let reports = reports(&suite, &folder, &graded);
        same_reports(part, &reports)?;
        same_marks(part, sheets.get(part), &reports, &graded)?;
        let report = keep(&pool, &suite, &folder, &graded)?;
        results.add(&graded, report);
    }
    finish(&pool, results, &folder, arguments.pages)
}

/// Whether these are all parts of one course or tournament, made by this judge; the plan of the
/// whole.
pub(crate) fn whole_plan(parts: &[Journal], of_what: &str) -> Result<Value, Failure> {
    let mut shards = Vec::new();
    let mut whole: Option<Value> = None;
    for part in parts {
        let (shard, plan) = plan_of(part, of_what)?;
        shards.push(shard);
        if let Some(whole) = &whole
            && let Some(difference) = judge_grading::first_difference(whole, &plan)
        {
            let path = difference.path;
            let what =
                format!("it is a part of another {of_what}: `{path}` is not as in the first");
            return Err(Failure::input(part.path(), &what));
        }
        whole = Some(plan);
    }
    all_parts(shards)?;
    whole.ok_or_else(|| Failure::usage("no parts", "name them"))
}

/// Which part it is, and the plan of the whole.
fn plan_of(part: &Journal, of_what: &str) -> Result<((usize, usize), Value), Failure> {
    let path = part.path();
    let Some((fingerprint, mut plan)) = part.header() else {
        return Err(Failure::input(path, &"this part was never begun"));
    };
    if fingerprint != worker::fingerprint() {
        let what = "it was made by another judge, and results of different judges are never mixed";
        return Err(Failure::input(path, &what));
    }
    let wanted = plan["command"] == of_what;
    let shard = plan.as_object_mut().and_then(|plan| plan.remove("shard"));
    let shard = shard.as_ref().and_then(Value::as_str).and_then(|text| text.parse().ok());
    match shard {
        Some(Shard { number, of }) if wanted => Ok(((number, of), plan)),
        _ => {
            let what = format!("it is no part of a {of_what}: see `--shard`");
            Err(Failure::input(path, &what))
        }
    }
}

/// Each part once, and none missing.
fn all_parts(mut shards: Vec<(usize, usize)>) -> Result<(), Failure> {
    shards.sort_unstable();
    let of = shards.first().map_or(0, |(_, of)| *of);
    let wanted: Vec<(usize, usize)> = (1..=of).map(|number| (number, of)).collect();
    if shards == wanted {
        return Ok(());
    }
    let list = |shards: &[(usize, usize)]| {
        let names = shards.iter().map(|(number, of)| format!("{number}/{of}"));
        names.collect::<Vec<_>>().join(", ")
    };
    let what = format!("the parts are {}; expected {}", list(&shards), list(&wanted));
    Err(Failure::usage(what, "name every part once"))
}

fn wrong_fact(what: &str) -> Failure {
    Failure::Judge(format!("the journal does not say {what}"))
}

fn suite(facts: &Facts) -> Result<Suite, Failure> {
    #[derive(Deserialize)]
    struct Kept {
        name: String,
        files: Vec<(String, String)>,
        secrets: Secrets,
    }
    let kept = facts.get("suite").cloned().ok_or_else(|| wrong_fact("what was graded on"))?;
    let kept: Kept =
        serde_json::from_value(kept).map_err(|error| wrong_fact(&error.to_string()))?;
    let files = kept.files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    Ok(Suite::with_secrets(&kept.name, files, kept.secrets)?)
}

pub(super) fn students(facts: &Facts) -> Result<BTreeMap<String, Student>, Failure> {
    let list = facts.get("students").cloned().unwrap_or_default();
    let list = list.as_object().cloned().unwrap_or_default();
    let text = |value: &Value, key: &str| value[key].as_str().map(str::to_owned);
    let student = |value: &Value| Student { name: text(value, "name"), id: text(value, "id") };
    Ok(list.iter().map(|(key, value)| (key.clone(), student(value))).collect())
}

/// The names of a part's submissions, all of which must be done with.
fn finished(part: &Journal) -> Result<Vec<String>, Failure> {
    let facts: Facts = part.facts().into_iter().collect();
    let names = facts.get("submissions").cloned().unwrap_or_default();
    let names: Option<Vec<String>> = serde_json::from_value(names).ok();
    let names = names.ok_or_else(|| unfinished(part, "it has no submissions yet"))?;
    match names.iter().find(|name| !facts.contains_key(&format!("submission {name}"))) {
        Some(name) => Err(unfinished(part, &format!("`{name}` is not graded yet"))),
        None => Ok(names),
    }
}

/// Whether all parts were cut out of the same list of submissions and of students: a file that
/// came later would have moved others from one part to another.
fn same_course(parts: &[Journal]) -> Result<(), Failure> {
    let list = |part: &Journal, key: &str| {
        let facts: Facts = part.facts().into_iter().collect();
        facts.get(key).cloned().unwrap_or_default()
    };
    for part in parts {
        for (key, what) in [("course", "submissions"), ("students", "students")] {
            if list(part, key) != list(&parts[0], key) {
                let path = part.path().display();
                let what =
                    format!("`{path}`: this part was graded with other {what} than the first");
                let hint = "grade all parts again with the same files";
                return Err(Failure::Input { what, hint: Some(hint.to_owned()) });
            }
        }
    }
    Ok(())
}

/// Whether a part has the submissions that fall to it, and no others: nobody is left out, and nobody
/// comes from two parts.
fn has_its_own(part: &Journal) -> Result<(), Failure> {
    let facts: Facts = part.facts().into_iter().collect();
    let list = |name: &str| {
        let list = facts.get(name).cloned().unwrap_or_default();
        serde_json::from_value::<Vec<String>>(list).unwrap_or_default()
    };
    let ((number, of), _) = plan_of(part, "course")?;
    let shard = Shard { number, of };
    let all = list("course").into_iter().enumerate();
    let own: Vec<String> =
        all.filter(|(number, _)| shard.takes(*number)).map(|(_, name)| name).collect();
    let found = list("submissions");
    let Some(stray) = (own.iter().find(|name| !found.contains(name)))
        .or_else(|| found.iter().find(|name| !own.contains(name)))
    else {
        return Ok(());
    };
    let what = format!(
        "`{}`: `{stray}` is not among the submissions that fall to part {number}/{of}, or is \
         missing there",
        part.path().display()
    );
    let hint = "go on with it by `--resume`, with the arguments that it was begun with";
    Err(Failure::Input { what, hint: Some(hint.to_owned()) })
}

/// Whether the reports in a part's folder, as far as they are there, are those that the journals
/// give.
fn same_reports(part: &Path, reports: &[(String, String)]) -> Result<(), Failure> {
    for (name, text) in reports {
        let path = part.join(name);
        if path.is_file() && Failure::read_text(&path)? != *text {
            let what = format!(
                "`{}`: this report is not what the journal of its part gives: one of them was \
                 changed",
                path.display()
            );
            let hint = "grade the part anew; or, if the journal is right, remove the report";
            return Err(Failure::Input { what, hint: Some(hint.to_owned()) });
        }
    }
    Ok(())
}

/// The mark sheets of the parts, as far as they are there.
fn sheets(parts: &[PathBuf]) -> Result<BTreeMap<&Path, Vec<SheetLine>>, Failure> {
    let there = parts.iter().filter(|part| CourseFolder::at(part).marks().is_file());
    there.map(|part| Ok((part.as_path(), board::read_sheet(part)?))).collect()
}

/// Whether a part's mark sheet says of a submission what the journals give.
fn same_marks(
    part: &Path,
    sheet: Option<&Vec<SheetLine>>,
    reports: &[(String, String)],
    graded: &Graded,
) -> Result<(), Failure> {
    let is_of_it = |line: &&SheetLine| line.report() == reports.first().map(|(path, _)| &**path);
    let line = sheet.and_then(|sheet| sheet.iter().find(is_of_it));
    let Some(what) = line.and_then(|line| line.disagrees(&graded.report.bots[0].for_student()))
    else {
        return Ok(());
    };
    let (sheet, name) = (CourseFolder::at(part).marks(), &graded.report.bots[0].bot.name);
    let what = format!(
        "`{}`: the mark of `{name}` is not what the journal of its part gives: {what}",
        sheet.display()
    );
    let hint = "grade the part anew; or, if the journal is right, remove the mark sheet";
    Err(Failure::Input { what, hint: Some(hint.to_owned()) })
}

fn unfinished(part: &Journal, what: &str) -> Failure {
    let what = format!("`{}`: this part is not finished: {what}", part.path().display());
    let hint = "go on with it by `--resume`, with the arguments that it was begun with";
    Failure::Input { what, hint: Some(hint.to_owned()) }
}

fn submission(facts: &Facts, name: &str) -> Result<Known, Failure> {
    let known = facts.get(&format!("submission {name}")).cloned().unwrap_or_default();
    serde_json::from_value(known).map_err(|error| wrong_fact(&error.to_string()))
}

/// The result of a submission out of the journal.
fn again(pool: &Pool, suite: &Suite, known: Known) -> Result<Graded, Failure> {
    let submission = Submission { bot: known.bot, module: Vec::new(), refused: known.refused };
    let report = judge_arena::grade(pool, suite, &[submission], &mut |_| {})?;
    Ok(Graded { file: known.file, report })
}
