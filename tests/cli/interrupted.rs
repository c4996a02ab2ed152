//! Ctrl-C in `judge match` and `judge tournament`: the intermediate result, and the command that
//! continues.
#![cfg(target_os = "linux")]

use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpgid, kill_process_group};

use crate::support::{Ran, judge, write};

/// Far longer than any step here on a busy machine.
const LONG: Duration = Duration::from_secs(120);

/// Enough rounds to interrupt them.
const ROUNDS: &str = "4000";

/// Commands that run in a separate folder.
struct InterruptedFolder(tempfile::TempDir);

impl InterruptedFolder {
    fn new() -> InterruptedFolder {
        InterruptedFolder(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// The judge as a terminal starts it: in a process group that receives Ctrl-C.
    fn judge(&self, arguments: &[&str]) -> Command {
        let mut command = judge();
        command.args(arguments).current_dir(self.path()).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.judge(arguments).output().unwrap().into()
    }

    /// Number of rounds in a journal.
    fn rounds(&self, journal: &str) -> usize {
        let text = std::fs::read_to_string(self.path().join(journal)).unwrap_or_default();
        text.matches("{\"entry\":{\"round\":").count()
    }

    /// Runs a command, sends Ctrl-C as soon as `ready` holds, and returns its output.
    fn interrupted(&self, arguments: &[&str], ready: impl Fn(&Child) -> bool) -> Ran {
        let mut child = self.judge(arguments).spawn().unwrap();
        wait(&mut child, ready);
        press(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(2), "as Ctrl-C ends any program: 130 in a shell");
        output.into()
    }

    /// Runs a line in a shell with the judge under test as `judge`.
    fn shell(&self, line: &str) -> Ran {
        let judge = judge();
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("judge() {{ \"$JUDGE\" \"$@\"; }}; {line}")]);
        shell.env("JUDGE", judge.get_program()).current_dir(self.path());
        shell.stdin(Stdio::null()).output().unwrap().into()
    }
}

fn press(judge: &Child) {
    kill_process_group(Pid::from_child(judge), Signal::INT).unwrap();
}

fn wait(child: &mut Child, ready: impl Fn(&Child) -> bool) {
    let begun = Instant::now();
    while !ready(child) {
        assert!(begun.elapsed() < LONG, "it does not get on");
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was interrupted");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The workers of a judge: the children of all its threads.
fn workers(judge: &Child) -> Vec<Pid> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", judge.id())).into_iter().flatten();
    let lists = tasks.flatten().map(|task| std::fs::read_to_string(task.path().join("children")));
    let text: String = lists.map(Result::unwrap_or_default).collect();
    text.split_whitespace().filter_map(|id| Pid::from_raw(id.parse().ok()?)).collect()
}

/// True for a worker that has used a second of processor time, which is more than starting and
/// compiling take.
fn is_spinning(worker: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", worker.as_raw_pid()));
    let stat = stat.unwrap_or_default();
    let user = stat.rsplit(')').next().and_then(|fields| fields.split_whitespace().nth(11));
    let ticks = user.and_then(|user| user.parse::<u64>().ok());
    ticks.is_some_and(|ticks| ticks >= rustix::param::clock_ticks_per_second())
}

/// The proposed command: the only line with one.
fn proposed(ran: &Ran) -> &str {
    let lines: Vec<&str> =
        ran.stderr.lines().filter_map(|line| line.strip_prefix("  judge ")).collect();
    assert_eq!(lines.len(), 1, "{}", ran.stderr);
    lines[0]
}

/// Number of rounds in an intermediate result.
fn played(ran: &Ran) -> usize {
    let rest = ran.stdout.strip_prefix("UNFINISHED: interrupted after ");
    let number = rest.and_then(|rest| rest.split(' ').next()?.parse().ok());
    number.unwrap_or_else(|| panic!("{}\n{}", ran.stdout, ran.stderr))
}

#[test]
fn an_interrupted_course_prints_the_command_to_resume() {
    let place = InterruptedFolder::new();
    let handed_in = place.path().join("in");
    std::fs::create_dir(&handed_in).unwrap();
    for name in ["ada", "bob", "eve"] {
        std::fs::copy(
            crate::support::sample("mahjong-distance"),
            handed_in.join(name).with_extension("wasm"),
        )
        .unwrap();
    }
    let arguments = ["grade", "in", "--suite", "mahjong", "--out", "out", "--jobs", "1"];
    let stopped = place.interrupted(&arguments, |_| place.rounds("out/journal.jsonl") > 2);
    assert!(stopped.stderr.contains("interrupted; rounds kept in `out`"), "{}", stopped.stderr);
    assert_eq!(proposed(&stopped), format!("{} --resume", arguments.join(" ")));
}

#[test]
fn a_match_resumed_from_its_journal_gets_the_uninterrupted_result() {
    let place = InterruptedFolder::new();
    let arguments = ["match", "distance", "straightforward", "--game=mahjong", "--rounds", ROUNDS];
    let kept = [&arguments[..], &["--journal", "m.jsonl", "--json=m.json"]].concat();
    let stopped = place.interrupted(&kept, |_| place.rounds("m.jsonl") > 40);
    let rounds = played(&stopped);
    assert!(rounds > 0 && rounds.is_multiple_of(2) && rounds < 4000, "{}", stopped.stdout);
    assert!(stopped.stdout.contains(&format!("\n rounds             {rounds}: ")));
    let kept = place.rounds("m.jsonl");
    assert!(rounds <= kept, "what is told is kept");
    let figures = match kept == rounds {
        true => format!("rounds kept in `m.jsonl`: {kept}. To resume:"),
        false => format!("rounds kept in `m.jsonl`: {kept}, of which {rounds} count so far; "),
    };
    assert!(stopped.stderr.contains(&figures), "{}", stopped.stderr);
    assert!(stopped.stderr.contains("not written, as the run is not finished: `m.json`\n"));
    assert!(!place.path().join("m.json").exists());
    let seed = proposed(&stopped).split(" --seed ").nth(1).unwrap();
    let seed = seed.split(' ').next().unwrap();
    assert_eq!(
        proposed(&stopped),
        format!("{} --journal m.jsonl --json=m.json --seed {seed} --resume", arguments.join(" "))
    );

    let before = place.rounds("m.jsonl");
    let rest = place.shell(&format!("judge {}", proposed(&stopped)));
    assert_eq!(rest.code, 0, "{}", rest.stderr);
    assert!(rest.stderr.contains(&format!("the journal has {before} rounds")), "{}", rest.stderr);
    assert_eq!(place.rounds("m.jsonl"), 4000, "nothing is played twice");
    let calm = place.run(&[&arguments[..], &["--seed", seed]].concat());
    assert_eq!(rest.stdout, calm.stdout);
    assert!(place.path().join("m.json").exists());
}

#[test]
fn an_interrupted_match_proposes_a_rerun_with_a_journal() {
    let place = InterruptedFolder::new();
    let bot = crate::support::sample("mahjong-distance").display().to_string();
    let arguments = ["match", &bot, "random", "--game", "mahjong", "--rounds", ROUNDS];
    let stopped = place.interrupted(&arguments, |judge| !workers(judge).is_empty());
    let rounds = played(&stopped);
    assert!(stopped.stderr.contains("without `--journal FILE` no round is kept"));
    assert!(proposed(&stopped).ends_with(" --journal judge.journal"), "{}", stopped.stderr);
    let again = place.shell(&format!("judge {}", proposed(&stopped)));
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(place.rounds("judge.journal"), 4000);
    let seeds = |ran: &Ran| {
        let heading =
            ran.stdout.lines().find(|line| line.starts_with("A mahjong-distance against"));
        heading.map(|line| line.split(" to ").next().unwrap().to_owned())
    };
    assert!(rounds == 0 || seeds(&stopped) == seeds(&again), "{}", stopped.stdout);
}

#[test]
fn an_interrupted_run_prints_no_partial_json() {
    let place = InterruptedFolder::new();
    let arguments = ["match", "distance", "random", "--game", "mahjong", "--rounds", ROUNDS];
    let more = ["--seed", "7", "--json", "-", "--journal", "j"];
    let ran = place.interrupted(&[&arguments[..], &more].concat(), |_| place.rounds("j") > 40);
    assert_eq!(ran.stdout, "");
    assert!(
        ran.stderr.contains("UNFINISHED: ") && ran.stderr.contains(" rounds "),
        "{}",
        ran.stderr
    );
    let expected =
        "match distance random --game mahjong --rounds 4000 --seed 7 --json - --journal j --resume";
    assert_eq!(proposed(&ran), expected);
}

/// A tournament that is interrupted and then continued.
fn tournament(more: &[&str]) -> (InterruptedFolder, Ran) {
    let place = InterruptedFolder::new();
    let arguments =
        ["tournament", "random", "distance", "straightforward", "--game", "mahjong", "--seed=3"];
    let arguments = [&arguments[..], &["--rounds", "1500"], more].concat();
    let kept = [&arguments[..], &["--journal", "t", "--csv", "t.csv", "--svg=t.svg"]].concat();
    let stopped = place.interrupted(&kept, |_| place.rounds("t") > 40);
    let rounds = played(&stopped);
    assert!(rounds > 0 && rounds <= place.rounds("t"), "{}", stopped.stdout);
    assert!(stopped.stderr.contains("not finished: `t.csv`, `t.svg`\n"), "{}", stopped.stderr);
    assert!(!place.path().join("t.csv").exists());
    let rest = place.shell(&format!("judge {}", proposed(&stopped)));
    assert_eq!(rest.code, 0, "{}", rest.stderr);
    let calm = place.run(&arguments);
    assert_eq!(rest.stdout, calm.stdout);
    assert!(place.path().join("t.csv").exists());
    (place, stopped)
}

#[test]
fn an_interrupted_tournament_prints_its_tables_and_can_be_resumed() {
    let (place, stopped) = tournament(&[]);
    assert!(stopped.stdout.contains(" of 4500 rounds\n"), "{}", stopped.stdout);
    assert!(stopped.stdout.contains("| player "), "{}", stopped.stdout);
    assert!(stopped.stdout.contains("\nRatings: Elo points above random"), "{}", stopped.stdout);
    assert_eq!(place.rounds("t"), 4500, "nothing is played twice");
}

#[test]
fn a_swiss_tournament_resumes_in_the_interrupted_cycle() {
    let (_, stopped) = tournament(&["--format", "swiss", "--cycles", "2"]);
    assert!(stopped.stdout.contains(" of 3000 rounds\n"), "{}", stopped.stdout);
    let byes = stopped.stdout.lines().find(|line| line.starts_with("Byes, which count nothing: "));
    let byes = byes.unwrap_or_else(|| panic!("{}", stopped.stdout));
    assert!(byes.ends_with(" in cycle 1."), "the second cycle was never begun: {byes}");
}

#[test]
fn players_without_a_round_are_listed() {
    let place = InterruptedFolder::new();
    let arguments = ["tournament", "random", "distance", "straightforward", "--format=gauntlet"];
    let more = ["--game=mahjong", "--seed=3", "--rounds=4000", "--jobs=1", "--journal=t"];
    let ran = place.interrupted(&[&arguments[..], &more].concat(), |_| place.rounds("t") > 40);
    assert!(ran.stdout.contains("\nNot played yet: straightforward.\n"), "{}", ran.stdout);
}

#[test]
fn an_interrupted_part_of_a_tournament_has_no_ranking() {
    let place = InterruptedFolder::new();
    let arguments = ["tournament", "random", "distance", "straightforward", "--game", "mahjong"];
    let more = ["--seed=3", "--shard=1/2", "--rounds=2000", "--journal=part"];
    let arguments = [&arguments[..], &more].concat();
    let ran = place.interrupted(&arguments, |_| place.rounds("part") > 40);
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    assert!(played(&ran) > 0, "{}", ran.stdout);
    let rest = place.shell(&format!("judge {}", proposed(&ran)));
    assert!(rest.stdout.starts_with("part 1/2: 2 of 3 meetings, 4000 rounds"), "{}", rest.stdout);
}

#[test]
fn keys_of_the_terminal_do_not_interrupt_workers() {
    let place = InterruptedFolder::new();
    let bot = crate::support::sample("mahjong-distance").display().to_string();
    let arguments = ["match", &bot, "random", "--game=mahjong", "--rounds=100000"];
    let mut child = place.judge(&arguments).spawn().unwrap();
    // A process leaves its parent's group a moment after its start.
    wait(&mut child, |judge| {
        let alone = |worker: &Pid| getpgid(Some(*worker)) == Ok(*worker);
        workers(judge).first().is_some_and(alone)
    });
    press(&child);
    assert_eq!(child.wait().unwrap().signal(), Some(2));
}

#[test]
fn a_second_interrupt_ends_the_run_without_waiting_for_rounds() {
    let place = InterruptedFolder::new();
    let spin = r#"(module (memory (export "memory") 1)
        (func (export "judge_buffer") (result i32) i32.const 0)
        (func (export "judge_line") (param i32) (result i32) (loop (br 0)) i32.const 0))"#;
    write(place.path(), "spin.wasm", wat::parse_str(spin).unwrap());
    let arguments = ["match", "spin.wasm", "random", "--game=mahjong", "--time-ms=10000000"];
    let mut child = place.judge(&arguments).stderr(Stdio::piped()).spawn().unwrap();
    let said = child.stderr.take().unwrap();
    wait(&mut child, |judge| workers(judge).into_iter().any(is_spinning));
    press(&child);
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(said));
    let waiting = lines.by_ref().map_while(Result::ok).any(|line| line.contains("Ctrl-C again"));
    assert!(waiting, "the user is told what is waited for");
    assert!(child.try_wait().unwrap().is_none());
    press(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.signal(), output.stdout.as_slice()), (Some(2), &b""[..]));
}
