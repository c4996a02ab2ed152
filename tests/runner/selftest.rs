//! The selftest of a judge chosen by the caller.

#[cfg(unix)]
use std::path::{Path, PathBuf};

use judge_core::{Event, Unit};
#[cfg(unix)]
use judge_runner::tools::selftest::CaseReport;
use judge_runner::tools::selftest::{Request, run};

use crate::Heard;
use crate::support::judge;
#[cfg(unix)]
use crate::support::write;

#[test]
fn cases_are_reported_one_by_one() {
    let request = Request {
        judge: judge().get_program().into(),
        names: vec!["a01".to_owned()],
        corpus: None,
        jobs: Some(1),
    };
    let mut heard = Heard::default();
    let outcome = run(&request, &mut heard).unwrap();
    assert_eq!((outcome.passed(), outcome.failed()), (1, 0), "{}", outcome.to_text());
    assert_eq!(outcome.cases[0].got, "invalid-module");
    let expected = [
        Event::Started { unit: Unit::Cases, total: Some(1) },
        Event::Progress { done: 1, standing: None },
        Event::Finished,
    ];
    assert_eq!(heard.0, expected);
}

/// A judge that runs the shell command `misbehaviour` before it grades the module of a case
/// together with the honest bot, and otherwise behaves like the judge under test.
#[cfg(unix)]
fn misbehaving(folder: &Path, misbehaviour: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;

    let real = judge().get_program().display().to_string();
    let text = format!(
        "#!/bin/sh\ncase \"$*\" in\n*0.wasm*honest.wasm*) {misbehaviour} ;;\nesac\n\
         exec '{real}' \"$@\"\n"
    );
    let path = write(folder, "judge", text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Report on one case with a judge that misbehaves.
#[cfg(unix)]
fn tried(misbehaviour: &str, max_processor_ms: u32) -> CaseReport {
    let folder = tempfile::tempdir().unwrap();
    let case = folder.path().join("corpus/empty");
    std::fs::create_dir_all(&case).unwrap();
    write(&case, "bot.wasm", "");
    let text = format!("about = 'empty'\nmax_processor_ms = {max_processor_ms}\n");
    write(&case, "case.toml", text);
    let request = Request {
        judge: misbehaving(folder.path(), misbehaviour),
        names: Vec::new(),
        corpus: Some(folder.path().join("corpus")),
        jobs: Some(1),
    };
    run(&request, &mut Heard::default()).unwrap().cases.remove(0)
}

#[cfg(unix)]
#[test]
fn selftest_fails_for_a_judge_that_grades_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#!/bin/sh\n[ $1 = grade ] || exec '{real}' \"$@\"\n";
    let real = judge().get_program().display().to_string();
    let judge = misbehaving(folder.path(), "");
    write(folder.path(), "judge", text.replace("{real}", &real));
    for (judge, complaint) in
        [(judge, "the honest bot is not graded"), ("/bin/true".into(), "the observer")]
    {
        let request = Request { judge, names: vec!["a01".to_owned()], corpus: None, jobs: None };
        let error = run(&request, &mut Heard::default()).unwrap_err().to_string();
        assert!(error.contains(complaint), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn selftest_finds_no_fault_in_a_sound_judge() {
    let report = tried("", 60_000);
    assert_eq!(
        (report.got.as_str(), report.wrong, report.too_slow),
        ("invalid-module", vec![], None)
    );
    assert!(report.processor > std::time::Duration::ZERO && report.peak_kib > 1000);
}

/// One is the judge's child; the other one's parent has ended.
#[cfg(target_os = "linux")]
#[test]
fn selftest_finds_and_ends_a_left_process() {
    // The duration is unique to this run of the test.
    let sleep = format!("sleep {}", 86_400 + std::process::id());
    for leave in [format!("{sleep} &"), format!("({sleep} & {sleep} &)")] {
        let report = tried(&leave, 60_000);
        assert_eq!(report.wrong, ["left a process behind"]);
        let left = processes(&sleep);
        assert!(left.is_empty(), "{left:?} are still there");
    }
}

/// The processes that run this command.
#[cfg(target_os = "linux")]
fn processes(command: &str) -> Vec<PathBuf> {
    let command = command.replace(' ', "\0") + "\0";
    let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let is_it = |process: &PathBuf| {
        std::fs::read(process.join("cmdline")).is_ok_and(|found| found == command.as_bytes())
    };
    processes.filter(is_it).collect()
}

#[cfg(unix)]
#[test]
fn selftest_finds_left_files() {
    assert_eq!(tried("touch left", 60_000).wrong, ["left files behind"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_hanging_judge_fails_and_a_slow_machine_does_not() {
    let hangs = tried("exec sleep 86400", 1000);
    assert!(hangs.wrong[0].starts_with("did nothing, and was killed after "), "{:?}", hangs.wrong);
    assert_eq!(hangs.too_slow, None);
    let stopped = tried("kill -STOP $$", 1000);
    assert_eq!(stopped.wrong, Vec::<String>::new());
    let reason = stopped.too_slow.unwrap();
    assert!(reason.starts_with("this machine is too slow or too busy"), "{reason}");
}

/// For any number of concurrent cases and any order of their ends, each report comes once, in the
/// order of the cases.
#[test]
fn parallel_cases_are_reported_in_order() {
    let names = ["a01", "a02", "a05", "a06"].map(str::to_owned).to_vec();
    let tried = |jobs| {
        let names = names.clone();
        let judge = judge().get_program().into();
        let request = Request { judge, names, corpus: None, jobs: Some(jobs) };
        let mut heard = Heard::default();
        let outcome = run(&request, &mut heard).unwrap();
        assert_eq!(outcome.failed(), 0, "{}", outcome.to_text());
        assert_eq!(heard.0.len(), outcome.cases.len() + 2, "each case is told once");
        let cases = outcome.cases.into_iter();
        cases.map(|case| (case.name, case.got)).collect::<Vec<_>>()
    };
    let alone = tried(1);
    assert!(alone.len() >= 4 && alone.is_sorted());
    assert_eq!(tried(3), alone);
}
