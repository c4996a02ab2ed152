//! Pages of a new project: its README and the rules of its game.

use judge_core::FUEL_PER_MS;
use judge_games::Game;
use judge_grading::Testcase;

use super::Language;
use crate::base::boards;
use crate::base::bundled;

/// The heading of that section.
const IDEAS: &str = "## What to try first\n";

/// The README: the commands, the place of the strategy, the requirements, and the restrictions of a
/// bot.
pub(super) fn text(game: &dyn Game, language: Language, name: &str) -> String {
    let source = if language.is_folder() { "." } else { language.main(game.name()) };
    let testcase = language.testcase().map(|file| format!(" --testcase {file}"));
    let on = testcase.unwrap_or_default();
    let memory = if language == Language::Go { " --memory-kib 16384" } else { "" };
    let opponents: Vec<&str> = game.opponents().iter().map(|one| one.name).collect();
    // A beginner learns little from the strongest, against which all rounds are lost alike.
    let opponent = opponents.get(1).or(opponents.first()).copied().unwrap_or_default();
    let commands = [
        (format!("judge watch {source}{on}"), "build and grade it, again at every save"),
        (format!("judge play {source} --seed 1 --open{memory}"), "watch a round in the browser"),
        (format!("judge play {source} --seed 1 --trace{memory}"), "every line, its cost, your log"),
        (format!("judge match {source} {opponent}{memory}"), "against a reference opponent"),
        (format!("judge check {source}{memory}"), "the time and memory that it uses"),
        (format!("judge build {source} -o {name}.wasm"), "the file to submit"),
    ];
    let width = commands.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    let commands: String =
        commands.map(|(command, what)| format!("{command:width$}   # {what}\n")).concat();
    format!(
        "# {name}\n\nA bot for {title} in {lang}. In this folder:\n\n```sh\n{commands}```\n\n\
         ## Where to begin\n\n{place} in `{main}` is the strategy; everything else only calls it. \
         The bot plays by the rules, but not well. Change something and save: `judge watch` shows \
         which rounds got better and which got worse, on the same seeds.\n\n`RULES.md` has the \
         rules of the game, the notation of moves, and every line that the judge sends. The \
         reference opponents are `{opponents}`, from weak to strong.\n\n{testcases}\
         {ideas}{boards}## Requirements\n\n{needs}\n\n## Differences from other programs\n\n* Time is \
         counted in instructions, not in seconds: 4000 ms are 4,000,000,000 instructions, for all \
         rounds of a testcase together.{per_round}\n* {memory_text}\n* A bot has no files, no network and no \
         threads. Every repetition of a round gives it the same random numbers.\n* {log}\n",
        title = game.title(),
        lang = language.title(),
        place = language.place(game.name()),
        main = language.main(game.name()),
        opponents = opponents.join("`, `"),
        ideas = ideas(game),
        testcases = testcases_text(game),
        boards = boards_text(game),
        needs = needs(language),
        per_round = time_of_a_round(game),
        memory_text = match language {
            Language::Go =>
                "Memory is 16 MiB in `testcase.toml`: the 2 MiB of the bundled suites are too little for Go.",
            _ => "Memory is 2 MiB in all.",
        },
        log = log(language, game.name()),
    )
}

/// The section of the game's page on improving a bot.
fn ideas(game: &dyn Game) -> String {
    let page = judge_games::rules_page(game.name()).unwrap_or_default();
    let Some((_, section)) = page.split_once(IDEAS) else { return String::new() };
    let section = section.split("\n## ").next().unwrap_or_default();
    format!("{IDEAS}{section}\n")
}

/// The scores that pass the testcases of the bundled suite.
fn testcases_text(game: &dyn Game) -> String {
    let Some(Ok(suite)) = bundled::suite(game.name()) else { return String::new() };
    let needed = |case: &Testcase| {
        let most = case.max_score().map_or_else(String::new, |most| format!(" of {most}"));
        format!("`{}` {}{most} against `{}`", case.name, case.min_score, case.opponent)
    };
    let needed: Vec<String> = suite.testcases.iter().map(needed).collect();
    format!(
        "The scores of a testcase's rounds are added up; `RULES.md` says how a round is scored. The \
         bundled suite needs these sums, of the highest possible: {}.\n\n",
        needed.join(", ")
    )
}

/// The boards and rules of the bundled suite.
fn boards_text(game: &dyn Game) -> String {
    let Some(Ok(suite)) = bundled::suite(game.name()) else { return String::new() };
    let lines = boards::lines(suite.testcases.iter(), game);
    if lines.is_empty() {
        return String::new();
    }
    let lines: String = lines.iter().map(|line| format!("* {line}\n")).collect();
    format!(
        "## Boards\n\nThe bundled suite `{name}` has several boards and rules, and the first line of a \
         round (`game {name} …`) says which. A bot for one board makes illegal moves on the others:\n\n\
         {lines}\n",
        name = game.name()
    )
}

/// The rounds of the bundled suite's testcases, and the time that each has.
fn time_of_a_round(game: &dyn Game) -> String {
    let Some(Ok(suite)) = bundled::suite(game.name()) else { return String::new() };
    let rounds = || suite.testcases.iter().map(|testcase| testcase.rounds);
    let (Some(fewest), Some(most)) = (rounds().min(), rounds().max()) else {
        return String::new();
    };
    let shares = suite.testcases.iter().map(|testcase| {
        let rounds = u64::try_from(testcase.rounds.max(1)).unwrap_or(u64::MAX);
        testcase.limits.fuel / FUEL_PER_MS / rounds
    });
    let share = shares.min().unwrap_or_default();
    let rounds = if fewest == most { most.to_string() } else { format!("{fewest} to {most}") };
    format!(
        " The testcases of the bundled suite have {rounds} rounds, so a round has about {share} ms."
    )
}

/// The programs to install.
fn needs(language: Language) -> String {
    match language {
        Language::Text => return "Nothing: the judge builds it by itself.".to_owned(),
        Language::JavaScript => return SCRIPT_NEEDS.to_owned(),
        Language::Python => return PYTHON_NEEDS.to_owned(),
        _ => {}
    }
    let install = judge_toolchain::install(language.builder());
    let here = match language {
        Language::AssemblyScript => {
            "`npm install` in this folder, and `--trust-project` with each command, by which the \
             judge runs a compiler out of it; or "
        }
        _ => "",
    };
    let text = install.replacen("install one:", "", 1);
    format!("A compiler for {}: {here}one of\n\n```{text}\n```", language.title())
}

const SCRIPT_NEEDS: &str = "Nothing: the judge has an interpreter and the kit inside. The folder \
    `judge-bot` is only for your editor: it describes the kit's functions. Your own files are \
    imported by their paths: `import { helper } from './helper.js'`. A script is some 20 times as \
    slow as a bot in C++, and time is counted, so look at few moves, and at the good ones first: \
    `Date.now()` shows the milliseconds that the round has used.";

const PYTHON_NEEDS: &str = "Nothing: the judge has an interpreter (MicroPython) inside. The folder \
    `judge_bot` is the kit. Your own files are imported as usual: `from helper import value`. Of the \
    standard library there are `math`, `random`, `collections`, `heapq`, `functools`, `itertools`, \
    `bisect`, `copy`, `time`, `typing` and a few more. A script is some 100 times as slow as a bot in \
    C++, and time is counted: to look a reply ahead, try only the best few moves. `time.time()` \
    shows the seconds that the round has used. The judge runs the script; `python3 bot.py` only waits, \
    because nothing sends it the lines of a round.";

/// The function to call for log output.
fn log(language: Language, game: &str) -> &'static str {
    match language {
        Language::C => "Output on `stderr` goes to the log; `stdout` is for answers.",
        Language::Cpp if game == "mahjong" => "Output on `cout` or `cerr` goes to the log.",
        Language::Cpp => "`log(\"…\")` writes to the log, and so does `cout`.",
        Language::Rust => "`eprintln!` writes to the log; `println!` is for answers.",
        Language::Zig => "`log` writes to the log; `bot.zig` says how to declare it.",
        Language::Go => "`tools.Log(\"…\")` writes to the log; standard output is for answers.",
        Language::AssemblyScript => "`tools.log(\"…\")` writes to the log.",
        Language::JavaScript => "`tools.log(\"…\")` writes to the log, and so does `console.log`.",
        Language::Python => "`tools.log(\"…\")` writes to the log, and so does `print`.",
        Language::Text => {
            "An import `(import \"judge\" \"log\" (func $log (param i32 i32)))` writes to the log: \
             address and length."
        }
    }
}
