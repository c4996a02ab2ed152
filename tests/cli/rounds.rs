//! `judge grade --out --pages`: links from the mark sheet to the moves, and no further.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::{Ran, judge, run, sample, write};

/// As unusual as the system allows.
const ODD_NAME: &str = if cfg!(windows) { "cat & 'b'" } else { "cat & <b>" };

/// Submissions, and a suite with an open and a hidden testcase.
struct RoundsCourse(tempfile::TempDir);

impl RoundsCourse {
    fn new() -> RoundsCourse {
        let course = RoundsCourse(tempfile::tempdir().unwrap());
        for folder in ["suite", "in"] {
            std::fs::create_dir(course.path(folder)).unwrap();
        }
        let testcase = |more: &str| {
            format!(
                "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\npoints = 10\n\
                 min_score = 150\n{more}\n"
            )
        };
        write(&course.path("suite"), "suite.toml", "title = \"Rounds\"\n");
        write(&course.path("suite"), "01-open.toml", testcase("seeds = [1, 2, 3]"));
        let secret = testcase("seeds = [424242, 434343]\nhidden = true");
        write(&course.path("suite"), "02-secret.toml", secret);
        for (name, bot) in [
            ("ada", "mahjong-distance"),
            ("bob", "mahjong-straightforward"),
            (ODD_NAME, "cc-runner"),
        ] {
            let path = course.path("in").join(format!("{name}.wasm"));
            std::fs::copy(sample(bot), path).unwrap();
        }
        write(&course.path("in"), "eve.wasm", "not a module");
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn grade(&self, out: &str, more: &[&str]) -> Ran {
        let paths = ["in", "suite", out].map(|name| self.path(name).display().to_string());
        let [submissions, suite, out] = &paths;
        let ran = run(["grade", submissions, "--suite", suite, "--out", out].iter().chain(more));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran
    }

    /// All files below a folder, by their relative paths.
    fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.path(folder)];
        while let Some(next) = folders.pop() {
            for entry in std::fs::read_dir(next).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path.strip_prefix(self.path(folder)).unwrap().display().to_string();
                found.insert(name, std::fs::read(path).unwrap());
            }
        }
        found
    }
}

#[test]
fn rounds_removed_from_the_suite_are_left_out() {
    let course = RoundsCourse::new();
    course.grade("out", &[]);
    let rounds = || {
        let ran = run(["rounds", course.path("out").to_str().unwrap(), "--format", "csv"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let mut reader = csv::Reader::from_reader(ran.stdout.as_bytes());
        let column = reader.headers().unwrap().iter().position(|name| name == "seed").unwrap();
        let seed = |record: Result<csv::StringRecord, _>| record.unwrap()[column].to_owned();
        let mut seeds: Vec<String> = reader.records().map(seed).collect();
        seeds.sort();
        seeds.dedup();
        seeds
    };
    assert_eq!(rounds(), ["1", "2", "3", "424242", "434343"]);
    std::fs::remove_file(course.path("suite/02-secret.toml")).unwrap();
    let open = course.read("suite/01-open.toml").replace("[1, 2, 3]", "[2, 3, 4]");
    write(&course.path("suite"), "01-open.toml", open);
    course.grade("out", &["--resume"]);
    assert_eq!(rounds(), ["2", "3", "4"]);
    let verified = run(["verify", course.path("out").to_str().unwrap()]);
    assert!(verified.stdout.contains("more rounds are in the journal and do not count"));
}

/// Addresses of the links on a page, without those inside pictures.
fn links(page: &str) -> Vec<&str> {
    let all = page.split("href=\"").skip(1).filter_map(|part| part.split('"').next());
    all.filter(|link| !link.starts_with('#')).collect()
}

/// The target of a link on a page.
fn follow(page: &Path, link: &str) -> PathBuf {
    let (link, _) = link.split_once('#').unwrap_or((link, ""));
    let plain = link.replace("%20", " ").replace("%7E", "~").replace("%26", "&");
    let path = page.parent().unwrap().join(plain);
    path.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn links_lead_from_the_scoreboard_to_moves_and_back() {
    let course = RoundsCourse::new();
    course.grade("out", &["--pages", "all"]);
    let board = course.path("out/scoreboard.html");
    let students = course.read("out/scoreboard.html");
    let students = links(&students).into_iter().filter(|link| link.starts_with("students/"));
    let mut watched = 0;
    for student in students.map(|link| follow(&board, link)) {
        let page = std::fs::read_to_string(&student).unwrap();
        let rounds = links(&page).into_iter().filter(|link| link.contains("rounds/"));
        // The line of a fault links to the page of its round.
        let (lines, rounds): (Vec<&str>, Vec<&str>) = rounds.partition(|link| link.contains('#'));
        for line in lines {
            let (round, place) = line.split_once("#line-").unwrap();
            assert!(rounds.contains(&round) && place.parse::<u32>().is_ok(), "{line}");
        }
        for round in rounds {
            let round = follow(&student, round);
            let html = std::fs::read_to_string(&round).unwrap();
            let back = links(&html);
            assert_eq!(follow(&round, back[0]), student.canonicalize().unwrap());
            let kept = follow(&round, back[1]);
            // Runs the printed command, word by word, in the page's folder.
            let command = html.split("judge verify ").nth(1).unwrap().split("</code>").next();
            let command = command.unwrap().replace("&#39;", "'").replace("&#38;", "&");
            let command = command.replace("&#60;", "<").replace("&#62;", ">");
            let (file, bot) = command.split_once(' ').unwrap();
            assert_eq!(kept, round.parent().unwrap().join(file.trim_matches('\'')));
            let bot = course.path("in").join(bot.trim_matches('\''));
            let ran = judge().arg("verify").arg(&kept).arg(bot).output().unwrap();
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
            let digest = html.split("<dt>Digest</dt><dd><code>").nth(1).unwrap();
            assert!(page.contains(&digest[..64]), "the digest is that of the report");
            watched += 1;
        }
    }
    assert_eq!(watched, 9, "three rounds of each of three bots");
}

#[test]
fn only_instructors_get_the_page_of_a_hidden_round() {
    let course = RoundsCourse::new();
    course.grade("out", &["--pages", "all"]);
    for (name, bytes) in course.files("out/rounds").into_iter().chain(course.files("out/students"))
    {
        let text = String::from_utf8(bytes).unwrap();
        assert!(!name.contains("02-secret"), "{name}");
        assert!(!text.contains("424242") && !text.contains("434343"), "{name}");
        assert!(!text.contains("full/"), "{name}");
    }
    let full = course.path("out/full/bob.html");
    let page = course.read("out/full/bob.html");
    let hidden = links(&page).into_iter().filter(|link| link.contains("02-secret"));
    let pages: Vec<PathBuf> = hidden.map(|link| follow(&full, link)).collect();
    assert_eq!(pages.len(), 2);
    let page = std::fs::read_to_string(&pages[0]).unwrap();
    assert!(page.contains("seed 424242"));
    assert_eq!(follow(&pages[0], links(&page)[0]), full.canonicalize().unwrap());
}

#[test]
fn hiding_a_testcase_removes_its_published_rounds() {
    let course = RoundsCourse::new();
    course.grade("out", &["--pages", "all"]);
    assert!(course.files("out/rounds").keys().any(|name| name.contains("01-open")));
    let file = course.path("suite").join("01-open.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text + "hidden = true\n").unwrap();
    course.grade("out", &["--resume"]);
    assert_eq!(course.files("out/rounds").keys().next(), None);
}

#[test]
fn pages_of_worst_rounds_are_the_same_when_resumed_or_merged() {
    let course = RoundsCourse::new();
    course.grade("out", &[]);
    assert!(!course.path("out/rounds").exists(), "only what is asked for");
    let ran = course.grade("out", &["--resume", "--pages", "worst"]);
    assert!(ran.stdout.contains("rounds: ") && ran.stdout.contains(" pages)"), "{}", ran.stdout);
    let worst = course.files("out/rounds");
    let pages: Vec<&String> = worst.keys().filter(|name| name.ends_with(".html")).collect();
    // Ada passes; there are pages of Bob's worst round, and of the first one with a fault of cat.
    assert_eq!(pages.len(), 2, "{pages:?}");
    let report = judge_core::GradeReport::from_json(&course.read("out/students/bob.json")).unwrap();
    let rounds = &report.bots[0].testcases[0].rounds;
    let least = rounds.iter().min_by_key(|round| round.score).unwrap().round;
    assert!(worst.contains_key(&format!("bob/01-open-{least}.html")), "{pages:?}");

    course.grade("out", &["--resume", "--pages", "all"]);
    course.grade("again", &["--pages", "all", "--jobs", "1"]);
    let all = course.files("out/rounds");
    assert_eq!(all, course.files("again/rounds"));
    assert!(worst.iter().all(|(name, bytes)| all.get(name) == Some(bytes)));
    assert_eq!(course.files("out/students"), course.files("again/students"));

    let parts = ["1/2", "2/2"].map(|shard| {
        let out = format!("part-{}", &shard[..1]);
        course.grade(&out, &["--shard", shard]);
        course.path(&out).display().to_string()
    });
    let out = course.path("merged").display().to_string();
    let ran = run(["merge", &parts[0], &parts[1], "--out", &out, "--pages", "all"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(course.files("merged/rounds"), all);
    assert_eq!(course.files("merged/students"), course.files("out/students"));
}

#[test]
fn a_page_of_another_submission_is_not_linked() {
    let course = RoundsCourse::new();
    course.grade("out", &["--pages", "all"]);
    assert_eq!(course.read("out/students/bob.html").matches("../rounds/").count(), 3);
    std::fs::copy(sample("mahjong-hunter"), course.path("in/bob.wasm")).unwrap();
    course.grade("out", &["--resume"]);
    let page = course.read("out/students/bob.html");
    assert!(course.path("out/rounds/bob/01-open-1.html").is_file());
    assert!(!page.contains("../rounds/"), "those are the rounds of the module before");
    assert_eq!(run(["grade", "x.wasm", "--pages", "all"]).code, 2, "pages are of a course");
}
