//! The cases under `corpus/` and the command that tries them.

use std::path::{Path, PathBuf};

use crate::support::{all_tests, root, run};

fn folder() -> PathBuf {
    root().join("judge/hostile-corpus")
}

/// The folders of all cases.
fn cases() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn selftest(corpus: &Path, name: &str) -> crate::support::Ran {
    let corpus = corpus.to_str().unwrap();
    run(["selftest", "--json", "--corpus", corpus, name])
}

/// Names of the cases to try. With `JUDGE_TESTS=all` all of them, which takes minutes. Otherwise
/// the first of each number, because cases with one number vary one idea, without those that
/// compile for as long as intake's limits allow.
fn chosen() -> Vec<String> {
    let mut names: Vec<String> =
        cases().iter().map(|case| case.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    if !all_tests() {
        names.retain(|name| !name.ends_with("-at-the-limit"));
        names.dedup_by(|next, kept| number(next).is_some() && number(next) == number(kept));
    }
    names
}

#[test]
fn each_hostile_module_gets_its_verdict_and_does_no_harm() {
    let names = chosen();
    let arguments = ["selftest", "--json"].into_iter().chain(names.iter().map(String::as_str));
    let ran = run(arguments.collect::<Vec<_>>());
    let report = ran.json();
    for case in report["cases"].as_array().unwrap() {
        assert_eq!(case["wrong"], serde_json::json!([]), "{}", case["name"]);
    }
    assert_eq!((ran.code, report["failed"].as_u64()), (0, Some(0)));
    let tried = report["passed"].as_u64().unwrap() as usize;
    assert!(tried >= names.len(), "a folder is not in the binary: {tried} of {}", names.len());
    assert!(tried == cases().len() || !all_tests(), "{tried} of {}", cases().len());
    assert!(names.len() >= 90 && cases().len() >= 300, "{} of {}", names.len(), cases().len());
}

/// The binary has no assembler, so the modules are next to their text. After a change of the text:
/// `UPDATE_CORPUS=1 cargo test --test adversarial assembled`.
#[test]
fn each_module_of_the_corpus_is_its_assembled_text() {
    let texts: Vec<PathBuf> = cases().iter().map(|case| case.join("bot.wat")).collect();
    for text in texts.iter().filter(|text| text.exists()) {
        let module = text.with_extension("wasm");
        let assembled = wat::parse_file(text).unwrap();
        if std::env::var_os("UPDATE_CORPUS").is_some() {
            std::fs::write(&module, &assembled).unwrap();
        }
        let kept = std::fs::read(&module).unwrap_or_default();
        assert!(kept == assembled, "`{}` is not its text assembled", module.display());
    }
}

/// The letter of a case: `a` of `a01-empty-file`, none of `abort`.
fn letter(name: &str) -> &str {
    let has_number =
        name.as_bytes().get(1..3).is_some_and(|two| two.iter().all(u8::is_ascii_digit));
    if has_number { &name[..1] } else { "" }
}

/// Letter and number of a case: `a01` of `a01-empty-file`.
fn number(name: &str) -> Option<&str> {
    (!letter(name).is_empty()).then(|| &name[..3])
}

/// A corpus of one case: the module of another case with a different expected result.
fn wrong_case(folder: &Path, text: &str) {
    let case = folder.join("wrong");
    std::fs::create_dir(&case).unwrap();
    std::fs::copy(self::folder().join("trap/bot.wasm"), case.join("bot.wasm")).unwrap();
    std::fs::write(case.join("case.toml"), text).unwrap();
}

#[test]
fn a_case_with_an_unexpected_verdict_is_reported() {
    let expectations = [
        ("verdict = \"illegal-move\"\nblame = \"bot\"\nexit = 1", "`runtime-error`, blaming bot"),
        (
            "verdict = \"runtime-error\"\nblame = \"judge\"\nexit = 1",
            "`runtime-error`, blaming bot",
        ),
        ("verdict = \"runtime-error\"\nblame = \"bot\"\nexit = 3", "exit code Some(1)"),
        ("verdict = \"runtime-error\"\nblame = \"bot\"\nsays = [\"sorry\"]", "by zero"),
        ("verdict = \"runtime-error\"\nblame = \"bot\"\nmax_processor_ms = 0", "of processor time"),
    ];
    for (expectation, complaint) in expectations {
        let folder = tempfile::tempdir().unwrap();
        wrong_case(folder.path(), &format!("about = \"something else\"\n{expectation}\n"));
        let ran = selftest(folder.path(), "wrong");
        let report = ran.json();
        assert_eq!((ran.code, report["failed"].as_u64()), (1, Some(1)), "{expectation}");
        let wrong = report["cases"][0]["wrong"].to_string();
        assert!(wrong.contains(complaint), "{expectation}: {wrong}");
    }
}

#[test]
fn memory_above_the_bound_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let text = "about = \"large\"\nverdict = \"runtime-error\"\nblame = \"bot\"\nmax_rss_mb = 1\n";
    wrong_case(folder.path(), text);
    let wrong = selftest(folder.path(), "wrong").json()["cases"][0]["wrong"].to_string();
    assert!(wrong.contains("MiB of memory"), "{wrong}");
}

/// The judge without its workers holds less than this.
#[test]
#[cfg_attr(windows, ignore = "only the judge's own memory is known")]
fn memory_of_a_worker_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let case = folder.path().join("fills");
    std::fs::create_dir(&case).unwrap();
    let module = wat::parse_str(
        r#"(module (memory (export "memory") 3200)
            (func (export "judge_buffer") (result i32) i32.const 0)
            (func (export "judge_line") (param i32) (result i32)
                (memory.fill (i32.const 0) (i32.const 1) (i32.const 209715200))
                unreachable))"#,
    );
    std::fs::write(case.join("bot.wasm"), module.unwrap()).unwrap();
    let text = "about = \"fills 200 MiB\"\nverdict = \"runtime-error\"\nblame = \"bot\"\n\
                max_rss_mb = 190\n[testcase]\nlimits = { time_ms = 2000, memory_kib = 262144 }\n";
    std::fs::write(case.join("case.toml"), text).unwrap();
    let report = selftest(folder.path(), "fills").json()["cases"][0].clone();
    let kib = report["memory_kib"].as_u64().unwrap();
    assert!((200 << 10..400 << 10).contains(&kib), "{report:#}");
    let wrong = report["wrong"].to_string();
    assert!(wrong.contains("MiB of memory") && !wrong.contains("blaming"), "{wrong}");
}

/// A corpus of one source.
fn source_case(folder: &Path, source: &str) {
    let case = folder.join("source");
    std::fs::create_dir(&case).unwrap();
    std::fs::write(case.join("bot.c"), source).unwrap();
    let text = "about = \"x\"\nverdict = \"invalid-module\"\nblame = \"bot\"\n\
                says = [\"does not compile\"]\nexit = 3\n";
    std::fs::write(case.join("case.toml"), text).unwrap();
}

/// Needs a compiler and a system that confines builds; the next test is about other systems.
#[test]
fn sources_are_built() {
    let folder = tempfile::tempdir().unwrap();
    source_case(folder.path(), "int main(void) { return x; }\n");
    let report = selftest(folder.path(), "source").json();
    if report["not_tried"] == 0 {
        assert_eq!(report["cases"][0]["got"], "invalid-module", "{report:#}");
        assert_eq!(report["passed"], 1, "{report:#}");
        let folder = tempfile::tempdir().unwrap();
        source_case(folder.path(), "int main(void) { return 0; }\n");
        let report = selftest(folder.path(), "source").json();
        assert_eq!(report["failed"], 1, "{report:#}");
    }
}

#[cfg(unix)]
#[test]
fn a_source_without_its_compiler_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    source_case(folder.path(), "int main(void) { return x; }\n");
    let mut command = crate::support::judge();
    command.args(["selftest", "--corpus"]).arg(folder.path()).env("PATH", folder.path());
    let ran: crate::support::Ran = command.output().unwrap().into();
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("  NOT TRIED: "), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("0 as expected, 0 not, 1 not tried\n"), "{}", ran.stdout);
}

#[test]
fn a_malformed_case_is_invalid_input() {
    let cases = [
        ("about = 1", "invalid type"),
        ("about = \"\"\ngenerator = \"phis(1, 1)\"", "either a generator or a file"),
        ("about = \"\"\nverdikt = \"\"", "unknown field `verdikt`"),
    ];
    for (text, complaint) in cases {
        let folder = tempfile::tempdir().unwrap();
        wrong_case(folder.path(), text);
        let ran = selftest(folder.path(), "wrong");
        assert_eq!(ran.code, 3, "{text}");
        assert!(ran.stderr.contains(complaint), "{}", ran.stderr);
    }
    assert_eq!(selftest(&folder(), "no-such-case").code, 2);
}

#[test]
fn selftest_prints_a_table() {
    let ran = run(["selftest", "a01", "c01-infinite"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    let rows: Vec<Vec<&str>> =
        ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["case", "expected", "got", "ms", "MiB"]);
    assert_eq!(rows[1][..3], ["a01-empty-file", "invalid-module", "invalid-module"]);
    assert_eq!(rows[2][..3], ["c01-infinite-loop", "time-limit-exceeded", "time-limit-exceeded"]);
    assert_eq!(rows[3].join(" "), "2 as expected, 0 not");
}
