//! `judge record`: many games as training data.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use judge_core::{Options, RecordedGame, Seat, Verdict};
use judge_games::{Step, next_question, patchwork};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value;

use crate::support::{Ran, judge, run, sample, write};

/// Records into a folder.
fn record(out: &Path, arguments: &[&str]) -> Ran {
    run([&["record", "--out", out.to_str().unwrap()][..], arguments].concat())
}

fn recorded(out: &Path, arguments: &[&str]) -> Ran {
    let ran = record(out, arguments);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    ran
}

/// A short recording in all formats.
const SHORT: [&str; 6] = [
    "--game=patchwork",
    "--players=greedy,random",
    "--games=11",
    "--part=4",
    "--seed=7",
    "--format=jsonl,parquet,csv",
];

/// Every file in a folder by its relative path, except the empty lock file.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, bytes)| (name.join(inner), bytes)));
        } else if name != Path::new(".lock") {
            found.insert(name, std::fs::read(path).unwrap());
        }
    }
    found
}

fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(other[name] == *bytes, "{}", name.display());
    }
}

/// The games in the lines of a recording.
fn games(out: &Path) -> Vec<RecordedGame> {
    let parts = files(&out.join("jsonl"));
    let text: String = parts.into_values().map(|part| String::from_utf8(part).unwrap()).collect();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Rows of all parts of a table.
fn rows(folder: &Path) -> Vec<BTreeMap<String, Field>> {
    let mut all = Vec::new();
    for name in files(folder).keys() {
        let file = std::fs::File::open(folder.join(name)).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        all.extend(
            reader
                .get_row_iter(None)
                .unwrap()
                .map(|row| row.unwrap().into_columns().into_iter().collect()),
        );
    }
    all
}

#[test]
fn the_number_of_jobs_does_not_change_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    let [one, four] = ["one", "four"].map(|name| folder.path().join(name));
    let ran = recorded(&one, &[&SHORT[..], &["--jobs=1"]].concat());
    recorded(&four, &[&SHORT[..], &["--jobs=4"]].concat());
    assert_same(&one, &four);
    let names: Vec<String> = files(&one).keys().map(|name| name.display().to_string()).collect();
    insta::assert_snapshot!(names.join("\n"), @r"
    csv/part-00000.csv
    csv/part-00001.csv
    csv/part-00002.csv
    games/part-00000.parquet
    games/part-00001.parquet
    games/part-00002.parquet
    jsonl/part-00000.jsonl
    jsonl/part-00001.jsonl
    jsonl/part-00002.jsonl
    plies/part-00000.parquet
    plies/part-00001.parquet
    plies/part-00002.parquet
    record.json
    ");
    let told = ran.stdout.split(", ").filter(|part| !part.ends_with("KiB: greedy won 9"));
    assert_eq!(
        told.collect::<Vec<_>>(),
        ["recorded 11 games", "469 rows", "in 3 parts", "random won 2", "0 drawn\n"]
    );
    let bytes: usize = files(&one).values().map(Vec::len).sum();
    let plan = files(&one)[Path::new("record.json")].len();
    let kib = format!(" {} KiB:", (bytes - plan).div_ceil(1024));
    assert!(ran.stdout.contains(&kib), "{}", ran.stdout);
    let plan: Value = serde_json::from_slice(&files(&one)[Path::new("record.json")]).unwrap();
    assert_eq!(plan["limits"], Value::Null, "they are for bots");
    let command = "judge record --game patchwork --players greedy,random --games 11 --seed 7 \
                   --part 4 --format jsonl,parquet,csv";
    assert_eq!(plan["command"], command);
    // The printed command makes the same files.
    let again = folder.path().join("again");
    let words: Vec<&str> = command.split(' ').skip(2).collect();
    recorded(&again, &words);
    assert_same(&one, &again);
}

#[test]
fn recorded_tables_and_lines_have_the_same_content() {
    let folder = tempfile::tempdir().unwrap();
    recorded(folder.path(), &SHORT);
    let games = games(folder.path());
    assert_eq!(games.iter().map(|game| game.game).collect::<Vec<_>>(), Vec::from_iter(0..11));
    assert_eq!(rows(&folder.path().join("games")), games.iter().map(game_row).collect::<Vec<_>>());
    let plies = games.iter().flat_map(|game| (0..game.plies.len()).map(|ply| ply_row(game, ply)));
    assert_eq!(rows(&folder.path().join("plies")), plies.collect::<Vec<_>>());
}

fn row<const N: usize>(columns: [(&str, Field); N]) -> BTreeMap<String, Field> {
    columns.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn text(text: &str) -> Field {
    Field::Str(text.to_owned())
}

fn number(seat: Seat) -> Field {
    Field::Byte(u8::from(seat) as i8)
}

/// A game without faults as a row of the table of games.
fn game_row(game: &RecordedGame) -> BTreeMap<String, Field> {
    assert_eq!(game.fault, None);
    row([
        ("game", Field::ULong(game.game)),
        ("seed", Field::ULong(game.seed.0)),
        ("player_1", text(&game.players[0])),
        ("player_2", text(&game.players[1])),
        ("score_1", Field::Long(game.outcome.scores[0])),
        ("score_2", Field::Long(game.outcome.scores[1])),
        ("winner", game.outcome.winner.map_or(Field::Byte(0), number)),
        ("reason", text(&game.outcome.reason)),
        ("plies", Field::Int(game.plies.len() as i32)),
        ("fault", Field::Null),
        ("fault_seat", Field::Null),
        ("fault_detail", Field::Null),
        ("fault_answer", Field::Null),
    ])
}

fn ply_row(game: &RecordedGame, at: usize) -> BTreeMap<String, Field> {
    let ply = &game.plies[at];
    let (own, other) = (ply.seat.index(), ply.seat.other().index());
    row([
        ("game", Field::ULong(game.game)),
        ("seed", Field::ULong(game.seed.0)),
        ("ply", Field::Int(at as i32)),
        ("seat", number(ply.seat)),
        ("player", text(&game.players[own])),
        ("question", text(&ply.question)),
        ("state", text(&ply.state)),
        ("move", text(&ply.answer)),
        ("legal", Field::Int(ply.legal as i32)),
        ("own_score", Field::Long(ply.scores[own])),
        ("other_score", Field::Long(ply.scores[other])),
        ("own_final", Field::Long(game.outcome.scores[own])),
        ("other_final", Field::Long(game.outcome.scores[other])),
        ("result", Field::Byte(game.result_for(ply.seat) as i8)),
        ("faulted", Field::Bool(game.fault.is_some())),
        ("fuel", ply.fuel.map_or(Field::Null, |fuel| Field::Long(fuel as i64))),
    ])
}

#[test]
fn every_recorded_state_can_be_resumed_with_its_move() {
    for game in judge_games::all() {
        let folder = tempfile::tempdir().unwrap();
        let [weak, other] = [0, 1].map(|at| game.opponents()[at].name);
        let players = format!("--players={weak},{other}");
        let name = format!("--game={}", game.name());
        recorded(folder.path(), &[&name, &players, "--games=4", "--seed=3", "--format=jsonl"]);
        for recorded in games(folder.path()) {
            assert!(!recorded.plies.is_empty());
            for ply in &recorded.plies {
                let at = format!("{}: {}", game.name(), ply.state);
                let resumed = game.resume(&Options::new(), recorded.seed, &ply.state);
                let mut running = resumed.unwrap_or_else(|error| panic!("{at}: {error}"));
                let mut line = String::new();
                assert_eq!(next_question(running.as_mut(), &mut line), Step::Ask(ply.seat), "{at}");
                assert_eq!(line.split('?').next(), Some(ply.question.as_str()), "{at}");
                assert_eq!(running.legal().len() as u64, ply.legal, "{at}");
                assert_eq!(running.standing().scores, ply.scores, "{at}");
                assert!(running.answer(&ply.answer).is_ok(), "{at}: {}", ply.answer);
            }
        }
    }
}

#[test]
fn lines_in_the_original_format_lead_to_their_scores() {
    let folder = tempfile::tempdir().unwrap();
    recorded(folder.path(), &SHORT);
    let lines: String = files(&folder.path().join("csv"))
        .into_values()
        .map(|part| String::from_utf8(part).unwrap())
        .collect();
    assert_eq!(lines.lines().count(), 11);
    for line in lines.lines() {
        let [circle, placements, winner, one, two, margin] =
            line.split(',').collect::<Vec<_>>().try_into().unwrap();
        let mut position =
            patchwork::Position::new(patchwork::Rules::default(), circle.parse().unwrap());
        for made in patchwork::parse_moves(placements).unwrap() {
            position.play(made).unwrap();
        }
        let state = format!("{circle} {placements}");
        let game = judge_games::find("patchwork").unwrap();
        let ended = game.resume(&Options::new(), judge_core::Seed(0), &state).unwrap();
        let outcome = ended.standing().outcome.unwrap();
        let [one, two]: [i64; 2] = [one, two].map(|score| score.parse().unwrap());
        assert_eq!(outcome.scores, [one, two]);
        assert_eq!(outcome.winner.unwrap().to_string(), winner);
        assert_eq!(margin.parse(), Ok(one.abs_diff(two)));
    }
}

#[test]
fn an_interrupted_recording_ends_with_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let [undisturbed, killed] = ["undisturbed", "killed"].map(|name| folder.path().join(name));
    let arguments = ["--game=patchwork", "--players=greedy,first", "--games=200", "--part=2"];
    recorded(&undisturbed, &[&arguments[..], &["--jobs=2"]].concat());
    let whole = |entry: &std::io::Result<std::fs::DirEntry>| {
        entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with("part-")
    };
    let parts = |out: &Path| {
        std::fs::read_dir(out.join("plies")).map_or(0, |entries| entries.filter(whole).count())
    };
    let mut command = judge();
    command.args(["record", "--out"]).arg(&killed).args(arguments).arg("--jobs=2");
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while parts(&killed) < 4 {
        assert_eq!(child.try_wait().unwrap(), None, "it has ended before it was killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let there = parts(&killed);
    assert!((4..100).contains(&there), "killed with {there} of 100 parts there");
    // Like after a kill in the middle of a part: one file of two is missing, and another is
    // unfinished.
    std::fs::remove_file(killed.join("games/part-00001.parquet")).unwrap();
    std::fs::write(killed.join("games/.part-00001.parquet.unfinished"), "half").unwrap();

    let ran = record(&killed, &arguments);
    assert_eq!(ran.code, 3);
    assert!(
        ran.stderr.contains("already\n\nhint: go on") || ran.stderr.contains("--resume"),
        "{}",
        ran.stderr
    );
    let ran = recorded(&killed, &[&arguments[..], &["--resume"]].concat());
    assert!(ran.stderr.contains("of 100 parts are there"), "{}", ran.stderr);
    assert_same(&undisturbed, &killed);
    let ran = recorded(&killed, &[&arguments[..], &["--resume"]].concat());
    assert_eq!(ran.stdout, "nothing to record: all parts are there, 100 of them\n");
    assert_same(&undisturbed, &killed);
}

/// Records with a file size limit of `kib` KiB, which a shell can set.
fn record_with_little_room(out: &Path, kib: usize, arguments: &[&str]) -> Ran {
    let command = judge();
    let mut shell = Command::new("sh");
    // Without the trap the process is killed instead of getting an error.
    shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", kib * 2)]);
    shell.arg(command.get_program()).arg("record").arg("--out").arg(out).args(arguments);
    shell.stdin(Stdio::null()).output().unwrap().into()
}

#[test]
#[cfg_attr(not(unix), ignore = "a shell limits the size of files")]
fn a_recording_reports_a_full_disk_and_continues_later() {
    let folder = tempfile::tempdir().unwrap();
    let [undisturbed, full] = ["undisturbed", "full"].map(|name| folder.path().join(name));
    recorded(&undisturbed, &SHORT);
    let arguments = [&SHORT[..], &["--resume"]].concat();
    for kib in [1, 8, 32] {
        let ran = record_with_little_room(&full, kib, &arguments);
        assert_eq!(ran.code, 4, "{kib} KiB: {}", ran.stderr);
        assert!(ran.stderr.contains("cannot write `"), "{}", ran.stderr);
        assert!(ran.stderr.contains("hint: free disk space"), "{}", ran.stderr);
    }
    recorded(&full, &arguments);
    assert_same(&undisturbed, &full);
}

#[test]
fn the_shards_of_a_recording_add_up_to_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    recorded(&whole, &SHORT);
    let shards = ["1/2", "2/2"].map(|shard| {
        let out = folder.path().join(shard.replace('/', "-"));
        recorded(&out, &[&SHORT[..], &["--shard", shard]].concat());
        out
    });
    let [first, second] = shards.each_ref().map(|out| files(out));
    let common: Vec<_> = first.keys().filter(|name| second.contains_key(*name)).collect();
    assert_eq!(common, [Path::new("record.json")]);
    let together = first.into_iter().chain(second).collect::<BTreeMap<_, _>>();
    assert!(together == files(&whole));
    let empty = folder.path().join("empty");
    let ran = recorded(&empty, &[&SHORT[..], &["--shard=4/4"]].concat());
    assert_eq!(ran.stdout, "nothing to record: this shard has no part\n");
    // The command for the whole finds the missing part in one of them.
    let [first, _] = shards;
    let ran = recorded(&first, &[&SHORT[..], &["--resume"]].concat());
    assert!(ran.stderr.contains("2 of 3 parts are there"), "{}", ran.stderr);
    assert_same(&first, &whole);
}

/// A bot that answers each question for a move with a patch that is rarely available.
const STUBBORN_BOT: &str = r#"(module (memory (export "memory") 1)
    (func (export "judge_buffer") (result i32) i32.const 0)
    (func (export "judge_line") (param i32) (result i32)
        (if (result i32) (i32.eq (i32.load8_u (i32.const 0)) (i32.const 0x6d))
            (then (i32.store (i32.const 0) (i32.const 0x41414141)) i32.const 4)
            (else i32.const 0))))"#;

#[test]
fn failures_of_a_bot_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "stubborn.wasm", wat::parse_str(STUBBORN_BOT).unwrap());
    let out = folder.path().join("out");
    let players = format!("--players={},first", bot.display());
    let arguments = ["--game=patchwork", &players, "--games=3", "--format=jsonl,parquet,csv"];
    let ran = record(&out, &arguments);
    assert_eq!(ran.code, 1, "nothing but faults: {}", ran.stderr);
    let said = "3 games ended with a player's fault: flagged, and left out of `csv`; the first is \
                0: stubborn in seat 1: Illegal move: `AAAA`: A is not among the three patches";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    let games = games(&out);
    let seats = games.iter().map(|game| {
        let fault = game.fault.as_ref().unwrap();
        assert_eq!((fault.verdict, fault.answer.as_deref()), (Verdict::IllegalMove, Some("AAAA")));
        fault.seat
    });
    assert_eq!(seats.collect::<Vec<_>>(), [Seat::One, Seat::Two, Seat::One]);
    assert!(games[0].plies.is_empty(), "a refused answer is no row");
    assert!(!games[1].plies.is_empty());
    for row in rows(&out.join("games")) {
        assert_eq!((&row["fault"], &row["fault_answer"]), (&text("illegal-move"), &text("AAAA")));
    }
    assert!(rows(&out.join("plies")).iter().all(|row| row["faulted"] == Field::Bool(true)));
    assert!(files(&out.join("csv")).values().all(Vec::is_empty));
}

#[test]
fn a_recording_has_the_fuel_of_each_bot() {
    let folder = tempfile::tempdir().unwrap();
    let bot = sample("patchwork-quilter");
    let players = format!("--players={},greedy", bot.display());
    // The bot names its game.
    recorded(folder.path(), &[&players, "--games=4", "--jobs=2"]);
    for game in games(folder.path()) {
        assert_eq!(game.fault, None);
        for ply in &game.plies {
            let own = game.players[ply.seat.index()] == "patchwork-quilter";
            assert_eq!(ply.fuel.is_some(), own);
        }
    }
    let plan: Value =
        serde_json::from_slice(&files(folder.path())[Path::new("record.json")]).unwrap();
    assert!(plan["players"][0]["bot"].is_string() && plan["limits"]["fuel"].is_u64(), "{plan:#}");
}

#[test]
fn names_with_commas_are_escaped_in_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "a,b.wasm", wat::parse_str(STUBBORN_BOT).unwrap());
    let out = folder.path().join("out");
    let bot = bot.to_str().unwrap();
    let together = format!("--players={bot},first");
    let ran = record(&out, &["--game=patchwork", &together, "--games=1"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("two players, not 3"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("for names with commas: `--players A --players B`"),
        "{}",
        ran.stderr
    );
    let apart = ["--players", bot, "--players", "first"];
    record(&out, &[&["--game=patchwork", "--games=1"], &apart[..]].concat());
    let plan: Value = serde_json::from_slice(&files(&out)[Path::new("record.json")]).unwrap();
    assert_eq!(plan["players"][0]["name"], "a,b");
    let command = plan["command"].as_str().unwrap();
    assert!(command.contains(" --players a,b.wasm --players first "), "{command}");
}

#[test]
fn a_folder_with_another_recording_is_refused_with_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    recorded(folder.path(), &SHORT);
    let before = files(folder.path());
    let cases = [
        ("--games=11", "--games=12", "`games` is 11 in the folder and 12 in this run"),
        ("--seed=7", "--seed=8", "`seed` is 7 in the folder and 8 in this run"),
        ("--part=4", "--part=5", "`part` is 4 in the folder and 5 in this run"),
        (
            "--players=greedy,random",
            "--players=greedy,first",
            "`players[1].name` is \"random\" in the folder and \"first\" in this run",
        ),
        (
            "--format=jsonl,parquet,csv",
            "--format=jsonl,parquet",
            "`formats[2]` is \"csv\" in the folder and missing in this run",
        ),
    ];
    for (old, new, difference) in cases {
        let arguments = SHORT.map(|argument| if argument == old { new } else { argument });
        let ran = record(folder.path(), &[&arguments[..], &["--resume"]].concat());
        assert_eq!(ran.code, 2, "{new}");
        assert!(ran.stderr.contains(difference), "{new}: {}", ran.stderr);
    }
    let switched = [&SHORT[..], &["--resume", "--option=seven_by_seven=true"]].concat();
    assert!(record(folder.path(), &switched).stderr.contains("`options"));
    assert!(files(folder.path()) == before, "nothing was touched");
}

#[test]
fn bad_arguments_of_a_recording_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = |arguments: &[&str]| {
        let out = folder.path().join("out");
        let ran = record(&out, arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}: {}", ran.stderr);
        assert!(!out.exists(), "{arguments:?}");
        ran.stderr
    };
    let game = "--game=cc";
    let with = |players: &'static str| error(&[game, players, "--games=2"]);
    assert!(with("--players=smart,dragon").contains("neither a file nor an opponent"));
    assert!(with("--players=smart,human").contains("`human` can play only"));
    assert!(with("--players=smart").contains("`--players A,A` plays itself"));
    assert!(with("--players=smart,smart,smart").contains("two players, not 3"));
    assert!(error(&["--players=smart,smart", "--games=2"]).contains("no game was given"));
    let two = [game, "--players=smart,smart"];
    let also = |more: &[&str]| error(&[&two[..], more].concat());
    assert!(also(&["--games=0"]).contains("0 is not in 1.."));
    assert!(also(&["--games=2", "--format=xml"]).contains("there are jsonl, parquet, csv"));
    assert!(also(&["--games=2", "--format=csv"]).contains("this is Capturing & Conquering"));
    assert!(also(&["--games=2", "--option=size=3"]).contains("option `size` is `3`"));
    assert!(also(&["--games=200001", "--part=1"]).contains("`--part 3`"));
    assert!(also(&["--games=2", "--shard=3/2"]).contains("a part and the number of parts"));
}

#[test]
fn a_folder_without_a_recording_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "notes.txt", "mine");
    let arguments = ["--game=cc", "--players=random,random", "--games=2"];
    for more in [&[][..], &["--resume"]] {
        let ran = record(folder.path(), &[&arguments[..], more].concat());
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        assert!(ran.stderr.contains("is not empty and is not a recording"), "{}", ran.stderr);
    }
    let ran = record(&file, &arguments);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("name a folder"), "{}", ran.stderr);
    assert_eq!(files(folder.path()).len(), 1);
}
