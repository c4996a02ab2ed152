//! Scoreboards of reports and of tournaments.

use std::path::{Path, PathBuf};

use judge_runner::Remedy;
use judge_runner::course::scoreboard::{Pseudonyms, Request, run};
use judge_runner::verify::tournament_scoreboard;

use crate::support::{self, sample, write};

fn request(results: &[PathBuf], pseudonyms: Option<Pseudonyms>) -> Request {
    Request { results: results.to_vec(), page_folder: PathBuf::from("."), pseudonyms }
}

/// A report of two bots on one testcase.
fn report(folder: &Path) -> PathBuf {
    let case = write(
        folder,
        "01-one.toml",
        "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1, 2]\nmin_score = 150\n\
         points = 10\n",
    );
    let [strong, weak] = ["mahjong-distance", "cc-runner"].map(sample);
    let report = folder.join("report.json");
    let [case, json] = [&case, &report].map(|path| path.as_os_str());
    let bots = [strong.as_os_str(), weak.as_os_str()];
    let rest = ["--testcase".as_ref(), case, "--json".as_ref(), json];
    support::run(["grade".as_ref()].into_iter().chain(bots).chain(rest));
    report
}

#[test]
fn reports_become_ranks_and_pseudonyms_hide_names() {
    let folder = tempfile::tempdir().unwrap();
    let report = report(folder.path());
    let plain = run(&request(std::slice::from_ref(&report), None)).unwrap().scoreboard;
    let rows = plain.students.iter().map(|place| (place.rank, place.name.as_str()));
    assert_eq!(rows.collect::<Vec<_>>(), [(1, "mahjong-distance"), (2, "cc-runner")]);

    let secret = || Some(Pseudonyms::Secret("correct horse battery".to_owned()));
    let hidden = || run(&request(std::slice::from_ref(&report), secret())).unwrap().scoreboard;
    assert_eq!(hidden(), hidden());
    let text = hidden().to_json() + &hidden().to_html();
    assert!(!text.contains("mahjong-distance"), "{text}");
    let short = Some(Pseudonyms::Secret("short".to_owned()));
    let error = run(&request(std::slice::from_ref(&report), short)).unwrap_err();
    assert_eq!(error.remedy(), Remedy::Request, "{error}");
    let twice = run(&request(&[report.clone(), report], None)).unwrap_err();
    assert!(twice.to_string().contains("`mahjong-distance` has two results"), "{twice}");
}

#[test]
fn only_tournaments_have_a_separate_scoreboard() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("t.jsonl");
    let path = journal.display().to_string();
    let players = ["random", "greedy"];
    let rest = ["--game", "amazons", "--rounds", "2", "--seed", "1", "--journal", &path];
    let rest = rest.into_iter().chain(["--option", "size=6"]);
    let ran = support::run(["tournament"].into_iter().chain(players).chain(rest.clone()));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(tournament_scoreboard::is_run(&journal));
    let request = tournament_scoreboard::Request { file: journal.clone() };
    let outcome = tournament_scoreboard::run(&request).unwrap();
    assert!(outcome.to_text().unwrap().contains("greedy"));
    let json: serde_json::Value = serde_json::from_str(&outcome.to_json().unwrap()).unwrap();
    assert_eq!(json["rows"].as_array().unwrap().len(), 2, "{json}");

    std::fs::remove_file(&journal).unwrap();
    let ran = support::run(["match"].into_iter().chain(players).chain(rest));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let error = tournament_scoreboard::run(&request).err().unwrap().to_string();
    assert!(error.contains("a match of two players has no scoreboard"), "{error}");
}
