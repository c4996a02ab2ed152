//! `judge scoreboard` and the pages of a graded course, with links from a mark to its rounds.

use std::path::{Path, PathBuf};

use judge_core::GradeReport;

use crate::support::{Ran, judge, run, sample, says, write};

/// A graded course with an open testcase and a hidden one.
struct GradedBoard(tempfile::TempDir);

impl GradedBoard {
    fn new() -> GradedBoard {
        let graded = GradedBoard(tempfile::tempdir().unwrap());
        for folder in ["suite", "in"] {
            std::fs::create_dir(graded.path(folder)).unwrap();
        }
        let testcase = |more: &str| {
            format!("title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\npoints = 10\n{more}")
        };
        let head = "title = \"Lab <3>\"\n[rank]\ncurve = [[0, 0], [100, 50]]\n";
        write(&graded.path("suite"), "suite.toml", head);
        let open = testcase("seeds = [1, 2, 3]\nmin_score = 150\n[options]\n");
        write(&graded.path("suite"), "01-open.toml", open);
        let secret = testcase("seeds = [424242]\nmin_score = 1\nhidden = true\n");
        write(&graded.path("suite"), "02-secret.toml", secret);
        for (name, bot) in [
            ("ada", "mahjong-distance"),
            ("bob", "mahjong-straightforward"),
            ("cat", "cc-runner"),
            ("<img src=x onerror=window.taken=1>", "cc-runner"),
        ] {
            std::fs::copy(sample(bot), graded.path("in").join(name).with_extension("wasm"))
                .unwrap();
        }
        write(&graded.path("in"), "eve.wasm", "not a module");
        let list = write(graded.0.path(), "list.csv", "submission,student\nada,=Ada\nzed,Zed\n");
        let [submissions, suite, out] = ["in", "suite", "out"].map(|name| graded.text(name));
        let list = list.display().to_string();
        let ran =
            run(["grade", &submissions, "--suite", &suite, "--out", &out, "--students", &list]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        graded
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn scoreboard(&self, more: &[&str]) -> Ran {
        run(["scoreboard", &self.text("out")].iter().chain(more))
    }

    /// A report after a change and a new seal.
    fn changed(&self, name: &str, change: impl FnOnce(&mut GradeReport)) -> String {
        let mut report =
            GradeReport::from_json(&read(&self.path("out/students/bob.json"))).unwrap();
        change(&mut report);
        write(self.0.path(), name, report.sealed().to_json()).display().to_string()
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_scoreboard_shows_points_but_no_hidden_rounds() {
    let graded = GradedBoard::new();
    let text = graded.scoreboard(&[]);
    assert_eq!((text.code, text.stderr.as_str()), (0, ""));
    for part in ["=Ada", "01-open", "02-secret", "Zed", "No submission", "Invalid module", "(-"] {
        assert!(text.stdout.contains(part), "{part} in {}", text.stdout);
    }
    let json = graded.scoreboard(&["--json", "-"]).json();
    let students = json["students"].as_array().unwrap();
    let mut marks = csv::Reader::from_path(graded.path("out/marks.csv")).unwrap();
    let marks: Vec<std::collections::BTreeMap<String, String>> =
        marks.deserialize().map(Result::unwrap).collect();
    assert_eq!(students.len(), marks.len());
    for mark in &marks {
        let name = mark["student"].trim_start_matches('\'');
        let found = students.iter().find(|student| student["name"] == name);
        let found = found.unwrap_or_else(|| panic!("{name} in {json}"));
        for key in ["rank", "points", "max_points", "score"] {
            assert_eq!(found[key].to_string(), mark[key], "{key} of {name}");
        }
    }
    let html = read(&graded.path("out/scoreboard.html"));
    assert!(html.contains("href=\"students/ada.html\""), "{html}");
    let in_other_folder = graded.text("scoreboard.html");
    assert_eq!(graded.scoreboard(&["--html", &in_other_folder]).code, 0);
    assert!(read(Path::new(&in_other_folder)).contains("href=\"out/students/ada.html\""));
    for page in ["out/scoreboard.html", "out/students/ada.html", "out/students/bob.html"] {
        let page = read(&graded.path(page));
        assert!(!page.contains("424242") && !page.contains("<img"), "{page}");
    }
    assert!(read(&graded.path("out/full/ada.html")).contains("--seed 424242"));
}

#[test]
fn a_scoreboard_overwrites_no_result_of_a_course() {
    let graded = GradedBoard::new();
    let marks = read(&graded.path("out/marks.csv"));
    let copied = graded.text("copied.csv");
    std::fs::copy(graded.path("out/marks.csv"), &copied).unwrap();
    for (place, what) in [
        (graded.text("out/marks.csv"), "is the mark sheet of a course"),
        (copied, "is the mark sheet of a course"),
        (graded.text("out/students/ada.html"), "belongs to a graded course"),
        (graded.text("out/scoreboard.html"), "belongs to a graded course"),
    ] {
        let before = read(Path::new(&place));
        for option in ["--html", "--json"] {
            let ran = graded.scoreboard(&[option, &place]);
            assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{}", ran.stderr);
            says(&ran.stderr, &[&place, what, "hint: write to another file"]);
        }
        assert_eq!(read(Path::new(&place)), before);
    }
    // Other files in the folder do not belong to the course, and it writes its own files itself.
    let own = graded.text("out/mine.html");
    for _ in 0..2 {
        assert_eq!(graded.scoreboard(&["--html", &own]).code, 0);
    }
    let [submissions, suite, out] = ["in", "suite", "out"].map(|name| graded.text(name));
    let again = run(["grade", &submissions, "--suite", &suite, "--out", &out, "--resume"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(read(&graded.path("out/marks.csv")), marks);
}

#[cfg(unix)]
#[test]
fn an_output_through_a_link_keeps_the_link() {
    let graded = GradedBoard::new();
    std::os::unix::fs::symlink("real.html", graded.path("link.html")).unwrap();
    for _ in 0..2 {
        assert_eq!(graded.scoreboard(&["--html", &graded.text("link.html")]).code, 0);
        assert!(graded.path("link.html").is_symlink());
        assert!(read(&graded.path("real.html")).contains("scoreboard of"));
    }
}

#[test]
fn pseudonyms_are_stable_under_a_secret_and_have_no_links() {
    let graded = GradedBoard::new();
    let with = |secret: &str| graded.scoreboard(&["--html", "-", &format!("--pseudonyms{secret}")]);
    let one = with("=correct horse");
    assert_eq!(one.code, 0, "{}", one.stderr);
    assert_eq!(one.stdout, with("=correct horse").stdout);
    assert_ne!(one.stdout, with("=correct house").stdout);
    let drawn = || {
        std::fs::remove_file(graded.path("out/pseudonyms.csv")).unwrap();
        with("").stdout
    };
    assert_ne!(drawn(), drawn(), "at random");
    assert_eq!(drawn(), with("").stdout, "and kept");
    for trace in ["Ada", "bob", "Zed", "eve", "href=", "students/"] {
        assert!(!one.stdout.contains(&format!(">{trace}")), "{trace}");
    }
    assert!(!one.stdout.contains("href="));
    let json = graded.scoreboard(&["--json", "-", "--pseudonyms=correct horse"]);
    assert!(!json.stdout.contains("digest") && !json.stdout.contains("Ada"), "{}", json.stdout);
    let short = with("=ada");
    assert_eq!(short.code, 2);
    assert!(short.stderr.contains("12 characters or more"), "{}", short.stderr);
}

#[test]
fn reports_of_different_runs_are_refused_with_the_reason() {
    let graded = GradedBoard::new();
    let out = graded.text("out");
    let bob = graded.text("out/students/bob.json");
    let ada = graded.text("out/students/ada.json");
    let carol = |report: &mut GradeReport| report.bots[0].bot.name = "carol".to_owned();
    let other_judge = graded.changed("judge.json", |report| {
        carol(report);
        report.fingerprint.judge = "0.0.9".to_owned();
    });
    let other_suite = graded.changed("suite.json", |report| {
        carol(report);
        report.suite = "another".to_owned();
    });
    let forged =
        write(graded.0.path(), "forged.json", read(Path::new(&bob)).replacen("bob", "bab", 1));
    let forged = forged.display().to_string();
    let empty = graded.text("empty");
    std::fs::create_dir(&empty).unwrap();
    let both = run(["scoreboard", &ada, &bob]);
    assert_eq!(both.code, 0, "{}", both.stderr);
    assert_eq!(
        run(["scoreboard", &ada, &bob]).stdout,
        both.stdout,
        "the name of before still works"
    );
    let cases: [(&[&str], &str); 7] = [
        (&[&ada, &other_judge], "results of different judges are never mixed: judge `0.0.9`"),
        (&[&ada, &other_suite], "is on another suite"),
        (&[&bob, &bob], "`bob` has two results"),
        (&[&forged], "was changed after it was written (`seal`"),
        (&[&empty], "is not a graded course"),
        (&[&out, &other_judge], "another judge"),
        (&[&graded.text("in/eve.wasm")], "not a report"),
    ];
    for (results, expected) in cases {
        let ran = run(["scoreboard"].iter().chain(results));
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{results:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{expected} in {}", ran.stderr);
    }
    let carol = graded.changed("carol.json", carol);
    let mixed = run(["scoreboard", &out, &carol]);
    assert_eq!(mixed.code, 3);
    assert!(mixed.stderr.contains("points by rank"), "{}", mixed.stderr);
    let sheet = graded.path("out/marks.csv");
    let before = read(&sheet);
    std::fs::write(&sheet, with_other_points(&before)).unwrap();
    let changed = graded.scoreboard(&[]);
    assert_eq!(changed.code, 3, "{}", changed.stdout);
    assert!(changed.stderr.contains("is `77`; the report has"), "{}", changed.stderr);
    std::fs::write(&sheet, before).unwrap();
    std::fs::write(&sheet, read(&sheet).replacen("bob,,bob.wasm,", "bob,,bob.wasm,9", 1)).unwrap();
    let changed = graded.scoreboard(&[]);
    assert_eq!(changed.code, 3);
    assert!(changed.stderr.contains("`points` is `9"), "{}", changed.stderr);
}

/// The sheet with 77 points for the first student's first testcase.
fn with_other_points(sheet: &str) -> String {
    let mut lines: Vec<Vec<&str>> = sheet.lines().map(|line| line.split(',').collect()).collect();
    let first = lines[0].iter().position(|name| *name == "score").unwrap() + 1;
    // From the end, because a student's name may contain a comma.
    let from_end = lines[0].len() - first;
    let at = lines[1].len() - from_end;
    lines[1][at] = "77";
    lines.iter().map(|line| line.join(",") + "\n").collect()
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_reading() {
    let graded = GradedBoard::new();
    for option in ["--html", "--json"] {
        let ran = graded.scoreboard(&[option, &graded.text("no/such/board")]);
        assert_eq!(ran.code, 3);
        assert!(ran.stderr.contains("hint: make its folder first"), "{}", ran.stderr);
    }
    assert_eq!(graded.scoreboard(&["--html", "-", "--json", "-"]).code, 2);
    let bob = graded.text("out/students/bob.json");
    let before = read(Path::new(&bob));
    let ran = run(["scoreboard", &bob, "--html", &bob]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.stderr.contains("is an input of this command and would be overwritten"),
        "{}",
        ran.stderr
    );
    assert_eq!(read(Path::new(&bob)), before);
}

/// Commands on a page, in order.
fn commands(page: &str, begin: &str) -> Vec<String> {
    let texts = page.split("<code>").skip(1).filter_map(|part| part.split("</code>").next());
    texts.filter(|text| text.starts_with(begin)).map(str::to_owned).collect()
}

/// Mark sheet → student's page → testcase → round → `judge play --replay` → `judge verify`.
fn traced(graded: &GradedBoard, name: &str) {
    let mut marks = csv::Reader::from_path(graded.path("out/marks.csv")).unwrap();
    let marks: Vec<std::collections::BTreeMap<String, String>> =
        marks.deserialize().map(Result::unwrap).collect();
    let mark = marks.iter().find(|mark| mark["submission"] == format!("{name}.wasm")).unwrap();
    let page = mark["report"].replace(".json", ".html");
    let page = read(&graded.path("out").join(page));
    assert!(page.contains(&mark["digest"]) && page.contains(&mark["sha256"]), "{page}");
    let plays = commands(&page, "judge play ");
    assert_eq!(plays.len(), 3, "the open rounds: {plays:?}");
    let digests = page.split("<summary>Digest</summary><code>").skip(1);
    let digests: Vec<&str> = digests.map(|part| &part[..64]).collect();
    assert_eq!(digests.len(), 3, "{page}");
    let bot = graded.text(&format!("in/{name}.wasm"));
    for (number, (play, digest)) in (1..).zip(std::iter::zip(&plays, digests)) {
        let kept = graded.text(&format!("{name}-{number}.jsonl"));
        let words = play.split(' ').skip(3);
        let words = ["play", &bot].into_iter().chain(words).chain(["--replay", kept.as_str()]);
        // The command writes a page into the current folder.
        let ran = judge().current_dir(&graded.0).args(words).output().unwrap();
        let ran = Ran::from(ran);
        assert!(read(&graded.path("round.html")).contains(digest), "{play}");
        assert!(ran.code <= 1, "{play}: {}", ran.stderr);
        assert!(ran.stdout.contains(digest), "{play}: {digest} in {}", ran.stdout);
        let ran = run(["verify", &kept, &bot]);
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    }
    let verify = commands(&page, "judge verify ");
    assert_eq!(verify[0], format!("judge verify round.jsonl {name}.wasm"));
    assert_eq!(verify[2], format!("judge verify {name}.json {name}.wasm --suite suite/"));
    let report = graded.text(&format!("out/students/{name}.json"));
    let ran = run(["verify", &report, &bot, "--suite", &graded.text("suite")]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn every_mark_can_be_traced_to_its_rounds() {
    let graded = GradedBoard::new();
    // Two bots that play to the end, and one that fails in every round.
    for name in ["ada", "bob", "cat"] {
        traced(&graded, name);
    }
    // A page of a round is linked when the course is resumed.
    let round = graded.path("out/rounds/bob/01-open-2.html");
    std::fs::create_dir_all(round.parent().unwrap()).unwrap();
    let kept = graded.text("bob-2.jsonl");
    assert_eq!(run(["replay", &kept, "--html", &round.display().to_string()]).code, 0);
    let [submissions, suite, out] = ["in", "suite", "out"].map(|name| graded.text(name));
    let list = graded.text("list.csv");
    let again =
        ["grade", &submissions, "--suite", &suite, "--out", &out, "--students", &list, "--resume"];
    assert_eq!(run(again).code, 0);
    let page = read(&graded.path("out/students/bob.html"));
    assert!(page.contains("href=\"../rounds/bob/01-open-2.html\""), "{page}");
}

/// The page of a large course is small enough for mail.
#[test]
fn a_page_of_300_students_and_40_testcases_fits_in_a_megabyte() {
    let folder = tempfile::tempdir().unwrap();
    let report = write(folder.path(), "large.json", crate::support::large_report());
    let report = report.display().to_string();
    let ran = run(["scoreboard", &report, "--html", "-"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.len() < 1_000_000, "{} bytes", ran.stdout.len());
    assert!(ran.stdout.len() > 500_000, "{} bytes for 12,000 results", ran.stdout.len());
}
