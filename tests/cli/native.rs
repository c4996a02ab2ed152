//! `judge play --native`: programs outside the sandbox. Shell scripts represent all languages.

use std::path::{Path, PathBuf};

use judge_core::{RoundRecord, Seat, Verdict};

use crate::support::{LOGGER, Ran, run, run_with_input, says, write};

/// Reads the judge's lines, and throws each drawn tile. `MORE` runs before each answer.
const BOT: &str = r#"while read -r word rest; do
case $word in
draw) last=$rest ;;
'discard?') MORE; echo "$last" ;;
'win?') echo yes ;;
end) END; exit ;;
esac
done
"#;

/// A folder with a bot that runs these commands before an answer and at the end.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(more: &str, end: &str) -> Folder {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "bot.sh", BOT.replace("MORE", more).replace("END", end));
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self) -> String {
        format!("sh '{}'", self.path("bot.sh").display())
    }

    /// Plays with these arguments; returns the round, too.
    fn play(&self, arguments: &[&str]) -> (Ran, RoundRecord) {
        let (command, replay) = (self.command(), self.path("round.jsonl"));
        let own = ["play", "--native", &command, "--game", "mahjong", "--seed", "3", "--replay"];
        let ran = run(own.iter().chain(&[replay.to_str().unwrap()]).chain(arguments));
        let record = read(&replay);
        (ran, record)
    }
}

fn read(path: &Path) -> RoundRecord {
    RoundRecord::from_replay(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn answers(record: &RoundRecord, seat: Seat) -> Vec<&str> {
    let own = record.calls.iter().filter(|call| call.seat == seat);
    own.filter_map(|call| call.answer.as_deref()).collect()
}

#[test]
fn a_native_program_plays_like_its_module_with_a_note() {
    let folder = Folder::new("echo thinking >&2", ":");
    let module = folder.path("logger.wat");
    std::fs::write(&module, LOGGER).unwrap();
    for (seat, native) in [("1", Seat::One), ("2", Seat::Two)] {
        let (ran, record) = folder.play(&["--seat", seat]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        says(&ran.stdout, &["is a native program: not sandboxed, not metered, never graded"]);
        says(&ran.stdout, &[&format!("seat {seat} log: thinking")]);
        says(&ran.stderr, &["`sh` is process "]);
        let replay = folder.path("module.jsonl");
        let arguments = ["play", module.to_str().unwrap(), "--game", "mahjong", "--seed", "3"];
        let more = ["--seat", seat, "--replay", replay.to_str().unwrap()];
        assert_eq!(run(arguments.iter().chain(&more)).code, 0);
        let other = read(&replay);
        assert_eq!(answers(&record, native), answers(&other, native));
        assert_eq!(record.trailer.outcome, other.trailer.outcome);
        assert!(record.calls.iter().all(|call| call.fuel.is_none()), "not metered");
        assert!(record.logged(native).unwrap().iter().all(|(_, text)| *text == "thinking\n"));
    }
}

#[test]
fn verify_checks_only_the_rules_of_a_native_round() {
    let folder = Folder::new(":", ":");
    let page = folder.path("round.html");
    let (ran, _) = folder.play(&["--html", page.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = std::fs::read_to_string(page).unwrap();
    says(&page, &["native program, not sandboxed or metered"]);
    let replay = folder.path("round.jsonl");
    let ran = run(["verify".as_ref(), replay.as_os_str()]);
    says(&ran.stdout, &["follow from the rules", "it ran outside the sandbox"]);
    let ran = run(["replay".as_ref(), replay.as_os_str()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let text = std::fs::read_to_string(&replay).unwrap();
    std::fs::write(&replay, text.replacen("\"answer\":\"", "\"answer\":\"1b", 1)).unwrap();
    assert_eq!(run(["verify".as_ref(), replay.as_os_str()]).code, 1, "a changed answer");
}

#[test]
fn every_failure_of_a_native_program_has_its_verdict() {
    for (more, verdict, words) in [
        ("exit 3", Verdict::RuntimeError, "ended with exit code 3 after `discard?`"),
        ("exit", Verdict::RuntimeError, "a program reads on until the line `end …`"),
        ("kill -SEGV $$", Verdict::RuntimeError, "ended by signal 11 (SIGSEGV, "),
        ("kill -ABRT $$", Verdict::RuntimeError, "ended by signal 6 (SIGABRT, "),
        ("exec >&-; exec sleep 600", Verdict::RuntimeError, "closed its standard output"),
        ("echo 9z; continue", Verdict::ProtocolError, "`9z` is not a tile"),
        ("printf '1b\\n2b\\n'; continue", Verdict::ProtocolError, "two lines, `1b` and `2b`"),
        ("echo; continue", Verdict::ProtocolError, "printed an empty line"),
        ("printf '%5000s' x; continue", Verdict::OutputLimitExceeded, "more than 4096 bytes"),
        ("exec sleep 600", Verdict::TimeLimitExceeded, "printed nothing for 5 s"),
        ("printf 1; exec sleep 600", Verdict::TimeLimitExceeded, "printed no whole line for 5 s"),
    ] {
        let folder = Folder::new(&format!("echo before >&2; {more}"), ":");
        let (ran, record) = folder.play(&["--native-timeout", "5"]);
        assert_eq!(ran.code, 1, "{more}: {}", ran.stderr);
        let fault = record.trailer.fault.as_ref().unwrap();
        assert_eq!((fault.seat, fault.verdict), (Some(Seat::One), verdict), "{more}");
        says(fault.detail.as_str(), &[words]);
        assert_eq!(record.trailer.logs[Seat::One], "before\n", "{more}");
        let checked = run(["verify".as_ref(), folder.path("round.jsonl").as_os_str()]);
        says(&checked.stdout, &["follow from the rules"]);
    }
}

#[test]
fn a_native_program_must_end_silently_after_the_last_line() {
    for (end, fault) in [
        (":", None),
        ("exit 7", None),
        ("echo bye", Some((Verdict::ProtocolError, "printed `bye` without being asked"))),
        ("kill -SEGV $$", Some((Verdict::RuntimeError, "ended by signal 11"))),
        ("exec sleep 600", Some((Verdict::TimeLimitExceeded, "does not stop"))),
    ] {
        let folder = Folder::new(":", end);
        let (ran, record) = folder.play(&["--native-timeout", "5"]);
        let found = record.trailer.fault.as_ref();
        assert_eq!(ran.code, i32::from(fault.is_some()), "{end}: {}", ran.stdout);
        assert_eq!(found.map(|found| found.verdict), fault.map(|(verdict, _)| verdict), "{end}");
        let words = fault.map(|(_, words)| words).unwrap_or_default();
        assert!(found.is_none_or(|found| found.detail.as_str().contains(words)), "{found:?}");
    }
}

#[test]
fn a_round_leaves_no_process_of_a_native_program() {
    let folder = Folder::new("sleep 600 & echo $! > pid; exit 3", ":");
    let command = folder.command();
    let arguments = ["play", "--native", &command, "--game", "mahjong"];
    let ran = crate::support::judge().args(arguments).current_dir(folder.0.path()).output();
    assert_eq!(Ran::from(ran.unwrap()).code, 1);
    let id = std::fs::read_to_string(folder.path("pid")).unwrap();
    // A zombie would still have a folder in `/proc`, so ask for its command.
    let command = std::fs::read_to_string(format!("/proc/{}/cmdline", id.trim()));
    assert_eq!(command.unwrap_or_default(), "", "process {id}");
}

#[test]
fn a_person_can_take_moves_back_against_a_native_program() {
    let folder = Folder::new("echo thinking >&2", ":");
    let (command, replay) = (folder.command(), folder.path("round.jsonl"));
    let arguments = ["play", "human", "--native", &command, "--game", "mahjong", "--replay"];
    let answers = "1\nback\n2\n1\nquit\n";
    let ran = run_with_input(arguments.iter().chain(&[replay.to_str().unwrap()]), answers);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let record = read(&replay);
    assert_eq!(record.trailer.fault.unwrap().verdict, Verdict::Resigned);
    assert!(record.trailer.logs[Seat::Two].starts_with("thinking\n"), "{}", ran.stdout);
}

#[test]
fn wrong_native_commands_are_refused_before_the_round() {
    let cases: [(&[&str], i32, &str); 6] = [
        (&["--native", "./missing", "--game", "cc"], 3, "is not a program that can be started"),
        (&["--native", "'sh", "--game", "cc"], 2, "the quote `'` is not closed"),
        (&["--native", "sh"], 2, "which game does the program play?"),
        (&["human", "--native", "sh", "--against", "random", "--game", "cc"], 2, "two opponents"),
        (&["--native", "sh", "--against", "human", "--game", "cc"], 2, "a person can take only"),
        (&["human", "--game", "cc", "--native-wait"], 2, "--native"),
    ];
    for (arguments, code, words) in cases {
        let ran = run(["play"].iter().chain(arguments));
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{arguments:?}: {}", ran.stderr);
        says(&ran.stderr, &[words]);
    }
}
