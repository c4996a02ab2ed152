//! Grades one course three times: by `judge grade`'s library, by a server on SQLite, and by a
//! server on PostgreSQL with four machines, two of which are killed. The three mark sheets must
//! have the same bytes: `cargo build --release -p judge-server -p judge-fleet`, then `cargo run
//! --release -p judge-server --example thrice`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program that measures")]

mod local;
mod served;

use judge_test_support::{postgres, run};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use judge_core::digest;
use judge_store::Address;

/// Students of the course.
const STUDENTS: usize = 300;

/// A student with a module.
pub(crate) type StudentModule = (String, Vec<u8>);

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let course = course();
    let mut sheets = Vec::new();
    let mut done = |name: &str, begun: Instant, sheet: String| {
        let hash = &digest(sheet.as_bytes()).to_string()[..16];
        println!("{name}: {:.1} s, mark sheet {hash}…", begun.elapsed().as_secs_f64());
        sheets.push(sheet);
    };
    println!("{} submissions, {} testcases", course.len(), files().len() - 1);
    let begun = Instant::now();
    done("here", begun, local::sheet(folder.path(), &course));
    if std::env::args().nth(1).is_none() {
        let begun = Instant::now();
        let place = place(folder.path(), "sqlite");
        let database = Address::Sqlite(place.join("judge.db"));
        done("server on SQLite", begun, served::sheet(&place, &database, &course));
    }
    if let Some(url) = postgres::database() {
        let begun = Instant::now();
        let data = place(folder.path(), "postgres");
        let fleet = served::Fleet::start(&data, &url);
        done("four machines, two killed", begun, fleet.sheet(&course));
    } else {
        println!("PostgreSQL is not installed");
    }
    assert!(sheets.windows(2).all(|two| two[0] == two[1]), "the sheets differ");
    println!("the mark sheets are the same");
}

fn place(folder: &Path, name: &str) -> PathBuf {
    let place = folder.join(name);
    std::fs::create_dir_all(&place).unwrap();
    place
}

/// Sample bots, each with a number in a section that is never read; every tenth is truncated in its
/// code.
fn course() -> Vec<StudentModule> {
    let names = ["mahjong-distance", "mahjong-straightforward", "mahjong-hunter"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-bots/prebuilt");
    let bots = names.map(|name| std::fs::read(root.join(name).with_extension("wasm")).unwrap());
    let submission = |number: usize| {
        let end = u32::try_from(number).unwrap().to_le_bytes();
        let bot = &bots[number % bots.len()];
        let cut = if number % 10 == 9 { bot.len() / 2 } else { bot.len() };
        (format!("s{number:03}"), [&bot[..cut], &[0, 6, 1, b'n'], &end].concat())
    };
    (0..STUDENTS).map(submission).collect()
}

/// The files of the suite.
pub(crate) fn files() -> Vec<(String, String)> {
    let seeds: Vec<String> = (1..=50).map(|seed| seed.to_string()).collect();
    let case = |seat: u8| {
        let text = format!(
            "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseat = {seat}\n\
             seeds = [{}]\nmin_score = 100\npoints = 10\n",
            seeds.join(", ")
        );
        (format!("0{seat}-case.toml"), text)
    };
    vec![("suite.toml".to_owned(), "title = \"Small\"\n".to_owned()), case(1), case(2)]
}

/// A line of a mark sheet.
pub(crate) fn line(student: &str, points: &str, score: i64, digest: &str) -> String {
    format!("{student},{points},{score},{digest}\n")
}

/// Interval at which progress is checked.
pub(crate) const LOOK: Duration = Duration::from_millis(200);
