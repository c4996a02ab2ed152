//! Recipients of a course's results: a file for each student, pseudonyms, and the note about
//! publishing.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::PathBuf;

use crate::support::{Ran, run, sample, write};

/// Two students with the same name, one student without a submission, and a testcase that no bot
/// passes.
struct NamesakeCourse(tempfile::TempDir);

impl NamesakeCourse {
    fn new() -> NamesakeCourse {
        let course = NamesakeCourse(tempfile::tempdir().unwrap());
        for folder in ["in", "suite"] {
            std::fs::create_dir(course.path(folder)).unwrap();
        }
        write(&course.path("suite"), "suite.toml", "title = \"Small\"\n");
        let testcase = "title = \"x\"\ngame = \"cc\"\nopponent = \"random\"\nseeds = [1, 2]\n\
                        min_score = 3000\npoints = 10\n";
        write(&course.path("suite"), "01-only.toml", testcase);
        for (name, bot) in [("zoe-1", "cc-runner"), ("yan-2", "cc-flood")] {
            std::fs::copy(sample(bot), course.path("in").join(name).with_extension("wasm"))
                .unwrap();
        }
        let list =
            "submission,student,id,address\nzoe-1,Kim,1,kim@one.org\nyan-2,Kim,2,\nxu,Quentin,3,\n";
        write(course.0.path(), "list.csv", list);
        course
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        let path = self.path("out").join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn grade(&self, more: &[&str]) {
        let paths = ["in", "suite", "out", "list.csv"].map(|name| self.path(name));
        let [submissions, suite, out, list] = paths.map(|path| path.display().to_string());
        let fixed = ["grade", &submissions, "--suite", &suite, "--out", &out, "--students", &list];
        let ran = run(fixed.iter().chain(more));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains("to send, one file per student: "), "{}", ran.stdout);
    }

    fn scoreboard(&self, more: &[&str]) -> Ran {
        let out = self.path("out").display().to_string();
        run(["scoreboard", &out].iter().chain(more))
    }

    /// The files sent to a student, as text.
    fn sent(&self, name: &str) -> BTreeMap<String, String> {
        let file = std::fs::File::open(self.path("out/send").join(format!("{name}.zip"))).unwrap();
        let mut zip = zip::ZipArchive::new(file).unwrap();
        let count = zip.len();
        let read = |at: usize| {
            let mut entry = zip.by_index(at).unwrap();
            let name = entry.name().unwrap().into_owned();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            (name, text)
        };
        (0..count).map(read).collect()
    }
}

/// Addresses of the links on a page, without those within the page.
fn links(html: &str) -> Vec<&str> {
    let links = html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.map(|link| link.split('#').next().unwrap_or_default()).filter(|l| !l.is_empty()).collect()
}

#[test]
fn a_students_zip_has_only_files_of_that_student() {
    let course = NamesakeCourse::new();
    course.grade(&["--pages", "all"]);
    for (name, other) in [("zoe-1", "yan-2"), ("yan-2", "zoe-1")] {
        let sent = course.sent(name);
        let names: Vec<&str> = sent.keys().map(String::as_str).collect();
        let expected = [
            format!("{name}/result.html"),
            format!("{name}/rounds/01-only-1.html"),
            format!("{name}/rounds/01-only-1.jsonl"),
            format!("{name}/rounds/01-only-2.html"),
            format!("{name}/rounds/01-only-2.jsonl"),
            format!("{name}/{name}.json"),
        ];
        assert_eq!(names, expected);
        for (file, text) in &sent {
            assert!(!text.contains(other) && !text.contains("Quentin"), "{file}");
        }
        assert_eq!(sent[&expected[5]], course.read(&format!("students/{name}.json")));
        // The target of every link was sent, too.
        for (page, folder) in
            [(&expected[0], name.to_owned()), (&expected[1], format!("{name}/rounds"))]
        {
            let links = links(&sent[page]);
            assert!(links.len() >= 2, "{page}: {links:?}");
            for link in links {
                let path = match link.strip_prefix("../") {
                    Some(up) => format!("{name}/{up}"),
                    None => format!("{folder}/{link}"),
                };
                assert!(sent.contains_key(&path), "{page}: {link}");
            }
        }
    }
    let list = "student,id,address,file\nQuentin,3,,\nKim,2,,send/yan-2.zip\nKim,1,kim@one.org,send/zoe-1.zip\n";
    assert_eq!(course.read("send.csv"), list);

    // Rounds of a replaced submission are not sent as rounds of the new one.
    std::fs::copy(sample("cc-flood"), course.path("in/zoe-1.wasm")).unwrap();
    course.grade(&["--resume"]);
    assert_eq!(course.sent("zoe-1").len(), 2, "{:?}", course.sent("zoe-1").keys());
    assert!(course.path("out/rounds/zoe-1/01-only-1.html").exists());
    std::fs::remove_file(course.path("in/zoe-1.wasm")).unwrap();
    course.grade(&["--resume"]);
    assert!(!course.path("out/send/zoe-1.zip").exists(), "a submission that is gone");
    assert!(course.read("send.csv").contains("\nKim,1,kim@one.org,\n"));
}

#[test]
fn the_readme_lists_every_file() {
    let course = NamesakeCourse::new();
    course.grade(&["--pages", "worst"]);
    assert_eq!(course.scoreboard(&["--pseudonyms"]).code, 0);
    let readme = course.read("README.txt");
    for entry in std::fs::read_dir(course.path("out")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(readme.contains(&name) || name == "README.txt", "{name}");
    }
    let (public, rest) = readme.split_once("For instructors").unwrap();
    let (instructors, never) = rest.split_once("Never to be published").unwrap();
    // Including those that do not occur in this course.
    for name in [
        "marks.csv",
        "moodle.csv",
        "canvas.csv",
        "scoreboard.html",
        "look-at.csv",
        "send.csv",
        "pseudonyms.csv",
    ] {
        assert!(instructors.contains(name), "{name} in {instructors}");
    }
    for name in ["full/", "journal.jsonl", "same-answers.csv", "changes.csv"] {
        assert!(never.contains(name) && !public.contains(name), "{name} in {readme}");
    }
    assert!(!public.contains("marks.csv"), "{readme}");
}

#[test]
fn a_pseudonym_is_on_the_students_page_and_in_the_list() {
    let course = NamesakeCourse::new();
    course.grade(&[]);
    assert!(course.read("students/zoe-1.html").contains("<p id=\"pseudonym\"></p>"));
    let ran = course.scoreboard(&["--json", "-", "--pseudonyms=correct horse"]);
    let list = course.path("out/pseudonyms.csv");
    let told = format!("names by pseudonym: `{}`, not to be published; ", list.display());
    assert_eq!(ran.stderr, told + "2 pages show their pseudonym\n");
    let mut reader = csv::Reader::from_path(&list).unwrap();
    let lines: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    let of = |report: &str| {
        let line = lines.iter().find(|line| line["report"] == report);
        line.map(|line| (line["student"].as_str(), line["pseudonym"].as_str())).unwrap()
    };
    let (zoe, yan) = (of("students/zoe-1.json"), of("students/yan-2.json"));
    assert_eq!((zoe.0, yan.0, of("").0), ("Kim", "Kim", "Quentin"));
    assert_ne!(zoe.1, yan.1, "two people of one name are told apart");
    let scoreboard = ran.json();
    let names: Vec<&str> = scoreboard["students"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    for name in [zoe.1, yan.1, of("").1] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    let is_told = |name: &str, own: &str, other: &str| {
        for page in [
            &course.read(&format!("students/{name}.html")),
            &course.sent(name)[&format!("{name}/result.html")],
        ] {
            assert!(
                page.contains(&format!("On the public scoreboard: <b><bdi>{own}</bdi></b></p>"))
            );
            assert!(!page.contains(other));
        }
    };
    is_told("zoe-1", zoe.1, yan.1);
    is_told("yan-2", yan.1, zoe.1);
    // It stays when the pages are written again.
    course.grade(&["--resume"]);
    is_told("zoe-1", zoe.1, yan.1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&list).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "nobody else reads who is who");
    }
    // A list that cannot be written does not damage the scoreboard.
    std::fs::remove_file(&list).unwrap();
    std::fs::create_dir(&list).unwrap();
    let ran = course.scoreboard(&["--json", "-", "--pseudonyms=correct horse"]);
    assert!(ran.code == 0 && ran.json() == scoreboard, "{}", ran.stderr);
    assert!(ran.stderr.starts_with("warning: the pseudonyms were not kept: "), "{}", ran.stderr);
}
