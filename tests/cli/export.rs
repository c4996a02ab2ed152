//! `judge export gradescope`: unpacks the zip file and runs its scripts like Gradescope.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

use crate::support::{run, sample, write};

/// An autograder as Gradescope unpacks it. Packing a judge takes a while, so all tests share it.
static AUTOGRADER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("small");
    std::fs::create_dir(&suite).unwrap();
    write(&suite, "suite.toml", "title = \"Small\"\n");
    let case = "title = \"Two rounds\"\ngame = \"mahjong\"\nopponent = \"random\"\n\
                seeds = [5, 6]\nmin_score = 30\npoints = 10\n";
    write(&suite, "01-easy.toml", case);
    write(&suite, "02-hard.toml", case.replace("30", "3000"));
    let zip = folder.path().join("autograder.zip");
    let arguments = ["export", "gradescope", "--suite", suite.to_str().unwrap(), "--out"];
    let ran = run(arguments.into_iter().chain([zip.to_str().unwrap()]));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.ends_with(" MiB, 2 testcases of `small`\n"), "{}", ran.stdout);
    #[cfg(unix)]
    {
        let usual = write(folder.path(), "usual", "");
        assert_eq!(mode(&zip), mode(&usual), "nothing secret is in it");
    }
    unpack(&zip, &folder.path().join("source"));
    let ran = Command::new(folder.path().join("source/setup.sh")).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(String::from_utf8(ran.stdout).unwrap().starts_with("judge "));
    folder
});

/// Unpacks an autograder to run it. Processes that other tests start keep copies of open files for
/// a moment, and a program that is open for writing cannot start.
fn unpack(zip: &Path, folder: &Path) {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(zip).unwrap()).unwrap();
    archive.extract(folder).unwrap();
    let is_busy = || {
        let ran = Command::new(folder.join("judge")).arg("--version").output();
        ran.is_err_and(|error| error.kind() == std::io::ErrorKind::ExecutableFileBusy)
    };
    for _ in 0..1000 {
        if !is_busy() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("somebody keeps the unpacked judge open");
}

/// The result of a submission.
struct ExportedResult {
    results: Value,
    /// All of Gradescope's output, for any reader.
    shown: String,
    success: bool,
}

fn source() -> PathBuf {
    AUTOGRADER.path().join("source")
}

fn grade_from(source: &Path, script: &Path, files: &[(&str, &[u8])]) -> ExportedResult {
    let folder = tempfile::tempdir().unwrap();
    let submission = folder.path().join("submission");
    std::fs::create_dir(&submission).unwrap();
    for (name, content) in files {
        let path = submission.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    grade_in(source, script, &folder)
}

/// Grades the folder under `submission`.
fn grade_in(source: &Path, script: &Path, folder: &tempfile::TempDir) -> ExportedResult {
    let [submission, results] = ["submission", "results"].map(|name| folder.path().join(name));
    let mut command = Command::new(script);
    command.env("JUDGE_SUBMISSION", &submission).env("JUDGE_RESULTS", &results);
    command.env("JUDGE_SOURCE", source).current_dir(folder.path());
    let output = command.output().unwrap();
    let left: BTreeSet<_> =
        std::fs::read_dir(&results).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, BTreeSet::from(["results.json".into()]), "nothing else is left behind");
    let text = std::fs::read_to_string(results.join("results.json")).unwrap();
    assert!(!text.contains('\r'), "line ends are line feeds");
    let value = serde_json::from_str(&text).unwrap();
    check_schema(&value);
    let streams = [output.stdout, output.stderr].concat();
    let shown = text + &String::from_utf8(streams).unwrap();
    ExportedResult { results: value, shown, success: output.status.success() }
}

fn grade(files: &[(&str, &[u8])]) -> ExportedResult {
    grade_from(&source(), &source().join("run_autograder"), files)
}

fn bot() -> Vec<u8> {
    std::fs::read(sample("mahjong-straightforward")).unwrap()
}

/// Panics unless the value follows Gradescope's documentation of `results.json`.
fn check_schema(results: &Value) {
    const VISIBILITY: &[&str] = &["hidden", "after_due_date", "after_published", "visible"];
    const FORMAT: &[&str] = &["text", "html", "simple_format", "md", "ansi"];
    let number = Value::is_number;
    let object = Value::is_object;
    let text = Value::is_string;
    let visibility = |value: &Value| VISIBILITY.iter().any(|one| value == one);
    let format = |value: &Value| FORMAT.iter().any(|one| value == one);
    let status = |value: &Value| value == "passed" || value == "failed";
    let order = |value: &Value| value == "asc" || value == "desc";
    let texts = |value: &Value| value.as_array().is_some_and(|all| all.iter().all(text));
    let number_or_text = |value: &Value| number(value) || text(value);
    type Keys<'a> = &'a [(&'a str, &'a dyn Fn(&Value) -> bool)];
    let check = |value: &Value, keys: Keys<'_>| {
        for (key, value) in value.as_object().expect("an object") {
            let known = keys.iter().find(|(name, _)| name == key);
            let (_, fits) = known.unwrap_or_else(|| panic!("`{key}` is not documented"));
            assert!(fits(value), "`{key}` cannot be {value}");
        }
    };
    let test: Keys<'_> = &[
        ("score", &number),
        ("max_score", &number),
        ("status", &status),
        ("name", &text),
        ("name_format", &format),
        ("number", &text),
        ("output", &text),
        ("output_format", &format),
        ("tags", &texts),
        ("visibility", &visibility),
        ("extra_data", &object),
    ];
    let entry: Keys<'_> = &[("name", &text), ("value", &number_or_text), ("order", &order)];
    let each = |value: &Value, keys: Keys<'_>| {
        value.as_array().is_some_and(|all| all.iter().all(|one| (check(one, keys), true).1))
    };
    check(
        results,
        &[
            ("score", &number),
            ("execution_time", &number),
            ("output", &text),
            ("output_format", &format),
            ("test_output_format", &format),
            ("test_name_format", &format),
            ("visibility", &visibility),
            ("stdout_visibility", &visibility),
            ("extra_data", &object),
            ("tests", &|value| each(value, test)),
            ("leaderboard", &|value| each(value, entry)),
        ],
    );
    let tests = results["tests"].as_array().map_or(&[][..], Vec::as_slice);
    let scored = !tests.is_empty() && tests.iter().all(|test| test.get("score").is_some());
    assert!(results.get("score").is_some() || scored, "a score has to be somewhere");
}

#[test]
fn the_exported_script_grades_a_submission() {
    let graded = grade(&[("deep/My bot.WASM", &bot()), ("notes.txt", b"SECRET-NOTES")]);
    assert!(graded.success, "{}", graded.shown);
    let statuses: Vec<_> = (0..2).map(|at| &graded.results["tests"][at]["status"]).collect();
    assert_eq!(statuses, ["passed", "failed"]);
    assert_eq!(graded.results["score"], 10);
    assert_eq!(graded.results["leaderboard"][0]["value"], 10);
    for secret in ["SECRET-NOTES", "My bot", "notes.txt"] {
        assert!(!graded.shown.contains(secret), "{secret}: {}", graded.shown);
    }
    assert!(!graded.results.to_string().contains("/"), "no path leaves: {}", graded.results);
}

#[test]
fn a_submission_without_exactly_one_module_gets_an_explanation() {
    let nothing = grade(&[]);
    assert_eq!((nothing.success, &nothing.results["score"]), (true, &0.into()));
    assert!(nothing.shown.contains("There is no .wasm file"), "{}", nothing.shown);
    let hidden = grade(&[("__MACOSX/._bot.wasm", b"x"), (".git/bot.wasm", &bot())]);
    assert!(hidden.shown.contains("There is no .wasm file"), "{}", hidden.shown);
    let two = grade(&[("a.wasm", &bot()), ("b/c.wasm", &bot())]);
    let named =
        "There are several .wasm files in the submission: a.wasm, b/c.wasm. Submit only one.";
    assert!(two.shown.contains(named), "{}", two.shown);
    let odd = grade(&[("src/m\"\\\n\u{e4}in.cpp", b"x"), ("notes", b"x")]);
    let named = "It has notes, src/m_____in.cpp. Build";
    assert!(odd.shown.contains(named), "{}", odd.shown);
    let many: Vec<String> = (1..=7).map(|number| format!("{number}.wasm")).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    assert!(grade(&many).shown.contains("4.wasm, 5.wasm and 2 more. Submit"));
    assert_eq!(two.results["score"], 0);
}

#[test]
fn the_script_neither_follows_links_nor_reads_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let submission = folder.path().join("submission");
    std::fs::create_dir(&submission).unwrap();
    let place = submission.join("bot.wasm");
    std::fs::write(folder.path().join("another.wasm"), bot()).unwrap();
    let script = source().join("run_autograder");
    for target in ["../another.wasm", "/dev/zero", "bot.wasm", "none", "."] {
        std::os::unix::fs::symlink(target, &place).unwrap();
        let graded = grade_in(&source(), &script, &folder);
        assert_eq!((graded.success, &graded.results["score"]), (true, &0.into()), "{target}");
        assert!(graded.shown.contains("is a link"), "{target}: {}", graded.shown);
        std::fs::remove_dir_all(folder.path().join("results")).unwrap();
        std::fs::remove_file(&place).unwrap();
    }
    assert!(Command::new("mkfifo").arg(&place).status().unwrap().success());
    let graded = grade_in(&source(), &script, &folder);
    assert!(graded.shown.contains("not a file"), "{}", graded.shown);
    std::fs::remove_dir_all(folder.path().join("results")).unwrap();
    // The disk is too small for all of it.
    std::fs::remove_file(&place).unwrap();
    std::fs::File::create(&place).unwrap().set_len(1 << 40).unwrap();
    let graded = grade_in(&source(), &script, &folder);
    assert_eq!(graded.results["tests"][0]["tags"][0], "Invalid module", "{}", graded.shown);
}

#[test]
fn a_malformed_module_is_refused_with_the_reason() {
    let graded = grade(&[("bot.wasm", b"\x00SECRET-GARBAGE")]);
    assert!(graded.success, "{}", graded.shown);
    assert_eq!(graded.results["tests"][0]["tags"][0], "Invalid module");
    assert_eq!(graded.results["tests"][0]["max_score"], 20);
    assert!(!graded.shown.contains("SECRET-GARBAGE"), "{}", graded.shown);
}

#[test]
fn file_names_cannot_inject_shell_commands() {
    let name = "$(touch pwned) \"; touch pwned; \n-x'.wasm";
    let graded = grade(&[(name, &bot())]);
    assert_eq!(graded.results["score"], 10, "{}", graded.shown);
    assert!(!graded.shown.contains("pwned"), "{}", graded.shown);
}

#[test]
fn a_stopped_script_leaves_a_result_file() {
    let text = std::fs::read_to_string(source().join("run_autograder")).unwrap();
    let stopped = text.replace("\nmodules=()", "\nkill -9 $$\nmodules=()");
    assert_ne!(text, stopped);
    let folder = tempfile::tempdir().unwrap();
    let script = write(folder.path(), "stopped", stopped);
    let results = folder.path().join("results");
    let mut command = Command::new("bash");
    command.arg(script).env("JUDGE_RESULTS", &results).env("JUDGE_SOURCE", source());
    assert!(!command.output().unwrap().status.success());
    let text = std::fs::read_to_string(results.join("results.json")).unwrap();
    let value = serde_json::from_str(&text).unwrap();
    check_schema(&value);
    assert!(value["output"].as_str().unwrap().starts_with("The grading was not finished"));
}

/// A file that begins like a Linux program.
fn small_binary(folder: &Path) -> PathBuf {
    let mut bytes = b"\x7fELF\x02\x01".to_vec();
    bytes.resize(18, 0);
    bytes.extend([0x3e, 0, 1, 2, 3]);
    write(folder, "judge-elsewhere", bytes)
}

#[test]
fn an_export_is_reproducible_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let binary = small_binary(folder.path());
    let pack = |out: &str| {
        let out = folder.path().join(out);
        let arguments = ["export", "gradescope", "--suite", "amazons", "--binary"];
        let places = [binary.to_str().unwrap(), "--out", out.to_str().unwrap()];
        let ran = run(arguments.into_iter().chain(places));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        std::fs::read(out).unwrap()
    };
    let one = pack("one.zip");
    assert_eq!(one, pack("two.zip"));
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(one)).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    assert_eq!(names[..3], ["setup.sh", "run_autograder", "suite/amazons/suite.toml"]);
    let mode = |archive: &mut zip::ZipArchive<_>, name: &str| {
        let file: zip::read::ZipFile<'_, _> = archive.by_name(name).unwrap();
        file.unix_mode().unwrap() & 0o777
    };
    assert_eq!(mode(&mut archive, "judge"), 0o755);
    assert_eq!(mode(&mut archive, "run_autograder"), 0o755);
}

#[test]
fn an_export_that_cannot_be_made_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("x.zip").to_str().unwrap().to_owned();
    let export = |suite: &str, binary: &str, out: &str| {
        run(["export", "gradescope", "--suite", suite, "--binary", binary, "--out", out])
    };
    let script = write(folder.path(), "script", "#!/bin/sh\n");
    let ran = export("amazons", script.to_str().unwrap(), &out);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("is not a program for Linux on x86-64"), "{}", ran.stderr);
    assert_eq!(export("amazons", "nowhere", &out).code, 3);
    assert_eq!(export("no-such-suite", "nowhere", &out).code, 2);
    let binary = small_binary(folder.path());
    let ran = export("amazons", binary.to_str().unwrap(), "/no/such/folder/x.zip");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let suite = secretive(folder.path());
    std::fs::remove_file(folder.path().join("secret/key")).unwrap();
    let ran = export(suite.to_str().unwrap(), binary.to_str().unwrap(), &out);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("are locked: 02-keyed"), "{}", ran.stderr);
    std::fs::remove_dir_all(folder.path().join("secret")).unwrap();
    let ran = export(suite.to_str().unwrap(), binary.to_str().unwrap(), &out);
    assert!(ran.stderr.contains("secret/cases` does not exist"), "{}", ran.stderr);
    assert!(!Path::new(&out).exists());
}

/// A suite with an open testcase, one with seeds from a key and one in a secret folder. The bot
/// fails the hidden ones.
fn secretive(folder: &Path) -> PathBuf {
    let suite = folder.join("suites/secretive");
    for folder in [&suite, &folder.join("secret/cases")] {
        std::fs::create_dir_all(folder).unwrap();
    }
    let case = |seeds: &str, least: u32| {
        format!(
            "title = \"x\"\ngame = \"mahjong\"\nopponent = \"random\"\n{seeds}\n\
             min_score = {least}\npoints = 10\n"
        )
    };
    let head = "# Not to be told: KEY-PLACE\ntitle = \"Secretive\"\n[hidden]\n\
                key = \"../../secret/key\"\nfolder = \"../../secret/cases\"\n[rank]\n\
                curve = [[0, 0], [100, 7]]\n";
    write(&suite, "suite.toml", head);
    write(&suite, "01-open.toml", case("seeds = [5, 6]", 30));
    write(&suite, "02-keyed.toml", case("rounds = 2", 9999));
    write(&folder.join("secret/cases"), "03-secret.toml", case("seeds = [424242]", 1));
    write(&folder.join("secret"), "key", "5a".repeat(32));
    suite
}

/// Permissions of a file.
#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(path).unwrap()) & 0o777
}

#[test]
fn hidden_testcases_are_exported_with_their_key_but_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let suite = secretive(folder.path());
    let zip = folder.path().join("x.zip");
    let export = |more: &[&str]| {
        let places = [suite.to_str().unwrap(), "--out", zip.to_str().unwrap()];
        let ran = run(["export", "gradescope", "--suite"].iter().chain(&places).chain(more));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(
            ran.stderr.contains("2 hidden testcases are in it, and their key"),
            "{}",
            ran.stderr
        );
        #[cfg(unix)]
        assert_eq!(mode(&zip), 0o600, "nobody else on the machine can read the key");
        let source = folder.path().join("source");
        unpack(&zip, &source);
        source
    };
    let source = export(&[]);
    let graded = grade_from(&source, &source.join("run_autograder"), &[("bot.wasm", &bot())]);
    assert!(graded.success, "{}", graded.shown);
    let tests = graded.results["tests"].as_array().unwrap();
    let seen: Vec<_> = tests.iter().map(|test| test["visibility"].as_str().unwrap()).collect();
    assert_eq!(seen, ["visible", "after_published", "after_published"]);
    assert_eq!(graded.results["score"], 20, "all of it counts");
    let output = graded.results["output"].as_str().unwrap();
    assert_eq!(output, "1 of 1 testcases passed; 2 more count, and are not shown yet");
    assert_eq!(graded.results["leaderboard"][0]["value"], 10, "no sum tells what is held back");
    let own = run(["grade", sample("mahjong-straightforward").to_str().unwrap(), "--json", "-"]
        .iter()
        .chain(&["--suite", suite.to_str().unwrap()]))
    .json();
    let hidden = &own["bots"][0]["testcases"].as_array().unwrap()[1..];
    for case in hidden {
        for round in case["rounds"].as_array().unwrap() {
            for secret in [&round["seed"].to_string(), round["digest"].as_str().unwrap()] {
                assert!(!graded.shown.contains(secret), "{secret}: {}", graded.shown);
            }
        }
    }
    // A file that was readable by all before is private afterwards.
    #[cfg(unix)]
    std::fs::set_permissions(&zip, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    let never = export(&["--hidden-visibility", "hidden"]);
    let graded = grade_from(&never, &never.join("run_autograder"), &[("bot.wasm", &bot())]);
    assert_eq!(graded.results["tests"][2]["visibility"], "hidden");
}

#[test]
fn an_export_keeps_how_much_students_see_of_hidden_testcases() {
    let folder = tempfile::tempdir().unwrap();
    let suite = secretive(folder.path());
    let head = std::fs::read_to_string(suite.join("suite.toml")).unwrap();
    write(&suite, "suite.toml", head.replace("[rank]", "shows = \"points\"\n[rank]"));
    let (zip, source) = (folder.path().join("x.zip"), folder.path().join("source"));
    let places = [suite.to_str().unwrap(), "--out", zip.to_str().unwrap()];
    let ran = run(["export", "gradescope", "--suite"].iter().chain(&places));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    unpack(&zip, &source);
    let graded = grade_from(&source, &source.join("run_autograder"), &[("bot.wasm", &bot())]);
    assert!(graded.success, "{}", graded.shown);
    let tests = graded.results["tests"].as_array().unwrap();
    let names: Vec<_> = tests.iter().map(|test| test["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["01-open: x", "hidden testcases: 2 testcases"]);
    assert_eq!((&tests[1]["score"], &tests[1]["max_score"]), (&10.into(), &20.into()));
    assert_eq!(graded.results["score"], 20);
}
