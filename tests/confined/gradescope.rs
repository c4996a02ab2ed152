//! `judge export gradescope --build`: runs its scripts like Gradescope.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::course::{ConfinedCourse, SECRET, SOUND};
use crate::support::{judge, says};

/// The autograder accepts sources, and assigns each failure to the source or the machine.
pub(crate) fn takes_sources() {
    let course = ConfinedCourse::new();
    let source = unpacked(&course);
    let tools = tools(course.path());
    let ran = Command::new(source.join("setup.sh")).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(!source.join("probe").exists(), "nothing is left of what was tried");
    let sound = grade(&source, &[("src/bot.c", SOUND[0].2), ("README.txt", "x")], &[]);
    assert_eq!(sound["score"], 10, "{sound}");
    let module = grade(&source, &[("bot.c", SOUND[0].2), ("bot.wasm", "x")], &[]);
    assert_eq!(module["tests"][0]["tags"][0], "Invalid module", "the module counts: {module}");
    let secret = course.secret().display().to_string();
    let eve = grade(&source, &[("bot.c", &format!("#include \"{secret}\"\nint main( {{\n"))], &[]);
    assert_eq!(eve["score"], 0);
    assert!(!eve.to_string().contains(SECRET), "{eve}");
    let told = eve["tests"][0]["output"].as_str().unwrap();
    says(told, &["`bot.c` does not compile\n| bot.c:1:10: ", "Permission denied"]);
    let nothing = grade(&source, &[("notes.txt", "x")], &[]);
    says(&nothing.to_string(), &["there is no `.wasm` file in the folder, but `notes.txt`"]);
    // A machine that cannot build gives no student zero points.
    let broken = [("CC", "/nowhere/cc"), ("PATH", tools.to_str().unwrap())];
    let owed = grade(&source, &[("bot.c", SOUND[0].2)], &broken);
    says(&owed.to_string(), &["The judge failed. This says nothing about your bot"]);
}

fn unpacked(course: &ConfinedCourse) -> PathBuf {
    let zip = course.path().join("autograder.zip");
    let mut command = judge();
    command.args(["export", "gradescope", "--build", "--suite"]).arg(course.path().join("suite"));
    let output = command.arg("--out").arg(&zip).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let folder = course.path().join("source");
    let mut archive = zip::ZipArchive::new(std::fs::File::open(&zip).unwrap()).unwrap();
    archive.extract(&folder).unwrap();
    // A process that another test starts may keep the program open for a moment.
    let is_busy = || {
        let ran = Command::new(folder.join("judge")).arg("--version").output();
        ran.is_err_and(|error| error.kind() == std::io::ErrorKind::ExecutableFileBusy)
    };
    while is_busy() {
        std::thread::yield_now();
    }
    folder
}

/// A folder with the programs that the script needs, without a compiler.
fn tools(folder: &Path) -> PathBuf {
    let tools = folder.join("tools");
    std::fs::create_dir(&tools).unwrap();
    for name in ["bash", "find", "head", "mkdir", "mktemp", "mv", "rm", "sort"] {
        let place = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(name));
        let real = place.iter().find(|path| path.is_file()).unwrap();
        std::os::unix::fs::symlink(real, tools.join(name)).unwrap();
    }
    tools
}

fn grade(source: &Path, files: &[(&str, &str)], variables: &[(&str, &str)]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let file = folder.path().join("submission").join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let mut command = Command::new(source.join("run_autograder"));
    command.env("JUDGE_SOURCE", source).env("JUDGE_RESULTS", folder.path().join("results"));
    command.env("JUDGE_SUBMISSION", folder.path().join("submission"));
    command.envs(variables.iter().copied());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = std::fs::read_to_string(folder.path().join("results/results.json"));
    serde_json::from_str(&text.unwrap_or_else(|error| panic!("{error}: {said}"))).unwrap()
}
