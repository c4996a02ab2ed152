//! The book and the README show real output of the judge.
//!
//! The tests run commands in blocks of `console` and create pictures and the command reference
//! again. If `mdbook` and Python are installed, they build the book and follow its links. After an
//! intended change: `UPDATE_BOOK=1 cargo test --test book`. `JUDGE_MDBOOK` is the path of another
//! `mdbook` than the one in `PATH`.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "it says why it runs nothing")]

mod built;
mod console;
mod languages;
mod pages;
mod readme;
mod reference;
mod rounds;
#[path = "../support/mod.rs"]
mod support;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let trials = of_everything().chain(of_commands()).chain([of_the_built_book()]);
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn trial(name: &str, test: impl FnOnce() + Send + 'static, skipped: bool) -> Trial {
    let run = move || {
        test();
        Ok::<(), Failed>(())
    };
    Trial::test(name, run).with_ignored_flag(skipped)
}

fn of_everything() -> impl Iterator<Item = Trial> {
    let tests: [(&str, fn()); 6] = [
        ("every_document_is_in_the_summary", pages::every_document_is_in_the_summary),
        ("every_anchor_of_a_link_exists", pages::every_anchor_of_a_link_exists),
        ("every_language_has_a_page", languages::every_language_has_a_page),
        ("the_reference_has_every_command", reference::the_reference_has_every_command),
        ("pictures_match_the_output_of_the_judge", rounds::pictures_match_the_output_of_the_judge),
        ("the_readme_is_short_and_true", readme::is_short_and_true),
    ];
    tests.into_iter().map(|(name, test)| trial(name, test, false))
}

/// The trials of pages with commands; those about languages need compilers.
fn of_commands() -> impl Iterator<Item = Trial> {
    let missing = languages::missing();
    for (page, compiler) in &missing {
        eprintln!(
            "skipped: no compiler for {compiler} here, so the commands of {page} are not run"
        );
    }
    pages::with_commands().into_iter().map(move |page| {
        let skipped = cfg!(windows) || missing.iter().any(|(other, _)| *other == page);
        let name = format!("commands_of_a_page_print_its_output::{page}");
        trial(&name, move || console::does_what_it_shows(&page), skipped)
    })
}

fn of_the_built_book() -> Trial {
    let missing = built::missing();
    if let Some(tool) = missing {
        eprintln!("skipped: no {tool} here, so the book is not built");
    }
    trial(
        "every_link_of_the_book_has_a_target",
        built::every_link_of_the_book_has_a_target,
        missing.is_some(),
    )
}
