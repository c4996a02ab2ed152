//! Every submission and every student on the list is accounted for: each missing or zero result is
//! reported with its reason.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::{Ran, run, sample, says, write};

/// An empty course on a suite of one testcase of Mahjong.
struct EmptyCourse(tempfile::TempDir);

impl EmptyCourse {
    fn new() -> EmptyCourse {
        let course = EmptyCourse(tempfile::tempdir().unwrap());
        for folder in ["suite", "in"] {
            std::fs::create_dir(course.path(folder)).unwrap();
        }
        write(&course.path("suite"), "suite.toml", "title = \"x\"\n");
        let case = "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1, 2]\n\
                    min_score = 1\npoints = 10\n";
        write(&course.path("suite"), "01.toml", case);
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Submits a sample bot.
    fn submit(&self, name: &str, bot: &str) {
        self.put(name, &std::fs::read(sample(bot)).unwrap());
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        let path = self.path("in").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    fn list(&self, text: &str) -> String {
        write(self.0.path(), "students.csv", text).display().to_string()
    }

    fn grade(&self, more: &[&str]) -> Ran {
        let submissions = self.path("in").display().to_string();
        self.grade_these(&[&submissions], more)
    }

    fn grade_these(&self, paths: &[&str], more: &[&str]) -> Ran {
        let [suite, out] = ["suite", "out"].map(|name| self.path(name).display().to_string());
        let fixed = ["--suite", &suite, "--out", &out];
        run(["grade"].iter().chain(paths).chain(&fixed).chain(more))
    }

    /// The mark sheet by student.
    fn marks(&self, out: &str) -> BTreeMap<String, BTreeMap<String, String>> {
        let mut reader = csv::Reader::from_path(self.path(out).join("marks.csv")).unwrap();
        let rows = reader.deserialize().map(|row| row.unwrap());
        rows.map(|row: BTreeMap<String, String>| (row["student"].clone(), row)).collect()
    }

    fn fields<const N: usize>(&self, student: &str, keys: [&str; N]) -> [String; N] {
        let marks = self.marks("out");
        let row = marks.get(student).unwrap_or_else(|| panic!("no `{student}` in {marks:?}"));
        keys.map(|key| row[key].clone())
    }

    fn read(&self, name: &str) -> String {
        let path = self.path("out").join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
    }
}

#[test]
fn every_student_and_submission_is_matched_or_reported() {
    let course = EmptyCourse::new();
    course.submit("ada.wasm", "mahjong-distance");
    course.submit("4711.wasm", "mahjong-straightforward");
    course.submit("cat@uni.edu.wasm", "mahjong-hunter");
    course.submit("stray.wasm", "patchwork-first-fit");
    course.put("fay.zip", b"PK\x03\x04");
    course.put("gus.cpp", b"int main() {}");
    course.put("ada.cpp", b"int main() {}");
    let module = std::fs::read(sample("mahjong-distance")).unwrap();
    course.put("hal", &module);
    course.put("readme.txt", b"hello");
    course.put(".hidden", b"x");
    let list = course.list(
        "submission,student,id,address\nada,Ada King,1,\nx1,Bob,4711,\nx2,Cat,,Cat@uni.edu\n\
         fay,Fay,,\ngus,Gus,,\nhal,Hal,,\nstrey,Stray Dog,,\n",
    );
    let ran = course.grade(&["--students", &list]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let keys = ["submission", "points", "worst_verdict"];
    assert_eq!(course.fields("Ada King", keys), ["ada.wasm", "10", "Accepted"]);
    assert_eq!(course.fields("Bob", keys), ["4711.wasm", "10", "Accepted"]);
    assert_eq!(course.fields("Cat", ["submission", "id"]), ["cat@uni.edu.wasm", ""]);
    assert_eq!(course.fields("Fay", keys), ["fay.zip", "0", "Not a module"]);
    assert_eq!(course.fields("Gus", keys), ["gus.cpp", "0", "Not a module"]);
    assert_eq!(course.fields("Hal", keys), ["hal", "0", "Not a module"]);
    assert_eq!(course.fields("Stray Dog", keys), ["", "0", "No submission"]);
    assert_eq!(course.marks("out").len(), 8);
    says(
        &ran.stdout,
        &[
            "1  No submission\n",
            "3  Not a module\n",
            "list: 7 students, 4 of them without a module; 1 submission matches no student\n",
            "ignored: 5 files\n",
            "look at these:\n",
            "  Fay (fay): `fay.zip` is an archive: ask for the module that is packed in it\n",
            "  Hal (hal): `hal` is a module without the ending `.wasm`: rename it\n",
            "  Ada King (ada): ignored `ada.cpp` next to the graded module\n",
            "  readme.txt: matches no student on the list, and is not a module",
            "  stray: matches no student on the list; did you mean `strey`?\n",
            "  stray: plays patchwork, but this suite is for mahjong; `--suite patchwork` fits it\n",
            "  Stray Dog (strey): no submission\n",
        ],
    );
    let all = course.read("look-at.csv");
    says(
        &all,
        &["who,why\n", "Stray Dog (strey),no submission\n", "matches no student on the list"],
    );
    let scoreboard = course.read("scoreboard.html");
    says(&scoreboard, &["Not a module", "No submission", "<b>3</b> submitted no module"]);
    let out = course.path("out").display().to_string();
    let scoreboard = run(["scoreboard", &out]);
    assert_eq!(scoreboard.code, 0, "{}", scoreboard.stderr);
    says(
        &scoreboard.stdout,
        &["Not a module", "1 submitted nothing\n3 submitted something that is no"],
    );
}

#[test]
fn a_file_other_than_a_module_has_a_row_without_a_student_list() {
    let course = EmptyCourse::new();
    course.submit("ada.wasm", "mahjong-distance");
    course.put("fay.zip", b"PK\x03\x04");
    course.put("ada.txt", b"hello");
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let keys = ["submission", "points", "worst_verdict", "report"];
    assert_eq!(course.fields("fay", keys), ["fay.zip", "0", "Not a module", ""]);
    assert_eq!(course.marks("out").len(), 2, "who handed in a module has one line");
}

#[test]
fn resume_without_a_matching_student_keeps_earlier_results() {
    let course = EmptyCourse::new();
    for name in ["ada", "bob", "cat"] {
        course.submit(&format!("{name}.wasm"), "mahjong-distance");
    }
    let list = course.list("submission\nada\nbob\ncat\n");
    assert_eq!(course.grade(&["--students", &list]).code, 0);
    std::fs::remove_dir_all(course.path("in")).unwrap();
    for name in ["x1", "x2", "x3"] {
        course.submit(&format!("{name}.wasm"), "mahjong-distance");
    }
    let ran = course.grade(&["--resume"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    says(&ran.stderr, &["no student on the list of this run", "`x1`, `x2`, `x3`"]);
    assert!(course.path("out/students/ada.json").is_file());
    assert_eq!(course.grade(&["--resume", "--allow-unmatched"]).code, 0);
}

#[test]
fn a_list_without_a_matching_student_is_refused_before_writing() {
    let course = EmptyCourse::new();
    for name in ["ada", "bob", "cat"] {
        course.submit(&format!("{name}.wasm"), "mahjong-distance");
    }
    let list = course.list("submission\nx1\nx2\nx3\n");
    let ran = course.grade(&["--students", &list]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    says(
        &ran.stderr,
        &["no student in `", "`x1`, `x2`, `x3`", "`ada`, `bob`, `cat`", "--allow-unm"],
    );
    assert!(!course.path("out").exists());
    let ran = course.grade(&["--students", &list, "--allow-unmatched"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(&ran.stdout, &["3 submissions match no student", "3  No submission"]);
    // Two are too few to decide.
    let two = EmptyCourse::new();
    two.submit("ada.wasm", "mahjong-distance");
    let list = two.list("submission\nx1\nx2\n");
    assert_eq!(two.grade(&["--students", &list]).code, 0);
}

#[test]
fn merged_parts_account_for_the_same_submissions_as_one_run() {
    let course = EmptyCourse::new();
    course.submit("4711/build/my bot.wasm", "mahjong-distance");
    course.submit("bob.wasm", "mahjong-distance");
    course.submit("cat.wasm", "cc-runner");
    course.put("fay.zip", b"PK\x03\x04");
    let list = course.list("submission,student,id\nx,Ada,4711\nbob,Bob,\nfay,Fay,\nzed,,\n");
    let whole = course.grade(&["--students", &list]);
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    std::fs::rename(course.path("out"), course.path("whole")).unwrap();
    for shard in ["1/2", "2/2"] {
        let ran = course.grade(&["--students", &list, "--shard", shard]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        std::fs::rename(course.path("out"), course.path(&format!("part{}", &shard[..1]))).unwrap();
    }
    let [one, two, out] =
        ["part1", "part2", "out"].map(|name| course.path(name).display().to_string());
    let merged = run(["merge", &one, &two, "--out", &out]);
    assert_eq!(merged.code, 0, "{}", merged.stderr);
    let folder = |text: &str| text.replace("/whole/", "/out/");
    assert_eq!(merged.stdout, folder(&whole.stdout));
    for name in ["marks.csv", "scoreboard.html", "students/4711.html", "students/cat.html"] {
        let whole = std::fs::read_to_string(course.path("whole").join(name)).unwrap();
        assert_eq!(course.read(name), whole, "{name}");
    }
    assert_eq!(course.fields("Fay", ["worst_verdict"]), ["Not a module"]);
}

#[test]
fn one_module_in_a_folder_counts_and_extra_files_are_listed() {
    let course = EmptyCourse::new();
    course.submit("deep/build/out/bot.wasm", "mahjong-distance");
    course.put("deep/main.cpp", b"");
    course.put("source/main.cpp", b"");
    course.submit("two/a.wasm", "mahjong-distance");
    course.submit("two/old/b.wasm", "mahjong-straightforward");
    std::fs::create_dir(course.path("in/nothing")).unwrap();
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(course.fields("deep", ["points"]), ["10"]);
    for (name, verdict) in
        [("source", "Not a module"), ("two", "Invalid module"), ("nothing", "Not a module")]
    {
        assert_eq!(course.fields(name, ["worst_verdict"]), [verdict]);
    }
    let several = "there are several `.wasm` files in the folder: `a.wasm`, `old/b.wasm`";
    let marked = several.replace("` ", "</code> ").replace("`,", "</code>,");
    let marked = marked.strip_suffix('`').unwrap().replace('`', "<code>") + "</code>";
    says(&course.read("students/two.html"), &[&marked]);
    says(
        &ran.stdout,
        &[
            &format!("  two: Invalid module: {several}\n"),
            "  source: `source` is a folder without a `.wasm` file, but with `main.cpp`: ask for",
            "  nothing: `nothing` is an empty folder: ask for the built `.wasm` file\n",
        ],
    );
    let found = [
        ("source", "there is no `.wasm` file in the folder, but `main.cpp`"),
        ("two", several),
        ("nothing", "there is no `.wasm` file in the folder: it is empty"),
    ];
    for (name, what) in found {
        // The same for a single bot, which is not a student's result.
        let path = course.path("in").join(name).display().to_string();
        let ran = run(["grade", &path, "--suite", "mahjong"]);
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        says(&ran.stderr, &[what]);
    }
    let page = course.read("students/deep.html");
    says(&page, &["judge verify deep.json build/out/bot.wasm --suite"]);
    let deep = course.path("in/deep").display().to_string();
    let suite = course.path("suite").display().to_string();
    let ran = run(["grade", &deep, "--suite", &suite]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    says(&ran.stdout, &["deep, by judge"]);
    let several = course.path("in/two").display().to_string();
    let ran = run(["grade", &several]);
    says(&ran.stderr, &["`--out` is missing to grade all", "--suite SUITE --out RESULTS"]);
    assert!(course.path("in/two").is_dir());
}

#[test]
fn submissions_named_by_a_shell_pattern_keep_their_names() {
    let course = EmptyCourse::new();
    course.submit("ada/bot.wasm", "mahjong-distance");
    course.submit("bob/bot.wasm", "mahjong-straightforward");
    course.put("cat/main.cpp", b"");
    course.put("notes.txt", b"");
    let paths = ["ada", "bob", "cat", "notes.txt"]
        .map(|name| course.path("in").join(name).display().to_string());
    let ran = course.grade_these(&paths.each_ref().map(String::as_str), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let names: Vec<String> = course.marks("out").into_keys().collect();
    assert_eq!(names, ["ada", "bob", "cat", "notes"]);
    course.submit("eve/old.wasm", "mahjong-distance");
    course.submit("eve/new.wasm", "mahjong-straightforward");
    std::fs::remove_dir_all(course.path("out")).unwrap();
    let eve = course.path("in/eve").display().to_string();
    let ran = course.grade_these(&[&paths[0], &eve], &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(&ran.stderr, &["eve` was taken for one submission", "name only this folder"]);
    assert_eq!(course.fields("eve", ["worst_verdict"]), ["Invalid module"]);
    // Folders of submissions are unchanged.
    std::fs::remove_dir_all(course.path("out")).unwrap();
    let groups = ["one", "two"].map(|group| {
        course.submit(&format!("../{group}/x{group}.wasm"), "mahjong-distance");
        course.submit(&format!("../{group}/y{group}.wasm"), "mahjong-straightforward");
        course.path(group).display().to_string()
    });
    let ran = course.grade_these(&groups.each_ref().map(String::as_str), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let names: Vec<String> = course.marks("out").into_keys().collect();
    assert_eq!(names, ["xone", "xtwo", "yone", "ytwo"]);
}

#[test]
fn a_module_for_another_game_is_reported_once() {
    let course = EmptyCourse::new();
    course.submit("ada.wasm", "cc-runner");
    course.submit("bob.wasm", "mahjong-distance");
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let told = "plays cc, but this suite is for mahjong; `--suite cc` fits it";
    assert_eq!(ran.stdout.matches(told).count(), 1, "{}", ran.stdout);
    assert!(!ran.stdout.contains("no points"), "{}", ran.stdout);
    let page = course.read("students/ada.html");
    let marked = told.replace("`--suite cc`", "<code>--suite cc</code>");
    says(&page, &[&format!("A module for another game.</strong> It {marked}.</p>")]);
    assert!(!page.contains("What now:"), "one line says it");
    let [ada, suite] = ["in/ada.wasm", "suite"].map(|name| course.path(name).display().to_string());
    let alone = run(["grade", &ada, "--suite", &suite]);
    says(&alone.stderr, &[&format!("`{ada}` {told}")]);
    assert!(!course.read("students/bob.html").contains("another game"));
}

/// The module with a custom section more.
fn with_custom_section(module: &[u8]) -> Vec<u8> {
    [module, b"\x00\x05\x04note"].concat()
}

#[test]
fn two_submissions_of_the_same_program_are_reported() {
    let course = EmptyCourse::new();
    let module = std::fs::read(sample("mahjong-distance")).unwrap();
    course.put("ada.wasm", &module);
    course.put("bob.wasm", &module);
    course.submit("cat.wasm", "mahjong-straightforward");
    let other = std::fs::read(sample("mahjong-straightforward")).unwrap();
    course.put("dan.wasm", &with_custom_section(&other));
    course.submit("eve.wasm", "mahjong-hunter");
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(
        &ran.stdout,
        &[
            "  ada, bob: the same module\n",
            "  cat, dan: modules that differ only in custom sections",
        ],
    );
    assert!(!ran.stdout.contains("eve"), "{}", ran.stdout);
}

/// All files below a folder but the journal.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path.display().to_string()),
        }
    }
    found
}

#[test]
fn resume_removes_results_of_a_deleted_submission() {
    let course = EmptyCourse::new();
    for name in ["ada.wasm", "bob.wasm", "Bob.wasm"] {
        course.submit(name, "mahjong-distance");
    }
    assert_eq!(course.grade(&["--pages", "all"]).code, 0);
    assert!(course.path("out/rounds/bob").is_dir());
    std::fs::remove_file(course.path("in/bob.wasm")).unwrap();
    let ran = course.grade(&["--resume", "--pages", "all"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    says(&ran.stderr, &["left out of the marks: bob; their reports and pages are removed"]);
    assert!(!course.path("out/students/bob.json").exists());
    assert!(!course.path("out/students/bob.html").exists());
    assert!(!course.path("out/rounds/bob").exists());
    let left = files(&course.path("out"));
    let of = |part: &str| left.iter().filter(|path| path.contains(part)).count();
    assert!(of("ada") >= 2 && of("Bob~") >= 2, "{left:?}");
}

#[test]
fn every_path_in_the_summary_exists() {
    let course = EmptyCourse::new();
    course.submit("ada.wasm", "mahjong-distance");
    let case = std::fs::read_to_string(course.path("suite/01.toml")).unwrap();
    std::fs::write(course.path("suite/01.toml"), case + "hidden = true\n").unwrap();
    let ran = course.grade(&["--pages", "all"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let lines: Vec<&str> =
        ran.stdout.lines().filter_map(|line| line.strip_prefix("rounds: ")).collect();
    let [line] = lines[..] else { panic!("{}", ran.stdout) };
    let folder = line.split_once(" (").unwrap().0;
    assert!(folder.ends_with("full/rounds") && Path::new(folder).is_dir(), "{line}");
}

#[test]
fn an_endlessly_deep_folder_fails_only_its_submission() {
    let course = EmptyCourse::new();
    course.submit("ada.wasm", "mahjong-distance");
    let deep: PathBuf = std::iter::repeat_n("d", 40).collect();
    std::fs::create_dir_all(course.path("in/eve").join(deep)).unwrap();
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(course.fields("eve", ["worst_verdict"]), ["Invalid module"]);
    says(&ran.stdout, &["  eve: Invalid module: the folder holds more than"]);
}
