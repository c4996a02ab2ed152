//! `sdk/go`: its example is a bot if the testcase has memory for Go's runtime, and gets a message
//! otherwise.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use crate::support::{Ran, root, run, sample, write};

/// Each test by its name.
pub(crate) const TESTS: [(&str, fn()); 4] = [
    ("a_program_in_go_plays_as_a_bot", is_a_bot),
    ("a_program_in_go_plays_the_same_every_time", plays_the_same_every_time),
    ("a_program_in_go_needs_more_memory_than_the_course_gives", needs_more_memory),
    ("a_program_in_go_out_of_memory_is_at_fault", runs_out_of_memory),
];

/// True if Go programs can be built.
pub(crate) fn is_there() -> bool {
    let mut command = go();
    command.arg("version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn go() -> Command {
    let mut command = Command::new(std::env::var_os("JUDGE_GO").unwrap_or_else(|| "go".into()));
    // Uses the installed compiler, whatever a file asks for.
    command.env("GOTOOLCHAIN", "local");
    command
}

/// Sources and modules of this run.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("languages-go");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    folder
});

static EXAMPLE: LazyLock<PathBuf> = LazyLock::new(|| {
    let source = |name| std::fs::read(root().join("sdk/go/example").join(name)).unwrap();
    build("example", &source("go.mod"), &source("main.go"))
});

/// The module of a program, built by the command in `sdk/go/README.md`.
fn build(name: &str, module: &[u8], program: &[u8]) -> PathBuf {
    let folder = FOLDER.join(name);
    std::fs::create_dir(&folder).unwrap();
    write(&folder, "go.mod", module);
    write(&folder, "main.go", program);
    let document = std::fs::read_to_string(root().join("sdk/go/README.md")).unwrap();
    let line = document.lines().find(|line| line.contains(" go build ")).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(&folder).env("GOTOOLCHAIN", "local").env("PATH", path());
    let ran = shell.output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    folder.join("bot.wasm")
}

/// The search path, with the requested `go` first.
fn path() -> std::ffi::OsString {
    let own = std::env::var_os("JUDGE_GO").map(PathBuf::from);
    let own = own.as_deref().and_then(Path::parent).map(Path::to_owned);
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(own.into_iter().chain(std::env::split_paths(&others))).unwrap()
}

fn grade(module: &Path, memory_kib: u32, more: &[&str]) -> Ran {
    let testcase = format!(
        "title = \"In Go\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1, 2, 3, 4]\n\
         min_score = 0\npoints = 10\n\n[limits]\ntime_ms = 1000\nmemory_kib = {memory_kib}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let testcase = write(folder.path(), "in-go.toml", testcase);
    let paths = [module.as_os_str(), "--testcase".as_ref(), testcase.as_os_str()];
    run(["grade".as_ref()].into_iter().chain(paths).chain(more.iter().map(AsRef::as_ref)))
}

fn is_a_bot() {
    let testcase = |module: &Path| {
        let ran = grade(module, 8192, &["--jobs", "1", "--json", "-"]);
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        ran.json()["bots"][0]["testcases"][0].clone()
    };
    let (example, same) = (testcase(&EXAMPLE), testcase(&sample("mahjong-straightforward")));
    assert_eq!(example["verdict"], "accepted");
    assert_eq!(example["score"], same["score"], "the sample bot in C++ plays by the same rule");
    let least = grade(&EXAMPLE, 3072, &["--jobs", "1"]);
    assert_eq!(least.code, 0, "3 MiB suffice: {}{}", least.stdout, least.stderr);
}

fn plays_the_same_every_time() {
    let digest = |jobs| {
        let ran = grade(&EXAMPLE, 8192, &["--jobs", jobs, "--json", "-"]);
        ran.json()["bots"][0]["digest"].as_str().unwrap().to_owned()
    };
    assert_eq!(digest("1"), digest("2"));
}

fn needs_more_memory() {
    let ran = grade(&EXAMPLE, 2048, &[]);
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("this testcase allows 2048 KiB"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("memory_kib = 3072"),
        "the hint names the memory that Go's runtime needs: {}",
        ran.stdout
    );
}

fn runs_out_of_memory() {
    let program = "package main\n\nimport \"fmt\"\n\nvar kept [][]byte\n\nfunc main() {\n\
                   \tvar line string\n\tfor {\n\t\tfmt.Scanln(&line)\n\
                   \t\tkept = append(kept, make([]byte, 1<<20))\n\t}\n}\n";
    let hungry = build("hungry", b"module hungry\n\ngo 1.21\n", program.as_bytes());
    let ran = grade(&hungry, 8192, &["--jobs", "1"]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("Memory limit exceeded"), "{}", ran.stdout);
}
