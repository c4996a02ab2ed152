//! The real program: from an empty folder to a verdict, equal to that of `judge grade`.

use std::path::{Path, PathBuf};
use std::process::Command;

use judge_core::IgnoreEvents;
use judge_runner::base::workers::Workers;
use judge_runner::grade::{self, Request};
use rustix::process::Signal;

use crate::support::postgres;
use crate::support::running::{PROGRAM, Server, log_of, set_up};

pub(crate) fn bot(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/prebuilt");
    root.join(format!("{name}.wasm"))
}

/// The digest of `judge grade`.
fn digest(name: &str) -> String {
    let mut workers = Workers::of_this_program().unwrap();
    workers.command.program = PROGRAM.into();
    let request = Request { bots: vec![bot(name)], ..Request::default() };
    let outcome = grade::run(&request, &workers, &mut IgnoreEvents).unwrap();
    outcome.report.bots[0].digest.to_string()
}

#[test]
fn a_new_server_gives_the_verdict_of_the_command_line_on_sqlite() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    to_the_verdict(&data, &["--lanes=1"]);
}

#[test]
fn a_new_server_gives_the_verdict_of_the_command_line_on_postgresql() {
    let Some(database) = postgres::database() else { return };
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    to_the_verdict(&data, &["--lanes=1", "--database", &database]);
    assert!(!data.join("judge.db").exists(), "it is all in the other database");
    let log = std::fs::read_to_string(log_of(&data)).unwrap();
    assert!(!log.contains("postgres://"), "{log}");
}

fn to_the_verdict(data: &Path, options: &[&str]) {
    let mut server = Server::start_with(data, options);
    let (token, link) = (set_up(&server), server.link.clone().unwrap());
    let module = std::fs::read(bot("mahjong-distance")).unwrap();
    let address = "/api/v1/courses/ai/suites/mahjong/submissions?name=mahjong-distance.wasm";
    let submission = server.api(&token, "POST", address, &module);
    let id = submission["id"].as_str().unwrap().to_owned();
    // Killed while it plays, and started again: no accepted submission is lost.
    server.signal(Signal::KILL);
    let mut server = Server::start_with(data, options);
    assert_eq!(server.link, None, "there is an administrator");
    let result = server.result(&token, &id);
    assert_eq!(result["state"], "graded", "{result}");
    let report = server.api(&token, "GET", &format!("/api/v1/submissions/{id}/report"), b"");
    assert_eq!(report["bots"][0]["digest"], digest("mahjong-distance"));
    assert!(server.signal(Signal::TERM).success(), "it ends in order");

    let log = std::fs::read_to_string(log_of(data)).unwrap();
    assert!(log.contains("/join/{token}") && log.contains("graded"), "{log}");
    for secret in [token.as_str(), link.rsplit('/').next().unwrap()] {
        assert!(secret.len() > 40 && !log.contains(secret), "{log}");
    }
}

/// The commands with `curl` in the blocks of shell commands of `judge/docs/server.md`.
fn examples() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/server.md");
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let blocks = blocks.filter(|block| block.contains("curl"));
    blocks.map(str::to_owned).collect()
}

#[test]
fn the_commands_of_the_documentation_work() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::start(&place.path().join("data"));
    let token = set_up(&server);
    std::fs::copy(bot("mahjong-straightforward"), place.path().join("bot.wasm")).unwrap();
    let examples = examples();
    assert!(!examples.is_empty());
    for example in examples {
        let run = Command::new("sh")
            .args(["-euc", &example])
            .current_dir(place.path())
            .env("JUDGE_TOKEN", &token)
            .env("JUDGE", format!("http://{}", server.host))
            .output()
            .unwrap();
        let (output, errors) =
            (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success(), "{example}\n{output}\n{errors}");
        assert!(!output.contains("\"error\""), "{example}\n{output}");
    }
}

#[test]
fn mistakes_in_the_settings_stop_the_start_with_a_message() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let check = |arguments: &[&str]| {
        let mut run = Command::new(PROGRAM);
        let output = run_it(run.arg("--check").args(arguments).arg("--data").arg(&data));
        (output.0, output.1 + &output.2)
    };
    let (status, text) = check(&["--listen", "nowhere", "--lanes", "0"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("`nowhere`") && text.contains("`lanes` is `0`"), "{text}");
    let (status, text) = check(&["--listen", "127.0.0.1:0"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("nothing is wrong") && !data.exists(), "{text}");
}

pub(crate) fn run_it(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_course_and_its_people_can_be_made_without_a_page() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let list = place.path().join("list.csv");
    std::fs::write(&list, "student,id,address\nAda,7,ada@example.org\nBob,8,\n").unwrap();
    let run =
        |arguments: &[&str]| run_it(Command::new(PROGRAM).arg("--data").arg(&data).args(arguments));
    let (status, made, errors) =
        run(&["course", "new", "ai", "--title", "Play", "--suite", "mahjong", "--suite", "cc"]);
    assert_eq!(status, Some(0), "{errors}");
    assert!(made.contains("suite mahjong: ") && made.contains("/join/"), "{made}");
    let (status, ..) = run(&["course", "new", "ai", "--title", "Again"]);
    assert_eq!(status, Some(3), "the name is taken");
    let new = ["course", "new", "two", "--title", "Two", "--suite", "lab=mahjong"];
    let (status, _, errors) = run(&[&new[..], &["--suite", "lab=cc"]].concat());
    assert!(status == Some(2) && errors.contains("--suite NAME=DIR"), "{errors}");
    let (status, made, errors) = run(&new);
    assert!(status == Some(0) && made.contains("suite lab: "), "nothing was left: {errors}");
    let (status, _, errors) = run(&["course", "add-suite", "two", "--suite", "lab=cc"]);
    assert!(status == Some(2) && errors.contains("has a suite of this name"), "{errors}");
    // Without the key, some testcases could not be played.
    let suite = place.path().join("locked");
    std::fs::create_dir(&suite).unwrap();
    let head = "title = \"Locked\"\n[hidden]\nkey = \"../lost.key\"\n";
    std::fs::write(suite.join("suite.toml"), head).unwrap();
    let open = "title = \"Open\"\ngame = \"mahjong\"\nopponent = \"random\"\nmin_score = 1\n\
                points = 1\n";
    std::fs::write(suite.join("01-open.toml"), format!("{open}seeds = [1]\n")).unwrap();
    std::fs::write(suite.join("02-lost.toml"), format!("{open}rounds = 2\n")).unwrap();
    let locked = suite.display().to_string();
    for command in [
        &["course", "add-suite", "two", "--suite", &locked][..],
        &["course", "new", "three", "--title", "Three", "--suite", &locked],
    ] {
        let (status, _, errors) = run(command);
        assert!(status == Some(2) && errors.contains("locked: 02-lost"), "{errors}");
    }
    let path = list.display().to_string();
    let (status, links, errors) = run(&["invite", "--course", "ai", "--list", &path]);
    assert_eq!((status, links.lines().count()), (Some(0), 3), "{links}{errors}");
    assert!(links.starts_with("student,id,address,link\nAda,7,ada@example.org,http://"), "{links}");
    let (status, _, errors) = run(&["invite", "--course", "none"]);
    assert_eq!(status, Some(2), "{errors}");
}

#[test]
fn a_course_is_copied_and_archived_without_a_page() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let run =
        |arguments: &[&str]| run_it(Command::new(PROGRAM).arg("--data").arg(&data).args(arguments));
    assert_eq!(run(&["course", "new", "ai", "--title", "Play", "--suite", "cc"]).0, Some(0));
    let (status, made, errors) = run(&["course", "copy", "ai", "ai-2", "--days", "-7"]);
    assert!(status == Some(0) && made.contains("/join/"), "{made}{errors}");
    let (status, _, errors) = run(&["course", "copy", "ai", "ai-3", "--first-due", "2027-03-08"]);
    assert!(status == Some(3) && errors.contains("no suite of the course has a due"), "{errors}");
    let (status, _, errors) = run(&["course", "copy", "none", "ai-3"]);
    assert!(status == Some(2) && errors.contains("no course `none`"), "{errors}");
    let (status, told, errors) = run(&["course", "archive", "ai"]);
    assert!(status == Some(0) && told.contains("nothing in it can be changed"), "{errors}");
    let (_, told, _) = run(&["course", "archive", "ai"]);
    assert!(told.contains("archived already"), "{told}");
    for change in
        [&["course", "add-suite", "ai", "--suite", "mahjong"], &["invite", "--course", "ai"][..]]
    {
        let (status, _, errors) = run(change);
        assert!(status == Some(3) && errors.contains("the course is archived"), "{errors}");
    }
    assert_eq!(run(&["course", "bring-back", "ai"]).0, Some(0));
    assert_eq!(run(&["invite", "--course", "ai"]).0, Some(0));
}

#[test]
fn people_suites_and_courses_are_deleted_without_a_page() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    std::fs::write(place.path().join("list.csv"), "student,address\nAda,ada@example.org\n")
        .unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(PROGRAM);
        run_it(command.current_dir(&place).arg("--data").arg(&data).args(arguments))
    };
    let suites = ["--suite", "cc", "--suite", "mahjong"];
    assert_eq!(
        run(&[&["course", "new", "ai", "--title", "Play"][..], &suites].concat()).0,
        Some(0)
    );
    assert_eq!(run(&["invite", "--course", "ai", "--list", "list.csv"]).0, Some(0));
    let export = ["person", "export", "ada@example.org", "ada.zip"];
    let (status, told, errors) = run(&export);
    assert!(status == Some(0) && told.contains("the data of Ada is in"), "{told}{errors}");
    assert!(std::fs::read(place.path().join("ada.zip")).unwrap().starts_with(b"PK"));
    assert_eq!(run(&export).0, Some(3), "it does not overwrite a file");
    let (status, told, errors) = run(&["person", "erase", "Ada@Example.org"]);
    assert!(status == Some(0) && told.contains("Ada is erased"), "{told}{errors}");
    let (status, _, errors) = run(&["person", "erase", "ada@example.org"]);
    assert!(status == Some(2) && errors.contains("no person `ada@example.org`"), "{errors}");

    assert_eq!(run(&["course", "delete-suite", "ai", "cc"]).0, Some(0));
    let (status, _, errors) = run(&["course", "delete-suite", "ai", "cc"]);
    assert!(status == Some(2) && errors.contains("no suite `cc`"), "{errors}");
    let (status, _, errors) = run(&["course", "delete", "ai"]);
    assert!(status == Some(3) && errors.contains("is not archived"), "{errors}");
    let of_course = run(&["log", "--course", "ai", "--most", "2"]).1;
    assert_eq!(of_course.lines().count(), 2, "{of_course}");
    assert!(of_course.contains("operator\tsuite_deleted\tai\tcc"), "{of_course}");
    assert_eq!(run(&["course", "archive", "ai"]).0, Some(0));
    assert_eq!(run(&["course", "delete", "ai"]).0, Some(0));
    let log = run(&["log"]).1;
    for act in ["course_created", "invited", "person_exported", "person_erased", "course_deleted"] {
        assert!(log.contains(act), "{act}: {log}");
    }
    assert!(!log.contains("Ada"), "{log}");
    assert_eq!(run(&["log", "--course", "ai"]).0, Some(2));
}

#[test]
fn commands_work_on_a_running_server_and_after_a_kill() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    std::fs::write(place.path().join("list.csv"), "student\nAda\nBob\n").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(PROGRAM);
        run_it(command.current_dir(&place).arg("--data").arg(&data).args(arguments))
    };
    let mut server = Server::start(&data);
    let socket = data.join("control.sock");
    assert_eq!(socket.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let (status, made, errors) = run(&["course", "new", "ai", "--title", "Play"]);
    assert_eq!(status, Some(0), "{errors}");
    assert!(made.contains(&server.host), "the link is that of the server: {made}");
    let (status, made, errors) = run(&["course", "add-suite", "ai", "--suite", "cc"]);
    assert_eq!(
        (status, made.as_str()),
        (Some(0), "suite cc: Capturing & Conquering\n"),
        "{errors}"
    );
    // The list is in this process's folder, not in the server's.
    let (status, links, errors) = run(&["invite", "--course", "ai", "--list", "list.csv"]);
    assert_eq!((status, links.lines().count()), (Some(0), 3), "{errors}");
    let link = links.lines().nth(1).unwrap().rsplit('/').next().unwrap();
    assert_eq!(server.ask("GET", &format!("/join/{link}"), &[], b"").0, 200);
    let (status, _, errors) = run(&["invite", "--course", "none"]);
    assert_eq!((status, errors.as_str()), (Some(2), "error: no course `none`\n"));

    server.signal(Signal::KILL);
    assert!(socket.exists());
    let (status, _, errors) = run(&["invite", "--course", "ai"]);
    assert_eq!(status, Some(0), "{errors}");
    let mut server = Server::start(&data);
    assert_eq!(run(&["invite", "--course", "ai"]).0, Some(0));
    assert!(server.signal(Signal::TERM).success());
    assert!(!socket.exists());
}
