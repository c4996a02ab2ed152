//! `judge play human`: a person at the terminal, simulated by lines from a pipe.

use std::path::{Path, PathBuf};

use judge_core::{Call, RoundRecord, Seat, SeatSpec, Verdict};

use crate::support::{Ran, run, run_with_input, sample, write};

/// Plays with these arguments after `human`, and these lines from the person.
fn play(arguments: &[&str], lines: &[&str]) -> Ran {
    play_text(arguments, &lines.iter().map(|line| format!("{line}\n")).collect::<String>())
}

fn play_text(arguments: &[&str], text: &str) -> Ran {
    run_with_input(["play", "human"].iter().chain(arguments), text)
}

/// A folder for replays.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Plays, and reads the replay.
    fn record(&self, arguments: &[&str], lines: &[&str]) -> RoundRecord {
        let path = self.path("round.jsonl");
        let replay = ["--replay", path.to_str().unwrap()];
        let ran = play(&[arguments, &replay].concat(), lines);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        read(&path)
    }
}

fn read(path: &Path) -> RoundRecord {
    RoundRecord::from_replay(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn answers(record: &RoundRecord, seat: Seat) -> Vec<&str> {
    let own = record.calls.iter().filter(|call| call.seat == seat);
    own.filter_map(|call| call.answer.as_deref()).collect()
}

/// The other side's lines, answers and costs, which must not depend on its opponent.
fn calls(record: &RoundRecord, seat: Seat) -> Vec<Call> {
    record.calls.iter().filter(|call| call.seat == seat).cloned().collect()
}

/// Enough numbers for any game. Too high ones are refused.
fn numbers() -> Vec<&'static str> {
    ["3", "2", "1"].into_iter().cycle().take(1500).collect()
}

/// Plays a whole game by numbers, then the same game in its notation.
fn whole_game(game: &str, arguments: &[&str]) {
    let folder = Folder::new();
    let arguments = [&["--game", game][..], arguments].concat();
    let numbered = folder.record(&arguments, &numbers());
    assert_eq!(numbered.trailer.fault, None, "played to the end");
    let seat = numbered.header.spec.human().unwrap();
    let typed = folder.record(&arguments, &answers(&numbered, seat));
    assert_eq!(typed, numbered);

    let path = folder.path("round.jsonl");
    let replayed = run(["replay", path.to_str().unwrap()]);
    assert_eq!(replayed.code, 0, "{}", replayed.stderr);
    assert!(replayed.stdout.contains(&numbered.digest().to_string()), "{}", replayed.stdout);
}

#[test]
fn a_person_plays_a_whole_game_of_mahjong() {
    whole_game("mahjong", &["--seed", "3"]);
}

#[test]
fn a_person_plays_a_whole_game_of_patchwork() {
    whole_game("patchwork", &["--seat", "2"]);
}

#[test]
fn a_person_plays_a_whole_game_of_agamemnon() {
    whole_game("agamemnon", &["--seat", "2"]);
}

#[test]
fn a_person_plays_a_whole_game_of_cc() {
    whole_game("cc", &["--option", "size=5", "--option", "max_plies=60"]);
}

#[test]
fn a_person_plays_a_whole_game_of_amazons() {
    whole_game("amazons", &["--option", "size=6"]);
}

const CC: [&str; 6] = ["--game", "cc", "--option", "size=5", "--option", "opening=0"];

#[test]
fn a_short_session_prints_as_before() {
    let lines = [
        "help", "moves 1", "1,1>9,9", "hello", "1,1", "99", "0", "undo", "", "rules", "4", "undo",
        "save", "2", "board", "resign",
    ];
    let ran = play(&CC, &lines);
    assert_eq!(ran.code, 0);
    let both = format!("{}--- standard error\n{}", ran.stdout, ran.stderr);
    insta::with_settings!({ filters => vec![("[0-9a-f]{64}", "DIGEST")] }, {
        insta::assert_snapshot!(both);
    });
}

#[test]
fn a_refused_answer_does_not_change_the_round() {
    let folder = Folder::new();
    let clean = folder.record(&CC, &["0,1>0,2", "resign"]);
    let messy = folder.record(&CC, &["0,1>2,1", "nonsense", "\u{1b}[31m", "0,1>0,2", "resign"]);
    assert_eq!(answers(&clean, Seat::One), ["0,1>0,2"]);
    assert_eq!(messy, clean);
    let endless = "x".repeat(100_000);
    let ran = play(&CC, &["\u{1b}[31m", &endless, "resign"]);
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'));
    assert!(ran.stderr.contains("not understood: an answer is printable ASCII"), "{}", ran.stderr);
}

#[test]
fn an_answer_taken_back_leaves_no_trace_in_the_replay() {
    let bot = sample("mahjong-hunter");
    let hunter = ["--game", "mahjong", "--seed", "4", "--against", bot.to_str().unwrap()];
    let random = ["--game", "mahjong", "--seed", "4", "--against", "random"];
    for arguments in [hunter, random] {
        let folder = Folder::new();
        let direct = folder.record(&arguments, &["5", "1", "2", "quit"]);
        let lines = ["undo", "3", "4", "undo", "undo", "undo", "5", "1", "3", "undo", "2", "quit"];
        let turned = folder.record(&arguments, &lines);
        assert_eq!(turned, direct);
        assert_eq!(answers(&direct, Seat::One).len(), 3);
    }
}

#[test]
fn leaving_before_the_first_answer_writes_no_replay() {
    let folder = Folder::new();
    let path = folder.path("round.jsonl");
    for lines in [&["quit"][..], &[], &["3", "undo", "quit"]] {
        let replay = ["--replay", path.to_str().unwrap()];
        let ran = play(&[&CC[..], &replay].concat(), lines);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        assert!(!ran.stdout.contains("digest") && !ran.stdout.contains("by the score so far"));
        assert!(!path.exists());
    }
}

#[test]
fn leaving_later_or_ending_the_input_gives_up() {
    let folder = Folder::new();
    let quit = folder.record(&CC, &["3", "quit"]);
    assert_eq!(quit.trailer.outcome.winner, Some(Seat::Two));
    assert_eq!(quit.trailer.outcome.reason, "resigned");
    let fault = quit.trailer.fault.as_ref().unwrap();
    assert_eq!((fault.seat, fault.verdict), (Some(Seat::One), Verdict::Resigned));
    assert_eq!(folder.record(&CC, &["3", "resign"]), quit);
    assert_eq!(folder.record(&CC, &["3"]), quit);

    let ended = play_text(&CC, "3");
    assert_eq!(ended.code, 0, "the last line needs no line feed");
    assert!(ended.stdout.contains("by the score so far, it would have been a draw 1:1"));
    assert!(ended.stdout.ends_with(&format!("digest {}\n", quit.digest())), "{}", ended.stdout);
}

#[test]
fn a_saved_round_ends_as_given_up_at_its_question() {
    let folder = Folder::new();
    let path = folder.path("saved so far.jsonl");
    let save = format!("save {}", path.display());
    let nowhere = format!("save {}", folder.path("no/such/folder.jsonl").display());
    let whole = folder.record(&CC, &["3", &save, &nowhere, "1", "resign"]);
    assert_eq!(answers(&whole, Seat::One).len(), 2, "the game went on");
    assert_eq!(read(&path), folder.record(&CC, &["3", "resign"]));
    let replayed = run([Path::new("replay"), &path]);
    assert_eq!(replayed.code, 0, "{}", replayed.stderr);
    assert!(replayed.stdout.contains("Resigned: seat 1 (human)"), "{}", replayed.stdout);
}

#[test]
fn opponents_answer_a_person_and_a_bot_alike() {
    let folder = Folder::new();
    let (bot, other) = (sample("mahjong-straightforward"), sample("mahjong-distance"));
    for against in [other.to_str().unwrap(), "random", "distance"] {
        let path = folder.path("bots.jsonl");
        let seed = ["--seed", "6", "--against", against];
        let replay = ["--replay", path.to_str().unwrap()];
        let arguments = [&["play", bot.to_str().unwrap()][..], &seed, &replay].concat();
        assert_eq!(run(arguments).code, 0);
        let bots = read(&path);
        let arguments = [&["--game", "mahjong", "--name", "Ada"][..], &seed].concat();
        let person = folder.record(&arguments, &answers(&bots, Seat::One));
        assert_eq!(person.header.spec.seat(Seat::One).name(), "Ada");
        assert_eq!(calls(&person, Seat::Two), calls(&bots, Seat::Two), "{against}");
        assert_eq!(person.trailer.outcome, bots.trailer.outcome);
        assert_eq!(
            person.trailer.peak_memory_bytes[Seat::Two],
            bots.trailer.peak_memory_bytes[Seat::Two]
        );
    }
}

#[test]
fn a_bot_that_fails_loses_and_its_limits_are_counted() {
    let bot = sample("mahjong-distance");
    let arguments = ["--against", bot.to_str().unwrap(), "--fuel", "200000"];
    let ran = play(&arguments, &["1"; 60]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("Time limit exceeded: seat 2 (mahjong-distance)"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("seat 1 (human) wins"), "{}", ran.stdout);
}

#[test]
fn the_output_never_shows_hidden_tiles() {
    let folder = Folder::new();
    for (seed, seat) in (1..=8).flat_map(|seed| [(seed, Seat::One), (seed, Seat::Two)]) {
        let (seed, own) = (seed.to_string(), seat.to_string());
        let path = folder.path("round.jsonl");
        let replay = path.to_str().unwrap();
        let arguments = ["--game", "mahjong", "--seed", &seed, "--seat", &own, "--replay", replay];
        let ran = play(&arguments, &["1", "moves", "help", "2", "board", "quit"]);
        let record = read(&path);
        let hidden = secret(&record, seat);
        assert!(hidden.len() > 2, "{hidden:?}");
        let shown = format!("{}{}", ran.stdout, ran.stderr);
        for tile in &hidden {
            assert!(!shown.split([' ', '\n', '`']).any(|word| word == tile), "{tile}:\n{shown}");
        }
        // A hand is also written suit by suit: the line of the other side has no tiles.
        let line = format!("  seat {}  ", seat.other());
        let lines: Vec<&str> = shown.lines().filter(|shown| shown.starts_with(&line)).collect();
        assert!(!lines.is_empty());
        assert!(lines.iter().all(|line| line.ends_with(" hidden tiles")), "{lines:?}");
    }
}

/// Tiles that the other side drew and the person never saw.
fn secret(record: &RoundRecord, person: Seat) -> Vec<String> {
    let drawn = |seat: Seat| {
        let calls = record.calls.iter().filter(move |call| call.seat == seat);
        calls.filter_map(|call| call.line.strip_prefix("draw ")).map(str::to_owned)
    };
    let seen = record.calls.iter().filter(|call| call.seat == person);
    let seen: Vec<&str> = seen.flat_map(|call| call.line.split(' ')).collect();
    drawn(person.other()).filter(|tile| !seen.contains(&tile.as_str())).collect()
}

#[test]
fn bad_arguments_of_human_are_refused_before_the_round() {
    let no_game = play(&[], &[]);
    assert_eq!(no_game.code, 2);
    assert!(no_game.stderr.starts_with("error: which game do you want to play?\n\nhint: "));
    let opponent = play(&["--game", "cc", "--against", "dragon"], &[]);
    assert_eq!(opponent.code, 2);
    assert!(opponent.stderr.contains("unknown opponent `dragon`"), "{}", opponent.stderr);
    let option = play(&["--game", "cc", "--option", "size=99"], &[]);
    assert_eq!((option.code, option.stdout.as_str()), (2, ""));
    let names = play(&["--game", "cc", "--name", "Ada", "--name", "Bob"], &[]);
    assert_eq!(names.code, 2);
    assert!(names.stderr.contains("2 names for 1 people"), "{}", names.stderr);

    let bot = sample("mahjong-distance");
    let swapped = run([Path::new("play"), &bot, Path::new("--against"), Path::new("human")]);
    assert_eq!(swapped.code, 2);
    assert!(swapped.stderr.contains("hint: `judge play human --against BOT.wasm --seat 2`"));
    let folder = Folder::new();
    let broken = write(folder.0.path(), "broken.wasm", b"not wasm");
    let broken = play(&["--game", "cc", "--against", broken.to_str().unwrap()], &[]);
    assert_eq!((broken.code, broken.stdout.as_str()), (3, ""));
}

#[test]
fn an_answer_taken_back_can_be_given_again() {
    let folder = Folder::new();
    let direct = folder.record(&CC, &["3", "1", "2", "resign"]);
    let lines = ["redo", "3", "1", "2", "undo", "undo", "undo", "redo", "redo", "redo", "redo"];
    let path = folder.path("again.jsonl");
    let replay = ["--replay", path.to_str().unwrap()];
    let ran = play(&[&CC[..], &replay].concat(), &[&lines[..], &["resign"]].concat());
    assert_eq!((ran.code, read(&path)), (0, direct));
    let nothing = ran.stderr.matches("nothing was taken back\n").count();
    assert_eq!(nothing, 2, "before the first answer, and after the last: {}", ran.stderr);
    assert_eq!(ran.stdout.matches("given again: ").count(), 3, "{}", ran.stdout);
    // Another answer clears the list.
    let ran = play(&CC, &["3", "1", "undo", "2", "redo", "quit"]);
    assert!(ran.stderr.contains("nothing was taken back\n"), "{}", ran.stderr);
}

#[test]
fn the_list_of_answers_names_the_captured_man() {
    let takes = |seed: u64| {
        let cc = judge_games::find("cc").unwrap();
        let mut running = cc.start(&judge_core::Options::new(), judge_core::Seed(seed)).unwrap();
        judge_games::next_question(running.as_mut(), &mut String::new());
        let legal = running.legal();
        legal.iter().find_map(|path| Some(format!("{path} {}", running.remark(path)?)))
    };
    let (seed, listed) = (1..200).find_map(|seed| Some((seed, takes(seed)?))).unwrap();
    let ran = play(&["--game", "cc", "--seed", &seed.to_string()], &["moves", "quit"]);
    assert!(ran.stdout.contains(&listed), "{listed}: {}", ran.stdout);
    let path = listed.split(' ').next().unwrap();
    let ran = play(&["--game", "cc", "--seed", &seed.to_string()], &[path, "quit"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (0, ""),
        "the answer is the path without the remark"
    );
}

/// A round of two people: one pipe has both players' answers in the order of the questions.
fn two_people(game: &[&str], lines: &[&str]) -> (Ran, RoundRecord) {
    let folder = Folder::new();
    let path = folder.path("two.jsonl");
    let replay = ["--against", "human", "--replay", path.to_str().unwrap()];
    let ran = play(&[game, &replay].concat(), lines);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let record = read(&path);
    let checked = run([Path::new("verify"), &path]);
    // A round with a person cannot be verified fully, because the answers cannot be asked again.
    assert_eq!(checked.code, 5, "{}{}", checked.stdout, checked.stderr);
    assert!(checked.stdout.contains("nothing contradicts the replay"), "{}", checked.stdout);
    let digest = record.digest().to_string();
    assert!(checked.stdout.contains(&digest) && ran.stdout.contains(&digest), "{}", ran.stdout);
    let replayed = run([Path::new("replay"), &path]);
    assert!(replayed.code == 0 && replayed.stdout.contains(&digest), "{}", replayed.stderr);
    (ran, record)
}

#[test]
fn two_people_play_at_one_terminal() {
    let names = ["--name", "Ada", "--name", "Bob"];
    let lines = ["1", "2", "undo", "undo", "redo", "3", "nonsense", "1", "resign"];
    let (ran, record) = two_people(&[&CC[..], &names].concat(), &lines);
    let [ada, bob] = Seat::BOTH.map(|seat| answers(&record, seat));
    assert_eq!((ada.len(), bob.len()), (2, 1));
    assert_eq!(record.header.spec.seats.each_ref().map(SeatSpec::name), ["Ada", "Bob"]);
    let fault = record.trailer.fault.as_ref().unwrap();
    assert_eq!((fault.seat, fault.verdict), (Some(Seat::Two), Verdict::Resigned));
    for said in [
        "Ada is seat 1, Bob is seat 2; you take turns here",
        "seat 2 (Bob) is next",
        "seat 1 (Ada): your move (",
        "seat 2, move> 2",
        "Ada played ",
        "Bob played ",
    ] {
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
    }
    // The first name can be that of seat 2.
    let seat = [&CC[..], &names, &["--seat", "2"]].concat();
    let (_, record) = two_people(&seat, &["1", "quit"]);
    assert_eq!(record.header.spec.seats.each_ref().map(SeatSpec::name), ["Bob", "Ada"]);
    let (ran, record) = two_people(&CC, &["1", "quit"]);
    assert_eq!(record.header.spec.seats.each_ref().map(SeatSpec::name), ["human 1", "human 2"]);
    assert!(
        ran.stdout.contains("by the score so far, it would have been a draw 1:1"),
        "{}",
        ran.stdout
    );
}

#[test]
fn two_people_play_every_game_to_its_end() {
    for game in judge_games::all() {
        let options: &[&str] = match game.name() {
            "cc" => &["--option", "size=5", "--option", "max_plies=60"],
            "amazons" => &["--option", "size=6"],
            _ => &[],
        };
        let arguments = [&["--game", game.name()][..], options].concat();
        let (_, record) = two_people(&arguments, &numbers());
        assert_eq!(record.trailer.fault, None, "{} is played to its end", game.name());
    }
}

/// At each question the screen has the asked person's information and none of the other's.
#[test]
fn two_people_each_see_only_the_view_of_their_seat() {
    let (ran, record) = two_people(&["--game", "mahjong", "--seed", "3"], &["1", "1", "1", "quit"]);
    let turns: Vec<&str> = ran.stdout.split(" is next\n").collect();
    assert_eq!(turns.len(), 5, "{}", ran.stdout);
    for (seat, turn) in [Seat::One, Seat::Two, Seat::One, Seat::Two].into_iter().zip(&turns[1..]) {
        let other = format!("  seat {}  ", seat.other());
        let lines: Vec<&str> = turn.lines().filter(|line| line.starts_with(&other)).collect();
        assert!(!lines.is_empty(), "{turn}");
        assert!(lines.iter().any(|line| line.ends_with(" hidden tiles")), "{lines:?}");
        let drawn = record.calls.iter().filter(|call| call.seat == seat);
        let drawn = drawn.filter_map(|call| call.line.strip_prefix("draw "));
        assert!(drawn.count() > 13);
    }
    assert!(
        turns[1].contains("you drew ") && turns[2].contains("you drew "),
        "each is told theirs"
    );
    let arguments = ["--game", "agamemnon", "--seed", "2", "--option", "redraw=never"];
    let (ran, record) = two_people(&arguments, &["1", "1", "1", "quit"]);
    let asked = record.calls.iter().filter(|call| call.line.starts_with("move? "));
    let drawn: Vec<&str> = asked.map(|call| call.line.split(' ').nth(1).unwrap()).collect();
    let turns: Vec<&str> = ran.stdout.split(" is next\n").skip(1).collect();
    for (turn, kinds) in turns.iter().zip(&drawn) {
        assert!(turn.contains(&format!(" drew {kinds}")), "{kinds}: {turn}");
    }
}

#[test]
fn a_round_of_a_person_can_be_written_as_a_page() {
    let folder = Folder::new();
    let page = folder.0.path().join("round.html");
    let game = ["--game", "cc", "--html", page.to_str().unwrap()];
    let ran = play(&game, &["1", "1", "resign"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!ran.stdout.contains("the last position:"), "the person has seen it: {}", ran.stdout);
    let html = std::fs::read_to_string(page).unwrap();
    assert!(
        html.contains("seat 1</span>, person") && !html.contains("judge verify"),
        "nothing to check"
    );
}
