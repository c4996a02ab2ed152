//! The pages about first bots, and the compilers that they need.

use crate::pages::read;
use crate::support::{judge, root, run, says};

/// The languages of `judge new --lang`, from its help.
fn languages() -> Vec<String> {
    let help = run(["new", "--help"]).stdout;
    let (_, list) = help.split_once("\nLanguages: ").expect("a list of languages");
    let (list, _) = list.split_once("\n\n").unwrap();
    let names = list.split('`').skip(1).step_by(2);
    names.map(str::to_owned).collect()
}

fn page(language: &str) -> String {
    format!("judge/docs/book/first-bot/{language}.md")
}

/// The pages with missing compilers, with the language.
pub(crate) fn missing() -> Vec<(String, String)> {
    let absent = languages().into_iter().filter(|language| !has_compiler(language));
    absent.map(|language| (page(&language), language)).collect()
}

/// True if the judge builds a new bot in that language here.
fn has_compiler(language: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let mut new = judge();
    new.current_dir(folder.path()).args(["new", "my-bot", "--game", "mahjong", "--lang", language]);
    let made = new.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let told = String::from_utf8(made.stdout).unwrap();
    let (_, watch) = told.split_once("judge watch ").expect("how to go on");
    let source = watch.split_whitespace().next().unwrap();
    let mut build = judge();
    build.current_dir(folder.path()).args(["build", source, "-o", "bot.wasm"]);
    // Cargo must not use this test's target folder.
    let built = build.env_remove("CARGO_TARGET_DIR").output().unwrap();
    !String::from_utf8_lossy(&built.stderr).contains("error: no compiler for ")
}

/// Number of words of a page outside its code.
fn words(text: &str) -> usize {
    let prose = text.split("\n```").step_by(2);
    prose.map(|part| part.split_whitespace().count()).sum()
}

/// The strategy on a page, if `judge new` writes that text; otherwise the whole text of
/// `judge new`.
fn strategy(language: &str, text: &str) -> Result<String, String> {
    let (_, rest) = text.split_once("The strategy is one function in").expect("a strategy");
    let (_, code) = rest.split_once("\n```").expect("code");
    let code = code.split_once('\n').and_then(|(_, code)| code.split_once("```\n")).unwrap().0;
    let templates = root().join("sdk/templates").join(language);
    let sources = std::fs::read_dir(templates).unwrap().map(|entry| entry.unwrap().path());
    let mut sources = sources.filter(|path| path.file_stem().is_some_and(|stem| stem == "mahjong"));
    let source = std::fs::read_to_string(sources.next().expect("a template")).unwrap();
    if source.contains(code) { Ok(code.to_owned()) } else { Err(source) }
}

/// Each language has a page of at most 400 words: what to install, and how to make a bot and change
/// it.
pub(crate) fn every_language_has_a_page() {
    let languages = languages();
    assert!(languages.len() > 6, "{languages:?}");
    let overview = read("judge/docs/book/first-bot.md");
    for language in languages {
        let text = read(&page(&language));
        says(&overview, &[&format!("(first-bot/{language}.md)")]);
        says(&text, &["\n## Install\n", "\n## Make it\n", "\n## Change it\n", "\n## Next\n"]);
        says(&text, &[&format!("--lang {language}\n"), "judge watch my-bot", "\n```console\n$ "]);
        let shown = strategy(&language, &text);
        let shown = shown.unwrap_or_else(|source| panic!("{language}: not a part of\n{source}"));
        says(&shown, &["YOUR STRATEGY"]);
        let words = words(&text);
        assert!(words <= 400, "the page on {language} has {words} words");
    }
}
