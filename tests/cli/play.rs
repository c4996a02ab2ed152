//! `judge play` and `judge replay`: a repeatable round.

use std::ffi::{OsStr, OsString};

#[cfg(target_os = "linux")]
use crate::support::judge;
use crate::support::{Ran, SILENT_BOT, run, sample, write};

fn play(bot: &str, more: &[&str]) -> Ran {
    let mut arguments: Vec<OsString> = vec!["play".into(), sample(bot).into()];
    arguments.extend(more.iter().map(OsString::from));
    run(arguments)
}

#[test]
fn a_round_repeats_byte_for_byte() {
    let arguments = ["--game", "mahjong", "--seed", "5", "--against", "random", "--trace"];
    let first = play("mahjong-distance", &arguments);
    assert_eq!(first.code, 0);
    assert_eq!(first.stdout, play("mahjong-distance", &arguments).stdout);
    let other = ["--game", "mahjong", "--seed", "6", "--trace"];
    assert_ne!(first.stdout, play("mahjong-distance", &other).stdout);
}

#[test]
fn the_trace_shows_the_protocol_with_its_costs() {
    let trace = play("mahjong-straightforward", &["--seed", "5", "--trace"]).stdout;
    let first: Vec<&str> = trace.lines().take(4).collect();
    assert!(first[0].starts_with("1: game mahjong seat 1 void_suit=false"), "{}", first[0]);
    assert!(first[0].ends_with(" fuel)"));
    assert!(first[1].starts_with("2: game mahjong seat 2"));
    assert!(!first[1].contains("fuel"), "a reference opponent is not metered");
    assert!(trace.lines().any(|line| line.starts_with("1: discard? -> ")), "{trace}");
}

#[test]
fn a_replay_shows_the_round_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("round.jsonl");
    let path = path.to_str().unwrap();
    let played = play("mahjong-distance", &["--seed", "5", "--replay", path]);
    let replayed = run(["replay", path]);
    assert_eq!(replayed.code, 0, "{}", replayed.stderr);
    let (_, end) = played.stdout.split_once("\n\nseat 1 (mahjong-distance) wins").unwrap();
    assert!(replayed.stdout.ends_with(end), "{}", replayed.stdout);

    let one = run(["replay", path, "--move", "3"]);
    assert_eq!(one.code, 0);
    assert!(one.stdout.contains("move 3: seat 1: discard? -> "), "{}", one.stdout);
    assert!(!one.stdout.contains("move 2:"));
    assert_eq!(run(["replay", path, "--move", "999"]).code, 2);
}

#[test]
fn a_replay_can_be_drawn_at_any_move_and_at_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let [round, end] = ["round.jsonl", "end.svg"].map(|name| folder.path().join(name));
    let bot = sample("cc-runner");
    let arguments = ["play".as_ref(), bot.as_os_str(), "--replay".as_ref(), round.as_os_str()];
    assert_eq!(run(arguments).code, 0);
    let draw = |rest: &[&OsStr]| run(["replay".as_ref(), round.as_os_str()].iter().chain(rest));
    let first = draw(&["--move", "1", "--svg", "-"].map(OsStr::new));
    assert!(first.code == 0 && first.stdout.starts_with("<svg"), "{}", first.stderr);
    let ran = draw(&["--svg".as_ref(), end.as_os_str()]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    let last = std::fs::read_to_string(end).unwrap();
    assert!(last.contains("wins") || last.contains("won"), "{last}");
    assert!(!first.stdout.contains("wins") && !first.stdout.contains("won"));
    assert_eq!(draw(&["--move", "9999", "--svg", "-"].map(OsStr::new)).code, 2);
}

#[test]
fn a_replay_that_cannot_be_written_is_refused_before_the_round() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no/such/folder/round.jsonl");
    let person = ["play", "human", "--game", "cc", "--replay", path.to_str().unwrap()];
    let ran = run(person);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "nothing was asked");
    assert!(ran.stderr.contains("cannot write"), "{}", ran.stderr);
    // An existing file is not lost if its round cannot be played.
    let kept = write(folder.path(), "kept.jsonl", "kept");
    assert_eq!(
        play("cc-runner", &["--against", "nobody", "--replay", kept.to_str().unwrap()]).code,
        2
    );
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "kept");
}

#[test]
fn a_changed_replay_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("round.jsonl");
    play("mahjong-distance", &["--seed", "5", "--replay", path.to_str().unwrap()]);
    let text = std::fs::read_to_string(&path).unwrap();
    let changed =
        write(folder.path(), "changed.jsonl", text.replacen("\"seed\":5", "\"seed\":7", 1));
    let ran = run([OsString::from("replay"), changed.into()]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("changed after it was written"), "{}", ran.stderr);
    let nonsense = write(folder.path(), "nonsense.jsonl", "{}\n{}\n{}\n");
    let ran = run([OsString::from("replay"), nonsense.into()]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("line 1: "), "{}", ran.stderr);
}

#[test]
fn a_forged_replay_with_a_valid_seal_is_refused() {
    use judge_core::{RoundRecord, SeatSpec};

    type Forge = fn(&mut RoundRecord);
    let forgeries: [Forge; 5] = [
        |record| record.calls[3].line = "draw 9d".to_owned(),
        |record| record.calls[2].fuel = None,
        |record| record.calls.push(record.calls[3].clone()),
        |record| record.trailer.outcome.scores = [1000, 0],
        |record| record.trailer.fault = Some(judge_core::Fault::judge("\u{1b}[31mno")),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("round.jsonl");
    play("mahjong-distance", &["--seed", "5", "--replay", path.to_str().unwrap()]);
    let honest = RoundRecord::from_replay(&std::fs::read_to_string(&path).unwrap()).unwrap();
    for (number, forge) in forgeries.iter().enumerate() {
        let mut record = honest.clone();
        forge(&mut record);
        let forged = write(folder.path(), "forged.jsonl", record.to_replay());
        let ran = run([OsString::from("replay"), forged.into()]);
        assert_eq!(ran.code, 3, "forgery {number}: {}", ran.stderr);
        assert!(ran.stderr.contains("not a round as the judge writes it"), "{}", ran.stderr);
        assert!(!ran.stdout.contains('\x1b') && !ran.stderr.contains('\x1b'));
    }
    // A name may be anything, but is escaped for terminals.
    let mut record = honest;
    record.header.spec.seats[0] =
        SeatSpec::Bot { name: "\u{1b}[31mred".to_owned(), sha256: judge_core::digest(b"") };
    let named = write(folder.path(), "named.jsonl", record.to_replay());
    let ran = run([OsString::from("replay"), named.into()]);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.contains(r"\u{1b}[31mred") && !ran.stdout.contains('\x1b'));
}

#[test]
fn two_bots_play_each_other_in_either_seat() {
    let other = sample("mahjong-straightforward");
    let against = ["--seed", "5", "--against", other.to_str().unwrap()];
    let ran = play("mahjong-distance", &against);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("seat 1 (mahjong-distance): "), "{}", ran.stdout);
    assert!(ran.stdout.contains("seat 2 (mahjong-straightforward): "), "{}", ran.stdout);
    let second = play("mahjong-distance", &[&against[..], &["--seat", "2"]].concat());
    assert!(second.stdout.contains("seat 2 (mahjong-distance): "), "{}", second.stdout);
    let self_play =
        play("mahjong-distance", &["--against", sample("mahjong-distance").to_str().unwrap()]);
    assert_eq!(self_play.code, 0, "{}", self_play.stderr);
}

#[test]
fn a_budget_of_exactly_the_spent_fuel_suffices() {
    let trace = play("mahjong-distance", &["--seed", "5", "--trace"]).stdout;
    let own = trace.lines().filter(|line| line.starts_with("1: "));
    let costs =
        own.filter_map(|line| line.rsplit_once('(')?.1.strip_suffix(" fuel)")?.parse::<u64>().ok());
    let spent: u64 = costs.sum();
    let exact = spent.to_string();
    assert_eq!(play("mahjong-distance", &["--seed", "5", "--fuel", &exact]).code, 0);
    let short = (spent - 1).to_string();
    let ran = play("mahjong-distance", &["--seed", "5", "--fuel", &short]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("Time limit exceeded"), "{}", ran.stdout);
}

#[test]
fn options_are_sent_to_the_players() {
    let ran = play("mahjong-distance", &["--option", "void_suit=true", "--trace"]);
    assert!(ran.stdout.contains("seat 1 void_suit=true"), "{}", ran.stdout);
    let unknown = play("mahjong-distance", &["--option", "joker=1"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("unknown option `joker`"), "{}", unknown.stderr);
    assert_eq!(play("mahjong-distance", &["--option", "void_suit"]).code, 2);
}

#[test]
fn unknown_games_opponents_and_files_are_named() {
    let game = play("mahjong-distance", &["--game", "chess"]);
    assert_eq!(game.code, 2);
    assert!(game.stderr.contains("unknown game `chess`: the games are "), "{}", game.stderr);
    let opponent = play("mahjong-distance", &["--against", "dragon"]);
    assert_eq!(opponent.code, 2);
    assert!(opponent.stderr.contains("unknown opponent `dragon`"), "{}", opponent.stderr);
    let file = play("mahjong-distance", &["--against", "dragon.wasm"]);
    assert_eq!(file.code, 3);
}

#[test]
fn an_invalid_module_is_invalid_input_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), "notes.txt", "#include \"brain.h\"\n");
    let ran = run([OsString::from("play"), source.into(), "--game".into(), "mahjong".into()]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("not a WebAssembly module: it looks like a text file"));
    assert!(ran.stderr.contains("\n\nhint: "), "{}", ran.stderr);
}

#[test]
fn a_trace_of_one_move_has_the_lines_that_led_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("round.jsonl");
    let replay = path.to_str().unwrap();
    assert_eq!(play("mahjong-hunter", &["--replay", replay]).code, 0);
    let shown = |more: &[&str]| -> String {
        let ran = run([&["replay", replay][..], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    let whole = shown(&["--trace"]);
    let is_traced = |line: &&str| line.starts_with("1: ") || line.starts_with("2: ");
    let all: Vec<&str> = whole.lines().filter(is_traced).collect();
    let mut joined = Vec::new();
    let moves = whole.lines().filter(|line| line.starts_with("move ")).count();
    let mut texts = Vec::new();
    for number in 1..=moves {
        let text = shown(&["--trace", "--move", &number.to_string()]);
        assert_eq!(text.lines().filter(|line| line.starts_with("move ")).count(), 1);
        texts.push(text);
    }
    texts.iter().for_each(|text| joined.extend(text.lines().filter(is_traced)));
    assert!(moves > 3 && joined.len() > moves, "{whole}");
    assert_eq!(joined, all[..joined.len()], "each line once, and in order");
    let rest = &all[joined.len()..];
    assert!(rest.iter().all(|line| !line.contains(" -> ")), "what follows the last move: {rest:?}");
    assert!(shown(&["--move", "2"]).lines().all(|line| !is_traced(&line)));
}

#[test]
fn a_round_without_a_page_is_summarised_with_its_last_position() {
    let ran = play("cc-flood", &["--seed", "5"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[0], "cc, seed 5: seat 1 cc-flood, seat 2 random");
    assert!(lines[1].starts_with("most expensive call: seat 1, `move?` at line "), "{}", lines[1]);
    assert_eq!(lines[2], "17 answers, the last of them:");
    assert!(lines[3].starts_with("  move 15: seat 1: move? -> "), "{}", lines[3]);
    assert!(lines[5].starts_with("  move 17: seat 1: move? -> ") && lines[6].is_empty());
    assert_eq!(lines[7], "the last position:");
    assert!(lines[8].trim_start().starts_with("0  1  2  3"), "a board: {}", lines[8]);
    assert!(lines.contains(&"seat 1 (cc-flood) wins 2:0 (target)"), "{}", ran.stdout);
    // All formats show the same, and a page shows more.
    let trace = play("cc-flood", &["--seed", "5", "--trace"]).stdout;
    assert!(!trace.contains("the last position"), "{trace}");
}

#[test]
fn a_fault_is_printed_with_its_position() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "silent.wasm", wat::parse_str(SILENT_BOT).unwrap());
    let ran = run(["play".as_ref(), bot.as_os_str(), "--game".as_ref(), "cc".as_ref()]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("\nno question was answered\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nthe position at the fault (line 3):\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("seat 1 (silent) at line 3: "), "{}", ran.stdout);
}

#[test]
fn a_round_is_written_as_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let [page, kept] = ["round.html", "a round.jsonl"].map(|name| folder.path().join(name));
    let [page, kept] = [&page, &kept].map(|path| path.to_str().unwrap());
    let ran = play("cc-flood", &["--seed", "5", "--html", page, "--replay", kept]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("seat 1 (cc-flood) wins 2:0"), "{}", ran.stdout);
    let told = format!("the round's page: `{page}`; `--open` shows it in a browser\n");
    assert_eq!(ran.stderr, told);
    let html = std::fs::read_to_string(page).unwrap();
    let digest = ran.stdout.lines().find_map(|line| line.strip_prefix("digest ")).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.contains(digest));
    let bot = sample("cc-flood");
    let check = format!("judge verify &#39;{kept}&#39; {}", bot.display());
    assert!(html.contains(&check), "the file that was saved can be checked");
    // Standard output has only the same page; without a file there is nothing to check.
    let piped = play("cc-flood", &["--seed", "5", "--html", "-"]);
    assert_eq!((piped.code, piped.stderr.as_str()), (0, ""));
    assert!(piped.stdout.starts_with("<!doctype html>") && piped.stdout.ends_with("</html>\n"));
    assert!(piped.stdout.contains(digest) && !piped.stdout.contains("judge verify"));
}

#[test]
fn a_page_overwrites_neither_the_replay_nor_the_bot() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("round");
    let path = path.to_str().unwrap();
    let bot = write(folder.path(), "bot.wasm", std::fs::read(sample("cc-flood")).unwrap());
    let bot = bot.to_str().unwrap();
    for (code, arguments) in [
        (2, &["play", bot, "--html", path, "--replay", path][..]),
        (3, &["play", bot, "--html", bot]),
        (2, &["play", bot, "--html", "-", "--open"]),
        (2, &["play", bot, "--html", path, "--trace"]),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{arguments:?}: {}", ran.stderr);
    }
    assert!(!std::path::Path::new(path).exists());
    let nowhere = folder.path().join("no/round.html");
    assert_eq!(run(["play", bot, "--html", nowhere.to_str().unwrap()]).code, 3);
}

/// A program that prints its arguments replaces the system's opener.
#[cfg(target_os = "linux")]
#[test]
fn a_page_is_opened_in_a_browser_or_its_path_is_printed() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let told = folder.path().join("told");
    assert!(std::process::Command::new("mkfifo").arg(&told).status().unwrap().success());
    let script = format!("#!/bin/sh\necho \"$@\" > '{}'\n", told.display());
    let program = |place: &str| {
        let place = folder.path().join(place);
        std::fs::create_dir(place.parent().unwrap()).unwrap();
        let program = write(folder.path(), place.to_str().unwrap(), &script);
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        program.parent().unwrap().to_owned()
    };
    let [opener, browser] = ["with-opener/xdg-open", "with-browser/chromium"].map(program);
    let opening = |path: &std::path::Path, more: &[&str]| -> Ran {
        let mut command = judge();
        let bot = sample("cc-flood");
        command.args(["play".as_ref(), bot.as_os_str(), "--open".as_ref()]).args(more);
        command.env("PATH", path).env("TMPDIR", folder.path()).output().unwrap().into()
    };
    let page = folder.path().join("-r.html");
    for programs in [&opener, &browser] {
        // Reading waits for the opener, for any time.
        let told = told.clone();
        let reader = std::thread::spawn(move || std::fs::read_to_string(told).unwrap());
        let ran = opening(programs, &["--html", page.to_str().unwrap()]);
        assert_eq!(ran.stderr, format!("the round's page: `{}`\n", page.display()));
        assert_eq!(reader.join().unwrap(), format!("{}\n", page.display()));
    }
    // Without an opener, the page is still written to a separate file.
    let ran = opening(std::path::Path::new("/nowhere"), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let (path, rest) = ran.stderr.split_once('`').unwrap().1.split_once('`').unwrap();
    assert!(rest.starts_with("; no browser was found"), "{}", ran.stderr);
    assert!(path.starts_with(folder.path().to_str().unwrap()), "{path}");
    assert!(std::fs::read_to_string(path).unwrap().starts_with("<!doctype html>"));
}

#[test]
fn a_round_starts_from_a_move_of_a_saved_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (saved, again, page) = (path("saved.jsonl"), path("again.jsonl"), path("page.html"));
    let bot = sample("mahjong-distance").display().to_string();
    let ran = run(["play", &bot, "--seed", "3", "--seat", "2", "--replay", &saved]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let from = |number: usize| format!("{saved}:{number}");
    // Game, seed, seat, opponent and limits are those of the saved round.
    let ran = run(["play", &bot, "--from", &from(9), "--replay", &again, "--html", &page]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("moves 1 to 8 are those of `saved.jsonl`"), "{}", ran.stderr);
    assert_eq!(std::fs::read(&saved).unwrap(), std::fs::read(&again).unwrap());
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("moves 1 to 8 are those of") && html.contains("judge verify"));
    assert!(
        !html.contains("mahjong-distance.wasm"),
        "without the saved answers it is another round"
    );
    let other = sample("mahjong-straightforward").display().to_string();
    for (code, more, said) in [
        (3, vec![other.as_str(), "--from", &from(900)], "moves, and no move 900"),
        (2, vec![&other, "--from", &saved], "expected a replay and a move"),
        (2, vec![&other, "--from", &from(9), "--seed", "4"], "cannot be used with"),
        (2, vec!["human", "--from", &from(9)], "people and programs outside the sandbox"),
        (2, vec![&other, "--from", &from(9), "--seat", "1"], "which is not bundled"),
    ] {
        let ran = run([&["play"], &more[..]].concat());
        assert_eq!(ran.code, code, "{more:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    let ran = run(["explain", &bot, "--from", &from(9), "--json", "-"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let numbers = found["moves"].as_array().unwrap().iter().map(|one| one["number"].as_u64());
    assert!(numbers.map(Option::unwrap).all(|number| number >= 9), "{}", ran.stdout);
}
