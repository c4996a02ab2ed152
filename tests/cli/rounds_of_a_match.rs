//! The rounds of matches, tournaments and courses: the same table for every way of playing them,
//! and a replay by one command for each.

use serde_json::Value;

use crate::support::folder::Folder;
#[cfg(unix)]
use crate::support::judge;
use crate::support::{Ran, root, run, sample, write};

/// Twenty pairs, of which this bot loses some.
const MATCH: [&str; 6] =
    ["match", "mahjong-distance.wasm", "straightforward", "--rounds", "40", "--seed=1"];

impl Folder {
    /// Plays the match with further arguments.
    fn play_match(&self, more: &[&str]) -> Ran {
        self.passes(&[&MATCH[..], more].concat())
    }

    /// The rows of a file, as objects.
    fn rows(&self, file: &str, more: &[&str]) -> Vec<Value> {
        let ran = self.passes(&[&["rounds", file, "--format", "jsonl"][..], more].concat());
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn numbers(&self, file: &str, more: &[&str]) -> Vec<u64> {
        self.rows(file, more).iter().map(|row| row["round"].as_u64().unwrap()).collect()
    }

    /// Exit code and message of a command that is refused.
    fn refused(&self, arguments: &[&str]) -> (i32, String) {
        let ran = self.run(arguments);
        assert_eq!(ran.stdout, "", "{arguments:?}");
        (ran.code, ran.stderr)
    }
}

#[test]
fn jobs_and_interruptions_do_not_change_the_table_of_rounds() {
    let folder = Folder::with_bots();
    let alone = ["--jobs=1", "--journal=one.journal", "--rounds-to=one.csv", "--json=one.json"];
    folder.play_match(&alone);
    folder.play_match(&["--jobs=3", "--journal=two.journal", "--rounds-to=two.csv"]);
    let table = folder.read("one.csv");
    assert_eq!(table.lines().count(), 41);
    assert_eq!(folder.read("two.csv"), table);
    for file in ["one.journal", "two.journal", "one.json"] {
        assert_eq!(folder.passes(&["rounds", file, "--format=csv"]).stdout, table, "{file}");
    }
    let lines = folder.passes(&["rounds", "one.journal", "--format=jsonl"]).stdout;
    folder.play_match(&["--rounds-to=three.jsonl"]);
    assert_eq!(folder.read("three.jsonl"), lines);
    // A run that was interrupted and resumed.
    let journal = folder.read("two.journal");
    std::fs::write(folder.path("two.journal"), &journal[..journal.len() / 2]).unwrap();
    let unfinished = folder.passes(&["rounds", "two.journal", "--format=csv"]);
    assert!(unfinished.stderr.contains("this run is unfinished"), "{}", unfinished.stderr);
    assert!(unfinished.stdout.len() < table.len());
    folder.play_match(&["--journal=two.journal", "--resume", "--rounds-to=two.csv"]);
    assert_eq!(folder.read("two.csv"), table);
    assert_eq!(folder.passes(&["rounds", "two.journal", "--format=csv"]).stdout, table);
}

#[test]
fn rounds_after_the_decision_of_a_test_are_not_in_the_table() {
    let folder = Folder::with_bots();
    let play = |jobs: &str, name: &str| {
        let test = ["match", "mahjong-distance.wasm", "straightforward", "--seed=1"];
        let more = ["--sprt=elo0=0,elo1=100", jobs, &format!("--journal={name}"), "--json=m.json"];
        let ran = folder.run(&[&test[..], &more[..]].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let counted: Value = serde_json::from_str(&folder.read("m.json")).unwrap();
        let rows = folder.rows(name, &[]);
        assert_eq!(Some(rows.len() as u64), counted["rounds"].as_u64());
        assert_eq!(counted["rows"].as_array().unwrap(), &rows);
        let report = folder.passes(&["report", name]).stdout;
        assert_eq!(report, ran_again(&folder, name), "the decision as well");
        (rows, folder.read(name).matches("\"entry\":{\"round\"").count())
    };
    let (alone, _) = play("--jobs=1", "one.journal");
    let (many, kept) = play("--jobs=8", "many.journal");
    assert_eq!(many, alone);
    assert!(kept >= many.len());
}

/// The table of the continued match.
fn ran_again(folder: &Folder, journal: &str) -> String {
    let test = ["match", "mahjong-distance.wasm", "straightforward", "--sprt=elo0=0,elo1=100"];
    folder.passes(&[&test[..], &["--resume", "--journal", journal]].concat()).stdout
}

/// The command that a match prints for its worst rounds.
#[cfg(unix)]
fn printed(ran: &Ran) -> String {
    let line = ran.stderr.lines().find(|line| line.starts_with("the 10 worst rounds of A"));
    let line = line.unwrap_or_else(|| panic!("{}", ran.stderr));
    line.split_once(", as pages: ").unwrap().1.to_owned()
}

/// Pastes a command into a shell with `judge` on the path.
#[cfg(unix)]
fn paste(folder: &Folder, command: &str) {
    let program = judge().get_program().to_owned();
    let bin = std::path::Path::new(&program).parent().unwrap().display().to_string();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap());
    let mut shell = std::process::Command::new("sh");
    shell.current_dir(folder.path("")).env("PATH", path).args(["-c", command]);
    let ran = Ran::from(shell.output().unwrap());
    assert_eq!(ran.code, 0, "{command}: {}", ran.stderr);
}

/// Pages that an index links, in order.
fn linked(folder: &Folder, index: &str) -> Vec<String> {
    let html = folder.read(index);
    let links = html.split("<a href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.map(str::to_owned).collect()
}

#[test]
#[cfg(unix)]
fn the_printed_command_makes_pages_of_the_ten_worst_rounds() {
    let folder = Folder::with_bots();
    // It loses more than ten rounds.
    let lost = ["match", "mahjong-straightforward.wasm", "mahjong-distance.wasm", "--seed=1"];
    let play = |more: &[&str]| folder.passes(&[&lost[..], &["--rounds=40"], more].concat());
    let kept = play(&["--journal", "a match.journal"]);
    assert!(folder.rows("a match.journal", &["--result=loss"]).len() > 20);
    let command = printed(&kept);
    assert_eq!(command, "judge replay 'a match.journal' --worst 10 --html worst-replays");
    paste(&folder, &command);
    let worst = folder.rows("a match.journal", &["--worst=10"]);
    let pages = linked(&folder, "worst-replays/index.html");
    let expected: Vec<String> =
        worst.iter().map(|row| format!("round-{}.html", row["round"])).collect();
    assert_eq!(pages, expected);
    for (page, row) in std::iter::zip(&pages, &worst) {
        let html = folder.read(&format!("worst-replays/{page}"));
        assert!(html.contains(row["digest"].as_str().unwrap()), "{page}");
        assert!(html.contains("<a href=\"index.html\">all rounds</a>"), "{page}");
    }
    // Without a journal the same rounds are played again.
    let command = printed(&play(&[]));
    assert!(command.starts_with("judge match mahjong-straightforward.wasm mahjong-d"), "{command}");
    paste(&folder, &command);
    let again = linked(&folder, "worst.html");
    assert_eq!(
        again,
        expected.iter().map(|page| format!("worst-rounds/{page}")).collect::<Vec<_>>()
    );
    for row in &worst {
        let name = format!("worst-rounds/round-{}.jsonl", row["round"]);
        let holds = folder.passes(&["verify", &name, lost[1], lost[2]]).stdout;
        assert!(holds.starts_with("holds"), "{name}: {holds}");
    }
}

#[test]
fn the_page_of_a_match_links_its_rounds_worst_first() {
    let folder = Folder::with_bots();
    folder.play_match(&["--journal=m.journal", "--html=m.html", "--pages=worst"]);
    let html = folder.read("m.html");
    let worst = folder.numbers("m.journal", &["--worst=40"]);
    let shown: Vec<u64> = html
        .split("<th scope=\"row\">")
        .skip(1)
        // The number is a link if there is a page.
        .map(|rest| rest.split("</th>").next().unwrap().trim_end_matches("</a>"))
        .map(|number| number.rsplit('>').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(shown, worst);
    let pages = linked(&folder, "m.html");
    assert_eq!(pages.len(), 10);
    for (page, number) in std::iter::zip(&pages, &worst) {
        assert_eq!(*page, format!("m-rounds/round-{number}.html"));
        assert!(folder.read(page).contains("<a href=\"../m.html\">all rounds</a>"));
    }
    // Rounds without a page have a command.
    let command = format!("judge replay m.journal --round {0} --html round-{0}.html", worst[10]);
    assert!(html.contains(&command), "{command}");
    assert!(html.contains("30 won, 0 drawn, 10 lost") && html.contains("All 40 rounds are shown."));
    folder.play_match(&["--html=m.html"]);
    let command = format!("--seed 1 --only {0} --html round-{0}.html", worst[0]);
    assert!(folder.read("m.html").contains(&command), "{command}");
    assert_eq!(linked(&folder, "m.html"), [""; 0]);
    folder.play_match(&["--html=all.html", "--pages=all"]);
    assert_eq!(linked(&folder, "all.html").len(), 40);
}

#[test]
fn a_round_is_read_from_its_journal_or_played_again() {
    let folder = Folder::with_bots();
    folder.play_match(&["--journal=m.journal", "--json=m.json"]);
    let row = folder.rows("m.journal", &["--worst=1"]).remove(0);
    let (number, digest) = (row["round"].to_string(), row["digest"].as_str().unwrap());
    let text = folder.passes(&["replay", "m.journal", "--round", &number]).stdout;
    assert!(text.ends_with(&format!("digest {digest}\n")), "{text}");
    let moves = text.matches("\nmove ").count() as u64 + u64::from(text.starts_with("move "));
    assert_eq!(Some(moves), row["plies"].as_u64());
    let played = ["replay", "m.json", "mahjong-distance.wasm", "--round", &number];
    assert_eq!(folder.passes(&played).stdout, text);
    let trace = folder.passes(&["replay", "m.journal", "--round", &number, "--trace"]).stdout;
    assert!(trace.contains("fuel)"), "{trace}");
    folder.passes(&["replay", "m.journal", "--round", &number, "--svg=end.svg"]);
    assert!(folder.read("end.svg").contains("<svg"));
    folder.passes(&["replay", "m.journal", "--round", &number, "--html=one.html"]);
    assert!(folder.read("one.html").contains(digest));
    let several = format!("{number},1");
    folder.passes(&["replay", "m.journal", "--round", &several, "--html=some"]);
    assert_eq!(linked(&folder, "some/index.html").len(), 2);
    // The other side's worst round is A's best.
    let best = folder.numbers("m.journal", &["--player=straightforward", "--worst=1"])[0];
    let other = ["replay", "m.journal", "--player=straightforward", "--worst=1"];
    let digest = folder.rows("m.journal", &[])[best as usize - 1]["digest"].clone();
    assert!(folder.passes(&other).stdout.contains(digest.as_str().unwrap()));
}

#[test]
fn rounds_are_found_by_player_result_opening_and_length() {
    let folder = Folder::with_bots();
    folder.play_match(&["--journal=m.journal"]);
    let all = folder.rows("m.journal", &[]);
    let where_ = |wanted: &dyn Fn(&Value) -> bool| -> Vec<u64> {
        all.iter().filter(|row| wanted(row)).map(|row| row["round"].as_u64().unwrap()).collect()
    };
    let found = |more: &[&str]| folder.numbers("m.journal", more);
    let lost = where_(&|row| row["result"] == "loss");
    assert_eq!((found(&["--result=loss"]), lost.len()), (lost.clone(), 10));
    assert_eq!(found(&["--player=straightforward", "--result=win"]), lost);
    assert_eq!(found(&["--against=straightforward", "--result=loss"]), lost);
    let hash = all[0]["sha256_1"].as_str().unwrap();
    assert_eq!(found(&["--player", &hash[..8], "--result=loss"]), lost);
    let long = where_(&|row| row["plies"].as_u64().unwrap() >= 50);
    assert!(!long.is_empty() && long.len() < 40);
    assert_eq!(found(&["--min-plies=50"]), long);
    assert_eq!(found(&["--max-plies=49"]).len(), 40 - long.len());
    let opening = all[6]["opening"].as_str().unwrap();
    assert_eq!(found(&["--opening", opening]), [7, 8], "a pair begins alike");
    assert_eq!(found(&["--fault"]), [0_u64; 0]);
    let worst = found(&["--worst=10"]);
    assert_eq!(worst.len(), 10);
    let margin = |round: &u64| {
        let row = &all[*round as usize - 1];
        let [one, two] = ["score_1", "score_2"].map(|key| row[key].as_i64().unwrap());
        if row["a"] == 1 { one - two } else { two - one }
    };
    assert!(worst.iter().map(margin).is_sorted(), "{worst:?}");
    assert!(worst.iter().all(|round| lost.contains(round)));
    let table = folder.passes(&["rounds", "m.journal", "--worst=2"]).stdout;
    assert_eq!(table.lines().count(), 3);
    assert!(table.starts_with("  round    pair"), "{table}");
    let (code, error) = folder.refused(&["rounds", "m.journal", "--player=carol"]);
    assert_eq!(code, 2);
    assert!(error.contains("`carol` plays in none of these rounds"), "{error}");
    assert!(error.contains("`mahjong-distance`, `straightforward`"), "{error}");
}

/// The first line of a journal from a future judge.
fn of_version_9(journal: &str) -> String {
    let first = journal.lines().next().unwrap().replacen("\"version\":3", "\"version\":9", 1);
    let entry = first.strip_prefix("{\"entry\":").unwrap().split(",\"link\":").next().unwrap();
    let link = judge_core::digest(b"judge journal").chain(entry.as_bytes());
    format!("{{\"entry\":{entry},\"link\":\"{link}\"}}\n")
}

#[test]
fn bad_arguments_of_rounds_are_refused_with_a_hint() {
    let folder = Folder::with_bots();
    folder.play_match(&["--jobs=1", "--journal=m.journal", "--json=m.json"]);
    folder.passes(&["play", "mahjong-distance.wasm", "--replay=round.jsonl"]);
    let grade = root().join("testcases/mahjong").display().to_string();
    folder.run(&[
        "grade",
        "mahjong-distance.wasm",
        "--suite",
        &grade,
        "--json=report.json",
        "--journal=grade.journal",
    ]);
    write(&folder.path(""), "notes.txt", "not one of ours\n");
    let journal = folder.read("m.journal");
    write(&folder.path(""), "newer.journal", of_version_9(&journal));
    write(&folder.path(""), "changed.journal", journal.replacen("\"seed\":7", "\"seed\":8", 1));
    let document = folder.read("m.json");
    write(&folder.path(""), "newer.json", document.replacen("\"version\": 4", "\"version\": 9", 1));
    write(&folder.path(""), "older.json", document.replacen("\"version\": 4", "\"version\": 2", 1));
    let mut told = String::new();
    for arguments in [
        &["rounds", "notes.txt"][..],
        &["rounds", "round.jsonl"],
        &["rounds", "report.json"],
        &["rounds", "newer.json"],
        &["rounds", "older.json"],
        &["rounds", "newer.journal"],
        &["rounds", "changed.journal"],
        &["replay", "m.journal"],
        &["replay", "m.journal", "--round=41"],
        &["replay", "m.json", "mahjong-distance.wasm", "--round=41"],
        &["replay", "m.json", "--round=1"],
        &["replay", "m.journal", "mahjong-distance.wasm", "--round=1"],
        &["replay", "m.journal", "--round=1,2"],
        &["replay", "m.journal", "--worst=3", "--html=some.html"],
        &["replay", "round.jsonl", "--round=1"],
        &["report", "m.journal", "--to=junit"],
        &["report", "m.journal", "m.json"],
        &["report", "grade.journal"],
        &["scoreboard", "m.journal"],
        &["scoreboard", "m.json", "report.json"],
        &["match", "a.wasm", "b.wasm", "--only=1"],
        &["match", "mahjong-distance.wasm", "random", "--rounds-to=table.txt"],
        &["match", "mahjong-distance.wasm", "random", "--html=x.csv", "--rounds-to=x.csv"],
    ] {
        let (code, error) = folder.refused(arguments);
        let folder = folder.path("").display().to_string();
        told.extend([
            "$ judge ",
            &arguments.join(" "),
            "
",
        ]);
        told.extend([
            format!("[{code}] "),
            error.replace(&folder, ""),
            "
"
            .to_owned(),
        ]);
    }
    insta::with_settings!({filters => vec![(r"engine `[^`]*`", "engine `…`"), (r"[0-9a-f]{8}…", "HASH…")]}, {
        insta::assert_snapshot!(told);
    });
}

#[test]
fn report_computes_the_printed_result_from_the_rounds() {
    let folder = Folder::with_bots();
    let ran = folder.play_match(&["--journal=m.journal"]);
    folder.play_match(&["--json=m.json"]);
    for file in ["m.journal", "m.json"] {
        assert_eq!(folder.passes(&["report", file]).stdout, ran.stdout, "{file}");
        let mut json = folder.passes(&["report", file, "--to=json"]).json();
        let mut played: Value = serde_json::from_str(&folder.read("m.json")).unwrap();
        for json in [&mut json, &mut played] {
            json.as_object_mut().unwrap().remove("timing");
        }
        assert_eq!(json, played, "{file}");
    }
}

#[test]
fn verify_finds_changes_in_the_result_of_a_match() {
    let folder = Folder::with_bots();
    folder.play_match(&["--journal=m.journal", "--json=m.json"]);
    for file in ["m.journal", "m.json"] {
        let alone = folder.run(&["verify", file]);
        assert_eq!(alone.code, 5, "{}", alone.stdout);
        assert!(
            alone.stdout.contains("`mahjong-distance`: that it gives these answers"),
            "{}",
            alone.stdout
        );
        let whole = folder.passes(&["verify", file, "mahjong-distance.wasm"]).stdout;
        assert!(whole.starts_with("holds: all of the "), "{whole}");
        assert!(whole.contains("40 rounds, played again"), "{whole}");
    }
    let problem = |name: &str, text: &str| {
        write(&folder.path(""), name, text);
        let ran = folder.run(&["verify", name, "mahjong-distance.wasm"]);
        assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
        ran.stdout.lines().next().unwrap().to_owned()
    };
    let journal = folder.read("m.journal");
    let changed = journal.replacen("\"answers\":[\"", "\"answers\":[\"9", 1);
    assert!(problem("x.journal", &changed).starts_with("DOES NOT HOLD: line 2: its link"));
    let document: Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    let forged = |change: &dyn Fn(&mut Value)| {
        let mut forged = document.clone();
        change(&mut forged);
        problem("x.json", &format!("{forged:#}\n"))
    };
    assert!(
        forged(&|json| json["results"]["won"] = 31.into()).contains("results.won: does not follow")
    );
    assert!(forged(&|json| json["score"]["low"] = 0.9.into()).contains("score.low"));
    let cases: [(&str, Value); 9] = [
        ("plies", 1.into()),
        ("fuel_1", 5.into()),
        ("memory_1", 5.into()),
        ("reason", "because".into()),
        ("digest", "0".repeat(64).into()),
        ("opening", "elsewhere".into()),
        ("seed", 2.into()),
        ("round", 3.into()),
        ("counts", false.into()),
    ];
    for (key, value) in cases {
        let told = forged(&|json| json["rows"][0][key] = value.clone());
        assert!(told.contains("rows[0]") && told.contains(key), "{key}: {told}");
    }
    let told = forged(&|json| {
        json["rows"].as_array_mut().unwrap().truncate(38);
    });
    assert!(told.contains("does not follow from the rows"), "{told}");
}

/// Three players on a small board, and the common arguments of these tournaments.
const SMALL: [&str; 7] =
    ["tournament", "--game=cc", "--option=size=5", "--seed=3", "--rounds=6", "random", "smart"];

#[test]
fn a_tournament_has_its_rounds_in_the_order_of_its_schedule() {
    let folder = Folder::with_bots();
    let play = |more: &[&str]| folder.passes(&[&SMALL[..], &["lookahead"], more].concat());
    let ran =
        play(&["--jobs=1", "--journal=one.journal", "--rounds-to=one.csv", "--json=one.json"]);
    play(&[
        "--jobs=4",
        "--journal=two.journal",
        "--rounds-to=two.csv",
        "--html=t.html",
        "--pages=worst",
    ]);
    let table = folder.read("one.csv");
    assert_eq!(table.lines().count(), 1 + 3 * 6);
    assert_eq!(folder.read("two.csv"), table);
    for file in ["one.journal", "two.journal", "one.json"] {
        assert_eq!(folder.passes(&["rounds", file, "--format=csv"]).stdout, table, "{file}");
        assert_eq!(folder.passes(&["report", file]).stdout, ran.stdout, "{file}");
        assert_eq!(folder.passes(&["scoreboard", file]).stdout, ran.stdout, "{file}");
        let holds = folder.passes(&["verify", file]).stdout;
        assert!(holds.starts_with("holds") && holds.contains("18 rounds, played again"), "{holds}");
    }
    let meetings: Vec<_> =
        folder.rows("two.journal", &[]).iter().map(|row| row["meeting"].clone()).collect();
    assert!(meetings.iter().map(|meeting| meeting.as_u64().unwrap()).is_sorted());
    // The ten worst of each of three players.
    let html = folder.read("t.html");
    assert_eq!(html.matches("<details class=\"rounds-of\"").count(), 3);
    let pages = linked(&folder, "t.html");
    assert_eq!(pages.len(), 30);
    pages.iter().for_each(|page| assert!(folder.path(page).is_file(), "{page}"));
    folder.passes(&["scoreboard", "two.journal", "--html=scoreboard.html", "--json=board.json"]);
    assert!(folder.read("scoreboard.html").contains("judge replay two.journal --round "));
    let worst = folder.numbers("two.journal", &["--player=random", "--worst=3"]);
    folder.passes(&["replay", "two.journal", "--player=random", "--worst=3", "--html=lost"]);
    let expected: Vec<String> = worst.iter().map(|number| format!("round-{number}.html")).collect();
    assert_eq!(linked(&folder, "lost/index.html"), expected);
}

#[test]
fn parts_and_cycles_give_the_table_of_the_whole_tournament() {
    let folder = Folder::with_bots();
    let players = ["random", "smart", "lookahead", "alphabeta"];
    let play = |more: &[&str]| folder.passes(&[&SMALL[..5], &players[..], more].concat());
    play(&["--journal=whole.journal"]);
    let table = folder.passes(&["rounds", "whole.journal", "--format=csv"]).stdout;
    play(&["--shard=1/2", "--journal=part-1.journal"]);
    play(&["--shard=2/2", "--journal=part-2.journal"]);
    folder.passes(&["merge", "part-1.journal", "part-2.journal", "--out=merged.journal"]);
    let merged = folder.passes(&["rounds", "merged.journal", "--format=csv"]);
    assert_eq!((merged.stdout, merged.stderr), (table, String::new()));
    // In a Swiss tournament of three, two players meet again.
    let swiss = ["--format=swiss", "--cycles=2", "--json=swiss.json", "--jobs=4"];
    let three = [&SMALL[..5], &players[..3], &swiss[..]].concat();
    let ran = folder.passes(&[&three[..], &["--journal=swiss.journal"]].concat());
    let rows = folder.rows("swiss.journal", &[]);
    assert_eq!(rows, folder.rows("swiss.json", &[]));
    assert_eq!(rows.len(), 12);
    for file in ["swiss.journal", "swiss.json"] {
        assert_eq!(folder.passes(&["report", file]).stdout, ran.stdout, "{file}");
        assert_eq!(folder.passes(&["verify", file]).code, 0);
    }
}

#[test]
fn rounds_of_a_course_are_listed_with_a_hint_to_the_marks() {
    let folder = Folder::with_bots();
    std::fs::create_dir(folder.path("in")).unwrap();
    for (name, bot) in [("ada", "mahjong-distance"), ("bob", "mahjong-straightforward")] {
        std::fs::copy(sample(bot), folder.path("in").join(format!("{name}.wasm"))).unwrap();
    }
    std::fs::create_dir(folder.path("suite")).unwrap();
    let testcase = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [3, 1, 2]\n\
                    points = 10\nmin_score = 10\n";
    write(&folder.path("suite"), "01-only.toml", testcase);
    write(&folder.path("suite"), "suite.toml", "title = \"One\"\n");
    folder.passes(&["grade", "in", "--suite=./suite", "--out=results"]);
    let rows = folder.rows("results", &[]);
    let short: Vec<(String, Value)> =
        rows.iter().map(|row| (row["seat_1"].to_string(), row["seed"].clone())).collect();
    let expected: Vec<(String, Value)> = ["\"ada\"", "\"bob\""]
        .into_iter()
        .flat_map(|name| [1, 2, 3].map(|seed| (name.to_owned(), Value::from(seed))))
        .collect();
    assert_eq!(short, expected);
    let digest = rows[3]["digest"].as_str().unwrap();
    let shown = folder.passes(&["replay", "results", "--round=4"]).stdout;
    assert!(shown.contains(digest), "{shown}");
    folder.passes(&["replay", "results/journal.jsonl", "--player=bob", "--worst=2", "--html=bob"]);
    assert_eq!(linked(&folder, "bob/index.html").len(), 2);
    for command in ["report", "scoreboard"] {
        let (code, error) = folder.refused(&[command, "results/journal.jsonl"]);
        assert_eq!(code, 3);
        assert!(error.contains("hint: name the folder of the course: results"), "{error}");
        folder.passes(&[command, "results"]);
    }
    let bots = ["mahjong-distance.wasm", "mahjong-straightforward.wasm"];
    let checked = folder.run(&["verify", "results/journal.jsonl", bots[0], bots[1]]);
    assert!(checked.stdout.contains("6 rounds, played again"), "{}", checked.stdout);
}

#[test]
fn identical_players_have_both_rounds_of_each_pair() {
    let folder = Folder::with_bots();
    std::fs::copy(folder.path("mahjong-distance.wasm"), folder.path("twin.wasm")).unwrap();
    let twins = ["match", "mahjong-distance.wasm", "twin.wasm", "--seed=1", "--rounds=4"];
    for jobs in ["--jobs=1", "--jobs=3"] {
        let name = format!("{}.journal", jobs.len() + usize::from(jobs.ends_with('3')));
        folder.passes(&[&twins[..], &[jobs, "--journal", &name, "--rounds-to=t.csv"]].concat());
        let table = folder.passes(&["rounds", &name, "--format=csv"]).stdout;
        assert_eq!(table, folder.read("t.csv"));
        assert_eq!(table.lines().count(), 5);
    }
}

#[test]
fn rounds_with_a_fault_come_first() {
    let folder = Folder::with_bots();
    let silent = wat::parse_str(crate::support::SILENT_BOT).unwrap();
    write(&folder.path(""), "silent.wasm", silent);
    let more =
        ["--game=mahjong", "--seed=1", "--rounds=4", "--journal=m.journal", "--rounds-to=m.jsonl"];
    let ran = folder.run(&[&["match", "silent.wasm", "random"][..], &more].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let rows = folder.rows("m.journal", &["--fault", "--result=loss"]);
    assert_eq!(rows.len(), 4);
    for row in &rows {
        assert_eq!(row["fault"], "protocol-error");
        let seat = if row["a"] == 1 { "seat-1" } else { "seat-2" };
        assert_eq!(row["blame"], seat);
        assert!(!row["detail"].as_str().unwrap().is_empty());
    }
    let table = folder.passes(&["rounds", "m.journal"]).stdout;
    assert!(table.contains("Protocol error, seat 1: "), "{table}");
    let shown = folder.passes(&["replay", "m.journal", "--round=1"]).stdout;
    assert!(shown.contains("gave no legal answer"), "{shown}");
    assert_eq!(run(["rounds", "--help"]).code, 0);
}

#[test]
fn a_result_does_not_overwrite_a_journal() {
    let folder = Folder::with_bots();
    folder.play_match(&["--journal=j", "--json=m.json"]);
    let kept = folder.read("j");
    let onto = |arguments: &[&str]| {
        let (code, error) = folder.refused(arguments);
        assert_eq!(code, 3, "{arguments:?}: {error}");
        let lost =
            ["`j` is the journal of a run, which would be lost", "`j` is an input of this command"];
        assert!(lost.iter().any(|lost| error.contains(lost)), "{error}");
    };
    onto(&["replay", "j", "--round", "1", "--html", "j"]);
    onto(&["report", "j", "--to", "json=j"]);
    onto(&[&MATCH[..], &["--rounds-to", "x.csv", "--json", "j"]].concat());
    assert_eq!(folder.read("j"), kept);
    let same = [&MATCH[..], &["--journal", "new.csv", "--rounds-to", "new.csv"]].concat();
    let (code, error) = folder.refused(&same);
    assert_eq!(code, 2, "{error}");
    assert!(error.contains("`new.csv` is named for two results"), "{error}");
}

#[test]
fn an_unfinished_run_has_rounds_but_no_result() {
    let folder = Folder::with_bots();
    folder.play_match(&["--journal=whole"]);
    let whole = folder.read("whole");
    let lines: Vec<&str> = whole.lines().collect();
    write(folder.0.path(), "part", lines[..lines.len() - 6].join("\n") + "\n");
    let (code, error) = folder.refused(&["report", "part"]);
    assert_eq!(code, 3, "{error}");
    assert!(error.contains("the run is unfinished") && error.contains("`--resume`"), "{error}");
    assert!(!folder.rows("part", &[]).is_empty());
    folder.play_match(&["--journal=part", "--resume"]);
    assert_eq!(
        folder.passes(&["report", "part"]).stdout,
        folder.passes(&["report", "whole"]).stdout
    );
}

#[test]
fn report_refuses_a_changed_result() {
    let folder = Folder::with_bots();
    folder.play_match(&["--json=m.json"]);
    let document: Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    folder.passes(&["report", "m.json"]);
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut other = document.clone();
        change(&mut other);
        write(folder.0.path(), "changed.json", format!("{other:#}\n"));
        let (code, error) = folder.refused(&["report", "changed.json"]);
        assert_eq!(code, 3, "{error}");
        assert!(error.contains("was changed after it was written"), "{error}");
    };
    changed(&|other| other["results"] = serde_json::json!([1, 2, 3]));
    changed(&|other| drop(other["rows"].as_array_mut().unwrap().drain(20..)));
    changed(&|other| {
        let won = other["rows"].as_array_mut().unwrap().iter_mut();
        let mut won = won.filter(|row| row["result"] == "win");
        won.next().unwrap()["counts"] = serde_json::json!(false);
    });
}
