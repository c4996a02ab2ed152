//! Scripts, which need no compiler: errors are reported with their position, and a script plays
//! like its module.

use std::path::{Path, PathBuf};

use crate::support::{Ran, judge, root, run, says, write};

/// Each test by its name.
pub(crate) const TESTS: [(&str, fn()); 10] = [
    ("a_failing_script_shows_the_message_of_its_language", failures_show_their_message),
    ("a_malformed_script_is_refused_before_playing", some_are_refused),
    ("a_script_imports_files_next_to_it", imports_files_beside_it),
    ("a_failing_script_names_file_and_line", names_the_line_of_the_file_that_failed),
    ("a_script_and_its_module_get_the_same_result", is_played_as_its_module),
    ("a_script_is_found_in_its_module", is_known_in_its_module),
    ("a_script_has_random_numbers_and_a_clock", has_luck_and_a_clock),
    ("the_start_of_the_interpreter_does_not_count_for_a_script", has_the_start_up_for_itself),
    ("a_script_of_a_kit_plays_a_round", examples_play_a_round),
    ("a_python_script_prints_the_same_as_python", prints_what_python_prints),
];

fn judge_on(command: &str, script: &Path, more: &[&str]) -> Ran {
    judge().arg(command).arg(script).args(more).output().unwrap().into()
}

/// Every script in `sources/hostile` gets the verdict in its first line.
fn failures_show_their_message() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("tests/languages/sources/hostile"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() > 20, "{}", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let first = text.lines().next().unwrap().trim_start_matches(['/', '#', ' ']);
        let (verdict, detail) = first.split_once(": ").unwrap_or((first, ""));
        let ran = judge_on("play", &file, &["--game", "mahjong", "--seed", "1"]);
        let shown = format!("{}: {}{}", file.display(), ran.stdout, ran.stderr);
        let line = ran.stdout.lines().find(|line| line.starts_with(&format!("{verdict}: seat 1")));
        assert!(line.is_some_and(|line| line.contains(detail)), "{first}\n{shown}");
        assert_eq!(ran.code, 1, "the judge itself is well: {shown}");
    }
}

/// Every example of the kits for scripts plays a round to its end, whatever time it needs.
fn examples_play_a_round() {
    let mut played = 0;
    for folder in ["sdk/javascript/examples", "sdk/python/examples"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let script = entry.unwrap().path();
            let name = script.file_stem().unwrap().to_str().unwrap();
            let game = name.split('_').next().unwrap();
            let ran =
                judge_on("play", &script, &["--game", game, "--seed", "3", "--time-ms", "60000"]);
            let shown = format!("{}: {}{}", script.display(), ran.stdout, ran.stderr);
            assert_eq!(
                (ran.code, ran.stdout.contains("seat 1 log: Traceback")),
                (0, false),
                "{shown}"
            );
            played += 1;
        }
    }
    assert_eq!(played, 10, "one of each game in both languages");
}

fn some_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let python = "from judge_bot import cc, run\n\ndef choose(state, tools):\n    return 1\n";
    let large = format!("const text = '{}';\n", "x".repeat(1 << 20));
    for (name, bytes, help) in [
        ("python.js", python.as_bytes(), "is Python, by its first lines, not JavaScript"),
        (
            "script.py",
            b"const a = 1;\nfunction b() {\n}\n".as_slice(),
            "is JavaScript, by its first",
        ),
        ("letters.js", b"const a = '\xff';".as_slice(), "is not text in UTF-8"),
        ("large.js", large.as_bytes(), "the most is 1048576"),
    ] {
        let script = write(folder.path(), name, bytes);
        for command in ["grade", "build"] {
            let ran = judge_on(command, &script, &[]);
            assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{name}: {}", ran.stderr);
            says(&ran.stderr, &[name, help, "hint: "]);
        }
    }
    let text = format!("// judge: game=cc\nconst text = '{}';\n", "x".repeat(700_000));
    let script = write(folder.path(), "memory.js", text);
    let ran = judge_on("check", &script, &["--memory-kib", "1024"]);
    says(&ran.stdout, &["memory.js: refused", "of memory"]);
    let ran = judge_on("check", &script, &[]);
    says(&ran.stdout, &["Memory limit exceeded: the script failed before it read its first line"]);
}

fn imports_files_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    write(folder.path(), "parts/choice.js", "export { pick as default } from './pick.js';\n");
    let pick = "export function pick(list) {\n  return list[0];\n}\n";
    write(folder.path(), "parts/pick.js", pick);
    let text = "// judge: game=cc\nimport { run } from 'judge-bot';\n\
                import * as cc from 'judge-bot/cc';\nimport pick from './parts/choice';\n\
                run(cc, (state) => pick(cc.legalMoves(state)));\n";
    let script = write(folder.path(), "bot.js", text);
    let ran = judge_on("check", &script, &[]);
    says(&ran.stdout, &["bot.js: accepted", "cc against random, seed 1: no fault"]);
    write(folder.path(), "parts/pick.js", pick.replace("list[0]", "list.first()"));
    let ran = judge_on("check", &script, &[]);
    says(&ran.stdout, &["`parts/pick.js:2: TypeError: not a function`"]);
}

fn names_the_line_of_the_file_that_failed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "helper.py", "def pick(moves):\n    return {}['a']\n");
    let text = "# judge: game=cc\nfrom judge_bot import cc, run\nimport functools, helper\n\
                run(cc, lambda state, tools: CHOSEN)\n";
    let moves = "cc.legal_moves(state)";
    for (name, chosen, place) in [
        ("helps.py", format!("helper.pick({moves})"), "helper.py:2: KeyError"),
        ("library.py", "functools.reduce(max, [])".to_owned(), "library.py:4: "),
    ] {
        let script = write(folder.path(), name, text.replace("CHOSEN", &chosen));
        says(&judge_on("check", &script, &[]).stdout, &[place]);
    }
}

/// Small first-year programs; `sources/first_year.txt` is the output of CPython.
fn prints_what_python_prints() {
    let sources = root().join("tests/languages/sources");
    let ran = judge_on("play", &sources.join("first_year.py"), &["--seed", "1"]);
    let printed: String = ran
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("seat 1 log: "))
        .map(|line| format!("{line}\n"))
        .collect();
    let expected = std::fs::read_to_string(sources.join("first_year.txt")).unwrap();
    let programs = |text: &str| text.split("# ").map(str::to_owned).collect::<Vec<_>>();
    assert!(programs(&expected).len() > 70);
    assert_eq!(programs(&printed), programs(&expected), "{}", ran.stderr);
}

/// Changes the section's name, so that the judge treats the module like any other.
fn unknown(module: &[u8]) -> Vec<u8> {
    let name = b"judge-interpreter";
    let at = module.windows(name.len()).rposition(|bytes| bytes == name).unwrap();
    let mut other = module.to_vec();
    other[at] = b'x';
    other
}

/// The cost of a script does not depend on its interpreter's compilation.
fn is_played_as_its_module() {
    let folder = tempfile::tempdir().unwrap();
    for source in ["javascript/mahjong.js", "javascript/patchwork.js", "python/patchwork.py"] {
        let script = root().join("sdk/templates").join(source);
        let module = folder.path().join("bot.wasm");
        let ran = judge_on("build", &script, &["-o", module.to_str().unwrap()]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let bytes = std::fs::read(&module).unwrap();
        let own = write(folder.path(), "own.wasm", unknown(&bytes));
        let measured = |bot: &Path| {
            let ran = judge_on("check", bot, &["--json"]);
            let round = ran.json()["round"].clone();
            assert!(round["fault"].is_null(), "{round}");
            [round["fuel"].clone(), round["peak_memory_bytes"].clone()]
        };
        let (known, unknown) = (measured(&module), measured(&own));
        assert_eq!(known, unknown);
        assert_eq!(measured(&script), known);
    }
}

fn is_known_in_its_module() {
    let folder = tempfile::tempdir().unwrap();
    let module = folder.path().join("bot.wasm");
    let script = root().join("sdk/templates/javascript/cc.js");
    judge_on("build", &script, &["-o", module.to_str().unwrap()]);
    let hash = judge_core::digest(&std::fs::read(&script).unwrap()).to_string();
    let ran = judge_on("check", &module, &[]);
    says(&ran.stdout, &["`cc.js` in JavaScript, ", &hash, "runs in QuickJS-ng"]);
    let other = write(folder.path(), "own.wasm", unknown(&std::fs::read(&module).unwrap()));
    assert!(!judge_on("check", &other, &[]).stdout.contains("QuickJS"));
}

/// Random numbers are the same in every repetition and differ with another seed. The clock shows
/// the instructions used.
fn has_luck_and_a_clock() {
    let folder = tempfile::tempdir().unwrap();
    let javascript = "// judge: game=mahjong\nconst begun = Date.now();\n\
                      for (let i = 0; i < 20000; i++) Math.sqrt(i);\n\
                      console.log('luck', Math.random(), 'ms', Date.now() - begun);\n";
    let python = "# judge: game=mahjong\nimport random, time\nbegun = time.time()\n\
                  for i in range(20000): i * i\n\
                  print('luck', random.random(), 'ms', (time.time() - begun) * 1000)\n";
    for (name, text) in [("bot.js", javascript), ("bot.py", python)] {
        let script = write(folder.path(), name, text);
        let logged = |seed: &str| {
            let ran = run(["play".as_ref(), script.as_os_str(), "--seed".as_ref(), seed.as_ref()]);
            let line = ran.stdout.lines().find(|line| line.contains("log: luck")).unwrap();
            let words: Vec<&str> = line.split(' ').collect();
            let at = words.iter().position(|word| *word == "luck").unwrap();
            (words[at + 1].parse::<f64>().unwrap(), words[at + 3].parse::<f64>().unwrap())
        };
        let (one, again, two) = (logged("1"), logged("1"), logged("2"));
        assert_eq!(one, again);
        assert!(one.0 != two.0 && (0.0..1.0).contains(&one.0), "{name}: {one:?} {two:?}");
        assert!(one.1 >= 1.0, "{name}: {one:?}");
    }
}

/// The interpreter and the kit are ready when a round begins.
fn has_the_start_up_for_itself() {
    let folder = tempfile::tempdir().unwrap();
    let javascript = "// judge: game=cc\nimport { run } from 'judge-bot';\n\
                      import * as cc from 'judge-bot/cc';\nconsole.log('begun', Date.now());\n\
                      run(cc, (state) => cc.legalMoves(state)[0]);\n";
    let python = "# judge: game=cc\nfrom judge_bot import cc, run\nimport time\n\
                  print('begun', int(time.time() * 1000))\n\
                  run(cc, lambda state, tools: cc.legal_moves(state)[0])\n";
    for (name, text) in [("bot.js", javascript), ("bot.py", python)] {
        let script = write(folder.path(), name, text);
        let ran = judge_on("play", &script, &["--seed", "1"]);
        let begun =
            ran.stdout.lines().find_map(|line| line.strip_prefix("seat 1 earlier log: begun "));
        let ms: u64 = begun.unwrap_or_else(|| panic!("{}", ran.stderr)).parse().unwrap();
        assert!(ms < 2, "{name}: {ms} judge-milliseconds");
    }
}
