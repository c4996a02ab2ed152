//! Other submissions: forms of downloads, blame, and sources that are never built.

use crate::course::{ConfinedCourse, SOUND};
use crate::support::{judge, says};

/// Tests that need a compiler for C.
pub(crate) const TESTS: &[(&str, fn())] = &[
    ("sources_count_in_each_form_of_a_download", forms),
    ("a_built_source_is_not_built_again", cached),
    ("a_submitted_source_is_built_in_a_confined_process", single),
    ("a_compiler_error_is_shown_in_full", told),
    ("a_printed_command_builds_no_source_of_another_author", printed_commands),
    #[cfg(target_os = "linux")]
    ("a_signal_leaves_no_files", crate::temporary::nothing_is_left),
    #[cfg(target_os = "linux")]
    ("the_next_run_removes_files_of_a_killed_one", crate::temporary::is_cleared_later),
    #[cfg(target_os = "linux")]
    ("an_inherited_pipe_is_closed", inherited_pipe),
    #[cfg(unix)]
    ("an_autograder_takes_sources", crate::gradescope::takes_sources),
    ("a_missing_compiler_is_a_judge_error_without_a_mark", missing_compiler),
];

/// Tests without a compiler.
pub(crate) const ANYWHERE: &[(&str, fn())] = &[
    ("no_source_is_built_without_the_option", nothing_without_the_option),
    ("projects_are_built_one_after_another", several_projects),
];

/// A project that leaves a mark if it is built.
fn rust(course: &ConfinedCourse, name: &str) {
    course.add(
        &format!("{name}/Cargo.toml"),
        "[package]\nname = \"x\"\nedition = \"2021\"\n\n[workspace]\n",
    );
    let mark = course.path().join("built-by-cargo");
    course.add(
        &format!("{name}/build.rs"),
        format!("fn main() {{ std::fs::write({mark:?}, \"x\").unwrap(); }}\n"),
    );
    course.add(
        &format!("{name}/src/main.rs"),
        "fn main() { println!(\"{}\", include_str!(\"/etc/passwd\")); }\n",
    );
    course.add(&format!("{name}/.cargo/config.toml"), "[build]\nrustc-wrapper = \"/bin/false\"\n");
}

/// A pipe that the judge inherited as descriptor 9, without a path that could be refused.
#[cfg(target_os = "linux")]
fn inherited_pipe() {
    let course = ConfinedCourse::new();
    // Refusals are kept for the next build of the same source, so each run has another one.
    let once = course.path().display();
    let source = format!("#include \"/proc/self/fd/9\"\nint main(void) {{}}\n// {once}\n");
    course.add("pipe.c", source);
    let script = "yes 'PIPE-SECRET x;' | sh -c 'exec 9<&0 </dev/null; exec \"$@\"' sh \"$@\"";
    let judge = judge();
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", script, "sh"]).arg(judge.get_program());
    command.envs(judge.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.arg("grade").arg(course.path().join("in")).arg("--build");
    command.arg("--suite").arg(course.path().join("suite"));
    let ran: crate::support::Ran =
        command.arg("--out").arg(course.path().join("out")).output().unwrap().into();
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let (blame, why) = course.refused("pipe");
    assert_eq!(blame, "bot", "{why}");
    assert!(why.contains("file not found"), "{why}");
    let told = String::from_utf8_lossy(&course.everything()).into_owned();
    assert!(!(told + &ran.stderr).contains("PIPE-SECRET"), "{}", ran.stderr);
}

fn forms() {
    let course = ConfinedCourse::new();
    let [bot, broken] = [SOUND[0].2, "int main( {\n"];
    course.add("Ada King_1201_assignsubmission_file_bot.c", bot);
    course.add("Bo Li_1202_assignsubmission_file_/src/bot.c", bot);
    course.add("Bo Li_1202_assignsubmission_file_/src/own.h", "int own;\n");
    course.add("Cy Mo_1203_assignsubmission_file_/one.c", bot);
    course.add("Cy Mo_1203_assignsubmission_file_/two.c", bot);
    course.add("dee.c", broken);
    course
        .add("dee.wasm", std::fs::read(crate::support::sample("mahjong-straightforward")).unwrap());
    course.add("notes.txt", "x");
    let ran = course.grade(&["--build"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    says(&ran.stderr, &["built 2 of 2 sources"]);
    for name in
        ["Ada King_1201_assignsubmission_file_bot", "Bo Li_1202_assignsubmission_file_", "dee"]
    {
        assert_eq!(course.refused(name), Default::default(), "{name}");
    }
    let several = course.refused("Cy Mo_1203_assignsubmission_file_").1;
    says(
        &several,
        &["there are several sources in the folder: `one.c`, `two.c`", "`bot`, `brain` or `main`"],
    );
    says(&ran.stdout, &["ignored: 2 files"]);
    assert!(course.path().join("out/built").is_dir());
    zipped(&course);
}

/// The same folder as a zip file.
fn zipped(course: &ConfinedCourse) {
    let mut zip =
        zip::ZipWriter::new(std::fs::File::create(course.path().join("all.zip")).unwrap());
    let mut add = |name: &str, text: &str| {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, text.as_bytes()).unwrap();
    };
    add("in/ada.c", SOUND[0].2);
    add("in/bob/bot.c", SOUND[0].2);
    zip.finish().unwrap();
    let mut command = judge();
    command.arg("grade").arg(course.path().join("all.zip")).arg("--build");
    command.arg("--suite").arg(course.path().join("suite"));
    command.arg("--out").arg(course.path().join("of-zip"));
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    says(&said, &["built 2 of 2 sources"]);
}

fn cached() {
    let course = ConfinedCourse::new();
    let cache = course.path().join("cache");
    course.add("ada.c", SOUND[0].2);
    let grade = |more: &[&str]| {
        let mut command = judge();
        command.env("JUDGE_CACHE", &cache).arg("grade").arg(course.path().join("in"));
        command.arg("--suite").arg(course.path().join("suite")).arg("--build");
        command.arg("--out").arg(course.path().join("out")).args(more);
        assert!(command.output().unwrap().status.success());
        std::fs::read(course.path().join("out/built/ada.wasm")).unwrap()
    };
    let first = grade(&[]);
    let modules = cache.join("build/modules");
    let number = || std::fs::read_dir(&modules).unwrap().count();
    let before = number();
    assert_eq!(grade(&["--resume"]), first);
    assert_eq!(number(), before, "nothing was built again");
    std::fs::remove_dir_all(&modules).unwrap();
    assert_eq!(grade(&["--resume"]), first, "the same source gives the same bytes");
    course.add("ada.c", SOUND[0].2.replace("yes", "no"));
    assert_ne!(grade(&["--resume"]), first);
}

fn single() {
    let course = ConfinedCourse::new();
    course.add("ada/bot.c", SOUND[0].2);
    course.add("eve/bot.c", "#include \"/etc/passwd\"\n");
    let grade = |name: &str| {
        let mut command = judge();
        command.arg("grade").arg(course.path().join("in").join(name)).arg("--build");
        command.arg("--suite").arg(course.path().join("suite")).args(["--json", "-"]);
        crate::support::Ran::from(command.output().unwrap())
    };
    assert_eq!(grade("ada").code, 0);
    let ran = grade("eve");
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    let refused = &ran.json()["bots"][0]["refused"];
    assert_eq!(refused["blame"], "bot");
    says(refused["detail"].as_str().unwrap(), &["`bot.c` does not compile", "Permission denied"]);
}

/// After `--build`, a command names the built module and plays it without a compiler.
fn printed_commands() {
    let course = ConfinedCourse::new();
    course.add("eve/bot.c", SOUND[0].2);
    course.add("eve/notes.txt", "x");
    let case = course.path().join("suite/01-one.toml");
    let text = std::fs::read_to_string(&case).unwrap();
    std::fs::write(&case, text.replace("min_score = 0", "min_score = 100000")).unwrap();
    let cache = course.path().join("cache");
    for name in ["eve/bot.c", "eve"] {
        let mut command = judge();
        command.env("JUDGE_CACHE", &cache).arg("grade").arg(course.path().join("in").join(name));
        command.arg("--build").arg("--suite").arg(course.path().join("suite"));
        let ran = crate::support::Ran::from(command.output().unwrap());
        assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
        let line = ran.stdout.lines().find_map(|line| line.split_once("see it again: judge "));
        let line = line.unwrap_or_else(|| panic!("no command in {}", ran.stdout)).1;
        assert!(!line.contains("bot.c"), "{line}");
        let module = line.split(' ').nth(1).unwrap();
        assert!(module.ends_with(".wasm") && std::path::Path::new(module).is_file(), "{line}");
        let mut again = judge();
        again.current_dir(course.path()).args(line.split(' ')).env("PATH", "/nowhere");
        let ran = crate::support::Ran::from(again.env_remove("CC").output().unwrap());
        assert!(ran.code <= 1, "{}{}", ran.stdout, ran.stderr);
        assert!(course.path().join("round.html").is_file(), "the command writes its page");
    }
}

fn told() {
    let course = ConfinedCourse::new();
    course.add("ada.c", "int main(void) {\n    retrun 0;\n    <b>\n}\n");
    course.add("Eve \u{e9}.c", "int main(void) { __builtin_trap(); }\n");
    let ran = course.grade(&["--build"]);
    assert_eq!(ran.code, 0, "a result like any other: {}", ran.stderr);
    let (blame, why) = course.refused("ada");
    assert_eq!(blame, "bot");
    says(
        &why,
        &[
            "`ada.c` does not compile\n| ada.c:2:5: error: ",
            "\n| ada.c:3:5: error: ",
            "errors generated.",
        ],
    );
    says(
        &ran.stdout,
        &["      1  Invalid module\n", "  ada: Invalid module: `ada.c` does not compile\n"],
    );
    let page = std::fs::read_to_string(course.path().join("out/students/ada.html")).unwrap();
    says(
        &page,
        &["<code>ada.c</code> does not compile</p>\n<pre>| ada.c:2:5: error: ", "\n| ada.c:3:5: "],
    );
    assert!(!page.contains("    3 |     <b>"), "it is escaped");
    let marks = std::fs::read_to_string(course.path().join("out/marks.csv")).unwrap();
    says(&marks, &["ada,,ada.c,0,10,", ",Invalid module,"]);
    // The commands on a page name the built module as its file is called.
    let page = std::fs::read_dir(course.path().join("out/students")).unwrap().find_map(|file| {
        let path = file.unwrap().path();
        let is_eves = path.extension()? == "html" && path.file_stem()? != "ada";
        is_eves.then(|| std::fs::read_to_string(path).unwrap())
    });
    let page = page.unwrap();
    let (_, after) = page.split_once("built/").expect("a command");
    let (module, _) = after.split_once(".wasm").unwrap();
    assert!(course.path().join(format!("out/built/{module}.wasm")).is_file(), "{module}");
}

fn missing_compiler() {
    let course = ConfinedCourse::new();
    course.add("ada.c", SOUND[0].2);
    course.add("bob.wat", crate::support::SILENT_BOT);
    let mut command = judge();
    command.env("PATH", "/nowhere").env_remove("CC").env_remove("WASI_SDK_PATH");
    command.arg("grade").arg(course.path().join("in")).arg("--build");
    command.arg("--suite").arg(course.path().join("suite"));
    command.arg("--out").arg(course.path().join("out"));
    let ran = crate::support::Ran::from(command.output().unwrap());
    assert_eq!(ran.code, 4, "{}{}", ran.stdout, ran.stderr);
    says(&ran.stderr, &["the judge failed with 1 submission: ada", "run it again with `--resume`"]);
    let (blame, why) = course.refused("ada");
    assert_eq!(blame, "judge");
    says(&why, &["no compiler for C found", "pip install ziglang"]);
    let marks = std::fs::read_to_string(course.path().join("out/marks.csv")).unwrap();
    says(&marks, &["ada,,ada.c,,10,", ",Judge error,"]);
    assert_ne!(course.refused("bob").0, "judge", "the others are graded");
    // With a compiler the same run continues.
    let ran = course.grade(&["--build", "--resume"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(course.refused("ada"), Default::default());
}

fn nothing_without_the_option() {
    let course = ConfinedCourse::new();
    rust(&course, "eve");
    course.add("ada.c", SOUND[0].2);
    course.add("gopher/go.mod", "module x\n");
    course
        .add("bob.wasm", std::fs::read(crate::support::sample("mahjong-straightforward")).unwrap());
    let ran = course.grade(&[]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    says(&ran.stdout, &["1 submission graded", "      3  Not a module\n"]);
    assert!(!course.path().join("built-by-cargo").exists());
    assert!(!course.path().join("out/built").exists());
    let ran = course.grade(&["--build", "--resume"]);
    assert!(!course.path().join("built-by-cargo").exists(), "{}", ran.stderr);
    if course.path().join("out/students/eve.json").exists() {
        says(&course.refused("eve").1, &["Rust is not built here", "submit the built module"]);
    }
}

fn several_projects() {
    let course = ConfinedCourse::new();
    rust(&course, "ada");
    rust(&course, "eve");
    let mut command = judge();
    command.arg("grade").args(["ada", "eve"].map(|name| course.path().join("in").join(name)));
    command.arg("--suite").arg(course.path().join("suite"));
    let ran = crate::support::Ran::from(command.output().unwrap());
    assert_eq!(ran.code, 2, "{}{}", ran.stdout, ran.stderr);
    says(&ran.stderr, &["a second Rust project, and building one runs its code", "`--build`"]);
    assert!(!course.path().join("built-by-cargo").exists());
}
