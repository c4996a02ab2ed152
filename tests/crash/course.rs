//! A small course, and the results of an undisturbed run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{judge, sample, write};

/// Submissions and a suite in a temporary folder.
pub(crate) struct CrashCourse {
    folder: tempfile::TempDir,
}

/// The public files of a graded course, by name.
pub(crate) type Results = BTreeMap<String, Vec<u8>>;

impl CrashCourse {
    pub(crate) fn new() -> CrashCourse {
        let folder = tempfile::tempdir().unwrap();
        let (suite, submissions) = (folder.path().join("suite"), folder.path().join("submissions"));
        for path in [&suite, &submissions] {
            std::fs::create_dir(path).unwrap();
        }
        write(&suite, "suite.toml", "title = \"Small\"\n[rank]\ncurve = [[0, 0], [100, 50]]\n");
        for (name, seat) in [("01-first", 1), ("02-second", 2)] {
            let text = format!(
                "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\nseat = {seat}\n\
                 seeds = [1, 2, 3, 4, 5]\nmin_score = 150\npoints = 10\n"
            );
            write(&suite, &format!("{name}.toml"), text);
        }
        for (name, bot) in [("ada", "mahjong-distance"), ("bob", "mahjong-straightforward")] {
            std::fs::copy(sample(bot), submissions.join(name).with_extension("wasm")).unwrap();
        }
        write(&submissions, "eve.wasm", "not a module");
        CrashCourse { folder }
    }

    /// A path for results.
    pub(crate) fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The command that grades the course, or resumes it.
    pub(crate) fn grade(&self, out: &Path) -> Command {
        let mut command = judge();
        command.arg("grade").arg(self.out("submissions")).arg("--suite").arg(self.out("suite"));
        command.arg("--out").arg(out).args(["--resume", "--jobs", "2"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// The results of an undisturbed run.
    pub(crate) fn undisturbed(&self) -> Results {
        let out = self.out("undisturbed");
        assert!(self.grade(&out).status().unwrap().success());
        results(&out)
    }
}

/// All results in a folder except the journal. Its lines are in the order in which the rounds
/// ended.
pub(crate) fn results(out: &Path) -> Results {
    let mut found = Results::new();
    for folder in [out.to_owned(), out.join("students"), out.join("send")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_file() && name != "journal.jsonl" && !name.starts_with(".judge-") {
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    let names = "marks, who to look at, board, what to send, what may be published, and of three students \
                 the report, its page and both packed";
    assert!(found.len() == 14, "{names}: {:?}", found.keys());
    found
}
