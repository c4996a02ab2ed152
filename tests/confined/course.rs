//! A folder of untrusted sources, and its results.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Ran, judge, write};

/// A text for staff only, in a file next to the submissions.
pub(crate) const SECRET: &str = "SECRET-OF-THE-STAFF";

/// Submissions in a separate folder.
pub(crate) struct ConfinedCourse(tempfile::TempDir);

impl ConfinedCourse {
    pub(crate) fn new() -> ConfinedCourse {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("in")).unwrap();
        std::fs::create_dir_all(folder.path().join("suite")).unwrap();
        write(folder.path(), "secret.txt", SECRET);
        write(&folder.path().join("suite"), "suite.toml", "title = \"One round\"\n");
        let case = "title = \"One\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [5]\n\
                    min_score = 0\npoints = 10\n\n[limits]\nmemory_kib = 8192\n";
        write(&folder.path().join("suite"), "01-one.toml", case);
        ConfinedCourse(folder)
    }

    /// The folder around the submissions.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a secret file that a source may name.
    pub(crate) fn secret(&self) -> PathBuf {
        self.path().join("secret.txt")
    }

    /// Submits a file by its path in the folder.
    pub(crate) fn add(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join("in").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn grade(&self, more: &[&str]) -> Ran {
        let mut command = judge();
        command.arg("grade").arg(self.path().join("in"));
        command.arg("--suite").arg(self.path().join("suite"));
        command.arg("--out").arg(self.path().join("out")).args(more);
        command.output().unwrap().into()
    }

    /// The report on a submission.
    pub(crate) fn report(&self, name: &str) -> Value {
        let students = std::fs::read_dir(self.path().join("out/students")).unwrap();
        let files = students.map(|file| file.unwrap().path());
        let reports = files.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
        let read = |path: PathBuf| {
            let text = std::fs::read_to_string(path).unwrap();
            serde_json::from_str::<Value>(&text).unwrap()["bots"][0].clone()
        };
        let found = reports.map(read).find(|bot| bot["bot"]["name"] == name);
        found.unwrap_or_else(|| panic!("no report on `{name}`"))
    }

    /// The reason and blame of a refused submission; empty if it was played.
    pub(crate) fn refused(&self, name: &str) -> (String, String) {
        let refused = &self.report(name)["refused"];
        let text = |key: &str| refused[key].as_str().unwrap_or_default().to_owned();
        (text("blame"), text("detail"))
    }

    /// A submission's verdict in its only testcase, from the mark sheet.
    pub(crate) fn worst(&self, name: &str) -> String {
        let marks = std::fs::read_to_string(self.path().join("out/marks.csv")).unwrap();
        let mut lines = marks.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let head = lines.next().unwrap();
        let column = |title: &str| head.iter().position(|other| *other == title).unwrap();
        let (student, worst) = (column("student"), column("worst_verdict"));
        let line = lines.find(|line| line[student] == name);
        line.unwrap_or_else(|| panic!("no mark for `{name}`"))[worst].to_owned()
    }

    /// All results and built modules.
    pub(crate) fn everything(&self) -> Vec<u8> {
        let mut all = Vec::new();
        collect(&self.path().join("out"), &mut all);
        all
    }
}

fn collect(folder: &Path, all: &mut Vec<u8>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => collect(&path, all),
            false => all.extend(std::fs::read(&path).unwrap()),
        }
    }
}

/// A valid source in each language.
pub(crate) const SOUND: &[(&str, &str, &str)] = &[
    ("c", "c", include_str!("../languages/sources/bot.c")),
    ("cpp", "cpp", include_str!("../languages/sources/brain.cpp")),
    ("zig", "zig", include_str!("../languages/sources/bot.zig")),
    ("assemblyscript", "ts", include_str!("../languages/sources/bot.ts")),
    ("go", "go", include_str!("../../sdk/go/example/main.go")),
    ("wat", "wat", crate::support::SILENT_BOT),
    ("javascript", "js", include_str!("../../sdk/templates/javascript/mahjong.js")),
    ("python", "py", include_str!("../../sdk/templates/python/mahjong.py")),
];

/// Languages that the judge cannot build in confinement here, by its own output.
pub(crate) fn missing() -> Vec<String> {
    let course = ConfinedCourse::new();
    for (language, ending, text) in SOUND {
        course.add(&format!("{language}.{ending}"), text);
    }
    let ran = course.grade(&["--build"]);
    if !course.path().join("out/students").is_dir() {
        // Any other message is a failure: leaking walls must not look like a machine without them.
        let reasons = ["this kernel has no Landlock", "only Linux has what it takes"];
        assert!(reasons.iter().any(|why| ran.stderr.contains(why)), "{}", ran.stderr);
        eprintln!("{}", ran.stderr.trim_end());
        return SOUND.iter().map(|(language, ..)| (*language).to_owned()).collect();
    }
    let is_missing = |language: &&str| {
        let (blame, why) = course.refused(language);
        let missing = blame == "judge" && why.contains("no compiler for ");
        assert!(blame.is_empty() || missing, "{language}: {why}\n{}", ran.stderr);
        missing
    };
    let languages = SOUND.iter().map(|(language, ..)| *language);
    languages.filter(is_missing).map(str::to_owned).collect()
}
