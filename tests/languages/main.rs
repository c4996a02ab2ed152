//! Programs in languages without a kit or a sample bot: built by their documents, and graded.
//! Without the compiler the tests are skipped with a message. `JUDGE_GO` is the path of another
//! `go` than the one in `PATH`.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "it says why it runs nothing")]

mod constants;
mod environment;
mod failures;
mod go;
mod native;
mod projects;
mod scripts;

mod sources;
#[path = "../support/mod.rs"]
mod support;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    // A user who names a compiler wants the tests to run.
    let skipped = !go::is_there() && std::env::var_os("JUDGE_GO").is_none();
    if skipped {
        eprintln!(
            "no Go on this machine (https://go.dev/dl): the bot in Go is not built and played"
        );
    }
    let in_go = go::TESTS.iter().map(|(name, test)| {
        let run = move || {
            test();
            Ok::<(), Failed>(())
        };
        Trial::test(*name, run).with_ignored_flag(skipped)
    });
    let scripts = scripts::TESTS.iter().map(|(name, test)| {
        let run = move || {
            test();
            Ok::<(), Failed>(())
        };
        Trial::test(*name, run)
    });
    let trials = in_go.chain(of_sources()).chain(of_projects(skipped)).chain(scripts);
    let trials = trials.chain(of_environments(skipped));
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// The trials of environments and tools of projects, for each language with a compiler here.
fn of_environments(no_go: bool) -> Vec<Trial> {
    let missing: Vec<&str> = sources::SOURCES
        .iter()
        .filter(|source| !source.has_compiler())
        .map(|source| source.language)
        .chain(no_go.then_some("go"))
        .collect();
    let has_zig = !missing.contains(&"zig");
    let missing: Vec<&str> =
        missing.into_iter().chain((!environment::has_rust()).then_some("rust library")).collect();
    let trial = |name: &str, language: &str, test: Box<dyn FnOnce() + Send>| {
        let run = move || {
            test();
            Ok::<(), Failed>(())
        };
        Trial::test(name, run).with_ignored_flag(missing.contains(&language))
    };
    let of_programs = native::LANGUAGES.iter().filter(|_| cfg!(unix)).map(|language| {
        let name = format!("a_native_program_and_its_module_answer_alike::{language}");
        trial(&name, language, Box::new(|| native::answers_as_its_module_does(language)))
    });
    let mut trials = vec![
        trial(
            "emulated_libraries_are_linked",
            "cpp",
            Box::new(move || environment::emulated_libraries_are_linked(has_zig)),
        ),
        trial("a_large_array_is_named", "cpp", Box::new(environment::a_large_array_is_named)),
        trial(
            "a_rust_project_cannot_choose_its_tools",
            "rust library",
            Box::new(environment::a_rust_project_cannot_choose_its_tools),
        ),
        trial(
            "a_replay_builds_a_trusted_project",
            "rust library",
            Box::new(environment::a_replay_builds_a_trusted_project),
        ),
    ];
    trials.extend(of_programs);
    let named = sources::SOURCES.iter().filter(|one| ["c", "cpp", "zig"].contains(&one.language));
    trials.extend(named.map(|source| {
        let name = format!("a_name_is_no_option::{}", source.language);
        trial(&name, source.language, Box::new(|| source.is_built_under_the_name_of_an_option()))
    }));
    trials.extend(failures::all().map(|(name, language, at)| {
        trial(&name, language, Box::new(move || failures::tells_its_message(at)))
    }));
    trials.push(trial(
        "a_failure_tells_its_message::rust-kit-panic",
        "rust library",
        Box::new(failures::a_panic_of_the_kit_tells_its_message),
    ));
    trials.extend(constants::languages().map(|language| {
        let name = format!("constants_are_set::{language}");
        trial(&name, language, Box::new(move || constants::are_set(language)))
    }));
    trials.extend([
        trial(
            "constants_are_refused_elsewhere",
            "python",
            Box::new(constants::are_refused_elsewhere),
        ),
        trial("constants_are_swept", "cpp-kit", Box::new(constants::are_swept)),
    ]);
    #[cfg(unix)]
    {
        trials.extend(sources::SOURCES.iter().map(|source| {
            let name = format!("no_variable_changes_the_bytes::{}", source.language);
            trial(&name, source.language, Box::new(|| environment::is_left_out(source)))
        }));
        let of_unix: [(&str, &str, fn()); 5] = [
            (
                "no_variable_changes_the_bytes::rust-library",
                "rust library",
                environment::is_left_out_of_rust,
            ),
            ("no_variable_changes_the_bytes::go", "go", environment::is_left_out_of_go),
            ("no_date_is_in_a_module", "c", environment::no_date_is_in_a_module),
            (
                "no_optimiser_runs_behind_the_linker",
                "cpp",
                environment::no_optimiser_runs_behind_the_linker,
            ),
            (
                "a_compiler_of_the_project_does_not_run",
                "assemblyscript",
                environment::a_compiler_of_the_project_does_not_run,
            ),
        ];
        let of_unix = of_unix.into_iter();
        trials.extend(of_unix.map(|(name, language, test)| trial(name, language, Box::new(test))));
    }
    trials
}

/// The trials of `judge new`, for each game and each language with a compiler here.
fn of_projects(no_go: bool) -> impl Iterator<Item = Trial> {
    let missing: Vec<&str> = sources::SOURCES
        .iter()
        .filter(|source| !source.has_compiler())
        .map(|source| source.language)
        .chain(no_go.then_some("go"))
        .collect();
    projects::LANGUAGES.iter().flat_map(move |language| {
        let skipped = missing.contains(language);
        projects::GAMES.iter().map(move |game| {
            let run = move || {
                projects::plays_at_once(language, game);
                Ok::<(), Failed>(())
            };
            let name = format!("a_new_bot_plays_at_once::{language}::{game}");
            Trial::test(name, run).with_ignored_flag(skipped)
        })
    })
}

/// The trials of `judge build`, for each language with a compiler here.
fn of_sources() -> impl Iterator<Item = Trial> {
    let missing: Vec<&str> = sources::SOURCES
        .iter()
        .filter(|source| !source.has_compiler())
        .map(|source| source.language)
        .collect();
    for language in &missing {
        eprintln!("skipped: no compiler for {language} here");
    }
    let no_assemblyscript = missing.contains(&"assemblyscript");
    let of_assemblyscript = Trial::test("a_changed_import_is_built_again", || {
        sources::a_changed_import_is_built_again();
        Ok::<(), Failed>(())
    });
    let of_assemblyscript = of_assemblyscript.with_ignored_flag(no_assemblyscript);
    let has_c = !missing.contains(&"c") && !missing.contains(&"cpp");
    let each = sources::SOURCES.iter().map(move |source| {
        let run = move || {
            source.is_built_and_played();
            Ok::<(), Failed>(())
        };
        let name = format!("a_source_is_built_and_played::{}", source.language);
        Trial::test(name, run).with_ignored_flag(missing.contains(&source.language))
    });
    let of_c: [(&str, fn()); 5] = [
        ("unusual_brains_are_built", sources::unusual_brains_are_built),
        ("a_trap_has_the_line_of_the_source", sources::a_trap_has_the_line_of_the_source),
        ("a_changed_header_is_built_again", sources::a_changed_header_is_built_again),
        ("common_compiler_errors_are_explained", sources::common_compiler_errors_are_explained),
        ("compilers_keep_endless_loops", sources::compilers_keep_endless_loops),
    ];
    let of_c = of_c.into_iter().map(move |(name, test)| {
        let run = move || {
            test();
            Ok::<(), Failed>(())
        };
        Trial::test(name, run).with_ignored_flag(!has_c)
    });
    each.chain(of_c).chain([of_assemblyscript])
}
