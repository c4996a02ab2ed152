//! `judge calibrate`: chances on new seeds.

use crate::support::{run, sample, write};

fn testcase(extra: &str, min_score: i64) -> String {
    format!(
        "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nmin_score = {min_score}\n\
         points = 1\n{extra}\n"
    )
}

#[test]
fn stronger_bots_pass_more_often_and_thresholds_separate_them() {
    let folder = tempfile::tempdir().unwrap();
    let head = "title = \"x\"\n[hidden]\nkey = \"not-here\"\n";
    write(folder.path(), "suite.toml", head);
    write(folder.path(), "01-easy.toml", testcase("seeds = [1, 2, 3, 4]", -1_000));
    write(folder.path(), "02-hard.toml", testcase("seeds = [1, 2]", 1_000_000));
    write(folder.path(), "03-hidden.toml", testcase("rounds = 4", 150));
    let suite = folder.path().display().to_string();
    let bots = ["mahjong-distance", "mahjong-straightforward", "cc-runner"];
    let bots = bots.map(|name| sample(name).display().to_string());
    let arguments = |jobs| {
        let fixed =
            ["calibrate", "--suite", &suite, "--rounds", "60", "--json", "-", "--jobs", jobs];
        fixed.map(str::to_owned).into_iter().chain(bots.clone()).collect::<Vec<_>>()
    };
    let ran = run(arguments("2"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(run(arguments("1")).stdout, ran.stdout, "workers change nothing");
    let findings = ran.json();
    let chance = |testcase: usize, bot: usize| {
        let chance = findings["testcases"][testcase]["bots"][bot]["chance"].clone();
        let [estimate, low, high] = serde_json::from_value::<[f64; 3]>(chance).unwrap();
        assert!(0.0 <= low && low <= estimate && estimate <= high && high <= 1.0);
        estimate
    };
    assert_eq!([chance(0, 0), chance(0, 1), chance(0, 2)], [1.0, 1.0, 0.0], "a fault never passes");
    assert_eq!([chance(1, 0), chance(1, 1)], [0.0, 0.0]);
    assert!(chance(2, 0) > chance(2, 1), "{findings}");
    let faults = &findings["testcases"][2]["bots"][2]["faults"];
    assert_eq!(faults, 60, "another game's bot fails in every round");
    let proposal = &findings["testcases"][2]["proposals"][0];
    assert!(proposal["error"].as_f64().unwrap() < 0.6, "{proposal}");
    let table = folder.path().join("table.md");
    let path = table.display().to_string();
    let text =
        run(["calibrate", &bots[0], "--suite", &suite, "--rounds", "20", "--markdown", &path]);
    let table = std::fs::read_to_string(table).unwrap();
    assert!(table.starts_with("| testcase | rounds | threshold | `mahjong-distance` |"), "{table}");
    assert!(table.contains("| 01-easy | 4 | -1000 | 100.0 (56.6 to 100.0) |"), "{table}");
    // The conditions are the same, so their figures are printed once.
    let once = "01-easy, 03-hidden: 4 rounds against random\n  mahjong-distance: ";
    assert_eq!(text.stdout.matches(once).count(), 1, "{}", text.stdout);
    assert!(text.stdout.contains("02-hard: 2 rounds against random\n"), "{}", text.stdout);
    let row = text.stdout.lines().find(|line| line.trim_start().starts_with("01-easy  "));
    assert!(row.is_some_and(|row| row.ends_with("-1000  100.0 % (56.6 % to 100.0 %)")), "{row:?}");
}

#[test]
fn calibrate_names_the_reason_for_a_refusal() {
    let folder = tempfile::tempdir().unwrap();
    let broken = write(folder.path(), "broken.wasm", "no module").display().to_string();
    let ran = run(["calibrate", &broken, "--suite", "mahjong"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let bot = sample("mahjong-distance").display().to_string();
    let ran = run(["calibrate", &bot, "--suite", "chess"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("bundled suites: "), "{}", ran.stderr);
    assert_eq!(run(["calibrate", &bot, "--suite", "mahjong", "--rounds", "3"]).code, 2);
}
