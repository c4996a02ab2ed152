//! Exported results are the same after an import.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_arena::{Entrant as Graded, Journal, JournalRound, KeptRound, RoundStore, grade};
use judge_core::{BotIdentity, GradeReport, IgnoreEvents, SeatSpec, digest};
use judge_grading::Suite as GradingSuite;
use judge_runner::base::workers::{self, Workers};
use judge_runner::course::{Assignment, GradingOptions, read_kept, write_kept};
use judge_store::{
    Error, GradingJob, NewCourse, NewPerson, PersonId, RunKey, Scope, Showing, Store, Suite,
    SuiteSettings, Timestamp, Written,
};

use crate::made::{self, NOW, later, submit};
use crate::support::{EmptyDatabase, conformance};

fn module(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/prebuilt");
    std::fs::read(folder.join(name).with_extension("wasm")).unwrap()
}

/// Plays the rounds of a submission, with reference opponents instead of the bot.
fn play(suite: &GradingSuite, bot: &SeatSpec, rounds: &dyn RoundStore) {
    for testcase in &suite.testcases {
        for spec in testcase.specs(bot) {
            let transcript = conformance::played(&spec);
            let record = judge_referee::record(&spec, workers::fingerprint(), &transcript);
            conformance::add(rounds, &record.unwrap(), &transcript);
        }
    }
}

/// Grades a job like a server, but without a worker.
async fn graded(store: &Store, job: &GradingJob) -> GradeReport {
    let suite = store.grading_suite(&job.submission.suite, job.generation).await.unwrap();
    let key = RunKey {
        suite: job.submission.suite.clone(),
        generation: job.generation,
        module: job.submission.module,
    };
    let rounds = store.rounds(&key, &workers::fingerprint(), NOW).await.unwrap();
    let bytes = store.module(&key.module).await.unwrap().unwrap();
    let name = job.submission.name.clone();
    let grade = move || {
        let bot = SeatSpec::Bot { name: name.clone(), sha256: key.module };
        play(&suite, &bot, &rounds);
        let run = Workers::of_this_program().unwrap().with_jobs(1).run();
        let run = run.with_store(Arc::new(rounds)).stored_only();
        let bot = BotIdentity { name, sha256: digest(&bytes), author: None };
        let submission = Graded { bot, module: bytes, refused: None };
        grade(&run, &suite, &[submission], &mut IgnoreEvents).unwrap()
    };
    tokio::task::spawn_blocking(grade).await.unwrap()
}

/// A suite with two graded submissions.
async fn scene(store: &Store) -> (Suite, [PersonId; 2]) {
    let (suite, people) = made::scene(store, SuiteSettings::default()).await;
    let bots = ["mahjong-distance", "mahjong-straightforward"];
    for (person, bot) in std::iter::zip(&people, bots) {
        submit(store, &suite, person, &module(bot), NOW).await;
        let lease = std::time::Duration::from_secs(60);
        let job = store.next_job("w", lease, later(1)).await.unwrap().unwrap();
        let report = graded(store, &job).await;
        assert!(report.bots[0].testcases.iter().all(|case| !case.rounds.is_empty()));
        let written = store.write_result(&job.submission, 1, &report, later(2)).await.unwrap();
        assert_eq!(written, Written::New);
        let whole = store.whole_report(&job.submission.id, 1).await.unwrap().unwrap();
        let read = GradeReport::from_json(&whole).map(|report| report.fingerprint);
        assert_eq!(read, Ok(workers::fingerprint()));
        let result = store.result(&job.submission.id).await.unwrap().unwrap();
        assert_eq!(result.state, judge_store::ResultState::Graded, "{whole}");
    }
    (suite, people)
}

/// Name, points and digest of each person with a result, in order.
async fn results(store: &Store, suite: &judge_store::SuiteId) -> Vec<(String, String, String)> {
    let rows = store.scoreboard(suite, None).await.unwrap();
    let line = |row: judge_store::BoardRow| {
        (row.name, row.result.points.to_string(), row.result.digest.to_string())
    };
    let mut lines: Vec<_> = rows.into_iter().map(line).collect();
    lines.sort();
    lines
}

fn marks(folder: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(folder.join("marks.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|one| one == name).unwrap();
    let columns = ["student", "points", "digest"].map(column);
    let line = |record: csv::StringRecord| columns.map(|at| record[at].to_owned()).to_vec();
    let mut lines: Vec<_> = reader.records().map(|record| line(record.unwrap())).collect();
    lines.sort();
    lines
}

/// The digests of whole reports in a folder.
fn digests(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder.join("full")).unwrap();
    let jsons = files
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let digest = |path: PathBuf| {
        let report = GradeReport::from_json(&std::fs::read_to_string(path).unwrap()).unwrap();
        report.bots[0].digest.to_string()
    };
    let mut digests: Vec<String> = jsons.map(digest).collect();
    digests.sort();
    digests
}

async fn exported_results_are_imported_unchanged(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, _) = scene(&store).await;
    let kept = results(&store, &suite.id).await;
    let out = place.folder().join("out");
    let exported = store.export(&suite.id, &out, NOW).await.unwrap();
    assert_eq!((exported.students, exported.left_out.len()), (2, 0));
    let points = |lines: &[(String, String, String)]| {
        lines.iter().map(|(name, points, _)| (name.clone(), points.clone())).collect::<Vec<_>>()
    };
    let sheet: Vec<_> =
        marks(&out).into_iter().map(|line| (line[0].clone(), line[1].clone())).collect();
    assert_eq!(sheet, points(&kept), "the same marks");
    let mut expected: Vec<String> = kept.iter().map(|(.., digest)| digest.clone()).collect();
    expected.sort();
    assert_eq!(digests(&out), expected, "the same digests");

    let other = EmptyDatabase::sqlite();
    let there = other.open().await;
    let new = NewCourse { slug: "b".into(), title: "B".into(), time_zone: "UTC".into() };
    let course = there.create_course(&new, NOW).await.unwrap();
    let prebuilt = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/prebuilt");
    let found = there.import(&course.id, "back", &out, &[prebuilt], later(9)).await.unwrap();
    assert_eq!((found.submissions, found.new_people, found.without_bytes.len()), (2, 2, 0));
    assert_eq!(results(&there, &found.suite).await, kept);
    let lease = std::time::Duration::from_secs(60);
    assert_eq!(there.next_job("w", lease, later(10)).await.unwrap(), None, "nothing to play");

    let again = other.folder().join("again");
    there.export(&found.suite, &again, NOW).await.unwrap();
    assert_eq!((marks(&again), digests(&again)), (marks(&out), digests(&out)));
}

async fn a_folder_without_modules_is_imported_and_never_graded_again(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, _) = scene(&store).await;
    let out = place.folder().join("out");
    store.export(&suite.id, &out, NOW).await.unwrap();
    let found = store.import(&suite.course, "again", &out, &[], later(9)).await.unwrap();
    assert_eq!(found.without_bytes, [], "the other suite has them");
    assert_eq!(results(&store, &found.suite).await, results(&store, &suite.id).await);

    let other = EmptyDatabase::sqlite();
    let there = other.open().await;
    let new = NewCourse { slug: "b".into(), title: "B".into(), time_zone: "UTC".into() };
    let course = there.create_course(&new, NOW).await.unwrap();
    let found = there.import(&course.id, "again", &out, &[], later(9)).await.unwrap();
    assert_eq!((found.submissions, found.without_bytes.len()), (2, 2));
    // Imported submissions have the time of the import, which says nothing about a due date.
    let before = results(&there, &found.suite).await;
    let settings = SuiteSettings { due_at: Some(NOW), ..SuiteSettings::default() };
    there.change_suite(&found.suite, &settings).await.unwrap();
    assert_eq!(results(&there, &found.suite).await, before);
    there.rejudge(&found.suite, &Scope::All, Showing::Complete, later(10)).await.unwrap();
    let lease = std::time::Duration::from_secs(60);
    assert_eq!(there.next_job("w", lease, later(11)).await.unwrap(), None);
}

/// Writes the results of a folder to another one in which the first submission is a group's.
fn with_group(from: &Path, to: &Path) {
    let kept = read_kept(from).unwrap();
    let names = kept.submissions.iter().map(|one| one.report.bots[0].bot.clone());
    let folder = tempfile::tempdir().unwrap();
    let bots = ["mahjong-distance", "mahjong-straightforward"].map(module);
    let mut submissions = Vec::new();
    let mut list = vec!["submission,student,id,address,group".to_owned()];
    for (number, bot) in (1..).zip(names) {
        let path = folder.path().join(format!("{}.wasm", bot.name));
        let bytes = bots.iter().find(|bytes| digest(bytes) == bot.sha256).unwrap();
        std::fs::write(&path, bytes).unwrap();
        submissions.push(path);
        let (name, group) = (bot.name, if number == 1 { "g" } else { "" });
        list.push(format!("{name},First{number},{number},first{number}@x.org,{group}"));
    }
    list.extend([",Second,8,second@x.org,g", ",Third,9,,g"].map(String::from));
    let students = folder.path().join("students.csv");
    std::fs::write(&students, list.join("\n")).unwrap();
    let assignment = Assignment {
        submissions,
        suite: PathBuf::from(&kept.suite.name),
        out: to.to_owned(),
        students: Some(students),
        mapping: None,
        dates: None,
        options: GradingOptions::default(),
    };
    let mut fill = |journal: &Journal| {
        for line in kept.journal.lines() {
            let JournalRound { spec, transcript, outline } = kept.journal.round(line)?;
            journal.copy(&KeptRound { spec, transcript, digest: outline.digest }, None)?;
        }
        Ok(())
    };
    write_kept(&assignment, kept.suite.clone(), &mut fill, &mut IgnoreEvents).unwrap();
}

async fn a_groups_submission_is_imported_for_all_its_members(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, _) = scene(&store).await;
    let [out, group] = ["out", "group"].map(|name| place.folder().join(name));
    store.export(&suite.id, &out, NOW).await.unwrap();
    let (from, to) = (out.clone(), group.clone());
    tokio::task::spawn_blocking(move || with_group(&from, &to)).await.unwrap();

    let other = EmptyDatabase::sqlite();
    let there = other.open().await;
    let known = NewPerson {
        name: "Second Known".to_owned(),
        address: Some("second@x.org".to_owned()),
        ..NewPerson::default()
    };
    there.add_person(&known, NOW).await.unwrap();
    let new = NewCourse { slug: "b".into(), title: "B".into(), time_zone: "UTC".into() };
    let course = there.create_course(&new, NOW).await.unwrap();
    let found = there.import(&course.id, "back", &group, &[], later(9)).await.unwrap();
    assert_eq!((found.submissions, found.new_people, found.without_bytes.len()), (4, 3, 2));
    let sheet: Vec<(String, String)> =
        marks(&group).into_iter().map(|line| (line[0].clone(), line[1].clone())).collect();
    let imported = results(&there, &found.suite).await;
    let points = |name: &str| imported.iter().find(|(one, ..)| one == name).map(|one| &one.1);
    assert_eq!(imported.len(), 4);
    for (name, marked) in &sheet {
        let name = if name == "Second" { "Second Known" } else { name };
        assert_eq!(points(name), Some(marked), "{imported:?}");
    }
    let digests: std::collections::BTreeSet<_> = imported.iter().map(|one| &one.2).collect();
    assert_eq!(digests.len(), 2, "the members have one result");
}

async fn changed_results_are_neither_exported_nor_imported(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, _]) = scene(&store).await;
    // A student submits a module that is not graded yet: the one that counts is exported.
    submit(&store, &suite, &ada, b"new", later(5)).await;
    let out = place.folder().join("out");
    assert_eq!(store.export(&suite.id, &out, NOW).await.unwrap().students, 2);
    let journal = out.join("journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, text.replacen("\"answers\":[\"", "\"answers\":[\"x", 1)).unwrap();
    let error = store.import(&suite.course, "bad", &out, &[], NOW).await.unwrap_err();
    assert!(error.to_string().contains("damaged"), "{error}");
    assert!(store.suite_by_slug(&suite.course, "bad").await.unwrap().is_none());

    let error = store.export(&suite.id, &out, NOW).await.unwrap_err();
    assert!(error.to_string().contains("journal"), "nothing is overwritten: {error}");
    let empty = made::files("Other");
    let id = store
        .set_files(&suite.id, &empty, Showing::Complete, Timestamp::from_millis(0))
        .await
        .unwrap();
    assert_eq!(id, 2);
    let none = place.folder().join("none");
    let nowhere = store.suite(&suite.id).await.unwrap().unwrap();
    assert_eq!(nowhere.shown, 1);
    assert_eq!(store.export(&suite.id, &none, NOW).await.unwrap().students, 2, "the shown ones");
}

async fn results_that_were_changed_in_the_database_are_found_out(place: EmptyDatabase) {
    let store = place.open().await;
    let (suite, [ada, bob]) = made::scene(&store, SuiteSettings::default()).await;
    for (person, name) in [(&ada, "mahjong-distance"), (&bob, "mahjong-straightforward")] {
        submit(&store, &suite, person, &module(name), NOW).await;
        let lease = std::time::Duration::from_secs(60);
        let job = store.next_job("w", lease, later(1)).await.unwrap().unwrap();
        let mut report = graded(&store, &job).await;
        if person == &bob {
            let bot = &report.bots[0];
            let mut cases = bot.testcases.clone();
            cases[0].points = 7.into();
            let bot = judge_core::BotReport::new(bot.bot.clone(), None, bot.max_points, cases);
            report = GradeReport { bots: vec![bot], ..report }.sealed();
        }
        store.write_result(&job.submission, 1, &report, later(2)).await.unwrap();
    }
    let out = place.folder().join("out");
    let error = store.export(&suite.id, &out, NOW).await.unwrap_err();
    assert!(matches!(&error, Error::NotReproduced { name, .. } if name == bob.as_str()), "{error}");
}

on_both! {
    exported_results_are_imported_unchanged
    a_folder_without_modules_is_imported_and_never_graded_again
    a_groups_submission_is_imported_for_all_its_members
    changed_results_are_neither_exported_nor_imported
    results_that_were_changed_in_the_database_are_found_out
}
